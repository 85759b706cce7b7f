import io
import re

import pytest

from protocols.serve import gtp
from protocols.serve.gtp import GtpError, Request, format_reply, parse_command
from protocols.serve.session import MAX_LINE, Channel, Log
from tests.protocols.conversation import Conversation, converse


class Table:
    """A server with one command of each temper."""

    def __init__(self) -> None:
        self.played: list[str] = []

    def serve(self, channel: Channel) -> None:
        gtp.serve(
            channel,
            {
                "name": lambda request: "table",
                "echo": lambda request: request.text,
                "play": self._play,
                "lines": lambda request: "one\n\n  \ntwo  \n\n",
                "refuse": self._refuse,
                "broken": lambda request: str(1 // 0),
                "analyze": self._analyze,
                "genmove": self._think,
                "genmove_analyze": self._think_aloud,
                "stumble": self._stumble,
            },
        )

    def _play(self, request: Request) -> str:
        self.played.append(request.args[0])
        return ""

    def _refuse(self, request: Request) -> str:
        raise GtpError(request.text or "not today")

    def _analyze(self, request: Request) -> str:
        request.stream()
        request.stream("info move A1")
        while not request.disturbed():
            pass
        return ""

    def _think(self, request: Request) -> str:
        while not request.urgent():
            if request.args and request.channel.inbox.ended:
                break
        return "B2"

    def _think_aloud(self, request: Request) -> str:
        request.stream("info move C3")
        return "play C3"

    def _stumble(self, request: Request) -> str:
        request.stream("info move C3")
        raise ZeroDivisionError


def output_of(text: str | bytes, log: Log | None = None) -> str:
    return converse(Table().serve, text, log)


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        ("name", "= table"),
        ("7 name", "=7 table"),
        ("007 name", "=7 table"),
        ("0 name", "=0 table"),
        ("12name", "=12 table"),
        ("-5 name", "= table"),
        ("2147483647 name", "=2147483647 table"),
        ("name\r", "= table"),
        ("\tname\x07\t extra words", "= table"),
        ("na\x00me", "= table"),
        ("name # comment", "= table"),
        ("3 name# comment", "=3 table"),
        ("echo a\tb  c", "= a b  c"),
        ("play x", "= "),
        ("4 play x", "=4 "),
        ("Name", "? unknown command"),
        ("5 frobnicate", "?5 unknown command"),
        ("refuse", "? not today"),
        ("6 refuse", "?6 not today"),
        ("broken", "? internal error"),
        ("lines", "= one\n.\n.\ntwo"),
        ("protocol_version", "= 2"),
        ("known_command name", "= true"),
        ("known_command Name", "= false"),
        ("known_command", "= false"),
        ("echo ☗", "= \\u2617"),
        ("genmove_analyze", "=\ninfo move C3\nplay C3"),
        ("8 genmove_analyze", "=8\ninfo move C3\nplay C3"),
    ],
)
def test_a_line_has_its_reply(line: str, reply: str) -> None:
    assert output_of(f"{line}\n") == f"{reply}\n\n"


@pytest.mark.parametrize("line", ["", "   ", "# name", "\r", "12", "12 # name", "\x01\x02"])
def test_a_line_without_a_command_has_no_reply(line: str) -> None:
    assert output_of(f"{line}\n") == ""


def test_the_list_of_commands_begins_with_protocol_version() -> None:
    lines = output_of("list_commands\n").rstrip("\n").split("\n")
    assert lines[0] == "= protocol_version"
    assert {"known_command", "list_commands", "quit", "name", "genmove"} <= set(lines)


def test_every_listed_command_is_known() -> None:
    names = output_of("list_commands\n")[2:].split()
    answers = output_of("".join(f"known_command {name}\n" for name in names))
    assert answers == "= true\n\n" * len(names)


def test_quit_is_answered_and_nothing_after_it() -> None:
    assert output_of("1 quit\n2 name\n") == "=1 \n\n"


def test_input_may_end_within_a_line() -> None:
    assert output_of("name") == "= table\n\n"


def test_input_may_end_at_once() -> None:
    assert output_of("") == ""


def test_ten_thousand_commands_at_once_are_answered_in_order() -> None:
    table = Table()
    text = "".join(f"{number} play {number}\n" for number in range(10_000))
    answered = converse(table.serve, text)
    assert answered == "".join(f"={number} \n\n" for number in range(10_000))
    assert table.played == [str(number) for number in range(10_000)]


def test_a_line_of_a_megabyte_is_read() -> None:
    words = "x" * (1 << 20)
    assert output_of(f"echo {words}\n") == f"= {words}\n\n"


def test_a_line_over_the_limit_is_refused_and_the_next_one_answered() -> None:
    assert (
        output_of(b"9 echo " + b"x" * MAX_LINE + b"\nname\n") == "?9 line too long\n\n= table\n\n"
    )


def test_a_refusal_that_quotes_a_long_line_is_cut_in_the_middle() -> None:
    text = output_of(f"refuse begin{'x' * (1 << 20)}end\nname\n")
    assert text.startswith("? beginxxx")
    assert text.endswith("xxxend\n\n= table\n\n")
    assert " ... " in text
    assert len(text) < 1100


def test_binary_garbage_gets_errors_and_no_traceback() -> None:
    garbage = bytes(range(256)) * 40
    answered = output_of(garbage + b"\nname\n")
    assert answered.endswith("= table\n\n")
    replies = answered.rstrip("\n").split("\n\n")
    assert all(re.match(r"[=?]\d* ", f"{reply} ") for reply in replies)


def test_an_internal_error_leaves_the_loop_alive_and_its_traceback_in_the_log() -> None:
    file = io.StringIO()
    assert output_of("broken\n3 name\n", Log(file)) == "? internal error\n\n=3 table\n\n"
    assert "ZeroDivisionError" in file.getvalue()
    assert re.search(r"^\d\d:\d\d:\d\d\.\d{3} < 3 name$", file.getvalue(), re.MULTILINE)


def test_an_error_within_a_stream_ends_the_stream() -> None:
    assert output_of("stumble\nname\n") == "=\ninfo move C3\n\n= table\n\n"


def test_analysis_goes_on_until_a_line_comes() -> None:
    conversation = Conversation(Table().serve)
    conversation.say("4 analyze\n")
    assert conversation.hear_line() == "=4"
    assert conversation.hear_line() == "info move A1"
    conversation.say("\n")
    assert conversation.hear_line() == ""
    assert conversation.ask("name") == "= table"
    conversation.hang_up()
    assert conversation.finish() == ""


def test_analysis_ends_at_the_end_of_input() -> None:
    assert output_of("analyze\n") == "=\ninfo move A1\n\n"


def test_analysis_ends_for_a_line_that_came_with_it() -> None:
    assert output_of("analyze\nname\n") == "=\ninfo move A1\n\n= table\n\n"


@pytest.mark.parametrize("urgent", ["quit", "55 quit", "# interrupt", "  quit \r"])
def test_thinking_ends_for_an_urgent_line_that_comes_later(urgent: str) -> None:
    conversation = Conversation(Table().serve)
    conversation.say("1 analyze\n")  # Its first line says that the request is under way.
    assert conversation.hear_line() == "=1"
    conversation.hear_line()
    conversation.say("2 genmove\n")
    assert conversation.hear_line() == ""
    while conversation.inbox.waiting():
        pass
    conversation.say(f"{urgent}\n")
    assert conversation.hear() == "=2 B2"
    conversation.hang_up()
    assert conversation.finish().rstrip() in ("", "=", "=55")


def test_thinking_runs_on_for_a_quit_that_came_before_it() -> None:
    conversation = Conversation(Table().serve)
    conversation.say("genmove eof\nquit\n")
    conversation.say("name\n")
    assert conversation.inbox.wait(10)
    assert conversation.inbox.urgent_arrived == 1
    conversation.hang_up()
    assert conversation.finish() == "= B2\n\n= \n\n"


def test_a_bounded_search_answers_after_the_end_of_input() -> None:
    assert output_of("genmove eof\n") == "= B2\n\n"


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("7 play b A1", ("7", "play", "b A1")),
        ("play", ("", "play", "")),
        ("12", ("12", "", "")),
        ("+3 name", ("3", "name", "")),
    ],
)
def test_a_command_is_split(line: str, parts: tuple[str, str, str]) -> None:
    assert parse_command(line) == parts


def test_a_reply_never_contains_an_empty_line() -> None:
    framed = format_reply("=", "1", "\na\n\n\nb\n \nc")
    assert framed.count("\n\n") == 1
    assert framed.endswith("\n\n")
