"""The one list of the games: what each is called and where its parts are.

Parts are dotted names `module:attribute`, imported when called: knowing a game costs nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final

from engines.core.game import InvalidText, Rules


@dataclass(frozen=True, slots=True)
class Entry:
    """One game: its program, and the dotted names of what the tools call."""

    name: str
    title: str
    program: str
    protocol: str
    rules: str  # (variant: str, size: int) -> Rules; size 0 is the game's own.
    explanation: str  # () -> str: the rules in short words, as `quintet rules` prints them.
    perft: str  # (rules, setup, depth, style) -> int
    bench: (
        str  # (seconds a figure) -> Iterable[tuple[str, float, str]]: what, the figure, its unit.
    )
    record_number: int  # SGF's GM.
    perft_styles: tuple[str, ...] = ()
    # Known counts from the start, ply by ply, of (variant, size, style); size 0 is the game's own.
    counts: Mapping[tuple[str, int, str], tuple[int, ...]] = field(default_factory=dict)
    tasks: Mapping[str, str] = field(default_factory=dict)
    # `solve`: a core.solving.Planner; `train`; `throw`; `fold`: (rules, position) -> str, the same
    # text for all symmetric images of a position.

    def load(self, part: str) -> Any:
        """Import a part by the name of the field, or of the task, that holds its dotted name."""
        module, _, attribute = str(self.tasks.get(part) or getattr(self, part)).partition(":")
        return getattr(import_module(module), attribute)


GAMES: Final[Mapping[str, Entry]] = {
    entry.name: entry
    for entry in (
        Entry(
            name="go",
            title="Go",
            program="engines.go.__main__",
            protocol="gtp",
            rules="engines.go.rules:make_rules",
            explanation="engines.go.rules:explanation",
            perft="engines.go.rules:perft",
            bench="engines.go.bench:bench",
            record_number=1,
            counts={
                ("", 0, ""): (362, 130682),
                ("", 9, ""): (82, 6642),
                ("", 2, ""): (5, 20, 64, 140, 268, 512, 912, 1848),
                ("japanese", 2, ""): (5, 20, 64, 140, 268, 512, 992, 2256),
                ("japanese", 3, ""): (10, 90, 729, 5200, 32736, 175160),
                ("japanese", 4, ""): (17, 272, 4096, 57728, 760176),
            },
            tasks={"train": "engines.go.train:main", "fold": "engines.go.rules:fold"},
        ),
        Entry(
            name="morris",
            title="Nine Men's Morris",
            program="engines.morris.__main__",
            protocol="line",
            rules="engines.morris.rules:make_rules",
            explanation="engines.morris.rules:explanation",
            perft="engines.morris.rules:perft",
            bench="engines.morris.bench:bench",
            record_number=5,
            perft_styles=("apart",),
            counts={
                ("", 0, ""): (24, 552, 12144, 255024, 5140800, 99274176),
                ("", 0, "apart"): (24, 552, 12144, 255024, 5100480, 96223680),
            },
            tasks={
                "solve": "engines.morris.solve:plan",
                "fold": "engines.morris.rules:fold",
                "known": "engines.morris.knowledge:known",
            },
        ),
        Entry(
            name="neutron",
            title="Neutron",
            program="engines.neutron.__main__",
            protocol="line",
            rules="engines.neutron.rules:make_rules",
            explanation="engines.neutron.rules:explanation",
            perft="engines.neutron.rules:perft",
            bench="engines.neutron.bench:bench",
            record_number=13,
            perft_styles=("turns",),
            counts={
                ("", 0, ""): (13, 99, 1022, 4932, 57418, 234062, 2574188),
                ("", 0, "turns"): (13, 1026, 58092, 2617450),
            },
            tasks={"solve": "engines.neutron.solve:plan", "fold": "engines.neutron.rules:fold"},
        ),
        Entry(
            name="senet",
            title="Senet",
            program="engines.senet.__main__",
            protocol="line",
            rules="engines.senet.rules:make_rules",
            explanation="engines.senet.rules:explanation",
            perft="engines.senet.rules:perft",
            bench="engines.senet.bench:bench",
            record_number=99,  # SGF gives Senet no number of its own.
            counts={
                ("", 0, ""): (5, 5, 25, 87, 435, 1402, 6968, 22436, 111195),
                ("pass", 0, ""): (5, 5, 25, 87, 435, 1402, 6974, 22508, 111510),
            },
            tasks={
                "solve": "engines.senet.solve:plan",
                "train": "engines.senet.train:train",
                "throw": "engines.senet.dice:throw",
            },
        ),
        Entry(
            name="shogi",
            title="Shogi",
            program="engines.shogi.__main__",
            protocol="usi",
            rules="engines.shogi.rules:make_rules",
            explanation="engines.shogi.rules:explanation",
            perft="engines.shogi.rules:perft",
            bench="engines.shogi.bench:bench",
            record_number=8,
            counts={("", 0, ""): (30, 900, 25470, 719731, 19861490, 547581517)},
            tasks={"fold": "engines.shogi.rules:fold"},
        ),
    )
}


def find(name: str) -> Entry:
    """Return a game by name; raises InvalidText naming the known ones."""
    if name not in GAMES:
        raise InvalidText(f"no such game: {name!r} (known: {', '.join(sorted(GAMES))})")
    return GAMES[name]


def rules(name: str, variant: str = "", size: int = 0) -> Rules[Any]:
    """Return the rules of a game under a variant; raises InvalidText."""
    made: Rules[Any] = find(name).load("rules")(variant, size)
    return made
