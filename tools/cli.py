"""The command `quintet`: a group of commands that are imported when they are called."""

import os
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

from engines.core.errors import QuintetError
from protocols.errors import ConversationError
from tools.commands.errors import CouldNotRun
from tools.roster.settings import suggestion

# Each command and its line of help, by what one wants to do. The module of a command in
# `tools.commands`, and the function in it, have the command's name. Importing them late keeps
# --help quick, and a missing optional library affects only the command that needs it.
SECTIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "Play": {
        "board": "Play the five games in a browser.",
        "play": "Play a game in the terminal.",
        "rules": "Print the rules of a game.",
    },
    "Matches and tournaments": {
        "match": "Play recorded games between two engines.",
        "tournament": "Play a tournament between any number of engines.",
        "openings": "Draw balanced openings for matches.",
        "status": "Show how a match stands, also while it runs.",
        "report": "Write a page about a match or a tournament, or serve it live.",
        "ratings": "Rate the engines of any matches and tournaments together.",
        "sprt": "Judge the results of games by a sequential test.",
        "verify": "Replay a match and recompute its figures.",
        "replay": "Let an engine think again about a move of a match.",
    },
    "Records": {
        "show": "Draw the positions of a record, in the terminal or as a picture.",
        "convert": "Convert a shogi record; clean up an SGF file.",
        "annotate": "Value the moves of records by an engine.",
    },
    "Positions": {
        "regress": "Run suites of test positions with an engine.",
        "perft": "Count the move sequences of a game, ply by ply.",
        "solve": "Build the exact tables of a game.",
    },
    "Engines": {
        "check": "Check that an engine follows its protocol.",
        "tune": "Tune values of an engine by games against itself.",
        "levels": "Measure the levels of our engines.",
        "bench": "Measure our engines and our referee on this machine.",
    },
    "Help": {
        "help": "Explain time controls, engines, openings, formats, suites ...",
    },
}
COMMANDS: Final = {name: line for section in SECTIONS.values() for name, line in section.items()}
_GREETING: Final = """\
Five board-game engines, and a referee for matches between any engines of those games.

  quintet board                                    play one of the games in your browser
  quintet match neutron --games 4 --time 1/move    let an engine play a recorded match
  quintet check quintet-go                         find out whether an engine follows its protocol

All commands: quintet --help. Explanations: quintet help."""


READER_GONE: Final = 141
"""The exit status if nobody reads the output any more, as `quintet show game.kif | head` does."""


def _discard_output() -> None:
    """Let what is left in the buffer go: it would raise an error when the interpreter ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class LazyGroup(click.Group):
    """A click group that imports a command when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands by what one wants to do."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command by its name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"tools.commands.{cmd_name}"), cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is called; an unknown one is answered with those spelt alike."""
        if args[0] not in COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
            hint = suggestion(args[0], list(COMMANDS)) or "; `quintet --help` lists them"
            ctx.fail(f"no such command: {args[0]!r}{hint}")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the commands without importing any, and the options."""
        commands = [
            CompletionItem(name, help=line)
            for name, line in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return commands + click.Command.shell_complete(self, ctx, incomplete)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; an error that the user can mend is a message and status 2.

        Ctrl-C is status 130, and a closed pipe 141.
        """
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            ctx.exit(130)
        except SystemExit as error:
            if isinstance(error.__context__, BrokenPipeError):  # Rich ends with 1 as well.
                ctx.exit(READER_GONE)
            raise
        except (QuintetError, ConversationError) as error:
            raise CouldNotRun(str(error)) from error
        except BrokenPipeError:
            # As a program ends by SIGPIPE; click would end with 1, which means that a test failed.
            _discard_output()
            ctx.exit(READER_GONE)
        except OSError as error:
            if error.filename is not None:
                raise CouldNotRun(f"{error.filename}: {error.strerror}") from error
            _discard_output()
            raise CouldNotRun(f"cannot write the output: {error.strerror}") from error
        return result

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with their help, section by section, without importing any."""
        width = max(map(len, COMMANDS))
        for heading, commands in SECTIONS.items():
            with formatter.section(heading):
                formatter.write_dl([(f"{name:{width}}", line) for name, line in commands.items()])


def _print_version(ctx: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    """Print the version; the modules are looked for only if somebody asks."""
    if wanted:
        from engines.core.version import version

        click.echo(f"quintet {version()}")
        ctx.exit()


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="The engines are programs of their own: see quintet-neutron --help. "
    "Exit status: 0 done, 1 the answer is no, 2 could not run, 130 interrupted.",
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help="Show the version, and whether the engines are compiled or interpreted.",
)
@click.pass_context
def main(context: click.Context) -> None:
    """Five board-game engines, and a referee for matches between any engines of those games."""
    if context.invoked_subcommand is None:
        click.echo(_GREETING)
