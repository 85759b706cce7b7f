"""The main function that all programs of the line protocol share."""

from engines.core.errors import QuintetError
from engines.core.player import Equipment, Player, describe_options
from protocols.serve import gogui, gtp, line, program
from protocols.serve.session import Channel


def run(title: str, equipment: Equipment, board: gogui.GoGuiGame | None = None) -> None:
    """Read the command line, then serve one game on standard input and output.

    `title` is the name of the game for `--help`. With a `board`, GoGui can show the game as
    well; without one, the first commands of GoGui are refused with a hint.
    """
    arguments = program.read_arguments(
        equipment.name,
        f"{title} over Quintet's line protocol.",
        lambda: equipment.version,
        options=lambda: describe_options(equipment.options),
        commands=lambda: [*line.describe_commands(), f"Moves: {equipment.moves}"],
    )
    player = Player(equipment)
    try:
        for name, value in arguments.options:
            player.set_option(name, value)
    except QuintetError as error:
        program.fail(equipment.name, str(error))
    channel = Channel.standard(gtp.is_urgent, arguments.log)
    if board is None:
        gogui.serve_unshown(player, channel, (QuintetError,))
    else:
        gogui.serve_both(player, channel, (QuintetError,), board)
