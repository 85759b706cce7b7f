"""Tournaments played on paper: results by a rule, without engines."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from tools.tournament.formats.pairing import next_round
from tools.tournament.formats.plan import Plan
from tools.tournament.formats.rounds import History, PairOfGames, PairResult

Referee = Callable[[PairOfGames], tuple[float, float]]
"""Gives the points of the first engine of a pair of games, moving first and second."""


def lower_wins(pair: PairOfGames) -> tuple[float, float]:
    """Let the engine that was named earlier win both games."""
    one, other = pair.engines
    return (1.0, 1.0) if one < other else (0.0, 0.0)


def play_round(history: History, referee: Referee) -> History:
    """Finish all games of the last round."""
    missing = history.unfinished(history.rounds[-1])
    played = {pair.pair: PairResult(pair.engines, referee(pair)) for pair in missing}
    return replace(history, results={**history.results, **played})


def draw_round(plan: Plan, history: History) -> History | None:
    """Draw the next round; None if there is none."""
    drawn = next_round(plan, history)
    if drawn is None:
        return None
    return replace(history, rounds=[*history.rounds, history.make_round(drawn)])


def play_all(
    plan: Plan, engines: int, referee: Referee = lower_wins, dropping: Iterable[int] = ()
) -> History:
    """Play a tournament to its end; before each round from the second on, an engine drops out."""
    history, leaving = History(engines), list(dropping)
    while (following := draw_round(plan, history)) is not None:
        history = play_round(following, referee)
        if leaving:
            gone = history.withdrawn | {leaving.pop(0)}
            history = replace(history, withdrawn=gone)
    return history


def meetings(history: History) -> list[frozenset[int]]:
    """Return every pairing of a tournament, in the order of the rounds."""
    return [frozenset(pairing) for each in history.rounds for pairing in each.pairings]
