"""Run `quintet`, also by `python -m tools`."""

import io
import sys

from protocols.child.orphans import adopt
from tools.cli import main


def run() -> None:
    """Run the command in a process of its own, which may adopt what engines leave behind."""
    adopt()
    _escape_unwritable()
    main(prog_name="quintet")


def _escape_unwritable() -> None:
    """Let stdout escape the characters that its character set lacks, as stderr does.

    A name in kanji would end a match otherwise.
    """
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    run()
