"""The program `quintet-neutron`: Neutron over the line protocol."""

from collections.abc import Sequence
from typing import Final

from engines import program
from engines.core.player import SEED, Equipment, Option, seed_of
from engines.core.version import version
from engines.neutron.play import levels
from engines.neutron.rules import text as rules
from protocols.serve import gogui

NAME: Final = "quintet-neutron"
_EXPECTED_MOVES: Final = 12  # Per side; games between strong players last under 20 turns.


def _squares(position: str) -> list[str]:
    """Draw a position for GoGui, which knows only two colours: the neutron becomes a mark."""
    return position.split()[0].translate(str.maketrans("WBN", "OX.")).split("/")


def _marks(position: str) -> list[str]:
    rows = position.split()[0].split("/")
    row = next(number for number, cells in enumerate(rows) if "N" in cells)
    point = f"{'ABCDE'[rows[row].index('N')]}{len(rows) - row}"
    return [f"COLOR #c04040 {point}", f"LABEL {point} N"]


def _phrase(position: str, points: Sequence[str]) -> str:
    """Write clicked points as the text of a turn: `c3-c3` if only the piece was clicked."""
    whole = [*points, points[-1]] if len(points) % 2 else points
    return "/".join(f"{start}-{to}" for start, to in zip(whole[::2], whole[1::2], strict=True))


RULER: Final = gogui.GoGuiGame("Neutron", 5, _squares, _phrase, _marks)

_MOVES: Final = (
    "c3-c1/b1-b4 slides the neutron, then a man; b1-b4 on the first turn; c3-c1 if it ends the game"
)


def equipment() -> Equipment:
    """Return what the line protocol's player needs to know about Neutron."""
    return Equipment(
        game="neutron",
        name=NAME,
        version=version("engines.neutron"),
        variants=("default", *rules.VARIANTS),
        rules=lambda variant, options: rules.make_rules(variant),
        searcher=lambda options: levels.make_searcher(options["level"], seed_of(options)),
        options={
            "level": Option(levels.DEFAULT, levels.NAMES, meaning="how well it plays"),
            "seed": SEED,
        },
        expected_moves=lambda game: max(4, _EXPECTED_MOVES - len(game.moves) // 2),
        perft=rules.perft,
        moves=_MOVES,
    )


def main() -> None:
    """Run the program on standard input and output."""
    program.run("Neutron", equipment(), RULER)


if __name__ == "__main__":
    main()
