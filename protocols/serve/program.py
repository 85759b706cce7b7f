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


def at_terminal() -> bool:
    """Whether a person types the commands, and sees stderr."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def hints(program: str) -> Callable[[str], None]:
    """Return a function that tells a person on stderr what was wrong, and is silent elsewhere.

    Graphical programs show stderr, and often send what they should not.
    """
    shown = at_terminal()

    def hint(text: str) -> None:
        if shown:
            print(f"{program}: {text}", file=sys.stderr, flush=True)

    return hint


def read_arguments(
    program: str,
    description: str,
    version: Callable[[], str],
    words: Sequence[str] | None = None,
    options: Callable[[], Sequence[str]] = lambda: (),
    commands: Callable[[], Sequence[str]] = lambda: (),
) -> Arguments:
    """Read the arguments that every engine accepts; `--help` and `--version` end the process.

    `options` and `commands` return the lines of `--help` that describe those of the engine. On a
    terminal, a person is told on stderr how to get help.
    """
    words = sys.argv[1:] if words is None else words
    if at_terminal() and not {"--help", "-h", "--version"} & {*words}:
        greeting = f"{program} {version()}: {description.rstrip('.')}."
        print(f"{greeting} `help` lists the commands, `quit` leaves.", file=sys.stderr)
    if not words:
        # Graphical programs start engines without arguments; nothing needs to be imported.
        return Arguments(Log())
    import argparse

    parts = (("commands", commands()), ("options of the engine", options()))
    epilog = "\n\n".join(
        f"{title}:\n" + "\n".join(f"  {line}" for line in lines) for title, lines in parts if lines
    )
    parser = argparse.ArgumentParser(
        prog=program,
        description=description,
        epilog=epilog or None,
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
