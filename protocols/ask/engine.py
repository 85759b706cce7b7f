"""Everything needed to start an engine and to talk to it."""

import re
from dataclasses import dataclass
from typing import Final

PATIENCE: Final = 60.0  # Seconds for an engine to start, and for any reply that is not a move.

AUTO: Final = "auto"
ALWAYS: Final = "always"
RESTARTS: Final = (AUTO, ALWAYS)
"""When the program of an engine is started again: only if it has ended, or before every game."""


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """A program to start, and how to talk to it; `command` is a list of arguments."""

    label: str
    command: tuple[str, ...]
    protocol: str | None = None  # None: to be detected.
    game: str | None = None
    options: tuple[tuple[str, str], ...] = ()
    commands: tuple[str, ...] = ()  # Sent before the first game.
    folder: str | None = None
    environment: tuple[tuple[str, str], ...] = ()
    ponder: bool = False  # Whether it thinks on its opponent's time.
    patience: float = PATIENCE  # Seconds to start, and to prepare a game.
    movetime: bool = False  # USI: send a fixed time per move as `movetime`, not as byo-yomi.
    scores: bool = True  # Go: whether its final_score is asked for and believed.
    restart: str = AUTO  # `always`: a new process for each game.
    lag: float | None = None  # Seconds of overrun tolerated per move; None: those of the match.
    origin: tuple[str, str] | None = None  # The file and the section that describe the engine.

    def names(self, option: str) -> bool:
        """Whether the command line, the options or the commands mention an option."""
        words = (*self.command[1:], *self.commands)
        return option in dict(self.options) or any(
            re.search(rf"\b{option}\b", word) for word in words
        )


LONGEST: Final = 1e6  # Seconds, or 11 days: a timeout in milliseconds must fit into 32 bits.


def is_wait(seconds: object) -> bool:
    """Whether a value is a number of seconds that can be used as a timeout."""
    return (
        isinstance(seconds, int | float)
        and not isinstance(seconds, bool)
        and 0 < seconds <= LONGEST  # Also refuses nan and inf.
    )
