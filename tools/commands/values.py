"""The types of the values of options; their errors say what was expected."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from protocols.ask.engine import LONGEST
from tools.roster.settings import suggestion

if TYPE_CHECKING:
    _TextChoice = click.Choice[str]
else:
    _TextChoice = click.Choice  # Click 8.1 has no type parameter.

_INSTANT = 0.001  # Seconds: the least time that can be given to anybody.


class Whole(click.IntRange):
    """A whole number within its bounds."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number, or fail with what was expected."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            bounds = describe_bounds(self.min, self.max)
            self.fail(f"expected a whole number{bounds}, not {str(value)!r}", param, ctx)

    def _describe_range(self) -> str:
        # In the help it would be noise that the number of games is not negative.
        usual = self.max is None and self.min in (0, 1)
        return "" if usual else describe_range(self.min, self.max)


class Quantity(click.FloatRange):
    """A finite number within its bounds; comparisons alone would let `nan` pass."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number, or fail with what was expected."""
        try:
            number: float = super().convert(value, param, ctx)
        except click.BadParameter:
            number = math.nan
        if not math.isfinite(number):
            bounds = describe_bounds(self.min, self.max, above=self.min_open)
            self.fail(f"expected a number{bounds}, not {str(value)!r}", param, ctx)
        return number

    def _describe_range(self) -> str:
        usual = (self.max is None or self.max >= LONGEST) and self.min in (0, _INSTANT)
        return "" if usual else describe_range(self.min, self.max, above=self.min_open)


class Word(_TextChoice):
    """One of some words; an unknown one is answered with those that are spelt alike."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the word, or fail with the known ones."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            known = [str(choice) for choice in self.choices]
            hint = suggestion(str(value), known)
            self.fail(f"expected {list_words(known)}, not {str(value)!r}{hint}", param, ctx)


def describe_bounds(least: float | None, most: float | None, *, above: bool = False) -> str:
    """Return the bounds of a number as an error names them, with a leading space."""
    words = describe_range(least, most, above=above)
    return f" of {words}" if words.startswith("at ") else f" {words}".rstrip()


def describe_range(least: float | None, most: float | None, *, above: bool = False) -> str:
    """Return the bounds of a number as the help names them; empty for none.

    A limit that nobody meets, such as the longest time that an engine may be waited for, is not
    named.
    """
    if most is not None and most >= LONGEST:
        most = None
    if least is None:
        return "" if most is None else f"at most {most:g}"
    if most is None:
        return f"above {least:g}" if above else f"at least {least:g}"
    return f"above {least:g}, at most {most:g}" if above else f"from {least:g} to {most:g}"


def list_words(words: Sequence[str]) -> str:
    """Return words as an enumeration: `a, b or c`."""
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
