"""The strength of the engines of a match, as far as its games show it, as text."""

from collections.abc import Iterator
from typing import Final

from tools.journal.state import MatchState, MatchStatus
from tools.statistics.estimates import estimate, format_bounds, format_elo, format_los
from tools.statistics.results import PAIR_KINDS
from tools.statistics.sprt import State

FEWEST_PAIRS: Final = 10
"""With fewer pairs the interval is hundreds of Elo wide, and its middle would be taken for more."""


def format_strength(match: MatchState) -> str:
    """Return the Elo of the first engine with its interval, by the pairs that differ.

    It is empty if there are too few pairs.
    """
    results = match.sample.distinct
    if results.samples < FEWEST_PAIRS:
        return ""
    strength = estimate(results)
    return f"elo {format_elo(strength)}, LOS {format_los(strength.los)}"


def format_score(match: MatchState) -> str:
    """Return the score so far with its error, and how far the sequential test has come."""
    results = match.sample.recorded.total
    points = f"{results.points:g} of {results.games} for {match.labels[0]}"
    repetitions = match.repetitions
    repeated = str(repetitions) if repetitions.distinct < repetitions.games else ""
    parts = (points, repeated, format_strength(match), format_test(match))
    return "  ".join(filter(None, parts))


def format_sample(match: MatchState) -> Iterator[str]:
    """Yield the lines that say what the games show of the strength, and on how many they stand."""
    distinct = match.sample.distinct
    if match.repetitions.games:
        yield format_repetition(match)
    if waiting := match.sample.waiting:
        yield (
            "1 game waits for its pair" if waiting == 1 else f"{waiting} games wait for their pairs"
        )
    if distinct.samples:
        kinds = zip(PAIR_KINDS, distinct.counts, strict=True)
        counts = ", ".join(f"{kind} {number}" for kind, number in kinds)
        yield f"pairs of {match.labels[0]}: {counts}"
    if 0 < distinct.samples < FEWEST_PAIRS:
        yield f"too few pairs to estimate Elo: {distinct.samples} of at least {FEWEST_PAIRS}"
    elif distinct.samples:
        strength = estimate(distinct)
        nelo = ""
        if strength.nelo is not None:
            nelo = f", nelo {strength.nelo:+z.1f} ± {strength.nelo_error:.1f}"
        elo = format_strength(match).replace("elo", f"elo of {match.labels[0]}", 1)
        yield f"{elo}{nelo} (95 %, Dirichlet interval of the pairs)"


def format_repetition(match: MatchState) -> str:
    """Say how many games and pairs differ."""
    repetitions = match.repetitions
    pairs, samples = match.sample.results.samples, match.sample.distinct.samples
    if repetitions.distinct == repetitions.games or not pairs:
        return str(repetitions)
    if pairs == samples:
        return f"{repetitions}; no pair of games repeats another pair"
    return f"{repetitions}: {pairs} pairs count as {samples} sample{'' if samples == 1 else 's'}"


def format_decision(match: MatchState, status: MatchStatus) -> Iterator[str]:
    """Yield the lines about the sequential test; nothing without one."""
    if status.sprt is None:
        return
    reason = status.sprt["undecided"]
    yield f"{format_test(match)}{': ' if reason else ''}{reason}"
    unbiased = status.strength and status.strength["unbiased"]
    if unbiased:
        bounds = format_bounds(unbiased["low"], unbiased["high"])
        yield (
            f"unbiased elo of {match.labels[0]} {unbiased['elo']:+z.1f} {bounds}: "
            "the estimate that allows for stopping by this test"
        )


def format_test(match: MatchState) -> str:
    """Return how far the sequential test has come; empty without a test."""
    verdict, test = match.sample.verdict, match.sample.test
    if verdict is None or test is None:
        return ""
    return f"LLR {verdict.llr:.3f} [{test.lower:.3f}, {test.upper:.3f}] {_STATES[verdict.state]}"


_STATES: Final = {
    State.CONTINUE: "undecided",
    State.H0: "H0 accepted",
    State.H1: "H1 accepted",
}
