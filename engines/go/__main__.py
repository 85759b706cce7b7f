"""The program `quintet-go`: Go over GTP."""

from collections.abc import Callable

from engines import __version__
from engines.core.game import IllegalMove, InvalidText
from engines.core.version import speed
from engines.core.version import version as describe
from engines.go import board, tree
from engines.go.commands import NAME, Commands
from engines.go.player import Player
from engines.go.request import Handler as Answer
from engines.go.settings import SettingCommands
from protocols.gtp import GtpError, Handler, Request, is_urgent, serve
from protocols.program import fail, read_arguments
from protocols.session import Channel

PROGRAM = "quintet-go"
SERIES = "1.15.0"  # Lizzie asks for a second number of 15 at least.


class Attentive(Channel):
    """A channel that says when it hears something: whatever it is, pondering ends."""

    heard: Callable[[], None] | None = None

    def take(self) -> str | None:
        """Return the next line, waiting for it; None at the end of input."""
        line = super().take()
        if self.heard is not None:
            self.heard()
        return line


def version() -> str:
    """Return what the command `version` answers."""
    return f"{SERIES} (quintet {__version__}, {speed(board, tree)})"


def refusing(answer: Answer) -> Handler:
    """Make what a command refuses a failure that says the same."""

    def handle(request: Request) -> str:
        try:
            return answer(request)
        except (IllegalMove, InvalidText) as error:
            raise GtpError(str(error)) from error

    return handle


def handlers(commands: Commands) -> dict[str, Handler]:
    """Return the table that serves the commands."""
    return {name: refusing(answer) for name, answer in commands.table.items()}


def main() -> None:
    """Serve GTP on standard input and output until `quit` or the end of input."""
    arguments = read_arguments(
        PROGRAM,
        f"{NAME} over GTP",
        lambda: describe(board, tree),
        options=lambda: SettingCommands(Player()).describe(),
    )
    player = Player()
    commands = Commands(player, version())
    for name, value in arguments.options:
        try:
            commands.settings.change(name, value)
        except InvalidText as error:
            fail(PROGRAM, str(error))
    channel = Attentive.standard(is_urgent, arguments.log)
    channel.heard = player.rest
    serve(channel, handlers(commands))


if __name__ == "__main__":
    main()
