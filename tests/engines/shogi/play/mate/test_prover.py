import pytest

from engines.shogi.play import tree as search_module
from engines.shogi.play.mate.prover import Prover
from engines.shogi.play.scores import MATE
from engines.shogi.play.search import Task, Thinker, Thought, _with_proof
from engines.shogi.rules.notation import format_move
from engines.shogi.rules.sfen import START, parse_sfen

COMPILED = not str(search_module.__file__).endswith(".py")
THREE = "5n1k1/5G3/9/6+R2/9/9/9/9/9 b 2NPg 1"


def test_a_mate_is_proved_within_the_share_of_nodes() -> None:
    prover = Prover()
    prover.begin(parse_sfen(THREE))
    assert prover.look(100, lambda: False) == []
    assert prover.nodes == 0
    line = prover.look(1_000_000, lambda: False)
    assert [format_move(move) for move in line] == ["3d3b", "2a1a", "N*2c"]
    assert prover.look(10_000_000, lambda: False) == []


def test_tries_grow_and_end_where_no_mate_can_be() -> None:
    prover = Prover()
    prover.begin(parse_sfen(START))
    assert prover.look(1_000_000, lambda: False) == []
    spent = prover.nodes
    assert prover.look(1_000_000_000, lambda: False) == []
    assert prover.nodes == spent  # Refuted: there is no check at all.


def test_a_stop_ends_a_try() -> None:
    prover = Prover()
    prover.begin(parse_sfen("4k4/9/9/9/9/9/9/9/4K4 b RB 1"))  # Checks without end, no mate near.
    for _ in range(6):
        assert prover.look(1_000_000_000, lambda: True) == []
    assert prover.nodes < 6 * 1000  # Without a stop it would be 31 500.


def test_a_proof_comes_first_unless_a_search_knows_one_as_quick() -> None:
    position = parse_sfen(THREE)
    thoughts = Thinker(1).think(Task(position, lambda: False, depth=1, lines=lambda: 2))
    prover = Prover()
    prover.begin(position)
    line = prover.look(1_000_000, lambda: False)
    slow = [Thought(1, 1, 1, 0.0, 50, None, rank, x.line, 0) for rank, x in enumerate(thoughts, 1)]
    first, second = _with_proof(slow, line)
    assert (first.rank, first.mate, first.score, first.proved) == (1, 3, MATE - 3, True)
    assert list(first.line) == line
    assert second.rank == 2
    assert second.line[0] != line[0]
    known = [Thought(1, 1, 1, 0.0, MATE - 1, 1, 1, line[:1], 0)]
    assert _with_proof(known, line) == known


@pytest.mark.compiled("too many nodes")
def test_a_search_tells_a_mate_beyond_its_depth() -> None:
    position = parse_sfen("6+bnl/8k/5p1R1/7+Bp/9/9/9/9/9 b 2Sr4g2s3n3l16p 1")
    task = Task(position, lambda: False, lambda thought, changed: not thought.proved, nodes=20_000)
    best = Thinker(1).think(task)[0]
    assert best.proved
    assert best.mate == len(best.line) == 15
    assert best.nodes <= 20_001
    for move in best.line:
        assert move in position.legal_moves()
        position.play(move)
    assert not position.legal_moves()
