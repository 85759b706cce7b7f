"""The program `quintet-morris`: Nine Men's Morris over the line protocol."""

from collections.abc import Mapping, Sequence
from typing import Final

from engines.core.game import IllegalMove, InvalidText
from engines.core.player import Equipment, Option, Player, describe_options
from engines.core.version import version
from engines.morris import (
    board,
    evaluation,
    index,
    levels,
    oracle,
    ordering,
    position,
    rules,
    search,
    sweep,
    symmetry,
    tables,
)
from protocols import gogui, gtp, program
from protocols.session import Channel

NAME: Final = "quintet-morris"
_EXPECTED_MOVES: Final = 40  # Of one side; drawn games between equals last longest.
_HOT: Final = (
    board,
    position,
    symmetry,
    index,
    tables,
    oracle,
    sweep,
    evaluation,
    ordering,
    search,
)


# The seven rows of a board of squares, as GoGui draws them; `*` is a point.
_SQUARES: Final = ["*??*??*", "?*?*?*?", "??***??", "***?***", "??***??", "?*?*?*?", "*??*??*"]


def _squares(position: str) -> list[str]:
    """Draw a set-up text on a board of squares."""
    marks = {"W": "O", "B": "X", ".": "."}
    cells = iter(position.split()[0].replace("/", ""))
    return ["".join(marks[next(cells)] if c == "*" else c for c in row) for row in _SQUARES]


def _phrase(position: str, points: Sequence[str]) -> str:
    """Write clicked points as the text of a move, `d6-d6` where only the man is clicked."""
    words = position.split()
    first = 1 if words[2 + "wb".index(words[1])] != "0" else 2
    named = "-".join([points[0], points[min(1, len(points) - 1)]][:first])
    return named + "".join(f"x{point}" for point in points[first:])


RULER: Final = gogui.Ruler(
    "Ninemensmorris", 7, _squares, _phrase, options={"coordinates": rules.COORDINATES[1]}
)


def equipment() -> Equipment:
    """Return what the line protocol's player needs to know of Nine Men's Morris."""
    return Equipment(
        game="morris",
        name=NAME,
        version=version(*_HOT),
        variants=("default", *rules.VARIANTS),
        rules=_rules,
        searcher=lambda options: levels.make_searcher(
            options["level"], None if options["seed"] == "random" else int(options["seed"])
        ),
        options={
            "level": Option(str(levels.BEST), tuple(map(str, levels.LEVELS))),
            "seed": Option("random", hint="a whole number, or random"),
            "coordinates": Option(rules.COORDINATES[0], rules.COORDINATES),
        },
        expected_moves=lambda game: max(12, _EXPECTED_MOVES - len(game.moves) // 4),
        perft=rules.perft,
    )


def _rules(variant: str, options: Mapping[str, str]) -> rules.MorrisRules:
    made = rules.make_rules(variant)
    made.use_coordinates(options["coordinates"])
    return made


def main() -> None:
    """Run the program on standard input and output."""
    equipped = equipment()
    arguments = program.read_arguments(
        NAME,
        "Nine Men's Morris over Quintet's line protocol.",
        lambda: version(*_HOT),
        options=lambda: describe_options(equipped.options),
    )
    player = Player(equipped)
    try:
        for name, value in arguments.options:
            player.set_option(name, value)
    except InvalidText as error:
        program.fail(NAME, str(error))
    channel = Channel.standard(gtp.is_urgent, arguments.log)
    gogui.serve_both(player, channel, (InvalidText, IllegalMove), RULER)


if __name__ == "__main__":
    main()
