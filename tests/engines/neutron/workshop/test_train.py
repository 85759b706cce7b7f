import math
from array import array
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given

from engines.neutron.play.evaluation import WEIGHTS, Evaluation
from engines.neutron.play.search import Search
from engines.neutron.workshop.train import lines, main, train
from tests.engines.neutron.walks import COMPILED, choices, unhurried, variants, walk


@pytest.mark.slow
@unhurried
@given(variants, choices)
def test_a_position_is_worth_its_ten_weights(variant: str, numbers: list[int]) -> None:
    weights = array("h", [index * 7919 % 2001 - 1000 for index in range(WEIGHTS)])
    position = walk(variant, numbers).position
    own, enemy = position.white, position.black
    if position.turn:
        own, enemy = enemy, own
    worth = WORTH.evaluate(own, enemy, position.neutron, position.turn)
    assert worth == sum(weights[index] for index in lines(position))


def test_training_learns_from_its_games_and_repeats_itself(tmp_path: Path) -> None:
    files = [tmp_path / "first.bin", tmp_path / "second.bin"]
    games = 60 if COMPILED else 9
    errors = [train(games, file, seed=3, nodes=60) for file in files]
    assert errors[0] == errors[1] < math.log(2)
    assert files[0].read_bytes() == files[1].read_bytes()
    weights = array("h")
    weights.frombytes(files[0].read_bytes())
    assert len(weights) == WEIGHTS
    assert any(weights)
    Search(table_bits=4, weights=weights).forget()


def test_the_command_writes_weights_and_says_how_good_they_are(tmp_path: Path) -> None:
    words = ["9", str(tmp_path / "weights.bin"), "--seed", "3", "--nodes", "40"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0
    assert done.stdout.startswith("mean logarithmic loss 0.")
    assert (tmp_path / "weights.bin").stat().st_size == 2 * WEIGHTS


WORTH = Evaluation(array("h", [index * 7919 % 2001 - 1000 for index in range(WEIGHTS)]))
