import time

import pytest

from protocols.ask.analysis import (
    ANALYSES,
    NEVER,
    analyse_move,
    request_lines,
    suggest_move,
)
from protocols.ask.contract import Reply
from protocols.ask.gtp import GtpClient
from protocols.ask.score import Score
from protocols.ask.usi import Option, UsiClient
from protocols.errors import CannotSay, EngineRefused


class Stub(GtpClient):
    """A client that knows one command of analysis and has its answer ready."""

    def __init__(self, known: str, answer: str) -> None:
        self.name = "stub"
        self._known = frozenset([known])
        self._answer = answer
        self.asked: list[str] = []

    def command(self, text: str, deadline: float) -> str:
        self.asked.append(text)
        return self._answer


KATA = (
    "info move D4 visits 9 winrate 0.25 scoreLead -1.5 order 0 pv D4 Q16 pvVisits 9 3 "
    "info move C3 visits 1 winrate 0.5 scoreLead 0 order 1 pv C3\nplay d4"
)


def test_the_value_of_the_played_move_is_read_in_the_words_of_katago() -> None:
    stub = Stub(ANALYSES[0], KATA)
    reply = analyse_move(stub, "b", time.monotonic() + 9)
    assert stub.asked == [f"kata-genmove_analyze b {NEVER}"]
    assert (reply.move, reply.evaluation.line, reply.evaluation.nodes) == ("d4", "D4 Q16", 9)
    assert reply.evaluation.score == Score(chance=0.25, lead=-1.5)


def test_leela_zero_gives_ten_thousandths() -> None:
    stub = Stub(ANALYSES[1], "info move pass visits 7 winrate 9876 pv pass\nplay pass")
    reply = analyse_move(stub, "w", time.monotonic() + 9)
    assert reply.move == "pass"
    assert reply.evaluation.score == Score(chance=0.9876)


@pytest.mark.parametrize("answer", ["play resign", "info move C3 winrate 0.5 pv C3\nplay resign"])
def test_a_move_may_come_without_a_value(answer: str) -> None:
    reply = analyse_move(Stub(ANALYSES[0], answer), "b", time.monotonic() + 9)
    assert (reply.move, reply.evaluation.score) == ("resign", None)


def test_an_engine_that_resigns_tells_the_value_of_its_best_move() -> None:
    answer = KATA.replace("play d4", "play resign")
    reply = analyse_move(Stub(ANALYSES[0], answer), "b", time.monotonic() + 9)
    assert reply.move == "resign"
    assert reply.evaluation.score == Score(chance=0.25, lead=-1.5)


def test_what_cannot_be_asked_or_understood_is_an_error() -> None:
    with pytest.raises(CannotSay, match="stub cannot give a score with its move"):
        analyse_move(Stub("genmove", ""), "b", time.monotonic() + 9)
    with pytest.raises(EngineRefused, match="no line `play MOVE`"):
        analyse_move(Stub(ANALYSES[0], "D4"), "b", time.monotonic() + 9)


def test_the_other_moves_of_the_last_report_come_in_their_order() -> None:
    early = "info move Q4 visits 1 winrate 0.9 order 0 pv Q4"
    last = (
        "info move E5 visits 1 winrate 0.1 order 2 pv E5 info move D4 winrate 0.25 order 0 pv D4 "
        "info move C3 visits 3 winrate 0.2 scoreLead -2 order 1 pv C3 D4 "
        "info move A1 visits 3 order 3 pv A1 info move B2 winrate 0.3 order 4"
    )
    reply = analyse_move(Stub(ANALYSES[0], f"{early}\n{last}\nplay D4"), "b", time.monotonic() + 9)
    assert [each.line for each in reply.others] == ["C3 D4", "E5"]
    assert reply.others[0].score == Score(chance=0.2, lead=-2.0)


def test_the_best_move_of_an_engine_that_resigns_is_not_among_the_others() -> None:
    answer = KATA.replace("play d4", "play resign")
    reply = analyse_move(Stub(ANALYSES[0], answer), "b", time.monotonic() + 9)
    assert [each.line for each in reply.others] == ["C3"]


class Asked(Stub):
    """A client that notes how it is asked for a move."""

    def genmove(self, side: str, deadline: float, *clocks: object, **named: object) -> Reply:
        self.asked.append(f"genmove {side}")
        return Reply("D4", 0.0)


@pytest.mark.parametrize(
    ("known", "asked"), [(ANALYSES[0], f"{ANALYSES[0]} b {NEVER}"), ("genmove", "genmove b")]
)
def test_several_moves_are_asked_for_where_there_is_a_command(known: str, asked: str) -> None:
    stub = Asked(known, KATA)
    reply = suggest_move(stub, "b", time.monotonic() + 9)
    assert stub.asked == [asked]
    assert len(reply.others) == (known != "genmove")


class Shogi(UsiClient):
    """A client of USI that keeps the options that are set."""

    def __init__(self, *declared: str) -> None:
        found = [Option.parse(f"option name MultiPV type {each}") for each in declared]
        self.options = {each.name: each for each in found if each is not None}
        self.kept: list[str] = []

    def set_option(self, name: str, value: str, deadline: float) -> None:
        self.kept.append(f"{name}={value}")


@pytest.mark.parametrize(
    ("declared", "kept"),
    [
        (("spin default 1 min 1 max 600",), ["MultiPV=3"]),
        (("spin default 1 min 1 max 2",), ["MultiPV=2"]),
        (("spin default 1",), ["MultiPV=3"]),
        (("string default 1",), []),
        ((), []),
    ],
)
def test_usi_is_asked_for_several_lines_if_the_engine_declares_them(
    declared: tuple[str, ...], kept: list[str]
) -> None:
    client = Shogi(*declared)
    request_lines(client, 3, 0.0)
    assert client.kept == kept
    request_lines(Stub("genmove", ""), 3, 0.0)  # GTP has an analysis instead.
