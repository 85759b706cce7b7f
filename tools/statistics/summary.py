"""The result of a sequential test as rows of text for a person."""

from tools.statistics.estimates import estimate, format_bounds, format_elo, format_los
from tools.statistics.likelihood import Model
from tools.statistics.results import Results, format_counts
from tools.statistics.sprt import Sprt, State

Row = tuple[str, str]
"""A name and a text."""


def summarize(test: Sprt, results: Results) -> list[Row]:
    """Return the results, the strength estimated from them, and the decision of the test."""
    verdict = test.judge(results)
    scale = _scale(test)
    return [
        *_results_rows(results),
        *_strength_rows(test, results),
        (
            "test",
            f"H0 {scale} = {test.elo0:g}, H1 {scale} = {test.elo1:g}, "
            f"alpha {test.alpha:g}, beta {test.beta:g}",
        ),
        ("LLR", f"{verdict.llr:.4f}, bounds {test.lower:.4f} and {test.upper:.4f}"),
        ("verdict", _describe_verdict(test, verdict.state)),
        *_wait_rows(test, results),
    ]


def _scale(test: Sprt) -> str:
    return "nelo" if test.model is Model.NORMALIZED else "elo"


def _results_rows(results: Results) -> list[Row]:
    counts = format_counts(results.counts)
    if results.paired:
        pairs = "1 pair" if results.samples == 1 else f"{results.samples} pairs"
        games = f"{results.games} in {pairs}: {counts}"
    else:
        games = f"{results.games}: {counts}"
    if not results.games:
        return [("games", games)]
    share = results.points / results.games
    return [("games", games), ("score", f"{results.points:g} of {results.games} ({share:.2%})")]


def _strength_rows(test: Sprt, results: Results) -> list[Row]:
    if not results.samples:
        return []
    strength = estimate(results)
    rows = [("elo", f"{format_elo(strength, 2)} (95 %)")]
    if strength.nelo is None:
        rows.append(("nelo", f"unknown: all {'pairs' if results.paired else 'games'} ended alike"))
    else:
        rows.append(("nelo", f"{strength.nelo:+z.2f} ± {strength.nelo_error:.2f}"))
    rows.append(("LOS", format_los(strength.los, 2)))
    if (unbiased := test.unbiased(results)) is not None:
        rows.append(
            (
                "unbiased",
                f"elo {unbiased.elo:+z.2f} {format_bounds(unbiased.low, unbiased.high, 2)} (95 %, "
                "allows for stopping by this test)",
            )
        )
    return rows


def _describe_verdict(test: Sprt, state: State) -> str:
    scale = _scale(test)
    if state is State.H1:
        return f"H1 accepted: {scale} is rather {test.elo1:g} than {test.elo0:g}"
    if state is State.H0:
        return f"H0 accepted: {scale} is rather {test.elo0:g} than {test.elo1:g}"
    return "none yet: no bound is reached"


def _wait_rows(test: Sprt, results: Results) -> list[Row]:
    if test.judge(results).state is not State.CONTINUE:
        return []
    waits = [
        f"{wait:.0f} games if {_scale(test)} is {difference:g}"
        for difference in test.differences().values()
        if (wait := test.expected_games(difference, results)) is not None
    ]
    return [("to go", f"on average {', '.join(waits)}")] if waits else []
