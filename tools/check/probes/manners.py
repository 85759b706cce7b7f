"""Probes of any program that is used through pipes: its start, its silence, its end."""

import os
import signal
import tempfile
import time
from typing import Final

from protocols.errors import EngineExited
from tools.check.probe import MUST, NICE, SHOULD, Catalogue, Unsuited, expect
from tools.check.talks.talk import LEAVE, START, Talk, elsewhere, group_of

MANNERS: Final = Catalogue()
LEAVING: Final = Catalogue()
_PIPE: Final = 65536  # The capacity of a pipe on Linux in bytes; writing more blocks.
_IDLE: Final = 0.4  # An idle engine is watched for this many seconds.


@MANNERS.add("start-in-time", MUST, "ShogiHome gives up after 10 s without an answer", fresh=True)
def _start_in_time(talk: Talk) -> None:
    began = time.monotonic()
    talk.first_words()
    spent = time.monotonic() - began
    expect(spent < START * talk.patience, f"its first answer took {spent:.1f} s")


@MANNERS.add(
    "start-quick", SHOULD, "Shogidokoro used to give up after 2 s, and so do users", fresh=True
)
def _start_quick(talk: Talk) -> None:
    began = time.monotonic()
    talk.first_words()
    spent = time.monotonic() - began
    expect(spent < 2 * talk.patience, f"its first answer took {spent:.1f} s, not 2")


@MANNERS.add(
    "start-silent", NICE, "a banner is a stray reply to clients that count lines", fresh=True
)
def _start_silent(talk: Talk) -> None:
    talk.expect_silence("nothing had been asked", 0.3)
    talk.first_words()


@MANNERS.add(
    "start-anywhere",
    MUST,
    "ShogiHome, Sabaki and qGo start it in other folders, with another $HOME",
)
def _start_anywhere(talk: Talk) -> None:
    if not elsewhere(talk.spec):
        raise Unsuited("its command line or its settings contain a relative path")
    with tempfile.TemporaryDirectory() as folder:
        home = {"HOME": os.path.join(folder, "nobody")}
        other = type(talk)(talk.spec, talk.patience, folder=folder, environment=home)
        other.exchange = talk.exchange
        try:
            talk.note("started in an empty folder, without a home")
            other.first_words()
        finally:
            other.close()


@MANNERS.add("start-twice", SHOULD, "a match of an engine against itself starts two processes")
def _start_twice(talk: Talk) -> None:
    other = type(talk)(talk.spec, talk.patience)
    other.exchange = talk.exchange
    try:
        talk.note("a second process beside the first")
        other.first_words()
    finally:
        other.close()


@MANNERS.add("idle-cpu", SHOULD, "an engine that waits must leave the cores to its opponent")
def _idle(talk: Talk) -> None:
    _watch_idle(talk)


@MANNERS.add(
    "idle-after-thought", SHOULD, "threads that stay busy after a move slow down the opponent"
)
def _idle_after_thought(talk: Talk) -> None:
    talk.think()
    _watch_idle(talk)


def _watch_idle(talk: Talk) -> None:
    """Look up to three times, because loading or clearing may take a moment to end."""
    used = share = 0.0
    for _ in range(3):
        before = sum(group_of(talk.process.pid).values())
        began = time.monotonic()
        time.sleep(_IDLE)
        used = sum(group_of(talk.process.pid).values()) - before
        share = used / (time.monotonic() - began)
        if share < 0.1:
            return
    expect(False, f"it used {share:.0%} of a core while nothing was asked")


@LEAVING.add(
    "stderr-flood",
    MUST,
    "ShogiHome, cshogi and Ayane never read stderr: after 64 KiB the engine blocks",
    fresh=True,
)
def _stderr_flood(talk: Talk) -> None:
    size = _stderr_of_a_game(talk)
    expect(size < _PIPE, f"it wrote {size} bytes to stderr in one short game")


@LEAVING.add(
    "stderr-silent", SHOULD, "Lizzie merges stderr into stdout, where it corrupts", fresh=True
)
def _stderr_silent(talk: Talk) -> None:
    size = _stderr_of_a_game(talk)
    lines = talk.process.stderr.strip().splitlines()
    expect(
        not size, f"it wrote {size} bytes to stderr; the last line: {(lines or [''])[-1][:80]!r}"
    )


def _stderr_of_a_game(talk: Talk) -> int:
    talk.prepare()
    for _ in range(2):
        talk.reset()  # An engine that does not know `turn` can be asked at the start only.
        talk.think()
    talk.send("quit")
    talk.expect_end(10)
    return talk.process.stderr_size


@LEAVING.add(
    "quit",
    MUST,
    "Sabaki waits for the exit without a limit, ShogiHome for five seconds",
    fresh=True,
)
def _quit(talk: Talk) -> None:
    talk.prepare()
    talk.send("quit")
    talk.expect_end()


@LEAVING.add(
    "quit-code", SHOULD, "match programs treat any other exit status as a crash", fresh=True
)
def _quit_code(talk: Talk) -> None:
    talk.prepare()
    talk.send("quit")
    code = talk.expect_end(10)
    expect(code == 0, f"its exit status after quit was {code}, not 0")


@LEAVING.add("quit-first", SHOULD, "a user may close a program before a game", fresh=True)
def _quit_first(talk: Talk) -> None:
    talk.send("quit")
    talk.expect_end()


@LEAVING.add(
    "quit-thinking", SHOULD, "a user who closes a window during a game waits for this", fresh=True
)
def _quit_thinking(talk: Talk) -> None:
    talk.prepare()
    talk.reset()
    talk.begin_long_thought()
    time.sleep(0.3)
    talk.send("quit")
    talk.expect_end()


@LEAVING.add(
    "end-of-input",
    MUST,
    "if the controller dies, the pipe closes; otherwise orphans would remain",
    fresh=True,
)
def _end_of_input(talk: Talk) -> None:
    talk.prepare()
    talk.hang_up()
    talk.expect_end()


@LEAVING.add(
    "end-of-input-thinking",
    SHOULD,
    "otherwise it would think for ever, with nothing left to stop it",
    fresh=True,
)
def _end_of_input_thinking(talk: Talk) -> None:
    talk.prepare()
    talk.reset()
    talk.begin_endless_thought()
    time.sleep(0.3)
    talk.hang_up()
    talk.expect_end()


@LEAVING.add(
    "end-of-input-half-line", NICE, "`printf` without a final line feed is a command", fresh=True
)
def _half_line(talk: Talk) -> None:
    talk.send_bytes(talk.first_command().encode())
    talk.hang_up()
    answered = False
    try:
        while True:
            answered = bool(talk.read().strip()) or answered
    except EngineExited as error:
        talk.note(str(error))
    expect(answered, "it did not carry out the last line, which has no line feed")


@LEAVING.add("term", MUST, "ShogiHome sends SIGTERM and never SIGKILL", fresh=True)
def _term(talk: Talk) -> None:
    talk.prepare()
    _terminate(talk)


@LEAVING.add("term-thinking", SHOULD, "SIGTERM ends an engine that hangs", fresh=True)
def _term_thinking(talk: Talk) -> None:
    talk.prepare()
    talk.reset()
    talk.begin_long_thought()
    time.sleep(0.2)
    _terminate(talk)


def _terminate(talk: Talk) -> None:
    if os.name != "posix":
        raise Unsuited("there are no signals on this system")
    talk.note("SIGTERM")
    os.kill(talk.process.pid, signal.SIGTERM)
    talk.expect_end()


@LEAVING.add(
    "leftovers", MUST, "processes that stay behind occupy the cores of the next game", fresh=True
)
def _leftovers(talk: Talk) -> None:
    talk.prepare()
    talk.reset()
    talk.think()
    talk.send("quit")
    talk.expect_end(10)
    until = time.monotonic() + LEAVE * talk.patience
    while left := set(group_of(talk.process.pid)) - {talk.process.pid}:
        expect(time.monotonic() < until, f"{len(left)} of its processes are alive after its end")
        time.sleep(0.02)
