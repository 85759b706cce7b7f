"""The program `quintet-neutron`: Neutron over the line protocol."""

from collections.abc import Sequence
from typing import Final

from engines.core.game import IllegalMove, InvalidText
from engines.core.player import Equipment, Option, Player, describe_options
from engines.core.version import version
from engines.neutron import levels, position, rules, tree
from protocols import gogui, gtp, program
from protocols.session import Channel

NAME: Final = "quintet-neutron"
_EXPECTED_MOVES: Final = 12  # Of one side; games between strong players last under 20 turns.


def _squares(position: str) -> list[str]:
    """Draw a set-up text for GoGui, which knows two colours: the neutron is a mark."""
    return position.split()[0].translate(str.maketrans("WBN", "OX.")).split("/")


def _marks(position: str) -> list[str]:
    rows = position.split()[0].split("/")
    row = next(number for number, cells in enumerate(rows) if "N" in cells)
    point = f"{'ABCDE'[rows[row].index('N')]}{len(rows) - row}"
    return [f"COLOR #c04040 {point}", f"LABEL {point} N"]


def _phrase(position: str, points: Sequence[str]) -> str:
    """Write clicked points as the text of a turn, `c3-c3` where only the piece is clicked."""
    whole = [*points, points[-1]] if len(points) % 2 else points
    return "/".join(f"{start}-{to}" for start, to in zip(whole[::2], whole[1::2], strict=True))


RULER: Final = gogui.Ruler("Neutron", 5, _squares, _phrase, _marks)


def equipment() -> Equipment:
    """Return what the line protocol's player needs to know of Neutron."""
    return Equipment(
        game="neutron",
        name=NAME,
        version=version(position, tree),
        variants=("default", "kraus"),
        rules=lambda variant, options: rules.make_rules(variant),
        searcher=lambda options: levels.make_searcher(
            options["level"], None if options["seed"] == "random" else int(options["seed"])
        ),
        options={
            "level": Option(levels.DEFAULT, levels.NAMES),
            "seed": Option("random", hint="a whole number, or random"),
        },
        expected_moves=lambda game: max(4, _EXPECTED_MOVES - len(game.moves) // 2),
        perft=rules.perft,
    )


def main() -> None:
    """Run the program on standard input and output."""
    equipped = equipment()
    arguments = program.read_arguments(
        NAME,
        "Neutron over Quintet's line protocol.",
        lambda: version(position, tree),
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
