"""USI's server over a toy engine: one answer for every order, in every order of commands."""

import os
import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest

from protocols.serve.session import Channel, Inbox, Log, Writer
from protocols.serve.usi import (
    Answer,
    GoCommand,
    Mate,
    Option,
    SearchControl,
    UsiEngine,
    UsiError,
    UsiServer,
    is_urgent,
    parse_go,
)


class Toy:
    """Searches until stopped, or for the milliseconds of `movetime`; plays 7g7f."""

    name = "Toy 1"
    author = "Nobody"

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.fail = ""
        self.orders: list[GoCommand] = []

    def options(self) -> Sequence[Option]:
        return (
            Option("USI_Hash", "spin", "16", 1, 1024),
            Option("USI_Ponder", "check", "true"),
            Option("Book", "string"),
            Option("Rule", "combo", "A", values=("A", "B")),
            Option("Clear", "button"),
        )

    def set_option(self, name: str, value: str) -> None:
        self.seen.append(f"{name}={value}")

    def prepare(self) -> None:
        self.seen.append("prepare")

    def new_game(self) -> None:
        self.seen.append("new game")

    def set_position(self, setup: str, moves: Sequence[str]) -> None:
        if "bad" in (setup, *moves):
            raise UsiError("position: bad")
        self.seen.append(f"position {setup or 'start'} {len(moves)}")

    def go(self, order: GoCommand, watch: SearchControl) -> Answer:
        self.orders.append(order)
        if self.fail == "go":
            raise RuntimeError("broken")
        watch.info("depth 1 score cp 0 pv 7g7f")
        while not watch.stopped():
            if order.bounded or (order.ponder and not watch.pondering):
                limit = order.numbers.get("movetime", 0) / 1000
                if time.monotonic() - watch.begun >= limit:
                    break
            if order.searchmoves:
                break
            time.sleep(0.001)
        return Answer("7g7f", "3c3d")

    def mate(self, order: GoCommand, watch: SearchControl) -> Mate:
        if self.fail == "mate":
            raise RuntimeError("broken")
        if order.mate_time == 0:
            return Mate(("G*5b",))
        if order.mate_time == 1:
            return Mate(refuted=True)
        while not watch.stopped():
            time.sleep(0.001)
        return Mate()

    def any_move(self) -> str:
        return "1g1f"

    def finish(self, result: str) -> None:
        self.seen.append(f"over {result}")


class Conversation:
    """Sends lines to a server in a thread and reads what it writes."""

    def __init__(self, engine: UsiEngine | None = None) -> None:
        self.engine = Toy()
        self.hints: list[str] = []
        self._down, self._feed = os.pipe()
        self._read, self._up = os.pipe()
        inbox = Inbox(self._down, is_urgent)
        inbox.start()
        channel = Channel(inbox, Writer(self._up, on_closed=lambda: None), Log())
        server = UsiServer(channel, engine or self.engine, self.hints.append)
        self.thread = threading.Thread(target=server.serve)
        self.thread.start()
        self._rest = b""
        self.lines: list[str] = []

    def send(self, *lines: str, end: str = "\n") -> None:
        os.write(self._feed, "".join(line + end for line in lines).encode())

    def until(self, start: str) -> str:
        """Read to the first line that begins so."""
        while True:
            while b"\n" not in self._rest:
                chunk = os.read(self._read, 65536)
                if not chunk:
                    raise AssertionError(f"no {start!r} came: {self.lines[-5:]}")
                self._rest += chunk
            line, self._rest = self._rest.split(b"\n", 1)
            self.lines.append(line.decode())
            if self.lines[-1].startswith(start):
                return self.lines[-1]

    def close(self) -> list[str]:
        """End the input and return all that was written."""
        if self._feed >= 0:
            os.close(self._feed)
            self._feed = -1
        self.thread.join(60)
        assert not self.thread.is_alive(), "the server hangs"
        os.close(self._up)
        while chunk := os.read(self._read, 65536):
            self._rest += chunk
        self.lines += self._rest.decode().split("\n")[:-1]
        return self.lines


@contextmanager
def conversation(engine: UsiEngine | None = None) -> Iterator[Conversation]:
    talk = Conversation(engine)
    try:
        yield talk
    finally:
        talk.close()


def count_lines(lines: Sequence[str], start: str) -> int:
    return sum(line.startswith(start) for line in lines)


def test_usi_tells_name_options_and_usiok() -> None:
    with conversation() as talk:
        talk.send("usi")
        talk.until("usiok")
        assert talk.lines == [
            "id name Toy 1",
            "id author Nobody",
            "option name USI_Hash type spin default 16 min 1 max 1024",
            "option name USI_Ponder type check default true",
            "option name Book type string default <empty>",
            "option name Rule type combo default A var A var B",
            "option name Clear type button",
            "usiok",
        ]


def test_options_are_checked_and_strange_ones_passed_over_in_silence() -> None:
    with conversation() as talk:
        talk.send(
            "setoption name USI_Hash value 99999",
            "setoption name USI_Hash value x",
            "setoption name USI_Ponder value FALSE",
            "setoption name Book value ",
            "setoption name Book value <empty>",
            "setoption name Book value a b.txt",
            "setoption name Rule value C",
            "setoption name Rule value B",
            "setoption name Clear",
            "setoption name Unknown value 1",
            "setoption",
            "setoption name",
            "isready",
        )
        talk.until("readyok")
        assert talk.lines == ["readyok"]
        assert talk.engine.seen == [
            "USI_Hash=1024",
            "USI_Ponder=false",
            "Book=",
            "Book=",
            "Book=a b.txt",
            "Rule=B",
            "Clear=",
            "prepare",
        ]


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("hello\x1b[2J", "no such command: hello?[2J (known: usi, isready, setoption,"),
        ("setoption USI_Hash 5", "expected setoption name NAME value VALUE"),
        ("setoption name Unknown value 1", "no such option: Unknown (known: USI_Hash,"),
        ("setoption name USI_Hash value x", "the value 'x' is refused; USI_Hash: "),
        ("setoption name USI_Hash value 99999", "USI_Hash is set to 1024; "),
        ("go depht 3 nodes 5", "go: depht 3 is passed over"),
        ("go movetime soon", "go: soon is passed over"),
    ],
)
def test_a_person_is_told_what_usi_passes_over(line: str, hint: str) -> None:
    with conversation() as talk:
        talk.send("position startpos", "go btime 0 wtime 0 byoyomi 1", "go mate 5", "stop", "")
        talk.send("go searchmoves 7g7f 2g2f", "isready")
        talk.until("readyok")
        assert talk.hints == []
        talk.send(line, "isready")
        talk.until("readyok")
        (told,) = talk.hints
        assert told.startswith(hint)


GO = "go movetime 1"
ENDLESS = "go infinite"
PONDER = "go ponder btime 1000 wtime 1000 byoyomi 1000"
MATE = "go mate infinite"


@pytest.mark.parametrize(
    ("commands", "best", "mates"),
    [
        ([GO], 1, 0),
        ([ENDLESS, "stop"], 1, 0),
        ([ENDLESS, "stop", "stop", "stop"], 1, 0),
        ([ENDLESS, "gameover win"], 1, 0),
        ([ENDLESS, "stop", "gameover lose"], 1, 0),
        ([ENDLESS, "gameover draw", "stop"], 1, 0),
        ([ENDLESS, "quit"], 1, 0),
        ([ENDLESS], 1, 0),
        ([ENDLESS, GO], 2, 0),
        ([ENDLESS, ENDLESS, "stop"], 2, 0),
        ([ENDLESS, "position startpos", "isready", GO], 2, 0),
        ([ENDLESS, "setoption name USI_Hash value 2", "stop"], 1, 0),
        ([ENDLESS, "usi", "nonsense", "", "stop"], 1, 0),
        ([ENDLESS, "ponderhit", "stop"], 1, 0),
        ([PONDER, "ponderhit"], 1, 0),
        ([PONDER, "ponderhit btime 5 wtime 5 byoyomi 5"], 1, 0),
        ([PONDER, "stop"], 1, 0),
        ([PONDER, "ponderhit", "stop"], 1, 0),
        ([PONDER, "stop", "ponderhit"], 1, 0),
        ([PONDER, "gameover win"], 1, 0),
        ([PONDER, "ponderhit", "gameover win", "isready"], 1, 0),
        ([PONDER, "quit"], 1, 0),
        ([PONDER], 1, 0),
        ([PONDER, GO], 2, 0),
        ([MATE, "stop"], 0, 1),
        ([MATE, "gameover win"], 0, 1),
        ([MATE, "quit"], 0, 1),
        ([MATE], 0, 1),
        ([MATE, GO], 1, 1),
        (["go mate 0", "go mate 1"], 0, 2),
        (["stop", "ponderhit", "gameover win", "stop"], 0, 0),
        (["gameover", "usinewgame", GO], 1, 0),
        (["go infinite searchmoves 7g7f", "stop"], 1, 0),
        (["quit", GO], 0, 0),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_every_go_has_exactly_one_answer(
    commands: list[str], best: int, mates: int, end: str
) -> None:
    talk = Conversation()
    talk.send(*commands, end=end)
    lines = talk.close()
    assert count_lines(lines, "bestmove") == best
    assert count_lines(lines, "checkmate") == mates


def test_no_answer_comes_while_pondering_or_unbounded() -> None:
    with conversation() as talk:
        talk.send("go infinite searchmoves 7g7f", "usi")
        talk.until("usiok")
        talk.send("setoption name USI_Hash value 3", "usi")
        talk.until("usiok")
        assert count_lines(talk.lines, "bestmove") == 0
        talk.send("stop")
        assert talk.until("bestmove") == "bestmove 7g7f ponder 3c3d"
        talk.send("go ponder searchmoves 7g7f", "usi")
        talk.until("usiok")
        assert count_lines(talk.lines, "bestmove") == 1
        talk.send("ponderhit")
        talk.until("bestmove")


def test_a_ponderhit_brings_its_own_times() -> None:
    with conversation() as talk:
        talk.send("go ponder", "ponderhit btime 100 wtime 200 byoyomi 300")
        talk.until("bestmove")
        assert talk.engine.orders[0].numbers == {"btime": 100, "wtime": 200, "byoyomi": 300}


def test_an_answer_that_is_ready_leaves_with_the_ponderhit() -> None:
    class Impatient(Inbox):
        def wait(self, seconds: float | None = None) -> bool:
            assert self.waiting(), "nothing is to come that the answer depends on"
            return True

    inbox = Impatient(-1, is_urgent)
    server = UsiServer(Channel(inbox, Writer(-1), Log()), Toy())
    inbox.put("ponderhit btime 0 wtime 0 byoyomi 1000")
    SearchControl(server, GoCommand(ponder=True)).settle()


@pytest.mark.parametrize(
    ("reply", "milliseconds"),
    [("checkmate G*5b", "0"), ("checkmate nomate", "1"), ("checkmate timeout", "2")],
)
def test_a_mate_search_answers_with_moves_nomate_or_timeout(reply: str, milliseconds: str) -> None:
    with conversation() as talk:
        talk.send(f"go mate {milliseconds}", "stop")
        assert talk.until("checkmate") == reply


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("position startpos moves bad", "position: bad"),
        ("position sfen bad", "position: bad"),
        ("position", "expected startpos or sfen"),
        ("position sfen", "expected startpos or sfen"),
        ("position sfen moves 7g7f", "expected startpos or sfen"),
        ("position fen x", "expected startpos or sfen"),
    ],
)
def test_a_position_that_is_refused_says_why_and_go_resigns(line: str, reason: str) -> None:
    with conversation() as talk:
        talk.send(line)
        assert reason in talk.until("info string")
        talk.send(GO)
        assert reason in talk.until("info string no position to search")
        assert talk.until("bestmove") == "bestmove resign"
        talk.send("go mate 0")
        assert talk.until("checkmate") == "checkmate timeout"
        talk.send("position startpos", GO)
        assert talk.until("bestmove") == "bestmove 7g7f ponder 3c3d"


def test_positions_are_read_in_every_form() -> None:
    with conversation() as talk:
        talk.send("position startpos", "position startpos moves", "position startpos moves 7g7f")
        talk.send("position sfen A b - 1", "position sfen A b - 1 moves 7g7f 3c3d")
        talk.send("position startpos moves " + "7g7f " * 10_000, "isready")
        talk.until("readyok")
        assert talk.engine.seen == [
            *("position start 0", "position start 0", "position start 1"),
            *("position A b - 1 0", "position A b - 1 2", "position start 10000", "prepare"),
        ]


def test_an_engine_that_breaks_still_gives_a_move() -> None:
    with conversation() as talk:
        talk.engine.fail = "go"
        talk.send(GO)
        assert talk.until("bestmove") == "bestmove 1g1f"
        assert "info string internal error" in talk.lines
        talk.engine.fail = "mate"
        talk.send("go mate 0")
        assert talk.until("checkmate") == "checkmate timeout"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", GoCommand()),
        ("infinite", GoCommand(infinite=True)),
        ("ponder", GoCommand(ponder=True)),
        ("btime 1 wtime 2 byoyomi 3", GoCommand({"btime": 1, "wtime": 2, "byoyomi": 3})),
        (
            "btime 1 wtime -2 binc 3 winc 4",
            GoCommand({"btime": 1, "wtime": -2, "binc": 3, "winc": 4}),
        ),
        ("depth 5 nodes 1000", GoCommand({"depth": 5, "nodes": 1000})),
        ("movetime 1500.7", GoCommand({"movetime": 1500})),
        ("mate", GoCommand(mate=True)),
        ("mate infinite", GoCommand(mate=True)),
        ("mate 5000", GoCommand(mate=True, mate_time=5000)),
        ("nodes x depth 3 what 5", GoCommand({"depth": 3})),
        ("infinite searchmoves 7g7f P*5e", GoCommand(infinite=True, searchmoves=["7g7f", "P*5e"])),
        ("btime", GoCommand()),
        ("btime 99999999999999999999", GoCommand()),
    ],
)
def test_orders_are_read_in_every_form(text: str, expected: GoCommand) -> None:
    assert parse_go(text.split()) == expected


@pytest.mark.parametrize("seed", range(8))
def test_random_commands_never_lose_or_double_an_answer(seed: int) -> None:
    generator = random.Random(seed)
    words: list[Callable[[], str]] = [
        lambda: GO,
        lambda: ENDLESS,
        lambda: PONDER,
        lambda: MATE,
        lambda: "go mate 0",
        lambda: "stop",
        lambda: "ponderhit",
        lambda: "gameover " + generator.choice(["win", "lose", "draw", ""]),
        lambda: "position startpos moves 7g7f",
        lambda: "position bad",
        lambda: "usinewgame",
        lambda: "isready",
        lambda: "usi",
        lambda: "setoption name USI_Hash value " + str(generator.randrange(99)),
        lambda: generator.choice(["", " ", "xyz", "go" * 9, "\t", "é"]),
    ]
    commands = [generator.choice(words)() for _ in range(120)]
    talk = Conversation()
    for command in commands:
        talk.send(command)
        if generator.random() < 0.2:
            talk.send("usi")
            talk.until("usiok")
    lines = talk.close()
    mates = sum(command.startswith("go mate") for command in commands)
    orders = sum(command.startswith("go ") for command in commands)
    assert count_lines(lines, "checkmate") == mates
    assert count_lines(lines, "bestmove") == orders - mates
