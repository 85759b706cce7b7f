import itertools
from pathlib import Path

from click.testing import CliRunner

from engines.morris.rules.board import COMPILED
from engines.morris.workshop import selfplay
from engines.morris.workshop.selfplay import BooklessPlayer, play

NODES = 300 if COMPILED else 40


def test_a_game_depends_on_its_seed_alone() -> None:
    player = BooklessPlayer()
    first = play(player, 3, NODES)
    assert first
    play(player, 4, NODES)
    assert play(player, 3, NODES) == first


def test_a_result_is_recorded_for_the_side_to_move() -> None:
    rows = play(BooklessPlayer(), 3, NODES)
    assert all(row[6] == 3 and row[5] in (-1, 0, 1) for row in rows)
    for row, after in itertools.pairwise(rows):
        assert after[5] == -row[5]


def test_games_are_added_to_a_file(tmp_path: Path) -> None:
    path = tmp_path / "labels.txt"
    for seed in ("1", "2"):
        words = [str(path), "--games", "1", "--nodes", str(NODES), "--seed", seed]
        assert CliRunner().invoke(selfplay.main, words).exit_code == 0
    rows = [list(map(int, line.split())) for line in path.read_text().splitlines()]
    assert {row[6] for row in rows} == {1, 2}
    assert all(row[0] & row[1] == 0 for row in rows)
