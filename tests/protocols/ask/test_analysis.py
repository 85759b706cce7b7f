import time

import pytest

from protocols.ask.analysis import ANALYSES, NEVER, analyse_move
from protocols.ask.gtp import GtpClient
from protocols.ask.score import Score
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
