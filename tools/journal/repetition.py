"""Games that repeat earlier ones: they count in the score, but they are no further evidence."""

import hashlib
from collections import Counter
from typing import Final

from tools.records.game import GameRecord, Verdict

ADVICE: Final = (
    "to vary the games, give --openings builtin or a file of openings, or let the engines choose "
    "at random"
)
"""Advice to a user whose games repeat themselves."""


def digest_of(record: GameRecord) -> str:
    """Return a digest of what makes a game the same as another.

    That are its opening, its engines in the order of moving, its moves (with the throws of dice)
    and its result; not its times, evaluations and seed.
    """
    parts = [
        *(record.game, record.variant, str(record.size), record.setup, str(record.opening)),
        *(player.label for player in record.players),
        record.result,
        *(move.text for move in record.moves),
    ]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


class Repetitions:
    """Counts the different games of a match; a void game, which has no result, is not counted.

    A game that is played again, as after a void game of its pair, takes the place of the former.
    """

    def __init__(self) -> None:
        self.first: tuple[int, int] | None = None
        """The numbers of the first game that repeated another, and of that one."""
        self._digests: dict[int, str] = {}  # By the numbers of the games.
        self._numbers: dict[str, int] = {}  # The first game with each digest.
        self._seen: Counter[str] = Counter()

    def add(self, record: GameRecord, digest: str) -> None:
        """Take in a game and its digest."""
        number = record.number
        if former := self._digests.pop(number, ""):
            self._seen[former] -= 1
            if not self._seen[former]:
                del self._seen[former], self._numbers[former]
        if record.verdict == Verdict.VOID:
            return
        self._digests[number] = digest
        self._seen[digest] += 1
        if self._numbers.setdefault(digest, number) != number and self.first is None:
            self.first = (number, self._numbers[digest])

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self._digests)

    @property
    def distinct(self) -> int:
        """The number of different games."""
        return len(self._seen)

    def __str__(self) -> str:
        games = "1 game" if self.games == 1 else f"{self.games} games"
        return f"{games}, {self.distinct} distinct"

    def warning(self) -> str:
        """Return a warning about the first repetition; empty if there is none."""
        if self.first is None:
            return ""
        number, earlier = self.first
        return (
            f"warning: game {number} repeats game {earlier}: opening, engines, colours and moves "
            "are the same. The score counts every game, but error bars, LOS and sequential tests "
            f"count equal pairs of games once; {ADVICE}"
        )
