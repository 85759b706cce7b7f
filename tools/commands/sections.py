"""Help in sections: a command with many options lists them under headings."""

from collections.abc import Callable, Mapping
from typing import Any, Final
from weakref import WeakKeyDictionary

import click

_GENERAL: Final = "Options"
_HEADINGS: Final[WeakKeyDictionary[click.Parameter, str]] = WeakKeyDictionary()


def section(heading: str, *decorators: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return one decorator that adds options in their order, under a heading of the help."""

    def decorate(command: Any) -> Any:
        before = len(getattr(command, "__click_params__", ()))
        for decorator in reversed(decorators):
            command = decorator(command)
        for parameter in command.__click_params__[before:]:
            _HEADINGS[parameter] = heading
        return command

    return decorate


class SectionedCommand(click.Command):
    """A command whose help lists options by section, in the order in which they first come."""

    def sections(self, ctx: click.Context) -> Mapping[str, list[click.Parameter]]:
        """Return the options under their headings; those without a heading come last."""
        found: dict[str, list[click.Parameter]] = {}
        for parameter in self.get_params(ctx):
            if not isinstance(parameter, click.Option):
                continue
            found.setdefault(_HEADINGS.get(parameter, _GENERAL), []).append(parameter)
        return dict(sorted(found.items(), key=lambda item: item[0] == _GENERAL))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, section by section."""
        for heading, parameters in self.sections(ctx).items():
            records = [parameter.get_help_record(ctx) for parameter in parameters]
            if rows := [record for record in records if record is not None]:
                with formatter.section(heading):
                    formatter.write_dl(rows)
