"""The inputs of the network during a search."""

import random
from array import array

import pytest

from engines.go.play.network.features import Features
from engines.go.play.network.inputs import PLANES, scalars
from engines.go.play.network.network import Evaluator
from engines.go.play.network.weights import pack
from engines.go.play.search import root
from engines.go.play.tree import Tree
from engines.go.play.worker import Worker
from engines.go.rules.text import make_rules
from tests.engines.go.play.network.nets import POOLED, arrays


@pytest.mark.parametrize("variant", ["chinese", "japanese"])
def test_the_network_sees_in_play_what_it_saw_in_training(variant: str) -> None:
    weights = pack(arrays(), POOLED)
    rules = make_rules(variant, 7)
    position = rules.start()
    source = random.Random(8)
    evaluator = Evaluator(weights, 7, 7)
    worker = Worker(position.board, evaluator, first=True)
    for number in range(30):
        tree = Tree(position.board)
        root(tree, position)
        tree.begin(bool, float("inf"), 1)
        tree.work(worker)
        planes, given = evaluator.inputs()
        moves = array("i", [move for _, move in position.played])
        replayed = bytearray(PLANES * 49)
        board = position.board.copy()
        Features(board).replay(board, moves, 0, len(moves), replayed, 0)
        assert planes == bytes(replayed)
        komi = position.effective_komi()
        expected = scalars(
            komi if position.turn else -komi,
            49,
            territory=variant == "japanese",
            passed=position.passes > 0,
            both_passed=len(moves) > 1 and moves[-2] == 49,
        )
        assert given == pytest.approx(expected, abs=1e-6)
        legal = position.legal_moves()
        if number in (10, 20) or len(legal) < 2:
            position.play(49)
        else:
            position.play(source.choice(legal[:-1]))
