"""Fixtures of the clients' tests."""

from collections.abc import Iterator, Sequence

import pytest

from protocols.ask.detect import close_clients
from protocols.ask.framed import FramedClient
from protocols.ask.gtp import GtpClient
from tests.protocols.ask.scripted import Begin, Dialogue


@pytest.fixture
def begin() -> Iterator[Begin]:
    """Start a dialogue: replies with {id}, or bare texts that are framed as successes."""
    dialogues: list[Dialogue] = []

    def start(
        *replies: str, kind: type[FramedClient] = GtpClient, commands: Sequence[str] = ()
    ) -> Dialogue:
        framed = [reply if "\n" in reply else f"={{id}} {reply}\n\n" for reply in replies]
        dialogues.append(Dialogue(kind, commands, ["scripted", *framed]))
        return dialogues[-1]

    yield start
    close_clients([dialogue.client for dialogue in dialogues], 0.0)
