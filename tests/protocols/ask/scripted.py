"""Conversations of a client with an engine that answers from a script."""

import time
from collections.abc import Callable, Sequence

from protocols.ask.framed import FramedClient
from protocols.child.process import Process
from tests.protocols import fakes

LONG = 20.0


def later() -> float:
    return time.monotonic() + LONG


class Dialogue:
    """A client with a scripted engine, and what was sent to it, without the numbers."""

    def __init__(self, kind: type[FramedClient], commands: Sequence[str], words: Sequence[str]):
        self.sent: list[str] = []
        self.client = kind(Process(fakes.command(*words), trace=self._note))
        self.client.commands = commands
        self.client._known = frozenset(commands)

    def _note(self, way: str, text: str) -> None:
        if way == ">":
            self.sent.append(text.partition(" ")[2] if text[0].isdigit() else text)


Begin = Callable[..., Dialogue]
