"""The program `quintet-senet`: Senet over the line protocol."""

from typing import Final

from engines import program
from engines.core.player import SEED, Equipment, Option, seed_of
from engines.core.version import version
from engines.senet.play import levels
from engines.senet.rules import dice
from engines.senet.rules import text as rules

NAME: Final = "quintet-senet"
_EXPECTED_MOVES: Final = 55  # Per side; a game between strong players lasts about 110 moves.
_MOVES: Final = "10-16, or 24-off; throws are noted by `roll`"


def equipment() -> Equipment:
    """Return what the line protocol's player needs to know about Senet."""
    return Equipment(
        game="senet",
        name=NAME,
        version=version("engines.senet"),
        variants=("default", *rules.VARIANTS),
        rules=lambda variant, options: rules.make_rules(variant),
        searcher=lambda options: levels.make_searcher(options["level"], seed_of(options)),
        options={
            "level": Option(levels.DEFAULT, levels.NAMES, meaning="how well it plays"),
            "seed": SEED,
        },
        expected_moves=lambda game: max(10, _EXPECTED_MOVES - len(game.moves) // 4),
        perft=rules.perft,
        moves=_MOVES,
        throw=lambda seed, number: dice.throw(int(seed), number),
    )


def main() -> None:
    """Run the program on standard input and output."""
    program.run("Senet", equipment())


if __name__ == "__main__":
    main()
