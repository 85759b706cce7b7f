"""The only list of the games: what each is called, and where its parts are.

Parts are dotted names `module:attribute` that are imported when they are first loaded, so that
listing the games imports none of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from engines.core.game import InvalidText, Rules

_USUAL_PARTS: Final[Mapping[str, str]] = {
    "rules": "rules.text:make_rules",  # (variant: str, size: int) -> Rules; 0 is the usual size.
    "explanation": "rules.text:explanation",  # () -> str: what `quintet rules` prints.
    "perft": "rules.text:perft",  # (rules, setup, depth, style) -> int
    "bench": "play.bench:bench",  # (seconds) -> Iterable[(what, figure, unit)]
}
"""The parts of every game, relative to its package."""


@dataclass(frozen=True, slots=True)
class Levels:
    """The levels of a game's program: its option, their names from the lowest to the strongest.

    `limit` is the time control for measuring them: the strongest levels have no limit of their own,
    the others move earlier. `size` is the size of the board, 0 where a game has only one.
    """

    option: str = "level"
    names: tuple[str, ...] = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10")
    limit: str = "nodes=300000"
    size: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """One game.

    `record_number` is the number of the game in SGF's property GM. `counts` holds the known perft
    counts of the start position, ply by ply, by variant, board size (0 is the usual one) and style.
    `parts` holds dotted names relative to the game's package, in addition to the usual parts or
    instead of them:

    * `solve`: a `core.solving.Planner`, for `quintet solve`;
    * `throw`: (seed, number of the throw) -> int, in a game with dice;
    * `fold`: (rules, position) -> str, the same text for all symmetric images of a position;
    * `known`: (rules, position) -> Outcome | None, how perfect play ends by the shipped tables.
    """

    name: str
    title: str
    protocol: str
    record_number: int
    perft_styles: tuple[str, ...] = ()
    counts: Mapping[tuple[str, int, str], tuple[int, ...]] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)
    openings: tuple[str, ...] = ("",)
    """The names of the collections of openings in the game's folder `data`."""
    levels: Levels = field(default_factory=Levels)

    def openings_file(self, name: str) -> Path:
        """Return the file of a collection of openings."""
        file = f"openings-{name}.txt" if name else "openings.txt"
        return Path(__file__).parent / self.name / "data" / file

    @property
    def program(self) -> str:
        """The module that is the game's program."""
        return f"engines.{self.name}.__main__"

    def load(self, part: str) -> Any:
        """Import a part by its name; raises KeyError where the game has no such part."""
        relative = self.parts.get(part) or _USUAL_PARTS[part]
        module, _, attribute = relative.partition(":")
        return getattr(import_module(f"engines.{self.name}.{module}"), attribute)


GO: Final = "go"
SHOGI: Final = "shogi"
GAMES: Final[Mapping[str, Entry]] = {
    entry.name: entry
    for entry in (
        Entry(
            name="go",
            title="Go",
            protocol="gtp",
            record_number=1,
            counts={
                ("", 0, ""): (362, 130682),
                ("", 9, ""): (82, 6642),
                ("", 2, ""): (5, 20, 64, 140, 268, 512, 912, 1848),
                ("japanese", 2, ""): (5, 20, 64, 140, 268, 512, 992, 2256),
                ("japanese", 3, ""): (10, 90, 729, 5200, 32736, 175160),
                ("japanese", 4, ""): (17, 272, 4096, 57728, 760176),
            },
            parts={"rules": "play.judged:make_rules", "fold": "rules.text:fold"},
            openings=("9x9", "13x13", "19x19"),
            levels=Levels(limit="visits=200", size=9),
        ),
        Entry(
            name="morris",
            title="Nine Men's Morris",
            protocol="line",
            record_number=5,
            perft_styles=("apart",),
            counts={
                ("", 0, ""): (24, 552, 12144, 255024, 5140800, 99274176),
                ("", 0, "apart"): (24, 552, 12144, 255024, 5100480, 96223680),
            },
            parts={
                "solve": "tables.solve:plan",
                "fold": "rules.text:fold",
                "known": "tables.knowledge:known",
            },
        ),
        Entry(
            name="neutron",
            title="Neutron",
            protocol="line",
            record_number=13,
            perft_styles=("turns",),
            counts={
                ("", 0, ""): (13, 99, 1022, 4932, 57418, 234062, 2574188),
                ("", 0, "turns"): (13, 1026, 58092, 2617450),
            },
            parts={"solve": "tables.solve:plan", "fold": "rules.text:fold"},
        ),
        Entry(
            name="senet",
            title="Senet",
            protocol="line",
            record_number=99,  # SGF assigns no number to Senet.
            counts={
                ("", 0, ""): (5, 5, 25, 87, 435, 1402, 6968, 22436, 111195),
                ("pass", 0, ""): (5, 5, 25, 87, 435, 1402, 6974, 22508, 111510),
            },
            parts={"solve": "tables.solve:plan", "throw": "rules.dice:throw"},
            openings=(),
            levels=Levels(limit="depth=3"),
        ),
        Entry(
            name="shogi",
            title="Shogi",
            protocol="usi",
            record_number=8,
            counts={("", 0, ""): (30, 900, 25470, 719731, 19861490, 547581517)},
            parts={"fold": "rules.text:fold"},
            levels=Levels(
                "SkillLevel", tuple(str(level) for level in range(0, 21, 2)), "nodes=200000"
            ),
        ),
    )
}


def find(name: str) -> Entry:
    """Return a game by its name; raises InvalidText, which lists the known names."""
    if name not in GAMES:
        raise InvalidText(f"no such game: {name!r} (known: {', '.join(sorted(GAMES))})")
    return GAMES[name]


def rules(name: str, variant: str = "", size: int = 0) -> Rules[Any]:
    """Return the rules of a game under a variant; raises InvalidText."""
    made: Rules[Any] = find(name).load("rules")(variant, size)
    return made
