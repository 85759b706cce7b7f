import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engines.core.timing import Clock, TimeControl
from protocols.ask.detect import Client, ClockTime, GtpClient, LineClient, UsiClient, detect, start
from protocols.child.process import Process
from protocols.errors import EngineError, EngineExited, EngineNonsense, EngineRefused
from tests.programs import peer
from tests.protocols import fakes

LONG = 20.0
GREETING = ("={id} 2\n\n", "={id} X\n\n", "={id} 1\n\n", "={id} name\n\n")
USI = "id name U\nusiok\n"


def later() -> float:
    return time.monotonic() + LONG


class Launcher:
    """Starts the n-th process of a test with the n-th words."""

    def __init__(self, *words: tuple[str, ...]) -> None:
        self.words = list(words)
        self.processes: list[Process] = []

    def __call__(self) -> Process:
        self.processes.append(Process(fakes.command(*self.words.pop(0))))
        return self.processes[-1]


Launch = Callable[..., Launcher]


@pytest.fixture
def launch() -> Iterator[Launch]:
    """Make launchers, and check in the end that nothing is left running but what was returned."""
    launchers: list[Launcher] = []

    def make(*words: tuple[str, ...]) -> Launcher:
        launchers.append(Launcher(*words))
        return launchers[-1]

    yield make
    for launcher in launchers:
        for process in launcher.processes:
            process.close(0.0)


def test_a_protocol_that_is_given_is_not_asked_for(launch: Launch) -> None:
    assert isinstance(start(launch(("scripted", *GREETING)), later(), "gtp"), GtpClient)
    assert isinstance(start(launch(("scripted", *GREETING)), later(), "line"), LineClient)
    assert isinstance(start(launch(("scripted", USI)), later(), "usi"), UsiClient)
    with pytest.raises(ValueError, match=r"no such protocol: 'uci' \(known: gtp, usi, line\)"):
        start(launch(), later(), "uci")


def test_an_engine_that_fails_at_the_greeting_is_not_left_running(launch: Launch) -> None:
    launcher = launch(("scripted", "= 2\n\n"))
    with pytest.raises(EngineNonsense):
        start(launcher, later(), "gtp")
    assert launcher.processes[0].ending()


@pytest.mark.parametrize(
    ("game", "kind"),
    [("={id} false\n\n", GtpClient), ("={id} true\n\n", LineClient), ("?{id} eh\n\n", GtpClient)],
)
def test_gtp_and_the_line_protocol_are_told_apart(
    launch: Launch, game: str, kind: type[Client]
) -> None:
    words = (
        "scripted",
        "welcome\n={id} 2\n\n",
        game,
        "? unknown command\n(try help)\n\n",
        *GREETING,
    )
    launcher = launch(words)
    client = start(launcher, later())
    assert type(client) is kind
    assert client.name == "X"
    assert client.process is launcher.processes[0]


@pytest.mark.parametrize(
    "first",
    [
        ("scripted", "", "", USI),
        ("scripted", "unknown command: 1\n", "eh?\n", USI),
        ("scripted", USI),
        ("dead", "1"),
        ("long_line", "100000"),
    ],
    ids=["ignores", "complains", "takes anything for usi", "dies", "talks"],
)
def test_usi_is_asked_in_a_fresh_process(launch: Launch, first: tuple[str, ...]) -> None:
    launcher = launch(first, ("scripted", USI))
    client = detect(launcher, later())
    assert type(client) is UsiClient
    assert client.name == "U"
    assert launcher.processes[0].ending()
    assert client.process is launcher.processes[1]


@pytest.mark.slow
def test_half_the_time_is_kept_for_usi(launch: Launch) -> None:
    launcher = launch(("silent",), ("scripted", USI))
    # The half that is left is long enough for a program to start on a busy machine.
    assert isinstance(detect(launcher, time.monotonic() + 6.0), UsiClient)


@pytest.mark.parametrize("reply", ["= 2", "=", "=7 2", "?7 what"])
def test_a_reply_with_a_wrong_number_ends_the_detection(launch: Launch, reply: str) -> None:
    launcher = launch(("scripted", f"{reply}\n\n"))
    quoted = re.escape(f"wrote {reply!r} where a reply to 1 'protocol_version' was due")
    with pytest.raises(EngineNonsense, match=quoted):
        detect(launcher, later())
    assert launcher.processes[0].ending()


def test_what_came_instead_of_an_answer_is_quoted(launch: Launch) -> None:
    words = ("scripted", "\nHello\n", "", "", "")
    with pytest.raises(EngineNonsense) as caught:
        detect(launch(words, words), time.monotonic() + 1.0)
    assert "; it wrote 'Hello' where a reply to 1 'protocol_version' was due; as" in str(
        caught.value
    )
    assert "; it wrote 'Hello' where a reply to 'usi' was due" in str(caught.value)


def test_a_line_without_an_end_is_quoted_too(launch: Launch) -> None:
    words = ("scripted", "What is your na", "", "", "")
    quoted = "; it wrote 'What is your na' where a reply to 1 'protocol_version' was due"
    with pytest.raises(EngineNonsense, match=quoted):
        detect(launch(words, words), time.monotonic() + 1.0)


def test_a_program_that_ends_twice_has_exited(launch: Launch) -> None:
    with pytest.raises(EngineExited, match="exited with code 4"):
        detect(launch(("dead", "4"), ("dead", "4")), later())


def test_an_endless_flood_is_told_as_one() -> None:
    flood = Process((sys.executable, "-S", "-c", "while True: print('y')"), name="flood")
    started = iter([flood, Process(fakes.command("dead", "4"))])
    with pytest.raises(EngineError, match="as GTP, flood wrote 1000 lines, but no answer; as USI"):
        detect(lambda: next(started), later())
    assert flood.ending()


def test_no_protocol_at_all_is_a_clear_error(launch: Launch) -> None:
    launcher = launch(("dead", "3"), ("dead", "4"))
    with pytest.raises(
        EngineError,
        match=r"speaks no known protocol: asked as GTP, .* exited with code 3; "
        r"as USI, .* exited with code 4",
    ) as caught:
        detect(launcher, later())
    assert caught.value.stderr == "cannot read weights.bin\n"
    assert all(process.ending() for process in launcher.processes)


SERVER = """
from engines.core.game import IllegalMove, InvalidText
from engines.core.player import Player
from protocols.serve.gtp import is_urgent
from protocols.serve.line import serve_line
from protocols.serve.session import Channel, Log
from tests.engines.core.toy import {game}_equipment
channel = Channel.standard(is_urgent, Log())
serve_line(Player({game}_equipment()), channel, (InvalidText, IllegalMove))
"""


def serve(game: str) -> Callable[[], Process]:
    command = [sys.executable, "-c", SERVER.format(game=game)]
    return lambda: Process(command, cwd=Path(__file__).resolve().parents[3])


def test_our_own_server_plays_a_whole_game() -> None:
    client = detect(serve("heap"), later())
    assert isinstance(client, LineClient)
    assert (client.name, client.version) == ("quintet-heap", "1.0 (interpreted)")
    try:
        for text in ("5+2x1", "1/move", "depth=3", ""):
            control = TimeControl.parse(text) if text else TimeControl()
            clock = Clock(control)
            client.new_game(later(), variant="short", settings={"level": "1"}, control=control)
            left = ClockTime(clock.main, 0) if clock.running else None
            client.play("w", "1", later())
            reply = client.genmove("b", later(), left)
            assert (reply.move, str(reply.evaluation)) == (
                "2",
                "score exact win 1 depth 1 nodes 3 pv 2",
            )
            assert client.command("result", later()).startswith("black")
            with pytest.raises(EngineRefused):
                client.genmove("w", later(), left)
            client.undo(later())
            assert client.command("turn", later()) == "black"
        client.set_option("level", "2", later())
        with pytest.raises(EngineRefused, match="level: expected 1 2, not '9'"):
            client.set_option("level", "9", later())
        client.new_game(later(), position="1")
        with pytest.raises(EngineRefused, match="only 1 left"):
            client.play("w", "2", later())
    finally:
        client.close()
    assert client.process.ending() == "exited with code 0"


def test_our_own_server_takes_the_referees_dice() -> None:
    client = detect(serve("dice"), later())
    try:
        client.new_game(later())
        with pytest.raises(EngineRefused, match="roll first"):
            client.play("w", "1", later())
        client.roll(2, later())
        client.play("w", "2", later())
    finally:
        client.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "arguments", "kind"),
    [("gnugo", ["--mode", "gtp"], GtpClient), ("gpsusi", ["-N", "1"], UsiClient)],
)
def test_a_real_engine_is_recognised(name: str, arguments: list[str], kind: type[Client]) -> None:
    command = [peer(name), *arguments]
    # GPSShogi reads its evaluation twice here, which takes a busy machine its time.
    client = detect(lambda: Process(command), time.monotonic() + 10 * LONG)
    assert type(client) is kind
    client.close()
