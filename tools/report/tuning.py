"""The values of a tuning run over its pairs of games, as they follow from the results."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from tools.journal.journal import JournalError
from tools.journal.pool import PooledGame
from tools.statistics.spsa import Parameter, Spsa, TuningError

_POINTS: Final = 200  # Of a curve; a screen shows no more.
_ENGINE: Final = ("way", "text")  # How the engine receives a value.


def tuned_values(seal: Mapping[str, Any], ended: Sequence[PooledGame]) -> list[dict[str, Any]]:
    """Return each value with its bounds and its course; raises JournalError.

    `ended` are the games that count, in the order of their ends: a pair moves the values when its
    second game has ended.
    """
    try:
        parameters = [
            Parameter(**{key: each for key, each in fields.items() if key not in _ENGINE})
            for fields in seal["values"]
        ]
        spsa = Spsa(parameters, seal["pairs"], seal["seed"])
    except (KeyError, TypeError, TuningError) as error:
        raise JournalError(f"the values of the run cannot be understood: {error!r}") from error
    course = [list(spsa.values)]
    leads: defaultdict[int, list[float]] = defaultdict(list)
    for game in ended:
        record = game.played.record
        leads[record.pair].append(2 * record.outcome.points(record.side) - 1)
        if len(leads[record.pair]) == 2:
            spsa.learn(record.pair, sum(leads[record.pair]))
            course.append(list(spsa.values))
    step = max(1, len(course) // _POINTS)
    shown = sorted({*range(0, len(course), step), len(course) - 1})
    return [
        {
            "name": parameter.name,
            "start": parameter.start,
            "low": parameter.low,
            "high": parameter.high,
            "now": parameter.rounded(spsa.values[place]),
            "curve": [[at, float(f"{course[at][place]:.6g}")] for at in shown],
        }
        for place, parameter in enumerate(parameters)
    ]
