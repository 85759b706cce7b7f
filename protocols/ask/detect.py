"""Start an engine with the client for its protocol, or detect which protocol it speaks."""

import contextlib
import re
import time
from collections.abc import Callable, Sequence
from typing import Final

from protocols.ask.contract import Client, ClockTime, Reply, TimeControl, close_clients
from protocols.ask.framed import STRAYS, FramedClient
from protocols.ask.gtp import GtpClient
from protocols.ask.line import LineClient
from protocols.ask.usi import Option, UsiClient
from protocols.child.process import Process
from protocols.errors import EngineError, EngineExited, EngineNonsense, EngineTimeout

__all__ = [
    "PROTOCOLS",
    "Client",
    "ClockTime",
    "FramedClient",
    "GtpClient",
    "LineClient",
    "Option",
    "Reply",
    "TimeControl",
    "UsiClient",
    "close_clients",
    "detect",
    "start",
]

_REPLY: Final = re.compile(r"=\d*|\?\d+")  # Some programs that speak no GTP write a question mark.


class _WrongReply(EngineNonsense):
    """A reply in GTP's frames that does not have the number of its question."""


PROTOCOLS: Final[dict[str, type[Client]]] = {
    client.protocol: client for client in (GtpClient, UsiClient, LineClient)
}


def start(launch: Callable[[], Process], deadline: float, protocol: str = "") -> Client:
    """Return a client that has greeted its engine; without a `protocol`, it is detected.

    `launch` starts the engine's process, and is called again if a fresh process is needed. Raises
    EngineError and then leaves no process behind.
    """
    if not protocol:
        return detect(launch, deadline)
    if protocol not in PROTOCOLS:
        raise ValueError(f"no such protocol: {protocol!r} (known: {', '.join(PROTOCOLS)})")
    return _greet(launch(), PROTOCOLS[protocol], deadline)


def detect(launch: Callable[[], Process], deadline: float) -> Client:
    """Detect an engine's protocol and return a client that has greeted it.

    A first process is sent three questions: `protocol_version` of GTP, `known_command game`, which
    only the line protocol knows, and `usi`, because a USI engine may ignore the first two without
    an answer. If the process does not answer as GTP, a fresh process is sent `usi` alone; but
    replies in GTP's frames with wrong numbers end the detection. Raises EngineError, which quotes
    what came instead of an answer.
    """
    now = time.monotonic()
    process = launch()
    failure = "it spoke USI"
    stderr = ""
    kind: type[Client] | None = None
    try:
        kind = _framed(process, now + (deadline - now) / 2)
    except _WrongReply:
        raise
    except EngineError as error:
        failure, stderr = str(error), error.stderr
    finally:
        if kind is None:
            process.close(0.5)
    if kind is not None:
        return _greet(process, kind, deadline)
    try:
        return _greet(launch(), UsiClient, deadline)
    except EngineError as error:
        kind_of_error = EngineExited if isinstance(error, EngineExited) else EngineNonsense
        raise kind_of_error(
            f"{process.name} speaks no known protocol: asked as GTP, {failure}; as USI, {error}",
            error.stderr or stderr,
        ) from error


def _framed(process: Process, deadline: float) -> type[Client] | None:
    """Return the client that fits the replies in GTP's frames; None for a USI engine."""
    process.send(deadline, "1 protocol_version", "2 known_command game", "usi")
    kind: type[Client] | None = None
    strays: list[str] = []
    while True:
        if len(strays) >= STRAYS:
            message = f"{process.name} wrote {STRAYS} lines, but no answer"
            raise EngineNonsense(message, process.stderr)
        try:
            line = process.read_line(deadline)
        except EngineTimeout as error:
            quoted = _quote([*strays, process.unfinished])
            raise EngineTimeout(f"{error}{quoted}", error.stderr) from error
        match line.split():
            case ["usiok"]:
                return None
            case ["=1" | "?1", *_] if kind is None:
                pass
            case ["=2" | "?2", *text]:
                kind = LineClient if text == ["true"] else GtpClient
            case [word, *_] if kind is not None and word[0] in "=?":
                # This refuses `usi`. The rest of it must not be taken for the answer to a question.
                while process.read_line(deadline):
                    pass
                return kind
            case [word, *_] if _REPLY.fullmatch(word):
                raise _WrongReply(
                    f"{process.name} wrote {line[:80]!r} where a reply to 1 'protocol_version' "
                    "was due",
                    process.stderr,
                )
            case _:
                strays.append(line)


def _quote(lines: Sequence[str]) -> str:
    """Return what an engine wrote instead of an answer."""
    for line in lines:
        if line.strip():
            return f"; it wrote {line[:80]!r} where a reply to 1 'protocol_version' was due"
    return ""


def _greet(process: Process, kind: type[Client], deadline: float) -> Client:
    client = kind(process)
    with contextlib.ExitStack() as unless_greeted:
        unless_greeted.callback(client.close, 0.5)
        client.greet(deadline)
        unless_greeted.pop_all()
    return client
