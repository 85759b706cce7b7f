import pytest

from engines.shogi.play.scores import INFINITE, TOP
from engines.shogi.play.table import TranspositionTable
from engines.shogi.play.worker import Worker
from engines.shogi.rules.notation import format_move, parse_move
from engines.shogi.rules.sfen import START, parse_sfen

# Black can take a rook that nothing defends.
HANGING = "4k4/9/9/4r4/9/9/9/4R4/4K4 b - 1"


def searched(depth: int, first: int = 0) -> tuple[Worker, list[int]]:
    position = parse_sfen(HANGING)
    moves = list(position.legal_moves())
    worker = Worker(position, TranspositionTable(1))
    worker.set_root(moves)
    worker.search_root(depth, -INFINITE, INFINITE, first)
    return worker, moves


def test_the_best_move_comes_first_and_begins_the_line() -> None:
    worker, moves = searched(3)
    best = worker.root_move(0)
    assert format_move(best).startswith("5h5d")
    assert worker.line()[0] == best
    assert sorted(worker.root_move(at) for at in range(len(moves))) == sorted(moves)


def test_moves_before_the_first_index_are_left_alone() -> None:
    worker, moves = searched(2, first=1)
    assert worker.root_move(0) == moves[0]
    assert worker.line()[0] == worker.root_move(1)


def test_a_search_leaves_the_evaluation_where_it_was() -> None:
    worker, _ = searched(4)
    fresh = Worker(parse_sfen(HANGING), TranspositionTable(1))
    assert worker.static_value() == fresh.static_value()


def test_a_move_that_is_followed_can_be_taken_back() -> None:
    worker = Worker(parse_sfen(START), TranspositionTable(1))
    before = worker.static_value()
    worker.follow(parse_move("2g2f"))
    assert worker.static_value() != before
    worker.take_back()
    assert worker.static_value() == before


def test_no_more_moves_are_followed_than_the_evaluation_has_room_for() -> None:
    worker = Worker(parse_sfen(START), TranspositionTable(1))
    there_and_back = [parse_move(text) for text in ("2h3h", "8b7b", "3h2h", "7b8b")]
    for number in range(TOP):
        worker.follow(there_and_back[number % 4])
    with pytest.raises(ValueError, match="at most 120 moves"):
        worker.follow(there_and_back[TOP % 4])
