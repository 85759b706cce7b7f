"""Games packed for a page: of ten thousand games each byte of a move counts.

The page holds columns, a list per property of all games, and one text per game with its moves. The
evaluation and the time of a move take a character each: the eye cannot tell more in a graph.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any, Final

from engines import registry
from engines.core.game import FIRST, SECOND, Game
from tools.journal.pool import PooledGame
from tools.records.game import PlayedMove

NONE: Final = " "
_LOWEST: Final = 33  # The first character that is neither a space nor a control character.
_SHARES: Final = 90  # Steps of an evaluation.
_PER_DECADE: Final = 15  # Steps of a time.
_SHORTEST: Final = -4  # 10 to this power is the shortest time, in seconds.
_TIMES: Final = 90
_SEPARATOR: Final = "|"


def pack_share(share: float | None) -> str:
    """Write an expected share of the points as one character; a space for none."""
    return NONE if share is None else chr(_LOWEST + round(share * _SHARES))


def pack_seconds(seconds: float) -> str:
    """Write a time as one character on a logarithmic scale from 0.1 ms, in steps of a sixth."""
    if seconds <= 0:
        return chr(_LOWEST)
    step = 1 + round((math.log10(seconds) - _SHORTEST) * _PER_DECADE)
    return chr(_LOWEST + min(max(step, 0), _TIMES))


def pack_moves(moves: Sequence[PlayedMove]) -> str:
    """Write the moves of a game: texts, sides, evaluations for the first side, and times.

    The sides are left out if they take turns, beginning with the first one.
    """
    sides = "".join(str(move.side) for move in moves)
    turns = ("01" * len(moves))[: len(moves)]
    return _SEPARATOR.join(
        (
            " ".join(move.text for move in moves),
            "" if sides == turns else sides,
            "".join(pack_share(_share(move)) for move in moves).rstrip(),
            "".join(pack_seconds(move.seconds) for move in moves),
        )
    )


def _share(move: PlayedMove) -> float | None:
    """Return the share of the points that the mover expects, as one of the first side."""
    score = move.evaluation.score
    share = None if score is None else score.share
    return 1 - share if share is not None and move.side == SECOND else share


class Names:
    """Texts that repeat, each with a number."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        """Return the number of a text."""
        if text not in self._numbers:
            self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return self._numbers[text]


def pack_games(games: Iterable[PooledGame], ranks: Sequence[int]) -> dict[str, Any]:
    """Return the games in columns; `ranks` gives each engine's place in the rating list."""
    endings, openings, setups, reasons = Names(), Names(), Names(), Names()
    columns: dict[str, list[Any]] = {name: [] for name in _COLUMNS}
    moves = []
    for game in games:
        record = game.played.record
        row = {
            "number": record.number,
            "first": ranks[game.engines[FIRST]],
            "second": ranks[game.engines[SECOND]],
            "points": int(2 * game.played.points),
            "ending": endings.number(game.played.ending),
            "reason": reasons.number(record.outcome.reason),
            "opening": openings.number(record.opening_name),
            "book": record.opening,
            "setup": setups.number(
                record.setup or _start(record.game, record.variant, record.size)
            ),
            "plies": game.played.plies,
            "seconds": round(sum(game.played.seconds(side) for side in (FIRST, SECOND)), 2),
            "repeated": int(game.repeated),
            "started": record.started,
        }
        for name, value in row.items():
            columns[name].append(value)
        moves.append(pack_moves(record.moves))
    return {
        **columns,
        "endings": endings.texts,
        "reasons": reasons.texts,
        "openings": openings.texts,
        "setups": setups.texts,
        "moves": moves,
    }


_COLUMNS: Final = (
    *("number", "first", "second", "points", "ending", "reason", "opening", "book", "setup"),
    *("plies", "seconds", "repeated", "started"),
)


def _start(game: str, variant: str, size: int) -> str:
    """Return the set-up of a game that begins as usual."""
    rules = registry.rules(game, variant, size)
    return rules.setup(Game(rules).position)
