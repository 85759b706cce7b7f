"""The program `quintet-shogi`: shogi over USI."""

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from engines.core.version import version
from protocols.serve.program import fail, hints, read_arguments
from protocols.serve.session import Channel
from protocols.serve.usi import (
    Answer,
    GoCommand,
    Mate,
    Option,
    SearchControl,
    UsiError,
    UsiServer,
    describe_commands,
    is_urgent,
)

if TYPE_CHECKING:
    from engines.shogi.play.player import Player

_VARIANTS: Final = {
    "CSARule27": "",
    "CSARule24": "24-point",
    "TryRule": "try",
    "NoEnteringKing": "no-declaration",
}


def _processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


OPTIONS: Final = (
    Option("USI_Hash", "spin", "64", 1, 65536, meaning="memory of the search, in MiB"),
    Option("USI_Ponder", "check", "true", meaning="whether it thinks in its opponent's time"),
    Option("MultiPV", "spin", "1", 1, 600, meaning="lines of play that it shows"),
    Option(
        "Threads",
        "spin",
        str(_processors()),
        1,
        256,
        meaning="threads of a search; one where depth, nodes or SkillLevel limit it",
    ),
    Option("NetworkDelay", "spin", "60", 0, 10000, meaning="milliseconds of a clock kept back"),
    Option(
        "ResignValue", "spin", "5000", 0, 99999, meaning="resigns below minus so many centipawns"
    ),
    Option(
        "MaxMovesToDraw",
        "spin",
        "0",
        0,
        100000,
        meaning="moves after which a game is drawn; 0: none",
    ),
    Option(
        "EnteringKingRule",
        "combo",
        "CSARule27",
        values=tuple(_VARIANTS),
        meaning="how a king that entered the far ranks wins",
    ),
    Option("SkillLevel", "spin", "20", 0, 20, meaning="how well it plays"),
    Option("EvalFile", "string", meaning="a network or weights to evaluate by"),
    Option(
        "Disable",
        "string",
        meaning="methods of the search to switch off, separated by commas, for measurements",
    ),
)


def program_version() -> str:
    """Return the version, and whether the hot modules are compiled."""
    return version("engines.shogi")


class ShogiProgram:
    """The engine that the USI server calls; rules and search are imported on first use."""

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
            from engines.shogi.play.player import Player

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
            weights=values["EvalFile"],
            disabled=_split(values["Disable"]),
        )

    def options(self) -> Sequence[Option]:
        """List the options."""
        return OPTIONS

    def set_option(self, name: str, value: str) -> None:
        """Set an option to a value of its kind; raises UsiError for values that are useless."""
        refusal = None
        if name == "EvalFile":
            refusal = _refuse_weights(value)
            value = "" if refusal else value
        elif name == "Disable":
            refusal = _refuse_methods(value)
            value = self._values[name] if refusal else value
        self._values[name] = value
        self._configure()
        if refusal is not None:
            raise UsiError(f"{name}: {refusal}")

    def prepare(self) -> None:
        """Allocate the memory that a game needs."""
        self._player.prepare()
        if complaint := self._player.complaint():
            raise UsiError(complaint)

    def new_game(self) -> None:
        """Forget what earlier searches learned."""
        self._player.new_game()

    def set_position(self, setup: str, moves: Sequence[str]) -> None:
        """Set up a position and make moves; raises UsiError."""
        try:
            self._player.set_position(setup, moves)
        except ValueError as error:
            raise UsiError(f"position: {error}") from None

    def go(self, order: GoCommand, watch: SearchControl) -> Answer:
        """Search and return the move."""
        move, reply = self._player.go(order, watch)
        return Answer(move, reply)

    def mate(self, order: GoCommand, watch: SearchControl) -> Mate:
        """Search for a mate."""
        moves, refuted = self._player.mate(order, watch)
        return Mate(moves, refuted)

    def any_move(self) -> str:
        """Return some legal move, or `resign`."""
        return self._player.any_move()

    def finish(self, result: str) -> None:
        """Ignore the end of a game: nothing is kept for it."""


def _split(value: str) -> Sequence[str]:
    return [name.strip() for name in value.split(",") if name.strip()]


def _refuse_weights(file: str) -> str | None:
    """Return why a network or a file of weights cannot be used, or None."""
    from pathlib import Path

    from engines.shogi.play.evaluating import load

    if not file:
        return None
    try:
        load(Path(file))
    except (OSError, ValueError) as error:
        return f"{error}; using the shipped network"
    return None


def _refuse_methods(value: str) -> str | None:
    """Return which of the named methods does not exist, or None."""
    from engines.shogi.play.scores import METHODS

    for name in _split(value):
        if name not in METHODS:
            return f"no such method: {name!r} (known: {', '.join(METHODS)})"
    return None


def main(words: Sequence[str] | None = None) -> None:
    """Serve USI on standard input and output."""
    arguments = read_arguments(
        "quintet-shogi",
        "shogi over USI",
        program_version,
        words,
        options=lambda: [option.describe() for option in OPTIONS],
        commands=describe_commands,
    )
    engine = ShogiProgram()
    known = {option.name: option for option in OPTIONS}
    for name, value in arguments.options:
        checked = known[name].check(value) if name in known else None
        if checked is None:
            fail("quintet-shogi", f"--option: no such setting: {name}={value}")
            continue
        try:
            engine.set_option(name, checked)
        except UsiError as error:
            fail("quintet-shogi", f"--option: {error}")
    channel = Channel.standard(is_urgent, arguments.log)
    UsiServer(channel, engine, hints("quintet-shogi")).serve()


if __name__ == "__main__":
    main(sys.argv[1:])
