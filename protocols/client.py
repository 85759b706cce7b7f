"""Engines to ask, whatever their language, and how to find out which language that is."""

import time
from collections.abc import Callable
from typing import Final

from protocols.contract import Client, Left, Reply, TimeControl, close_clients
from protocols.errors import EngineError, EngineNonsense
from protocols.gtp_client import STRAYS, FramedClient, GtpClient, LineClient
from protocols.process import Process
from protocols.usi_client import Option, UsiClient

__all__ = [
    "PROTOCOLS",
    "Client",
    "FramedClient",
    "GtpClient",
    "Left",
    "LineClient",
    "Option",
    "Reply",
    "TimeControl",
    "UsiClient",
    "close_clients",
    "detect",
    "start",
]

PROTOCOLS: Final[dict[str, type[Client]]] = {
    client.protocol: client for client in (GtpClient, UsiClient, LineClient)
}


def start(launch: Callable[[], Process], deadline: float, protocol: str = "") -> Client:
    """Return a client that has greeted its engine; without a protocol, it is found out.

    `launch` starts the engine's process, and is called again where a fresh one is needed. Raises
    EngineError, leaving no process behind.
    """
    if not protocol:
        return detect(launch, deadline)
    if protocol not in PROTOCOLS:
        raise ValueError(f"no such protocol: {protocol!r} (known: {', '.join(PROTOCOLS)})")
    return _greet(launch(), PROTOCOLS[protocol], deadline)


def detect(launch: Callable[[], Process], deadline: float) -> Client:
    """Find out an engine's protocol and return a client that has greeted it.

    A first process is asked GTP's questions, `known_command game` to tell the line protocol, and
    `usi`, which spares the wait for a USI engine that ignores the others. Unless it answers as
    GTP, a fresh process is asked `usi` alone. Raises EngineError.
    """
    now = time.monotonic()
    process = launch()
    said = "it spoke USI"
    stderr = ""
    kind: type[Client] | None = None
    try:
        kind = _framed(process, now + (deadline - now) / 2)
    except EngineError as error:
        said, stderr = str(error), error.stderr
    finally:
        if kind is None:
            process.close(0.5)
    if kind is not None:
        return _greet(process, kind, deadline)
    try:
        return _greet(launch(), UsiClient, deadline)
    except EngineError as error:
        raise EngineError(
            f"{process.name} speaks no known protocol: asked as GTP, {said}; as USI, {error}",
            error.stderr or stderr,
        ) from error


def _framed(process: Process, deadline: float) -> type[Client] | None:
    """Return which client fits replies in GTP's frames, None for a USI engine."""
    process.send(deadline, "1 protocol_version", "2 known_command game", "usi")
    kind: type[Client] | None = None
    heard = 0
    while True:
        heard += 1
        if heard > STRAYS:
            told = f"{process.name} wrote {STRAYS} lines, but no answer"
            raise EngineNonsense(told, process.stderr)
        match process.read_line(deadline).split():
            case ["usiok"]:
                return None
            case ["=2" | "?2", *text]:
                kind = LineClient if text == ["true"] else GtpClient
            case [word, *_] if kind is not None and word[0] in "=?":
                # The refusal of `usi`: nothing may be left over for the first question.
                while process.read_line(deadline):
                    pass
                return kind


def _greet(process: Process, kind: type[Client], deadline: float) -> Client:
    client = kind(process)
    try:
        client.greet(deadline)
    except BaseException:  # Raised again: whatever it was, no process stays behind.
        client.close(0.5)
        raise
    return client
