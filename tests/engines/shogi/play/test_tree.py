"""The search below the root: repetitions, declarations and unusual positions."""

import pytest

from engines.core.game import Game
from engines.shogi.play import tree as search_module
from engines.shogi.play.scores import INFINITE, PERPETUAL, SURE
from engines.shogi.play.search import (
    Task,
    Thinker,
    declaring_points,
)
from engines.shogi.play.table import TranspositionTable
from engines.shogi.play.worker import Worker
from engines.shogi.rules.notation import format_move
from engines.shogi.rules.position import Position
from engines.shogi.rules.sfen import parse_sfen
from engines.shogi.rules.text import ShogiRules

COMPILED = not str(search_module.__file__).endswith(".py")

NODES = 3000 if COMPILED else 150


def think(position: Position, **limits: int) -> list[str]:
    thoughts = Thinker(1).think(Task(position, lambda: False, **limits))  # type: ignore[arg-type]
    return [format_move(move) for move in thoughts[0].line]


def test_a_repetition_is_a_draw_and_perpetual_check_a_loss_in_the_tree() -> None:
    game = Game(ShogiRules())
    for text in ("2h3h", "8b7b", "3h2h"):
        game.play(text)
    worker = Worker(game.position.copy(), TranspositionTable(1))
    back = [move for move in game.position.legal_moves() if format_move(move) == "7b8b"]
    worker.set_root(back)
    assert worker.search_root(3, -INFINITE, INFINITE, 0) == 0
    game = Game(ShogiRules(), "9/9/7k1/9/9/9/9/7R1/K8 w - 1")
    for text in ("2c1c", "2h1h", "1c2c"):
        game.play(text)
    again = [move for move in game.position.legal_moves() if format_move(move) == "1h2h"]
    worker.begin(game.position.copy())
    worker.set_root(again)
    assert -SURE < worker.search_root(3, -INFINITE, INFINITE, 0) < 1000 - PERPETUAL


def test_who_is_checked_again_and_again_tells_no_mate_while_the_checks_may_cease() -> None:
    # A level of skill once reported a mate in one here, because its king had been there before.
    game = Game(ShogiRules(), "9/9/7k1/9/9/9/9/7R1/K8 w - 1")
    for text in ("2c1c", "2h1h", "1c2c", "1h2h"):
        game.play(text)
    worker = Worker(game.position.copy(), TranspositionTable(1))
    worker.set_root([move for move in game.position.legal_moves() if format_move(move) == "2c1c"])
    assert worker.search_root(3, -INFINITE, INFINITE, 0) < 10_000
    for text in ("2c1c", "2h1h", "1c2c", "1h2h", "2c1c", "2h1h", "1c2c"):
        game.play(text)
    assert game.outcome() is None
    worker.begin(game.position.copy())
    last = [move for move in game.position.legal_moves() if format_move(move) == "1h2h"]
    worker.set_root(last)
    assert -SURE < worker.search_root(3, -INFINITE, INFINITE, 0) < 1000 - PERPETUAL
    game.play("1h2h")
    assert str(game.outcome()).count("perpetual") == 1


def test_the_search_sees_a_declaration_coming() -> None:
    # The king steps into the far ranks and declares next move, whatever White does.
    position = parse_sfen("9/+P+P+P+P+P4/+P+P+P+P+P4/4K4/9/9/9/9/4k4 b 2R8P 1")
    thoughts = Thinker(1).think(Task(position, lambda: False, depth=4))
    assert thoughts[0].mate == 3


@pytest.mark.parametrize(
    ("setup", "best", "mate"),
    [
        ("9/4K4/9/9/9/9/4k4/9/9 b - 1", "5b5a", 1),
        ("9/9/4K4/9/9/4k4/9/9/9 b - 1", "", 3),  # White is a move behind.
        ("9/9/4K4/9/9/9/4k4/9/9 w - 1", "", 3),
        ("4K4/9/9/9/9/9/9/9/k8 b - 1", "", 3),  # To stand there is not enough: it must come.
    ],
)
def test_the_search_goes_for_a_try_where_that_wins(setup: str, best: str, mate: int) -> None:
    task = Task(parse_sfen(setup), lambda: False, depth=8, declaring=declaring_points("try"))
    thought = Thinker(1).think(task)[0]
    assert thought.mate == mate
    if best:
        assert format_move(thought.line[0]) == best
    other = Thinker(1).think(Task(parse_sfen(setup), lambda: False, depth=8))[0]
    assert other.mate is None


def test_positions_without_kings_can_be_searched() -> None:
    position = parse_sfen("4k4/9/9/9/9/9/9/9/9 b 2RB4G18P 1", tolerate="inventory")
    assert think(position, nodes=NODES)
