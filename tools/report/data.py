"""All that a report shows of a folder, as values of JSON."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import numpy as np

from engines import registry
from engines.core.game import FIRST, SECOND
from tools.journal.collection import Played, collect
from tools.journal.events import TUNING
from tools.journal.journal import Event, JournalError, is_in_use, read_journal
from tools.journal.pool import Pool, PooledGame, make_pools
from tools.journal.ratings import rate_pool, ratings_to_json
from tools.journal.repetition import digest_of
from tools.journal.sampling import GameResult, Sample
from tools.report.boards import board_kit
from tools.report.packing import pack_games
from tools.report.tuning import tuned_values
from tools.statistics.estimates import rounded
from tools.statistics.sprt import parse_sprt

_STEPS: Final = 200  # Points of a curve over time; a screen shows no more.


def report_data(folder: Path) -> dict[str, Any]:
    """Return the report of a folder, whose games may still be going on; raises JournalError."""
    running = is_in_use(folder)
    events = read_journal(folder)
    played = collect(folder, events)
    entry = registry.find(played.game)
    data: dict[str, Any] = {
        "title": f"{entry.title}: {folder.resolve().name}",
        "kind": played.kind,
        "game": played.game,
        "sides": list(registry.rules(played.game, played.variant, played.size).sides),
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "running": running,
        "void": played.void,
        "kit": board_kit(played.game, played.size),
        "games": None,
    }
    if not played.games:
        return {**data, "what": entry.title, "ratings": None}
    (pool,) = make_pools([played])
    rated = rate_pool(pool)
    ratings = ratings_to_json(rated)
    del ratings["folders"]  # Whoever receives the page need not know where it was made.
    order = [engine.number for engine in rated.engines]
    ranks = [order.index(number) for number in range(len(order))]
    ended = _in_order(pool, events)
    return {
        **data,
        "what": pool.title,
        "ratings": ratings,
        "pace": [_pace(pool, number) for number in order],
        "course": _course(ended, ranks),
        "test": _test(played, ended),
        "values": tuned_values(played.seal, ended) if played.kind == TUNING else None,
        "games": pack_games(pool.games, ranks),
    }


def _in_order(pool: Pool, events: Sequence[Event]) -> list[PooledGame]:
    """Return the games in the order in which they ended."""
    ends = {
        event["number"]: place for place, event in enumerate(events) if event["event"] == "game"
    }
    return sorted(pool.games, key=lambda game: ends[game.played.number])


def _pace(pool: Pool, number: int) -> dict[str, Any]:
    """Return what an engine needed per move: wall-clock time, and CPU time where it is known."""
    seconds: list[float] = []
    cpu, cpu_moves, late = 0.0, 0, 0.0
    for game in pool.games:
        for side in (FIRST, SECOND):
            if game.engines[side] != number:
                continue
            own = game.played.record.moves[game.played.record.opening :]
            times = [move.seconds for move in own if move.side == side]
            seconds += times
            if game.played.record.outcome.winner == 1 - side:
                late = max(late, game.played.record.late)
            if (used := game.played.cpu(side)) is not None:
                cpu, cpu_moves = cpu + used, cpu_moves + len(times)
    if not seconds:
        return {
            "moves": 0,
            "mean": None,
            "median": None,
            "most": None,
            "longest": None,
            "cpu": None,
        }
    median, most = np.percentile(seconds, [50, 95])
    return {
        "moves": len(seconds),
        "mean": rounded(sum(seconds) / len(seconds)),
        "median": rounded(float(median)),
        "most": rounded(float(most)),
        "longest": rounded(max(late, *seconds)),
        "cpu": rounded(cpu / cpu_moves) if cpu_moves else None,
    }


def _course(ended: Sequence[PooledGame], ranks: Sequence[int]) -> list[list[list[float]]]:
    """Return for each engine the share of its points, after so many games of all."""
    points, games = [0.0] * len(ranks), [0] * len(ranks)
    curves: list[list[list[float]]] = [[] for _ in ranks]
    shown = {round(place) for place in np.linspace(1, len(ended), min(_STEPS, len(ended)))}
    for number, game in enumerate(ended, 1):
        for side in (FIRST, SECOND):
            rank = ranks[game.engines[side]]
            points[rank] += game.played.points if side == FIRST else 1 - game.played.points
            games[rank] += 1
        if number in shown:
            for rank, curve in enumerate(curves):
                if games[rank]:
                    curve.append([number, round(points[rank] / games[rank], 4)])
    return curves


def _test(played: Played, ended: Sequence[PooledGame]) -> dict[str, Any] | None:
    """Return how the log-likelihood ratio of a sequential test went; None without a test."""
    if played.kind != "match" or not played.seal.get("sprt"):
        return None
    try:
        test = parse_sprt(str(played.seal["sprt"]))
    except ValueError as error:
        raise JournalError(f"the sequential test of {played.folder}: {error}") from error
    sample = Sample(test)
    curve: list[list[float]] = []
    for number, game in enumerate(ended, 1):
        record = game.played.record
        points = record.outcome.points(record.side)
        result = GameResult(
            record.pair, record.side, points, record.ending, void=False, digest=digest_of(record)
        )
        sample.add(result)
        if sample.verdict is not None:
            curve.append([number, round(sample.verdict.llr, 4)])
    step = max(1, len(curve) // _STEPS)
    last = curve[-1:] if len(curve) % step != 1 and step > 1 else []
    return {
        "engine": played.engines[0].label,
        "terms": str(played.seal["sprt"]),
        "lower": round(test.lower, 4),
        "upper": round(test.upper, 4),
        "curve": [*curve[::step], *last],
    }
