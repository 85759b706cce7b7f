"""The program `quintet-go`: Go over GTP."""

from collections.abc import Callable

from engines import __version__
from engines.core.game import IllegalMove, InvalidText
from engines.core.version import speed
from engines.core.version import version as describe
from engines.go.gtp.commands import NAME, Commands
from engines.go.gtp.help import describe_commands
from engines.go.gtp.request import Handler as Answer
from engines.go.gtp.settings import SettingCommands
from engines.go.play.player import Player
from protocols.serve.gtp import GtpError, Handler, Request, is_urgent, serve
from protocols.serve.program import fail, hints, read_arguments
from protocols.serve.session import Channel

PROGRAM = "quintet-go"
SERIES = "1.15.0"  # Lizzie asks for a second number of 15 at least.


class Attentive(Channel):
    """A channel that calls `after_line` after each input line, because any line ends pondering."""

    after_line: Callable[[], None] | None = None

    def take(self) -> str | None:
        """Return the next line, waiting for it; None at the end of input."""
        line = super().take()
        if self.after_line is not None:
            self.after_line()
        return line


def version() -> str:
    """Return the reply to the command `version`."""
    return f"{SERIES} (quintet {__version__}, {speed('engines.go')})"


def refusing(answer: Answer) -> Handler:
    """Turn the errors of a command into failures with the same message."""

    def handle(request: Request) -> str:
        try:
            return answer(request)
        except (IllegalMove, InvalidText) as error:
            raise GtpError(str(error)) from error

    return handle


def handlers(commands: Commands) -> dict[str, Handler]:
    """Return the handlers of all commands."""
    return {name: refusing(answer) for name, answer in commands.table.items()}


def main() -> None:
    """Serve GTP on standard input and output until `quit` or the end of input."""
    arguments = read_arguments(
        PROGRAM,
        f"{NAME} over GTP",
        lambda: describe("engines.go"),
        options=lambda: SettingCommands(Player()).describe(),
        commands=describe_commands,
    )
    player = Player()
    commands = Commands(player, version())
    for name, value in arguments.options:
        try:
            commands.settings.change(name, value)
        except InvalidText as error:
            fail(PROGRAM, str(error))
    channel = Attentive.standard(is_urgent, arguments.log)
    channel.after_line = player.rest
    serve(channel, handlers(commands), unknown_commands(hints(PROGRAM)))


def unknown_commands(hint: Callable[[str], None]) -> Callable[[str, str], None]:
    """Return a function that hints at the command that was meant."""

    def tell(name: str, text: str) -> None:
        if name != "option":
            hint("`help` lists the commands")
            return
        setting, _, value = text.replace("=", " ", 1).strip().partition(" ")
        words = f"{setting or 'level'} {value.strip() or 'N'}"
        hint(f"settings are changed by kata-set-param: kata-set-param {words}")

    return tell


if __name__ == "__main__":
    main()
