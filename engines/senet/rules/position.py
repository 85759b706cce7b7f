"""A position of Senet: the men of both sides, the side that throws or moves, and the throw. Hot."""

from collections.abc import Sequence

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

from engines.core.game import Move, Outcome, Side
from engines.senet.rules.track import (
    count,
    foremost,
    movable,
    moved,
    rearmost,
    square_of,
    steps_of,
    throws_again,
)

REASON = "all men off"


class SenetPosition:
    """The men of both sides, the side that throws and then moves, and its throw.

    The throw is 0 while it is due, and `turn` is then 2 (CHANCE). A move is a throw (1 to 5) while
    one is due, otherwise the square of the man that moves. If a throw allows no move, the next
    throw is due immediately.
    """

    def __init__(
        self,
        first: int,
        second: int,
        thrower: Side,
        throw: int,
        forced: int,
        passing: int,
        over: int,
    ) -> None:
        self.first = first
        self.second = second
        self.thrower = thrower
        self.throw = throw
        self.forced = forced
        self.passing = passing
        self.over = over
        self._past: list[int] = []

    @property
    def turn(self) -> Side:
        """The side to move, or CHANCE while a throw is due."""
        return self.thrower if self.throw else 2

    def men(self, side: Side) -> list[int]:
        """List the squares of a side's men in ascending order."""
        mask = self.second if side else self.first
        return [square for square in range(1, 30) if mask >> (square - 1) & 1]

    def legal_moves(self) -> Sequence[Move]:
        """List every legal move: the throws while one is due, otherwise the squares of men."""
        if self.first == 0 or self.second == 0:
            return []
        if self.throw == 0:
            return [1, 2, 3, 4, 5]
        mask = self._sources(self.throw)
        return [square for square in range(1, 30) if mask >> (square - 1) & 1]

    def _sources(self, throw: int) -> int:
        if self.thrower:
            men = movable(self.second, self.first, steps_of(throw), self.over)
        else:
            men = movable(self.first, self.second, steps_of(throw), self.over)
        if self.forced:
            men &= foremost(self.second if self.thrower else self.first)
        return men

    def play(self, move: Move) -> None:
        """Throw, or move a man; the caller guarantees that the move is legal."""
        self._past.append(self._key())
        self._make(move)

    def _make(self, move: int) -> None:
        if self.throw == 0:
            if self._sources(move):
                self.throw = move
            elif self.passing and not throws_again(move):
                self.thrower ^= 1
                self.forced = 0
            return
        if self.thrower:
            after = moved(self.second, self.first, self._bit(move), steps_of(self.throw))
            self.second = after & 0x1FFFFFFF
            self.first = after >> 32
        else:
            after = moved(self.first, self.second, self._bit(move), steps_of(self.throw))
            self.first = after & 0x1FFFFFFF
            self.second = after >> 32
        self.forced = 0
        if self.first and self.second and not throws_again(self.throw):
            self.thrower ^= 1
        self.throw = 0

    def _bit(self, square: int) -> int:
        # A shift of the Python integer 1 would be a C int when compiled; 29 bits fit.
        return 1 << (square - 1)

    def undo(self) -> None:
        """Take the last throw or move back; the caller guarantees that there is one."""
        self._restore(self._past.pop())

    def _restore(self, key: int) -> None:
        self.first = key & 0x1FFFFFFF
        self.second = key >> 29 & 0x1FFFFFFF
        self.throw = key >> 58 & 7
        self.thrower = key >> 61 & 1
        self.forced = key >> 62 & 1

    def key(self) -> int:
        """Return the whole position as a number below 2**63."""
        return self._key()

    def _key(self) -> int:
        key = self.first
        key |= self._high(self.second, 29)
        key |= self._high(self.throw, 58)
        key |= self._high(self.thrower, 61)
        key |= self._high(self.forced, 62)
        return key

    def _high(self, value: int, places: int) -> int:
        return value << places

    def outcome(self) -> Outcome | None:
        """Return the win of the side that has all its men off, if any."""
        if self.first and self.second:
            return None
        return Outcome(1 if self.first else 0, REASON)

    def copy(self) -> "SenetPosition":
        """Return an independent position with its own undo history."""
        twin = SenetPosition(
            self.first, self.second, self.thrower, self.throw, self.forced, self.passing, self.over
        )
        twin._past = self._past.copy()
        return twin

    def perft(self, depth: int) -> int:
        """Count sequences of `depth` throws and moves; games that end earlier are not counted."""
        with cython.nogil:
            return self._perft(depth)

    def _perft(self, depth: int) -> int:
        if depth == 0:
            return 1
        if self.first == 0 or self.second == 0:
            return 0
        if self.throw and depth == 1:
            return count(self._sources(self.throw))
        key = self._key()
        total = 0
        if self.throw == 0:
            for throw in range(1, 6):
                self._make(throw)
                total += self._perft(depth - 1)
                self._restore(key)
            return total
        men = self._sources(self.throw)
        while men:
            self._make(square_of(men & -men))
            total += self._perft(depth - 1)
            self._restore(key)
            men &= men - 1
        return total

    def play_out(self, games: int, seed: int) -> int:
        """Play random games from here to their ends; return how many the first side wins."""
        with cython.nogil:
            return self._play_out(games, seed)

    def _play_out(self, games: int, seed: int) -> int:
        # The whole game is kept in local variables: updating the fields costs a third of the speed.
        state = 1 + seed % 0x7FFFFFFE  # Lehmer's generator.
        wins = 0
        for _ in range(games):
            own = self.second if self.thrower else self.first
            enemy = self.first if self.thrower else self.second
            side = self.thrower
            throw = self.throw
            forced = self.forced
            while own and enemy:
                state = state * 48271 % 0x7FFFFFFF
                if throw == 0:
                    throw = 1 + state % 5
                men = movable(own, enemy, steps_of(throw), self.over)
                if forced:
                    men &= foremost(own)
                again = throws_again(throw)
                if men:
                    forced = 0
                    if men & (men - 1):
                        men = rearmost(men, state * count(men) >> 31)
                    after = moved(own, enemy, men, steps_of(throw))
                    own = after & 0x1FFFFFFF
                    enemy = after >> 32
                elif not self.passing:
                    again = 1
                throw = 0
                if not again and own:
                    own, enemy = enemy, own
                    side ^= 1
            if own == 0:
                wins += side ^ 1
            else:
                wins += side
        return wins
