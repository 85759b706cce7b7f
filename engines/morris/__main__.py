"""The program `quintet-morris`: Nine Men's Morris over the line protocol."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from engines import program
from engines.core.game import InvalidText
from engines.core.player import SEED, Equipment, Option, seed_of
from engines.core.search import Searcher
from engines.core.version import version
from engines.morris.play import levels
from engines.morris.play.search import SLACK
from engines.morris.play.weights import SHIPPED
from engines.morris.rules import text as rules
from engines.morris.rules.position import Position
from protocols.serve import gogui

NAME: Final = "quintet-morris"
_MOST_SLACK: Final = 1000
_EXPECTED_MOVES: Final = 40  # Per side; drawn games between equals are the longest.
# GoGui draws a board of seven rows of squares; `*` is a point, `?` is none.
_SQUARES: Final = ["*??*??*", "?*?*?*?", "??***??", "***?***", "??***??", "?*?*?*?", "*??*??*"]


def _squares(position: str) -> list[str]:
    """Draw a position on a board of squares."""
    marks = {"W": "O", "B": "X", ".": "."}
    cells = iter(position.split()[0].replace("/", ""))
    return ["".join(marks[next(cells)] if c == "*" else c for c in row) for row in _SQUARES]


def _phrase(position: str, points: Sequence[str]) -> str:
    """Write clicked points as the text of a move: `d6-d6` if only the man was clicked."""
    words = position.split()
    first = 1 if words[2 + "wb".index(words[1])] != "0" else 2
    named = "-".join([points[0], points[min(1, len(points) - 1)]][:first])
    return named + "".join(f"x{point}" for point in points[first:])


RULER: Final = gogui.GoGuiGame(
    "Ninemensmorris", 7, _squares, _phrase, options={"coordinates": rules.COORDINATES[1]}
)

_MOVES: Final = "d6 places a man, d6-d5 moves one, d6-d5xc3 also removes the man on c3"


def equipment() -> Equipment:
    """Return what the line protocol's player needs to know about Nine Men's Morris."""
    return Equipment(
        game="morris",
        name=NAME,
        version=version("engines.morris"),
        variants=("default", *rules.VARIANTS),
        rules=_rules,
        searcher=_searcher,
        options={
            "level": Option(
                str(levels.BEST), tuple(map(str, levels.LEVELS)), meaning="how well it plays"
            ),
            "seed": SEED,
            "book": Option("on", ("on", "off"), meaning="whether it plays from the opening book"),
            "weights": Option(
                "shipped",
                hint="a file of weights, or shipped",
                free=True,
                meaning="what it evaluates by",
            ),
            "slack": Option(
                str(SLACK),
                hint=f"a whole number from 0 to {_MOST_SLACK}",
                meaning="hundredths of a man by which a quiet position is taken to change per ply",
            ),
            "coordinates": Option(
                rules.COORDINATES[0],
                rules.COORDINATES,
                meaning="whether row 1 is at the top (original) or row 7",
            ),
        },
        searching_options=frozenset(("level", "seed", "book", "weights", "slack")),
        expected_moves=lambda game: max(12, _EXPECTED_MOVES - len(game.moves) // 4),
        perft=rules.perft,
        moves=_MOVES,
        reusable=True,
    )


def _rules(variant: str, options: Mapping[str, str]) -> rules.MorrisRules:
    made = rules.make_rules(variant)
    made.use_coordinates(options["coordinates"])
    return made


def _searcher(options: Mapping[str, str]) -> Searcher[Position]:
    levels.use_weights(SHIPPED if options["weights"] == "shipped" else Path(options["weights"]))
    use_book = options["book"] == "on"
    slack = int(options["slack"])
    if slack > _MOST_SLACK:
        raise InvalidText(f"slack: expected a whole number from 0 to {_MOST_SLACK}, not {slack}")
    return levels.make_searcher(options["level"], seed_of(options), use_book=use_book, slack=slack)


def main() -> None:
    """Run the program on standard input and output."""
    program.run("Nine Men's Morris", equipment(), RULER)


if __name__ == "__main__":
    main()
