"""The command `quintet`: a group of commands that are imported when they are called."""

import os
import sys
from importlib import import_module
from typing import Any, Final

import click

from engines import __version__
from engines.core.errors import QuintetError
from protocols.errors import ConversationError
from tools.commands.errors import CouldNotRun

# Each command and its line of help. The module of a command in `tools.commands`, and the function
# in it, have the command's name. Importing them late keeps --help quick, and a missing optional
# library affects only the command that needs it.
COMMANDS: Final = {
    "play": "Play a game in the terminal.",
    "match": "Play recorded games between two engines.",
    "tournament": "Play a tournament between any number of engines.",
    "status": "Show how a match stands, also while it runs.",
    "tune": "Tune values of an engine by games against itself.",
    "ratings": "Rate the engines of any matches and tournaments together.",
    "report": "Write a page about a match or a tournament, or serve it live.",
    "levels": "Measure the levels of our engines.",
    "openings": "Draw balanced openings for matches.",
    "sprt": "Judge the results of games by a sequential test.",
    "verify": "Replay a match and recompute its figures.",
    "replay": "Let an engine think again about a move of a match.",
    "board": "Play the five games in a browser.",
    "show": "Draw the positions of a record, in the terminal or as a picture.",
    "convert": "Convert a shogi record; clean up an SGF file.",
    "annotate": "Value the moves of records by an engine.",
    "regress": "Run suites of test positions with an engine.",
    "check": "Check that an engine follows its protocol.",
    "perft": "Count the move sequences of a game, ply by ply.",
    "solve": "Build the exact tables of a game.",
    "bench": "Measure our engines and our referee on this machine.",
    "rules": "Print the rules of a game.",
}


class LazyGroup(click.Group):
    """A click group that imports a command when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands, the most used first."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command by its name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"tools.commands.{cmd_name}"), cmd_name)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; an error that the user can mend is a message and status 2.

        Ctrl-C is status 130.
        """
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            ctx.exit(130)
        except (QuintetError, ConversationError) as error:
            raise CouldNotRun(str(error)) from error
        except BrokenPipeError:
            raise  # Click ends quietly when the reader of the output is gone.
        except OSError as error:
            if error.filename is not None:
                raise CouldNotRun(f"{error.filename}: {error.strerror}") from error
            # The rest of the buffer would raise an error again when the interpreter ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise CouldNotRun(f"cannot write the output: {error.strerror}") from error
        return result

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with their help, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="The engines are programs of their own: see quintet-neutron --help. "
    "Exit status: 0 done, 1 the answer is no, 2 could not run, 130 interrupted.",
)
@click.version_option(__version__, prog_name="quintet")
def main() -> None:
    """Five board-game engines, and a referee for matches between any engines of those games."""
