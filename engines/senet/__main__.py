"""The program `quintet-senet`: Senet over the line protocol."""

from typing import Final

from engines.core.game import IllegalMove, InvalidText
from engines.core.player import Equipment, Option, Player, describe_options
from engines.core.version import version
from engines.senet import (
    dice,
    iteration,
    levels,
    lookahead,
    net,
    position,
    rules,
    sweep,
    table,
    track,
)
from protocols import gtp, line, program
from protocols.session import Channel

NAME: Final = "quintet-senet"
_EXPECTED_MOVES: Final = 55  # Of one side; a game between strong players lasts about 110 moves.
_HOT: Final = (position, track, table, iteration, sweep, net, lookahead)


def equipment() -> Equipment:
    """Return what the line protocol's player needs to know of Senet."""
    return Equipment(
        game="senet",
        name=NAME,
        version=version(*_HOT),
        variants=("default", *rules.VARIANTS),
        rules=lambda variant, options: rules.make_rules(variant),
        searcher=lambda options: levels.make_searcher(
            options["level"], None if options["seed"] == "random" else int(options["seed"])
        ),
        options={
            "level": Option(levels.DEFAULT, tuple(levels.LEVELS)),
            "seed": Option("random", hint="a whole number, or random"),
        },
        expected_moves=lambda game: max(10, _EXPECTED_MOVES - len(game.moves) // 4),
        perft=rules.perft,
        throw=lambda seed, number: dice.throw(int(seed), number),
    )


def main() -> None:
    """Run the program on standard input and output."""
    equipped = equipment()
    arguments = program.read_arguments(
        NAME,
        "Senet over Quintet's line protocol.",
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
    line.serve_line(player, channel, (InvalidText, IllegalMove))


if __name__ == "__main__":
    main()
