"""The command `quintet`: a group whose commands are imported when they are used."""

import os
import sys
from importlib import import_module
from typing import Any, Final

import click

from engines import __version__
from tools.failure import CouldNotRun

# Verb -> module, command object, one line of help. The modules are imported when used: help
# stays quick, and a missing optional library hurts only the command that needs it.
COMMANDS: Final = {
    "match": ("tools.match_command", "match", "Play recorded games between two engines."),
    "sprt": ("tools.sprt_command", "sprt", "Judge results from elsewhere by a sequential test."),
    "verify": ("tools.verify_command", "verify", "Replay a match and recompute its figures."),
    "replay": ("tools.replay", "replay", "Let an engine think again where it moved in a match."),
    "show": ("tools.show", "show", "Draw the positions of a record in the terminal."),
    "convert": ("tools.convert", "convert", "Change a shogi record's format; make SGF clean."),
    "regress": ("tools.regress.command", "regress", "Ask an engine suites of tests."),
    "check": ("tools.check_command", "check", "Ask an engine whether it keeps to its protocol."),
    "perft": ("tools.perft", "perft", "Count the move sequences of a game, ply by ply."),
    "solve": ("tools.solve_command", "solve", "Build a game's exact tables, as far as you like."),
    "bench": ("tools.bench", "bench", "Measure our engines and our referee on this machine."),
    "rules": ("tools.rules", "rules", "Print a game's rules in short words."),
}


class LazyGroup(click.Group):
    """A click group that imports a command when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the verbs in the order of use."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command by its verb."""
        if cmd_name not in COMMANDS:
            return None
        module, attribute, _ = COMMANDS[cmd_name]
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; Ctrl-C is status 130, what a file or the output refuses is told."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            ctx.exit(130)
        except BrokenPipeError:
            raise  # Click ends quietly when nobody reads on.
        except OSError as error:
            if error.filename is not None:
                raise CouldNotRun(f"{error.filename}: {error.strerror}") from error
            # What is left in the buffer would fail once more when the interpreter ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise CouldNotRun(f"cannot write the output: {error.strerror}") from error
        return result

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs with their help, importing none of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, told) for name, (_, _, told) in COMMANDS.items()])


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Engines are programs of their own: quintet-neutron --help. "
    "Exit status: 0 done, 1 the answer is no, 2 could not run, 130 interrupted.",
)
@click.version_option(__version__, prog_name="quintet")
def main() -> None:
    """Five board-game engines, and the referee that pairs any engines of those games."""
