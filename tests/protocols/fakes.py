"""Engines that misbehave on purpose: `python fakes.py BEHAVIOUR [ARGUMENTS]`.

Run as a program, so it imports next to nothing. A behaviour that lives for ever is ended by the
test, or by the guard when the test run dies.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ANSWER = b"=1 D4\n\n"


def command(behaviour: str, *arguments: str) -> list[str]:
    """Return the argument list that starts a behaviour."""
    return [sys.executable, "-S", "-E", str(Path(__file__).resolve()), behaviour, *arguments]


def _write(data: bytes, descriptor: int = 1) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _listen() -> bytes:
    """Return a line, empty at the end of input."""
    return sys.stdin.buffer.readline()


def _sleep_for_ever() -> None:
    while True:
        signal.pause()


def silent() -> None:
    """Read everything and write nothing."""
    while _listen():
        pass


def dead(code: str) -> None:
    """Exit without an answer, with a reason on stderr."""
    _write(b"cannot read weights.bin\n", 2)
    sys.exit(int(code))


def crashing() -> None:
    """Die by a signal at the first command."""
    _listen()
    os.kill(os.getpid(), signal.SIGABRT)


def breaking_off() -> None:
    """Exit in the middle of the answer."""
    _listen()
    _write(b"=1 D")
    sys.exit(1)


def last_words() -> None:
    """Answer, and exit without a `quit`."""
    _listen()
    _write(ANSWER)


def chatty() -> None:
    """Talk for ever and never answer."""
    while True:
        _write(b"info depth 1\n" * 100)


def trickling() -> None:
    """Write bytes for ever and never end a line shorter than the cap."""
    while True:
        _write(b".")


def endless(first: str, then: str) -> None:
    """Answer the first command and never come to the end."""
    _listen()
    _write(first.encode())
    while True:
        _write(then.encode())


def garbage() -> None:
    """Answer every command with bytes that are no text, in short lines."""
    while _listen():
        _write(bytes(range(256)) * 4 + b"\n")


def slow_to_quit() -> None:
    """Exit by itself, but only a while after the end of input."""
    _write(b"ready\n")
    silent()
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    signal.signal(signal.SIGALRM, lambda number, frame: sys.exit(0))
    _sleep_for_ever()


def deaf_to_quit() -> None:
    """Ignore the end of input; SIGTERM works."""
    _write(b"ready\n")
    _sleep_for_ever()


def deaf_to_term() -> None:
    """Ignore the end of input and SIGTERM."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    _write(b"ready\n")
    _sleep_for_ever()


def flooding(size: str) -> None:
    """Write so many bytes to stderr without an end of line, then answer, then flood at the end."""
    _listen()
    _write(b"x" * int(size), 2)
    _write(ANSWER)
    silent()
    _write(b"y" * int(size), 2)


def long_line(size: str) -> None:
    """Answer with a line of so many characters, then properly."""
    _listen()
    _write(b"z" * int(size) + b"\n" + ANSWER)
    silent()


def not_reading() -> None:
    """Never read a command."""
    _write(b"ready\n")
    _sleep_for_ever()


def speaking_first(size: str) -> None:
    """Write so many bytes of lines before reading anything, then count what comes."""
    _write(b"info depth 1\n" * (int(size) // 13))
    line = _listen()
    _write(f"{len(line)}\n".encode())
    silent()


def getting_through(size: str, place: str) -> None:
    """Write so many bytes of lines that nobody asked for, and a file when all are out."""
    _write(b"info depth 1\n" * (int(size) // 13))
    Path(place).touch()
    silent()


def closing_stdout() -> None:
    """Close stdout and live on."""
    _listen()
    os.close(1)
    _sleep_for_ever()


def closing_stdin() -> None:
    """Close stdin and live on."""
    os.close(0)
    _write(b"ready\n")
    _sleep_for_ever()


def with_child(place: str, obedient: str) -> None:
    """Start a child that holds all pipes and the FIFO at `place` open, deaf to SIGTERM."""
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        holding(place)
    _write(b"ready\n")
    if obedient == "yes":
        silent()
    else:
        sys.exit(5)


def holding(place: str) -> None:
    """Write to the FIFO at `place` and keep it open; ignore the end of input."""
    fifo = os.open(place, os.O_WRONLY)
    _write(b"!", fifo)
    _sleep_for_ever()


def parting(place: str) -> None:
    """Start `holding` in a session of its own, and then behave as `silent`."""
    with subprocess.Popen(
        command("holding", place),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as child:
        silent()
        child.returncode = 0  # Nobody waits for it.


def hiding(place: str, orphan: str) -> None:
    """Start `holding` by `hide`, and behave as `silent`."""
    hide(place, orphan=orphan == "yes")
    silent()


def clinging(place: str) -> None:
    """Start `holding` by `hide`, and ignore the end of input."""
    hide(place, orphan=False)
    _sleep_for_ever()


def hide(place: str, *, orphan: bool) -> None:
    """Start `holding` in a session of its own and without environment.

    An orphan has lost its parent as well.
    """
    child = os.fork()
    if child == 0:
        os.setsid()
        if not orphan or os.fork() == 0:
            null = os.open(os.devnull, os.O_RDWR)
            for descriptor in (0, 1, 2):
                os.dup2(null, descriptor)
            os.execve(sys.executable, command("holding", place), {})
        os._exit(0)
    if orphan:
        os.waitpid(child, 0)


def surroundings() -> None:
    """Say where it runs and what it is given."""
    _write(
        f"{Path.cwd()} {os.environ.get('QUINTET_TEST')} {os.getpgid(0) == os.getpid()}\n".encode()
    )
    silent()


def echoing() -> None:
    """Answer each command with its own text, framed as in GTP."""
    while line := _listen():
        number, _, text = line.decode().rstrip("\n").partition(" ")
        _write(f"={number} {text}\n\n".encode())


def scripted(*replies: str) -> None:
    """Answer each line with the next reply, in which {id} is the line's first word.

    The reply `exit` ends it with code 9, `mute` closes its output while it lives on.
    """
    for reply in replies:
        line = _listen()
        if not line:
            return
        if reply == "exit":
            sys.exit(9)
        if reply == "mute":
            os.close(1)
            _sleep_for_ever()
        _write(reply.replace("{id}", line.decode().split()[0]).encode())
    silent()


BEHAVIOURS: dict[str, Callable[..., None]] = {
    behaviour.__name__: behaviour
    for behaviour in (
        *(silent, dead, crashing, breaking_off, last_words, chatty, trickling, endless, garbage),
        *(slow_to_quit, deaf_to_quit, deaf_to_term, flooding, long_line, not_reading),
        *(
            getting_through,
            speaking_first,
            closing_stdout,
            closing_stdin,
            with_child,
            holding,
            parting,
            *(hiding, clinging),
            surroundings,
        ),
        *(echoing, scripted),
    )
}

if __name__ == "__main__":
    try:
        BEHAVIOURS[sys.argv[1]](*sys.argv[2:])
    except BrokenPipeError:
        os._exit(0)
