from array import array
from pathlib import Path

import pytest

from engines.morris import duel as module
from engines.morris import evaluation, weights
from engines.morris.board import COMPILED
from engines.morris.duel import Duel, standing

NODES = 300 if COMPILED else 40


def test_pairs_of_the_same_weights_depend_on_number_and_seed() -> None:
    shipped = weights.load()
    duel = Duel(shipped, shipped, NODES, 1)
    first = duel.play(0)
    assert set(first) <= {-1, 0, 1}
    assert duel.play(0) == first


@pytest.mark.skipif(not COMPILED, reason="slow where interpreted")
def test_weights_beat_those_that_give_men_away() -> None:
    shipped = weights.load()
    upside_down = array("h", [-weight for weight in shipped])
    try:
        duel = Duel(shipped, upside_down, 1000, 1)
        assert sum(sum(duel.play(pair)) for pair in range(3)) > 0
    finally:
        evaluation.fill(shipped)


def test_a_standing_tells_losses_from_draws() -> None:
    told = standing([(1, 0), (0, -1), (1, 1)])
    assert told.startswith("6 games: won 3, drawn 2, lost 1; Elo +")


def test_the_command_tells_how_the_shipped_weights_stand(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    weights.save(tmp_path / "other.bin", weights.load())
    module.main([str(tmp_path / "other.bin"), "--pairs", "1", "--nodes", str(NODES)])
    assert capsys.readouterr().out.startswith("2 games: ")
