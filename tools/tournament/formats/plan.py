"""The plan of a tournament: its format and the numbers that belong to it."""

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engines.core.game import InvalidText


class Format(StrEnum):
    """How engines are paired."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    SWISS = "swiss"
    KNOCKOUT = "knockout"
    ADAPTIVE = "adaptive"
    LADDER = "ladder"


FORMATS: Final = tuple(str(each) for each in Format)
DEFAULT_GAMES: Final = 2
DEFAULT_CERTAINTY: Final = 0.95
DEFAULT_EXTRA: Final = 3
_ADAPTIVE_GAMES: Final = 20  # For each engine, if their number is not given.


@dataclass(frozen=True, slots=True)
class Plan:
    """A format with its numbers.

    `games` are those of each pairing; in an adaptive tournament, those of the whole tournament.
    `rounds` is the number of rounds of a Swiss tournament, `challengers` that of the engines that
    play a gauntlet. A match of a knockout that is drawn goes on for at most `extra` pairs of games.
    An adaptive tournament ends when the order of all neighbours is certain to `certainty`.
    """

    format: Format = Format.ROUND_ROBIN
    games: int = DEFAULT_GAMES
    rounds: int = 0
    challengers: int = 1
    extra: int = DEFAULT_EXTRA
    certainty: float = DEFAULT_CERTAINTY


def swiss_rounds(engines: int) -> int:
    """Return the number of rounds after which a Swiss tournament can have one unbeaten engine."""
    return max(1, math.ceil(math.log2(engines)))


def default_games(format_: Format, engines: int) -> int:
    """Return the number of games if it is not given."""
    return engines * _ADAPTIVE_GAMES if format_ is Format.ADAPTIVE else DEFAULT_GAMES


def planned_games(plan: Plan, engines: int) -> int:
    """Return the number of games if no engine drops out and no knockout match is drawn.

    An adaptive tournament may need fewer.
    """
    match plan.format:
        case Format.ROUND_ROBIN:
            return engines * (engines - 1) // 2 * plan.games
        case Format.GAUNTLET:
            return plan.challengers * (engines - plan.challengers) * plan.games
        case Format.SWISS:
            return plan.rounds * (engines // 2) * plan.games
        case Format.KNOCKOUT:
            return (engines - 1) * plan.games
        case Format.ADAPTIVE:
            return plan.games
        case Format.LADDER:
            return (engines - 1) * plan.games


def check_plan(plan: Plan, engines: int) -> None:
    """Raise InvalidText for a plan that cannot be played by so many engines."""
    if engines < 2:
        raise InvalidText(f"expected at least two engines, not {engines}")
    if plan.games < 2 or plan.games % 2:
        raise InvalidText(
            f"--games {plan.games}: expected an even number, because each opening is played with "
            "both colours"
        )
    if plan.format is Format.SWISS and plan.rounds < 1:
        raise InvalidText(f"--rounds {plan.rounds}: expected at least 1")
    if plan.format is Format.GAUNTLET and not 1 <= plan.challengers < engines:
        raise InvalidText(
            f"--challengers {plan.challengers}: expected 1 to {engines - 1} of {engines} engines"
        )
    if plan.format is Format.ADAPTIVE and not 0.5 < plan.certainty < 1:
        raise InvalidText(f"--certainty {plan.certainty:g}: expected a number between 0.5 and 1")
