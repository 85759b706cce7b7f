"""The program `quintet-shogi`: shogi over USI."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from engines.core.version import version
from protocols.program import fail, read_arguments
from protocols.session import Channel
from protocols.usi import (
    Answer,
    Mate,
    Option,
    Order,
    UsiError,
    UsiServer,
    Watch,
    is_urgent,
)

if TYPE_CHECKING:
    from engines.shogi.player import Player

_VARIANTS: Final = {
    "CSARule27": "",
    "CSARule24": "24-point",
    "TryRule": "try",
    "NoEnteringKing": "no-declaration",
}
OPTIONS: Final = (
    Option("USI_Hash", "spin", "64", 1, 65536),
    Option("USI_Ponder", "check", "true"),
    Option("MultiPV", "spin", "1", 1, 600),
    Option("Threads", "spin", "1", 1, 256),
    Option("NetworkDelay", "spin", "200", 0, 10000),
    Option("ResignValue", "spin", "99999", 0, 99999),
    Option("MaxMovesToDraw", "spin", "0", 0, 100000),
    Option("EnteringKingRule", "combo", "CSARule27", values=tuple(_VARIANTS)),
    Option("SkillLevel", "spin", "20", 0, 20),
)


def program_version() -> str:
    """Return the version with the speed of the hot modules."""
    from engines.shogi import (
        board,
        evaluation,
        generation,
        mate,
        ordering,
        position,
        quiescence,
        search,
        table,
    )

    return version(
        board, evaluation, generation, mate, ordering, position, quiescence, search, table
    )


class ShogiProgram:
    """Answers the server; the rules and the search are imported when first needed."""

    author = "The Quintet developers"

    def __init__(self) -> None:
        self._values = {option.name: option.default for option in OPTIONS}
        self._made: Player | None = None

    @property
    def name(self) -> str:
        """Name and version."""
        return f"Quintet Shogi {program_version()}"

    @property
    def _player(self) -> "Player":
        if self._made is None:
            from engines.shogi.player import Player

            self._made = Player()
            self._configure()
        return self._made

    def _configure(self) -> None:
        if self._made is None:
            return
        values = self._values
        self._made.configure(
            megabytes=int(values["USI_Hash"]),
            threads=int(values["Threads"]),
            level=int(values["SkillLevel"]),
            lines=int(values["MultiPV"]),
            delay=int(values["NetworkDelay"]) / 1000,
            resign=int(values["ResignValue"]),
            most_moves=int(values["MaxMovesToDraw"]),
            variant=_VARIANTS[values["EnteringKingRule"]],
            ponder=values["USI_Ponder"] == "true",
        )

    def options(self) -> Sequence[Option]:
        """List the settings."""
        return OPTIONS

    def set_option(self, name: str, value: str) -> None:
        """Take a checked value."""
        self._values[name] = value
        self._configure()

    def prepare(self) -> None:
        """Take the memory that a game needs."""
        self._player.prepare()

    def new_game(self) -> None:
        """Forget what earlier searches learned."""
        self._player.new_game()

    def set_position(self, setup: str, moves: Sequence[str]) -> None:
        """Set up a position and make moves; raises UsiError."""
        try:
            self._player.set_position(setup, moves)
        except ValueError as error:
            raise UsiError(f"position: {error}") from None

    def go(self, order: Order, watch: Watch) -> Answer:
        """Search and return the move."""
        move, reply = self._player.go(order, watch)
        return Answer(move, reply)

    def mate(self, order: Order, watch: Watch) -> Mate:
        """Search for a mate."""
        moves, refuted = self._player.mate(order, watch)
        return Mate(moves, refuted)

    def any_move(self) -> str:
        """Return some legal move, or `resign`."""
        return self._player.any_move()

    def finish(self, result: str) -> None:
        """Take note of the end of a game."""


def main(words: Sequence[str] | None = None) -> None:
    """Serve USI on standard input and output."""
    arguments = read_arguments(
        "quintet-shogi",
        __doc__ or "",
        program_version,
        words,
        options=lambda: [option.declare().removeprefix("option name ") for option in OPTIONS],
    )
    engine = ShogiProgram()
    known = {option.name: option for option in OPTIONS}
    for name, value in arguments.options:
        checked = known[name].check(value) if name in known else None
        if checked is None:
            fail("quintet-shogi", f"--option: no such setting: {name}={value}")
        else:
            engine.set_option(name, checked)
    UsiServer(Channel.standard(is_urgent, arguments.log), engine).serve()


if __name__ == "__main__":
    main(sys.argv[1:])
