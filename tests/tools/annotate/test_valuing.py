import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from engines import registry
from engines.core.game import CHANCE, FIRST, Game
from engines.core.timing import TimeControl
from protocols.ask.engine import EngineSpec
from protocols.errors import CannotSay, EngineExited
from tests.tools.fakes import ROOT
from tools.annotate.valuing import GivesNoScores, Value, Valuer
from tools.records.game import PlayedMove
from tools.roster.engines import resolve
from tools.roster.seats import Seat
from tools.roster.sides import read_side

DEPTH = TimeControl.parse("depth=1")


def fake(module: str, *words: str, protocol: str) -> EngineSpec:
    command = (sys.executable, "-m", f"tests.tools.{module}", *words)
    return EngineSpec(module, command, protocol=protocol, folder=str(ROOT))


@contextmanager
def valuer(spec: EngineSpec, control: TimeControl = DEPTH) -> Iterator[Valuer]:
    seat = Seat(spec)
    try:
        yield Valuer(seat, control)
    finally:
        seat.dismiss(1.0)


def played(name: str, *texts: str) -> tuple[Game[Any], list[PlayedMove]]:
    game: Game[Any] = Game(registry.rules(name))
    moves = []
    for text in texts:
        moves.append(PlayedMove(game.turn, text, 0.0, None))
        game.play(text)
    return game, moves


def value(asked: Valuer, name: str, *texts: str) -> Value:
    return asked.value(*played(name, *texts))


def test_the_positions_of_a_game_are_valued_for_the_side_to_move() -> None:
    spec = fake("fake_scores", "0=7g7f:600", "1=8c8d:-600", "2=2g2f:0", protocol="usi")
    with valuer(spec) as asked:
        start = value(asked, "shogi")
        assert (start.best, start.side) == ("7g7f", 0)
        share = start.share(0)
        assert share == pytest.approx(0.731, abs=0.001)
        assert start.share(1) == pytest.approx(1 - 0.731, abs=0.001)
        assert value(asked, "shogi", "7g7f").share(1) == pytest.approx(0.269, abs=0.001)
        # The engine would have played another move: its board is brought back.
        assert value(asked, "shogi", "7g7f", "3c3d").best == "2g2f"
        assert value(asked, "shogi").best == "7g7f"


def test_an_illegal_answer_is_a_fault_and_the_next_position_is_asked_all_the_same() -> None:
    spec = fake("fake_scores", "0=7g7e:600", "1=8c8d:0", protocol="usi")
    with valuer(spec) as asked:
        assert value(asked, "shogi").fault.startswith("the engine answered '7g7e': illegal move")
        assert value(asked, "shogi", "7g7f").best == "8c8d"


def test_a_resignation_has_the_value_that_comes_with_it() -> None:
    with valuer(fake("fake_scores", "0=resign:-900", protocol="usi")) as asked:
        found = value(asked, "shogi")
        assert found.best == "resign"
        assert found.share(0) == pytest.approx(0.182, abs=0.001)


def test_an_engine_that_resigns_in_go_tells_its_best_move() -> None:
    # A board that is White's, except for a stone.
    setup = "/".join(["1O" * 4 + "1", "O" * 9] * 4 + ["O1O1O1O1X"])
    game: Game[Any] = Game(registry.rules("go", "", 9), f"{setup} b komi=99")
    words = ("options.resignAfter=1", "options.resignBelow=0.5")
    engine = read_side("go", words).engine
    with valuer(engine, TimeControl.parse("visits=4")) as asked:
        found = asked.value(game, [])
        assert found.share(0) == pytest.approx(0, abs=0.05)
        assert found.best not in ("", "resign")


def test_a_finished_game_is_worth_its_result() -> None:
    game, moves = played("neutron", "d1-d4", "c3-e3/b5-e2", "e3-e4/c1-e3", "e4-c2/e2-d1", "c2-c1")
    with valuer(resolve("neutron")) as asked:
        found = asked.value(game, moves)
        assert (found.share(FIRST), found.best) == (1.0, "")


def test_the_engine_follows_a_game_that_differs_from_its_choices() -> None:
    with valuer(resolve("morris")) as asked:
        texts: list[str] = []
        for text in ("d2", "f4", "d6", "b4"):
            found = value(asked, "morris", *texts)
            assert found.share(len(texts) % 2) is not None
            texts.append(text)


def test_a_position_before_a_throw_is_the_mean_over_the_throws() -> None:
    with valuer(resolve("senet")) as asked:
        game, moves = played("senet", "3")
        legal = game.rules.format(game.position, game.position.legal_moves()[0])
        game, moves = played("senet", "3", legal)
        assert game.turn == CHANCE
        mean = asked.value(game, moves).share(0)
        shares = []
        for throw in "12345":
            after, before = played("senet", "3", legal, throw)
            shares.append(asked.value(after, before).share(0))
        assert mean == pytest.approx(sum(share or 0 for share in shares) / 5, abs=1e-5)


def test_go_is_valued_with_a_handicap_and_a_lead() -> None:
    game: Game[Any] = Game(
        registry.rules("go", "", 9), "9/9/6X2/9/9/9/2X6/9/9 w komi=0.5 handicap=2"
    )
    with valuer(resolve("go"), TimeControl.parse("visits=2")) as asked:
        found = asked.value(game, [])
        score = found.evaluation.score
        assert score is not None
        assert score.lead is not None
        assert found.side == 1


def test_stones_that_are_no_handicap_are_put_on_the_board_of_an_engine() -> None:
    game: Game[Any] = Game(registry.rules("go", "", 5), "1X3/XOX2/1O3/5/5 b komi=0.5")
    with valuer(resolve("go"), TimeControl.parse("visits=20")) as asked:
        assert asked.value(game, []).fault == ""
        moves = [PlayedMove(0, "B2", 0.0, None), PlayedMove(1, "C3", 0.0, None)]
        for move in moves:
            game.play(move.text)
        found = asked.value(game, moves)
        assert (found.side, found.fault) == (0, "")


def test_a_go_engine_without_values_is_refused_by_name() -> None:
    with (
        valuer(fake("fake_go", "C3", "name=mute", protocol="gtp"), TimeControl()) as asked,
        pytest.raises(GivesNoScores, match="mute tells no values with its moves"),
    ):
        value(asked, "go")


def test_an_engine_of_another_game_is_refused() -> None:
    with (
        valuer(fake("fake_scores", protocol="usi")) as asked,
        pytest.raises(CannotSay, match="scores speaks usi, go is asked in gtp"),
    ):
        value(asked, "go")
    with valuer(resolve("morris")) as asked:
        assert value(asked, "morris").fault == ""
        with pytest.raises(CannotSay, match="plays morris, not neutron"):
            value(asked, "neutron")


def test_the_death_of_the_engine_is_raised_and_it_can_be_asked_again() -> None:
    seat = Seat(fake("fake_scores", "0=7g7f:1", "1=die", protocol="usi"))
    try:
        asked = Valuer(seat, DEPTH)
        with pytest.raises(EngineExited):
            value(asked, "shogi", "7g7f")
        seat.dismiss(1.0)
        assert value(asked, "shogi").best == "7g7f"
        assert seat.starts == 2
    finally:
        seat.dismiss(1.0)
