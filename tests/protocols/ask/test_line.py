"""The client of the line protocol."""

import pytest

from protocols.ask.detect import ClockTime, LineClient, Reply
from protocols.ask.score import End, Evaluation, Score
from tests.protocols.ask.scripted import Begin, later
from tests.protocols.controls import Control


def test_a_game_in_the_line_protocol_is_set_up_in_its_words(begin: Begin) -> None:
    dialogue = begin(*[""] * 6, kind=LineClient)
    dialogue.client.new_game(
        later(),
        variant="pass,free-first",
        settings={"seed": "4"},
        position="BBBBB/5/2N2/5/WWWWW w",
        control=Control("byoyomi", 60.0, 1.0, 5),
    )
    dialogue.client.roll(4, later())
    dialogue.client.set_option("level", "stubborn", later())
    dialogue.client.tell("limit depth 4", later())
    assert dialogue.sent == [
        "newgame pass,free-first seed=4",
        "position BBBBB/5/2N2/5/WWWWW w",
        "time_settings byoyomi 60.0 1.0 5",
        "roll 4",
        "option level stubborn",
        "limit depth 4",
    ]


def test_an_old_clock_is_taken_away_before_a_game_without(begin: Begin) -> None:
    dialogue = begin(*[""] * 5, kind=LineClient)
    for control in (None, Control("sudden", 5.0), Control()):
        dialogue.client.new_game(later(), control=control)
    assert [text for text in dialogue.sent if text != "newgame"] == [
        "time_settings sudden 5.0 0.0 0",
        "time_settings none",
    ]


def test_the_evaluation_comes_with_the_move(begin: Begin) -> None:
    info = "info depth 7 nodes 123 time 8 score exact win 11 pv b1-b4 c3-c1/b4-b1"
    dialogue = begin("", "b1-b4", info, kind=LineClient, commands=["evaluation"])
    reply = dialogue.client.genmove("w", later(), ClockTime(3.25, 2))
    assert dialogue.sent == ["time_left w 3.250 2", "genmove w", "evaluation"]
    score = Score(end=End.WIN, length=11, exact=True)
    evaluation = Evaluation(score, "b1-b4 c3-c1/b4-b1", 7, 123)
    assert reply == Reply("b1-b4", reply.seconds, evaluation, looked=reply.looked)


@pytest.mark.parametrize("last", ["={id}\n\n", "?{id} no search yet\n\n", "=99 info\n\n"])
def test_a_move_counts_without_its_evaluation(begin: Begin, last: str) -> None:
    dialogue = begin("d6", last, kind=LineClient, commands=["evaluation"])
    reply = dialogue.client.genmove("b", later())
    assert reply == Reply("d6", reply.seconds, looked=reply.looked)


def test_a_move_without_a_question_is_asked_alone(begin: Begin) -> None:
    dialogue = begin("d6", kind=LineClient)
    assert dialogue.client.genmove("b", later(), None).move == "d6"
    assert dialogue.sent == ["genmove b"]
