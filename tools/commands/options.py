"""The options that several commands share, and the types of their values."""

import functools
from collections.abc import Callable
from dataclasses import fields
from typing import Any, TypeVar

import click

from protocols.ask.engine import LONGEST
from tools.commands.completing import complete_variants
from tools.commands.values import Quantity, Whole, Word
from tools.roster.settings import PROTOCOLS

_Command = TypeVar("_Command", bound=Callable[..., Any])


class RenamedOption(click.Option):
    """An option whose earlier spellings, `old`, still work and are not shown by --help."""

    def __init__(self, *args: Any, old: tuple[str, ...], **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self._old = old

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Register all spellings."""
        shown = self.opts
        self.opts = [*shown, *self._old]
        try:
            super().add_to_parser(parser, ctx)
        finally:
            self.opts = shown


def renamed(*names: str, old: tuple[str, ...], **attributes: Any) -> Callable[[_Command], _Command]:
    """Declare an option that still understands its `old` spellings."""
    return click.option(*names, cls=RenamedOption, old=old, **attributes)


def json_option(command: _Command) -> _Command:
    """Add `--json`, which arrives as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")(
        command
    )


def variant_option(command: _Command) -> _Command:
    """Add `--variant`, whose other name is `--rules`."""
    return click.option(
        "--variant",
        "--rules",
        metavar="NAME",
        default="",
        shell_complete=complete_variants,
        help="Variant of the game; in Go the rule set.  [default: the usual rules; in Go chinese]",
    )(command)


def number_option(command: _Command) -> _Command:
    """Add `--number`, for a file of records that has several games."""
    return click.option(
        "--number",
        type=Whole(min=1),
        metavar="N",
        help="Of a file with several games, take game N.  [default: the first]",
    )(command)


def protocol_option(command: _Command) -> _Command:
    """Add `--protocol`."""
    return click.option(
        "--protocol",
        type=Word(PROTOCOLS),
        help="Protocol of engines given by a command line.  [default: detected]",
    )(command)


def patience_option(command: _Command) -> _Command:
    """Add `--patience`; None leaves each engine its own."""
    return click.option(
        "--patience",
        type=Quantity(min=0.001, max=LONGEST),
        metavar="SECONDS",
        help="Time for an engine to start and to prepare a game.  "
        "[default: 60, or the engine's own in engines.toml]",
    )(command)


def jobs_option(help_text: str, *, old: tuple[str, ...] = ()) -> Callable[[_Command], _Command]:
    """Return a decorator that adds `--jobs`."""
    return renamed(
        "--jobs",
        old=old,
        type=Whole(min=1),
        metavar="N",
        default=1,
        show_default=True,
        help=help_text,
    )


def options_as(kind: Callable[..., Any], name: str) -> Callable[[_Command], Callable[..., Any]]:
    """Pass a command's options as one dataclass of type `kind`, under the parameter `name`.

    Options that the dataclass has no field for are passed separately.
    """
    keys = [field.name for field in fields(kind)]  # type: ignore[arg-type]

    def decorate(command: _Command) -> Callable[..., Any]:
        @functools.wraps(command)
        def call(*arguments: Any, **values: Any) -> Any:
            made = kind(**{key: values.pop(key) for key in keys if key in values})
            return command(*arguments, **{name: made}, **values)

        return call

    return decorate
