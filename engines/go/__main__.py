"""The program `quintet-go`: Go over GTP."""

from engines import __version__
from engines.core.version import speed
from engines.go import board, tree
from engines.go.commands import NAME, Commands
from engines.go.player import Player
from protocols.gtp import GtpError, is_urgent, serve
from protocols.program import fail, read_arguments
from protocols.session import Channel

PROGRAM = "quintet-go"
SERIES = "1.15.0"  # Lizzie asks for a second number of 15 at least.


def version() -> str:
    """Return what the command `version` answers."""
    return f"{SERIES} (quintet {__version__}, {speed(board, tree)})"


def main() -> None:
    """Serve GTP on standard input and output until `quit` or the end of input."""
    arguments = read_arguments(PROGRAM, f"{NAME} over GTP", version)
    commands = Commands(Player(), version())
    for name, value in arguments.options:
        try:
            commands.set_option(name, value)
        except GtpError as error:
            fail(PROGRAM, str(error))
    serve(Channel.standard(is_urgent, arguments.log), commands.table)


if __name__ == "__main__":
    main()
