"""A position of Nine Men's Morris: men, men in hand, quiet plies, and the legal moves.

Hot: counting move sequences and random games run without the GIL.
"""

from typing import Final, Self

from engines.core.game import Outcome, Side
from engines.morris.rules.board import MOST_MOVES, NONE, Generator, count, removable

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

MEN: Final = 9
QUIET_PLIES: Final = 100
"""The game ends after so many plies of the moving phase without a capture."""

NO_MEN: Final = "fewer than three men"
NO_MOVE: Final = "no legal move"
QUIET: Final = "100 plies without a capture"

_NEVER: Final = 1 << 30
_NONE = NONE  # Typed copies, for code without the GIL.
_STRIDE = MOST_MOVES


class Position:
    """A mutable position; men and hands are stored as the mover's (`own`) and the opponent's."""

    def __init__(
        self,
        *,
        white: int = 0,
        black: int = 0,
        hands: tuple[int, int] = (MEN, MEN),
        turn: Side = 0,
        quiet: int = 0,
        flying: bool = True,
        doubles: bool = False,
        draws: bool = True,
    ) -> None:
        self.turn = turn
        self.own, self.enemy = (black, white) if turn else (white, black)
        self.own_hand, self.enemy_hand = (hands[1], hands[0]) if turn else hands
        self.quiet = quiet
        self.flying = flying
        self.doubles = doubles
        self.limit = QUIET_PLIES if draws else _NEVER
        self.generator = Generator(flying, doubles, 1)
        self.past: list[tuple[int, int, int, int, int]] = []

    def men(self, side: Side) -> int:
        """Return the points on which a side has men."""
        return self.own if side == self.turn else self.enemy

    def hand(self, side: Side) -> int:
        """Return how many men a side still has to place."""
        return self.own_hand if side == self.turn else self.enemy_hand

    def quiet_plies(self) -> int:
        """Return the number of plies of the moving phase since the last capture."""
        return self.quiet

    def quiet_limit(self) -> int:
        """Return how many quiet plies end the game: far too many if there are no draws."""
        return self.limit

    def has_draws(self) -> bool:
        """Return whether a hundred quiet plies, or a repetition, end the game."""
        return self.limit < _NEVER

    def may_fly(self) -> bool:
        """Return whether the mover's men may go to any free point."""
        return bool(self.flying) and self.own_hand == 0 and count(self.own) == 3

    def legal_moves(self) -> list[int]:
        """List every legal move; empty once the game is over."""
        if self._is_over():
            return []
        return self.generator.moves(self.own, self.enemy, self.own_hand)

    def _is_over(self) -> bool:
        return (
            count(self.own) + self.own_hand < 3
            or count(self.enemy) + self.enemy_hand < 3
            or self.quiet >= self.limit
        )

    def outcome(self) -> Outcome | None:
        """Return how the game ended: a side without three men or a move, or too many quiet plies.

        A mover who is blocked at the hundredth quiet ply has lost.
        """
        if count(self.own) + self.own_hand < 3:
            return Outcome(1 - self.turn, NO_MEN)
        if count(self.enemy) + self.enemy_hand < 3:
            return Outcome(self.turn, NO_MEN)
        if self.generator._count(self.own, self.enemy, self.own_hand) == 0:
            return Outcome(1 - self.turn, NO_MOVE)
        if self.quiet >= self.limit:
            return Outcome(None, QUIET)
        return None

    def play(self, move: int) -> None:
        """Make a move; legality is the caller's."""
        own, enemy, hand, quiet = self.own, self.enemy, self.own_hand, self.quiet
        self.past.append((own, enemy, hand, self.enemy_hand, quiet))
        own |= 1 << (move & 31)
        start = move >> 5 & 31
        if start == NONE:
            hand -= 1
            quiet = 0
        else:
            own ^= 1 << start
            quiet += 1
        if move >> 10 & 31 != NONE:
            enemy ^= 1 << (move >> 10 & 31)
            quiet = 0
        if move >> 15 & 31 != NONE:
            enemy ^= 1 << (move >> 15 & 31)
        self.own, self.enemy = enemy, own
        self.own_hand, self.enemy_hand = self.enemy_hand, hand
        self.quiet = quiet
        self.turn = 1 - self.turn

    def undo(self) -> None:
        """Take the last move back; that there is one is the caller's."""
        self.own, self.enemy, self.own_hand, self.enemy_hand, self.quiet = self.past.pop()
        self.turn = 1 - self.turn

    def key(self) -> int:
        """Return the whole position, except the quiet plies, in 57 bits.

        A capture or a placement leaves fewer men in play or in hand for good, so a key can only
        repeat one that occurred after the last of them.
        """
        enemy = self.enemy
        hands = self.own_hand | self.enemy_hand << 4 | self.turn << 8
        return self.own | enemy << 24 | hands << 48

    def copy(self) -> Self:
        """Return an independent position, its own undo history included."""
        white, black = (self.enemy, self.own) if self.turn else (self.own, self.enemy)
        twin = type(self)(
            white=white,
            black=black,
            hands=(self.hand(0), self.hand(1)),
            turn=self.turn,
            quiet=self.quiet,
            flying=bool(self.flying),
            doubles=bool(self.doubles),
            draws=self.has_draws(),
        )
        twin.past = self.past.copy()
        return twin

    def perft(self, depth: int) -> int:
        """Count the move sequences of `depth` plies; games that end earlier are not counted."""
        return self._perft(depth, False)

    def perft_apart(self, depth: int) -> int:
        """Count as `perft` does, but count each removal as a separate ply."""
        return self._perft(depth, True)

    def _perft(self, depth: int, apart: bool) -> int:
        counter = _Counter(bool(self.flying), bool(self.doubles), self.limit, depth)
        if depth == 0:
            return 1
        own, enemy, own_hand, enemy_hand = self.own, self.enemy, self.own_hand, self.enemy_hand
        return counter.run(own, enemy, own_hand, enemy_hand, self.quiet, depth, apart)

    def random_games(self, games: int, seed: int) -> int:
        """Play random games, of at most a hundred quiet plies each; return the number of plies."""
        counter = _Counter(bool(self.flying), bool(self.doubles), QUIET_PLIES, 1)
        own, enemy, own_hand, enemy_hand = self.own, self.enemy, self.own_hand, self.enemy_hand
        return counter.play(own, enemy, own_hand, enemy_hand, self.quiet, games, seed)


class _Counter:
    def __init__(self, flying: bool, doubles: bool, limit: int, depth: int) -> None:
        self.generator = Generator(flying, doubles, max(depth, 1))
        self.limit = limit
        self.random = 0

    def run(
        self,
        own: int,
        enemy: int,
        own_hand: int,
        enemy_hand: int,
        quiet: int,
        depth: int,
        apart: bool,
    ) -> int:
        with cython.nogil:
            if apart:
                return self._apart(own, enemy, own_hand, enemy_hand, quiet, depth, 0)
            return self._whole(own, enemy, own_hand, enemy_hand, quiet, depth, 0)

    def _whole(
        self,
        own: int,
        enemy: int,
        own_hand: int,
        enemy_hand: int,
        quiet: int,
        depth: int,
        base: int,
    ) -> int:
        if count(own) + own_hand < 3 or count(enemy) + enemy_hand < 3 or quiet >= self.limit:
            return 0
        if depth == 1:
            return self.generator._count(own, enemy, own_hand)
        end = self.generator._fill(own, enemy, own_hand, base)
        total = 0
        for index in range(base, end):
            move = self.generator.room[index]
            men = own | 1 << (move & 31)
            hand = own_hand
            calm = quiet + 1
            start = move >> 5 & 31
            if start == _NONE:
                hand -= 1
                calm = 0
            else:
                men ^= 1 << start
            left = enemy
            if move >> 10 & 31 != _NONE:
                left ^= 1 << (move >> 10 & 31)
                calm = 0
                if move >> 15 & 31 != _NONE:
                    left ^= 1 << (move >> 15 & 31)
            total += self._whole(left, men, enemy_hand, hand, calm, depth - 1, base + _STRIDE)
        return total

    def _apart(
        self,
        own: int,
        enemy: int,
        own_hand: int,
        enemy_hand: int,
        quiet: int,
        depth: int,
        base: int,
    ) -> int:
        if depth == 0:
            return 1
        if count(own) + own_hand < 3 or count(enemy) + enemy_hand < 3 or quiet >= self.limit:
            return 0
        if depth == 1:
            return self.generator._count_steps(own, enemy, own_hand)
        end = self.generator._fill(own, enemy, own_hand, base)
        total = 0
        done = -1
        for index in range(base, end):
            move = self.generator.room[index]
            if move & 1023 == done:
                continue
            done = move & 1023
            men = own | 1 << (move & 31)
            hand = own_hand
            calm = quiet + 1
            start = move >> 5 & 31
            if start == _NONE:
                hand -= 1
                calm = 0
            else:
                men ^= 1 << start
            further = base + _STRIDE
            if move >> 10 & 31 == _NONE:
                total += self._apart(enemy, men, enemy_hand, hand, calm, depth - 1, further)
                continue
            prey = removable(enemy)
            while prey:
                first = prey & ~(prey - 1)
                prey ^= first
                left = enemy ^ first
                if depth == 2 or move >> 15 & 31 == _NONE:
                    total += self._apart(left, men, enemy_hand, hand, 0, depth - 2, further)
                    continue
                second = removable(left)
                while second:
                    victim = second & ~(second - 1)
                    second ^= victim
                    total += self._apart(
                        left ^ victim, men, enemy_hand, hand, 0, depth - 3, further
                    )
        return total

    def play(
        self,
        own: int,
        enemy: int,
        own_hand: int,
        enemy_hand: int,
        quiet: int,
        games: int,
        seed: int,
    ) -> int:
        self.random = seed & 0x7FFFFFFF
        plies = 0
        with cython.nogil:
            for _ in range(games):
                plies += self._play(own, enemy, own_hand, enemy_hand, quiet)
        return plies

    def _play(self, own: int, enemy: int, own_hand: int, enemy_hand: int, quiet: int) -> int:
        plies = 0
        while count(own) + own_hand >= 3 and count(enemy) + enemy_hand >= 3 and quiet < self.limit:
            end = self.generator._fill(own, enemy, own_hand, 0)
            if end == 0:
                break
            self.random = self.random * 1103515245 + 12345 & 0x7FFFFFFF
            move = self.generator.room[(self.random >> 8) % end]
            plies += 1
            quiet += 1
            own |= 1 << (move & 31)
            start = move >> 5 & 31
            if start == _NONE:
                own_hand -= 1
                quiet = 0
            else:
                own ^= 1 << start
            if move >> 10 & 31 != _NONE:
                enemy ^= 1 << (move >> 10 & 31)
                quiet = 0
                if move >> 15 & 31 != _NONE:
                    enemy ^= 1 << (move >> 15 & 31)
            own, enemy = enemy, own
            own_hand, enemy_hand = enemy_hand, own_hand
        return plies
