"""The program `quintet-neutron`: Neutron over the line protocol."""

from typing import Final

from engines.core.game import IllegalMove, InvalidText
from engines.core.player import Equipment, Option, Player
from engines.core.version import version
from engines.neutron import levels, position, rules, tree
from protocols import gtp, line, program
from protocols.session import Channel

NAME: Final = "quintet-neutron"
_EXPECTED_MOVES: Final = 12  # Of one side; games between strong players last under 20 turns.


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
    arguments = program.read_arguments(
        NAME, "Neutron over Quintet's line protocol.", lambda: version(position, tree)
    )
    player = Player(equipment())
    try:
        for name, value in arguments.options:
            player.set_option(name, value)
    except InvalidText as error:
        program.fail(NAME, str(error))
    channel = Channel.standard(gtp.is_urgent, arguments.log)
    line.serve_line(player, channel, (InvalidText, IllegalMove))


if __name__ == "__main__":
    main()
