"""The framing that the clients of GTP and of the line protocol share."""

import time

import pytest

from protocols.ask.detect import ClockTime, Reply
from protocols.ask.framed import STRAYS
from protocols.ask.gtp import GtpClient
from protocols.child.process import Process
from protocols.errors import EngineError, EngineExited, EngineNonsense, EngineRefused, EngineTimeout
from tests.protocols import fakes
from tests.protocols.ask.scripted import LONG, Begin, later


def test_greeting_learns_name_version_and_commands(begin: Begin) -> None:
    dialogue = begin("2", "GNU Go", "3.8", "={id} protocol_version\nname \nversion\n\n")
    dialogue.client.greet(later())
    assert dialogue.sent == ["protocol_version", "name", "version", "list_commands"]
    assert (dialogue.client.name, dialogue.client.version) == ("GNU Go", "3.8")
    assert dialogue.client.commands == ["protocol_version", "name", "version"]
    assert dialogue.client.known("name")
    assert not dialogue.client.known("play")


def test_an_engine_that_lists_nothing_knows_the_required_commands(begin: Begin) -> None:
    dialogue = begin("2", "?{id} what\n\n", "?{id} what\n\n", "?{id} what\n\n")
    dialogue.client.greet(later())
    assert dialogue.client.known("genmove")
    assert not dialogue.client.known("undo")
    assert dialogue.client.version == ""


def test_another_version_of_gtp_is_nonsense(begin: Begin) -> None:
    dialogue = begin("1", "Old", "1", "name")
    with pytest.raises(EngineNonsense, match="protocol_version 1, where 2 was expected"):
        dialogue.client.greet(later())


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("={id}\n\n", ""),
        ("={id} \n\n", ""),
        ("={id}   D4  \n\n", "D4"),
        ("={id} D4\r\n\r\n", "D4"),
        ("={id} one\ntwo \n  three  \n\n", "one\ntwo \n  three"),
        ("={id} \n  A B\n1 . .\n\n", "  A B\n1 . ."),
        ("\n\nwarming up\n={id} D4\n\n", "D4"),
        ("={id} ?\n\n", "?"),
    ],
)
def test_replies_are_read_in_all_their_forms(begin: Begin, raw: str, text: str) -> None:
    assert begin(raw).client.command("genmove b", later()) == text


def test_a_refusal_carries_the_message_and_leaves_the_engine_usable(begin: Begin) -> None:
    dialogue = begin("?{id} illegal move\n\n", "?{id}\n\n", "fine")
    with pytest.raises(EngineRefused, match="play b D4: illegal move") as caught:
        dialogue.client.play("b", "D4", later())
    assert caught.value.message == "illegal move"
    assert not isinstance(caught.value, EngineError)
    with pytest.raises(EngineRefused, match="undo: refused without a reason"):
        dialogue.client.undo(later())
    assert dialogue.client.command("name", later()) == "fine"


@pytest.mark.parametrize("raw", ["= D4\n\n", "=7 D4\n\n", "=x D4\n\n", "=07 D4\n\n", "? no\n\n"])
def test_a_reply_with_another_number_or_none_is_nonsense(begin: Begin, raw: str) -> None:
    with pytest.raises(EngineNonsense, match="where a reply to 1 'genmove b' was due"):
        begin(raw).client.command("genmove b", later())


def test_a_surplus_reply_is_nonsense(begin: Begin) -> None:
    dialogue = begin("={id} D4\n\n={id} Q16\n\n", "Q4")
    assert dialogue.client.command("genmove b", later()) == "D4"
    with pytest.raises(EngineNonsense, match="'=1 Q16' where a reply to 2 'genmove w' was due"):
        dialogue.client.command("genmove w", later())


def test_stray_lines_are_counted_and_at_last_too_many(begin: Begin) -> None:
    dialogue = begin("warming up\n\nready\n={id} D4\n\n", "chatter\n" * (STRAYS + 1))
    assert dialogue.client.command("genmove b", later()) == "D4"
    assert dialogue.client.strays == 2
    with pytest.raises(EngineNonsense, match="but no reply to 'genmove w'"):
        dialogue.client.command("genmove w", later())


def test_a_reply_without_end_is_nonsense() -> None:
    client = GtpClient(Process(fakes.command("endless", "=1 D4\n", "x" * 1000 + "\n")))
    with pytest.raises(EngineNonsense, match="an endless reply to 'showboard'"):
        client.command("showboard", later())
    client.close(0.0)


def test_binary_garbage_times_out_or_is_nonsense() -> None:
    client = GtpClient(Process(fakes.command("garbage")))
    with pytest.raises(EngineTimeout):
        client.command("genmove b", time.monotonic() + 0.3)
    client.close(0.0)


def test_an_answer_before_the_exit_counts() -> None:
    client = GtpClient(Process(fakes.command("last_words")))
    assert client.genmove("b", later()).move == "D4"
    with pytest.raises(EngineExited, match="exited with code 0"):
        client.play("w", "Q16", later())
    client.close()


def test_several_commands_go_out_at_once_and_their_replies_come_in_order(begin: Begin) -> None:
    dialogue = begin("one", "?{id} two\n\n", "three")
    first, second, third = dialogue.client.ask(["a", "b", "c"], later())
    assert (first, third) == ("one", "three")
    assert isinstance(second, EngineRefused)
    assert second.message == "two"


def test_a_command_of_two_lines_is_refused_before_it_is_sent(begin: Begin) -> None:
    dialogue = begin("D4")
    with pytest.raises(ValueError, match="control character"):
        dialogue.client.play("b", "D4\nquit", later())
    assert dialogue.sent == []


def test_the_clock_goes_out_with_the_move(begin: Begin) -> None:
    dialogue = begin("", "Q16", "PASS", commands=["time_left"])
    reply = dialogue.client.genmove("b", later(), ClockTime(59.9, 0), ClockTime(30.0, 2))
    assert dialogue.sent == ["time_left b 59 0", "genmove b"]
    assert reply == Reply("Q16", reply.seconds, looked=reply.looked)
    assert 0 < reply.seconds < LONG
    assert dialogue.client.genmove("w", later()).move == "pass"


def test_a_refused_clock_is_no_reason_not_to_move(begin: Begin) -> None:
    dialogue = begin("?{id} what\n\n", "Resign", "?{id} game over\n\n", "x", commands=["time_left"])
    assert dialogue.client.genmove("b", later(), ClockTime(5.0)).move == "resign"
    with pytest.raises(EngineRefused, match="genmove w: game over"):
        dialogue.client.genmove("w", later())
    assert dialogue.client.command("name", later()) == "x"


def test_noted_moves_go_out_with_the_question_in_one_write(begin: Begin) -> None:
    dialogue = begin("", "", "D4", commands=["time_left"])
    writes: list[tuple[str, ...]] = []
    send = dialogue.client.process.send

    def count(deadline: float, *commands: str) -> None:
        writes.append(commands)
        send(deadline, *commands)

    dialogue.client.process.send = count  # type: ignore[method-assign]
    dialogue.client.note("w", "Q16")
    assert writes == []
    assert dialogue.client.genmove("b", later(), ClockTime(5.0)).move == "D4"
    assert writes == [("1 play w Q16", "2 time_left b 5 0", "3 genmove b")]


def test_a_refused_note_is_raised_after_all_replies_are_read(begin: Begin) -> None:
    dialogue = begin("?{id} no\n\n", "D4", "?{id} never\n\n", "", "fine")
    dialogue.client.note("w", "Q16")
    with pytest.raises(EngineRefused, match="play w Q16: no"):
        dialogue.client.genmove("b", later())
    dialogue.client.note("w", "K10")
    dialogue.client.note("b", "K11")
    with pytest.raises(EngineRefused, match="play w K10: never"):
        dialogue.client.settle(later())
    assert dialogue.client.command("name", later()) == "fine"


def test_a_new_game_forgets_what_was_noted(begin: Begin) -> None:
    dialogue = begin("")
    dialogue.client.note("w", "Q16")
    dialogue.client.new_game(later())
    assert dialogue.sent == ["clear_board"]


def test_an_empty_move_is_nonsense(begin: Begin) -> None:
    with pytest.raises(EngineNonsense, match="no move in its reply"):
        begin("").client.genmove("b", later())


@pytest.mark.parametrize("reply", ["={id}\tD4\n\n", "={id} \tD4\n\n", "={id} D4\t\n\n"])
def test_a_tab_in_a_reply_is_a_blank(begin: Begin, reply: str) -> None:
    assert begin(reply).client.command("genmove b", later()) == "D4"
