"""Numbers on the command line: never infinite, never what is no number."""

import math
from typing import Any, Final

import click

LONGEST: Final = 1e6  # Seconds, eleven days: a wait in milliseconds must fit 32 bits.


class Quantity(click.FloatRange):
    """A finite number within its bounds; `nan` would slip through every comparison with them."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number; fails for what is none."""
        number = click.FLOAT.convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is no finite number.", param, ctx)
        return super().convert(number, param, ctx)


def is_wait(seconds: object) -> bool:
    """Whether something is a number of seconds that a deadline can be made of."""
    return (
        isinstance(seconds, int | float)
        and not isinstance(seconds, bool)
        and 0 < seconds <= LONGEST  # Also refuses nan and inf.
    )
