"""Strength estimated from match results: Elo, normalized Elo, their intervals, and LOS."""

from dataclasses import asdict, dataclass
from functools import lru_cache
from math import sqrt

from tools.statistics.intervals import QUANTILE, score_bounds
from tools.statistics.results import Results
from tools.statistics.scale import NELO_PER_T, elo, per_game


@dataclass(frozen=True, slots=True)
class Estimate:
    """Strength as measured, with 95 % intervals.

    `elo` is None if there is no estimate: no games, or nothing but wins or losses. A bound is None
    where the results do not bound the strength. `elo_error` is half the width of the interval,
    which need not be symmetric. `nelo` is None if the results show no noise. `los` is the
    likelihood of superiority; it is above 97.5 % exactly if the interval lies above 0.
    """

    elo: float | None
    elo_low: float | None
    elo_high: float | None
    elo_error: float | None
    nelo: float | None
    nelo_error: float | None
    los: float

    def figures(self) -> dict[str, float | None]:
        """Return all figures by name, ready for JSON."""
        return {name: rounded(value) for name, value in asdict(self).items()}


@lru_cache(maxsize=64)
def estimate(results: Results) -> Estimate:
    """Estimate the strength difference from a sample whose size was fixed in advance."""
    bounds = score_bounds(results)
    low = elo(bounds.low) if bounds.low > 0 else None
    high = elo(bounds.high) if bounds.high < 1 else None
    nelo = nelo_error = None
    if not results.alike:
        total, mean, variance = results.moments()
        scale = NELO_PER_T / per_game(variance, paired=results.paired)
        nelo, nelo_error = (mean - 0.5) * scale, QUANTILE * sqrt(variance / total) * scale
    return Estimate(
        elo=None if low is None or high is None else elo(results.points / results.games),
        elo_low=low,
        elo_high=high,
        elo_error=None if low is None or high is None else (high - low) / 2,
        nelo=nelo,
        nelo_error=nelo_error,
        los=bounds.superiority,
    )


def rounded(value: float | None) -> float | None:
    """Round a figure to six digits; never -0.0."""
    return None if value is None else round(value, 6) + 0.0


def format_elo(strength: Estimate, digits: int = 1) -> str:
    """Write the Elo difference with its 95 % interval, or the one bound that there is."""
    low, high = strength.elo_low, strength.elo_high
    if low is None and high is None:
        return "unknown"
    if low is None:
        return f"< {high:+z.{digits}f}"
    if high is None:
        return f"> {low:+z.{digits}f}"
    return f"{strength.elo:+z.{digits}f} {format_bounds(low, high, digits)}"


def format_bounds(low: float | None, high: float | None, digits: int = 1) -> str:
    """Write an interval; a bound that does not exist is infinite."""
    lower = "-inf" if low is None else f"{low:+z.{digits}f}"
    upper = "+inf" if high is None else f"{high:+z.{digits}f}"
    return f"[{lower}, {upper}]"


def format_los(los: float, digits: int = 1) -> str:
    """Write a likelihood of superiority; what is rounded never looks certain."""
    least = 10**-digits
    percent = 100 * los
    if percent < least:
        return f"< {least:.{digits}f} %"
    if percent > 100 - least:
        return f"> {100 - least:.{digits}f} %"
    return f"{percent:.{digits}f} %"
