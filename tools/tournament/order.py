"""The order that an adaptive tournament has found: joint ratings, and how certain it is."""

from collections.abc import Iterator
from typing import Any, Final

from tools.journal.ratings import format_interval, format_rating
from tools.statistics.estimates import format_los, rounded
from tools.tournament.formats.adaptive import (
    End,
    certainty,
    least_certainty,
    rate_history,
    why_ended,
)
from tools.tournament.formats.plan import Format
from tools.tournament.state import TournamentState, TournamentStatus

_ENDS: Final = {
    End.CERTAINTY: "ended because the order of all neighbours is certain to {wanted:g} %",
    End.GAMES: "ended by the number of games: the least certain order is certain to {least:.1f} %",
    End.ENGINES: "ended because fewer than two engines are left",
}


def format_order(state: TournamentState, status: TournamentStatus) -> Iterator[str]:
    """Yield the ratings of an adaptive tournament and why it has ended; nothing for others."""
    if state.plan.format is not Format.ADAPTIVE or not state.results:
        return
    ratings = rate_history(state.history)
    width = max(6, *(len(label) for label in state.labels))
    yield ""
    yield f"{'engine':{width}}       elo               95 %  order certain"
    for engine, following in _neighbours(status):
        rating = ratings.ratings[engine]
        certain = "" if following is None else format_los(certainty(ratings, engine, following))
        yield (
            f"{state.labels[engine]:{width}}  {format_rating(rating):>8}  "
            f"{format_interval(rating):>17}  {certain:>13}"
        ).rstrip()
    if (end := why_ended(state.plan, state.history)) is not None:
        least = 0.0 if end is End.ENGINES else least_certainty(ratings, state.history)
        yield _ENDS[end].format(wanted=100 * state.plan.certainty, least=100 * least)


def order_fields(state: TournamentState, status: TournamentStatus) -> dict[str, Any]:
    """Return the same, ready for JSON; empty for the other formats."""
    if state.plan.format is not Format.ADAPTIVE or not state.results:
        return {}
    ratings = rate_history(state.history)
    engines = []
    for engine, following in _neighbours(status):
        rating = ratings.ratings[engine]
        figures = {name: rounded(getattr(rating, name)) for name in ("elo", "low", "high", "error")}
        certain = None if following is None else rounded(certainty(ratings, engine, following))
        engines.append({"label": state.labels[engine], **figures, "certainty": certain})
    return {"order": engines, "ended_by": why_ended(state.plan, state.history)}


def _neighbours(status: TournamentStatus) -> Iterator[tuple[int, int | None]]:
    """Yield each engine that still takes part, and the next one in the list."""
    order = [place.engine for place in status.places if not place.withdrawn]
    yield from zip(order, [*order[1:], None], strict=True)
