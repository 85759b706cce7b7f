from pathlib import Path

import pytest
from click.testing import CliRunner

from engines.shogi.rules.sfen import START, parse_sfen
from engines.shogi.workshop.depths import main, middle_games
from engines.shogi.workshop.selfplay import fill

KEPT = Path(__file__).parents[3] / "data" / "shogi-middle-games.txt"


@pytest.fixture(scope="module")
def labels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("labels") / "20-1.labels"
    list(fill(path, 2, 20, 1))
    return path


def test_middle_games_are_drawn_from_different_games(labels: Path) -> None:
    assert len(middle_games(labels, 1, seed=1)) == 1
    assert middle_games(labels, 1, seed=1) == middle_games(labels, 1, seed=1)
    with pytest.raises(ValueError, match="larger than population"):
        middle_games(labels, 3, seed=1)


def test_the_nodes_to_a_depth_are_those_of_the_search(tmp_path: Path) -> None:
    positions = tmp_path / "positions.txt"
    positions.write_text(f"{START}\n", encoding="ascii")
    done = CliRunner().invoke(main, ["measure", str(positions), "--depth", "2"])
    assert done.exit_code == 0, done.output
    nodes, mean = done.output.splitlines()
    assert mean == f"geometric mean of 1: {nodes} nodes to depth 2"


def test_a_method_can_be_switched_off_for_a_measurement(tmp_path: Path) -> None:
    positions = tmp_path / "positions.txt"
    positions.write_text(KEPT.read_text(encoding="ascii").splitlines()[0], encoding="ascii")
    arguments = ["measure", str(positions), "--depth", "4"]
    runner = CliRunner()
    every = runner.invoke(main, arguments)
    fewer = runner.invoke(main, [*arguments, "--disable", "reverse futility"])
    assert every.exit_code == fewer.exit_code == 0
    assert every.output != fewer.output


def test_the_positions_that_are_kept_for_measuring_are_twenty_even_middle_games() -> None:
    kept = KEPT.read_text(encoding="ascii").splitlines()
    assert len(set(kept)) == 20
    for sfen in kept:
        assert parse_sfen(sfen).legal_moves()
