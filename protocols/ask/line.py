"""The asking side of the line protocol, which shares GTP's frames."""

from collections.abc import Mapping
from typing import ClassVar

from protocols.ask.contract import ClockTime, Reply, TimeControl
from protocols.ask.framed import FramedClient
from protocols.child.process import Process


class LineClient(FramedClient):
    """The asking side of the line protocol, which is described in protocols/README.md.

    `settings` follow the variant as `key=value`. If the engine lists `evaluation`, that command is
    sent in the same write as `genmove`; its reply is the last `info` line of the search, or empty.
    """

    protocol: ClassVar[str] = "line"

    def __init__(self, process: Process) -> None:
        super().__init__(process)
        self._timed = False

    def new_game(
        self,
        deadline: float,
        *,
        variant: str = "",
        position: str = "",
        settings: Mapping[str, str] | None = None,
        control: TimeControl | None = None,
    ) -> None:
        """Begin a game."""
        self._noted.clear()
        words = ["newgame", variant, *(f"{key}={text}" for key, text in (settings or {}).items())]
        commands = [" ".join(word for word in words if word)]
        if position:
            commands.append(f"position {position}")
        clock = "" if control is None else str(control)
        if clock or self._timed:  # The engine may still have the clock of the game before.
            commands.append(f"time_settings {clock or 'none'}")
        self._timed = bool(clock)
        self._all(commands, deadline)

    def genmove(
        self,
        side: str,
        deadline: float,
        own: ClockTime | None = None,
        other: ClockTime | None = None,
    ) -> Reply:
        """Ask for a move and its evaluation; the engine gets only the clock of the mover."""
        clock = ""
        if own is not None:
            periods = f" {own[1]}" if own[1] else ""
            clock = f"time_left {side} {own[0]:.3f}{periods}"
        question = "evaluation" if "evaluation" in self._known else ""
        return self._generate(side, deadline, clock, question)

    def set_option(self, name: str, value: str, deadline: float) -> None:
        """Set an option."""
        self.command(f"option {name} {value}".rstrip(), deadline)

    def draws(self, deadline: float) -> bool:
        """Whether its option `seed` is random."""
        if not self.known("option"):
            return False
        (answer,) = self.ask(("option seed",), deadline)
        return isinstance(answer, str) and answer.split()[:1] == ["random"]

    def note_throw(self, throw: int) -> None:
        """Note a throw of the referee's dice; it is sent as a move is."""
        self._noted.append(f"roll {throw}")
