"""The start of an engine's program: its command-line arguments and its log."""

import sys
from collections.abc import Callable, Sequence
from typing import TextIO

from protocols.serve.session import Log


class Arguments:
    """The arguments of the command line: a log file, and options to set first."""

    def __init__(self, log: Log, options: Sequence[tuple[str, str]] = ()) -> None:
        self.log = log
        self.options = options


def read_arguments(
    program: str,
    description: str,
    version: Callable[[], str],
    words: Sequence[str] | None = None,
    options: Callable[[], Sequence[str]] = lambda: (),
) -> Arguments:
    """Read the arguments that every engine accepts; `--help` and `--version` end the process.

    `options` returns the lines of `--help` that describe the options of the engine.
    """
    words = sys.argv[1:] if words is None else words
    if not words:
        # Graphical programs start engines without arguments; nothing needs to be imported.
        return Arguments(Log())
    import argparse

    help_lines = [f"  {line}\n" for line in options()]
    parser = argparse.ArgumentParser(
        prog=program,
        description=description,
        epilog=f"options of the engine:\n{''.join(help_lines)}" if help_lines else None,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"{program} {version()}")
    parser.add_argument("--log", metavar="FILE", help="append the dialogue to FILE")
    parser.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="set an option before the first command; may be repeated",
    )
    arguments = parser.parse_args(words)
    settings = []
    for word in arguments.option:
        name, equals, value = word.partition("=")
        if not equals:
            parser.error(f"--option: expected NAME=VALUE, not {word!r}")
        settings.append((name.strip(), value.strip()))
    file: TextIO | None = None
    if arguments.log is not None:
        try:
            file = open(arguments.log, "a", encoding="utf-8")  # noqa: SIM115  # Open to the end.
        except OSError as error:
            parser.error(f"--log: {error}")
    return Arguments(Log(file), settings)


def fail(program: str, message: str) -> None:
    """End the process with status 2, because it could not run."""
    print(f"{program}: {message}", file=sys.stderr)
    raise SystemExit(2)
