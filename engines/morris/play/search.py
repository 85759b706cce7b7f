"""Search for the best move: principal variation search with transposition and exact tables.

Hot and without the GIL. Scores are hundredths of a man for the side to move. WIN minus the plies to
the end is a forced win; TABLE minus the plies into the exact tables is a win that these know.
"""

import time
from array import array
from collections.abc import Callable, Sequence
from typing import Final

from engines.morris.play.evaluation import evaluate, strikes
from engines.morris.play.ordering import Ordering
from engines.morris.rules.board import MOST_MOVES, NONE, Generator, count, neighbours
from engines.morris.rules.symmetry import Symmetries
from engines.morris.tables.oracle import Oracle

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

WIN: Final = 30_000
TABLE: Final = 20_000
DECIDED: Final = 15_000
"""Scores beyond this one are forced."""

DEEPEST: Final = 60
# Typed copies, for code without the GIL.
_WIN = WIN
_TABLE = TABLE
_DECIDED = DECIDED
_PLIES = 96
_STRIDE = MOST_MOVES
_NONE = NONE
_CROWD = 11  # With so many men, the search may prune by guesses; with fewer, single moves decide.
_POLL = (
    2048 if cython.compiled else 32
)  # Nodes between polls: about a millisecond, unless tables are slow.
_LONG = 0.002  # If a poll comes later than this, in seconds, polls become more frequent.
_EXACT = 0
_LOWER = 1
_UPPER = 2

SLACK: Final = 60
"""Hundredths of a man per ply by which a quiet position may change."""


class Tree:
    """The search of one variant, one at a time; it keeps what it learns until `clear`."""

    def __init__(
        self, oracle: Oracle, *, flying: bool, doubles: bool, limit: int, size: int
    ) -> None:
        self.oracle = oracle
        self.symmetries = Symmetries()
        self.generator = Generator(flying, doubles, _PLIES)
        self.grounded = not flying
        self.limit = limit
        self.mask = (1 << size) - 1
        self.keys = array("q", bytes(8 << size))
        self.entries = array("q", bytes(8 << size))
        self.ordering = Ordering(self.generator, _PLIES)
        self.line = array("i", bytes(4 * _PLIES * _PLIES))
        self.lengths = array("i", bytes(4 * (_PLIES + 1)))
        self.path = array("q", bytes(8 * (256 + _PLIES)))
        self.table_men = 0
        self.nodes = 0
        self.interval = _POLL
        self.slack = SLACK

    def clear(self) -> None:
        """Forget all earlier searches."""
        size = self.mask + 1
        self.keys = array("q", bytes(8 * size))
        self.entries = array("q", bytes(8 * size))
        self.ordering.clear()

    def begin(
        self,
        state: tuple[int, int, int, int, int],
        past: Sequence[int],
        deadline: float,
        nodes: int,
        stop: Callable[[], bool],
    ) -> None:
        """Set the root (men and hands of mover and opponent, quiet plies), and the limits.

        `past` holds the positions since the last capture as `own | enemy << 24`, the oldest first.
        """
        self.own, self.enemy, self.own_hand, self.enemy_hand, self.quiet = state
        kept = past[max(0, len(past) - 200) :]
        for at, key in enumerate(kept):
            self.path[at] = key
        self.base = len(kept)
        self.deadline = deadline
        self.most_nodes = nodes
        self.stop = stop
        self.nodes = 0
        self.interval = min(self.interval, _POLL)
        self.polled = time.monotonic()
        self.next_poll = min(self.interval, nodes)
        self.halted = 0
        self.passed = -1
        self.table_men = self.oracle.refresh()
        self.ordering.begin()

    def ignore_tables(self, men: int) -> None:
        """Use the exact tables only for positions with fewer than `men` men, until `begin`."""
        self.table_men = min(self.table_men, men - 1)

    def search(self, depth: int, moves: Sequence[int], alpha: int, beta: int) -> tuple[int, int]:
        """Return the best of some root moves and its score; meaningless if `was_halted`."""
        best, chosen = -WIN - 1, -1
        self.depth = depth
        for number, move in enumerate(moves):
            score = self._root(move, depth, max(alpha, best), beta, number == 0)
            if self.halted:
                break
            if score > best:
                best, chosen = score, move
                self._extend(0, move)
                if best >= beta:
                    break
        return chosen, best

    def was_halted(self) -> bool:
        """Return whether a limit interrupted the last search."""
        return bool(self.halted)

    def counted(self) -> int:
        """Return the number of nodes visited since `begin`."""
        return self.nodes

    def variation(self) -> list[int]:
        """Return the principal variation."""
        return [self.line[at] for at in range(self.lengths[0])]

    def _root(self, move: int, depth: int, alpha: int, beta: int, first: bool) -> int:
        self.path[self.base] = self._key(self.own, self.enemy)
        high = beta if first else alpha + 1
        with cython.nogil:
            score = self._child(
                self.own, self.enemy, self.own_hand, self.enemy_hand, self.quiet,
                move, depth - 1, alpha, high, 0,
            )  # fmt: skip
            if high < beta and alpha < score < beta:
                score = self._child(
                    self.own, self.enemy, self.own_hand, self.enemy_hand, self.quiet,
                    move, depth - 1, alpha, beta, 0,
                )  # fmt: skip
        return score

    def _poll(self) -> None:
        now = time.monotonic()
        if now - self.polled > _LONG:
            self.interval = max(self.interval // 2, 16)
        elif self.interval < _POLL:
            self.interval += 16
        self.polled = now
        self.next_poll = min(self.nodes + self.interval, self.most_nodes)
        if self.nodes >= self.most_nodes or now >= self.deadline or self.stop():
            self.halted = 1

    def _key(self, own: int, enemy: int) -> int:
        key = enemy
        return key << 24 | own

    def _extend(self, ply: int, move: int) -> None:
        """Store a move, followed by the principal variation of the next ply."""
        length = self.lengths[ply + 1]
        self.line[ply * _PLIES] = move
        for at in range(length):
            self.line[ply * _PLIES + at + 1] = self.line[(ply + 1) * _PLIES + at]
        self.lengths[ply] = length + 1

    def _child(
        self,
        own: int,
        enemy: int,
        own_hand: int,
        enemy_hand: int,
        quiet: int,
        move: int,
        depth: int,
        alpha: int,
        beta: int,
        ply: int,
    ) -> int:
        """Return the score of a move for its mover."""
        own |= 1 << (move & 31)
        start = move >> 5 & 31
        quiet += 1
        if start == _NONE:
            own_hand -= 1
            quiet = 0
        else:
            own ^= 1 << start
        if move >> 10 & 31 != _NONE:
            quiet = 0
            enemy ^= 1 << (move >> 10 & 31)
            if move >> 15 & 31 != _NONE:
                enemy ^= 1 << (move >> 15 & 31)
        return -self._search(enemy, own, enemy_hand, own_hand, quiet, depth, -beta, -alpha, ply + 1)

    def _repeats(self, key: int, quiet: int, ply: int) -> bool:
        at = self.base + ply - 4
        lowest = self.base + ply - quiet
        if lowest < 0:
            lowest = 0
        while at >= lowest:
            if self.path[at] == key:
                return True
            at -= 2
        return False

    def _judge(self, value: int, own: int, enemy: int, quiet: int, ply: int) -> int:
        """Convert a table's value to a score; a win that comes too late is a draw."""
        plies = value >> 1
        deep = self.oracle._has_distances(own, enemy)
        if value == 0 or (deep and quiet + plies > self.limit):
            # Among draws, one with more free points and threats is harder for the opponent.
            score = evaluate(own, enemy, 0, 0) // 16
            return -20 if score < -20 else 20 if score > 20 else score
        if value & 1:
            return ply + plies - _TABLE
        return _TABLE - ply - plies

    def _search(
        self,
        own: int,
        enemy: int,
        own_hand: int,
        enemy_hand: int,
        quiet: int,
        depth: int,
        alpha: int,
        beta: int,
        ply: int,
    ) -> int:
        self.lengths[ply] = 0
        if count(own) + own_hand < 3:
            return ply - _WIN
        self.nodes += 1
        if self.nodes >= self.next_poll:
            self._poll()
        if self.halted != 0:
            return 0
        key = self._key(own, enemy)
        self.path[self.base + ply] = key
        if quiet >= 4 and self._repeats(key, quiet, ply):
            return 0
        if own_hand == 0 and enemy_hand == 0 and count(own | enemy) <= self.table_men:
            value = self.oracle._value(own, enemy)
            if value >= 0:
                return self._judge(value, own, enemy, quiet, ply)
            if value == -2 and beta <= -20:
                return -20
        if quiet >= self.limit:
            blocked = self.generator._count(own, enemy, own_hand) == 0
            return ply - _WIN if blocked else 0
        if depth <= 0 or ply >= _PLIES - 2:
            return self._settle(own, enemy, own_hand, enemy_hand, alpha, beta, ply, 4)

        number = self.symmetries._choose(own, enemy)
        folded = self._key(
            self.symmetries._image(enemy, number), self.symmetries._image(own, number)
        )
        hands = own_hand << 4 | enemy_hand
        folded |= hands << 48
        slot = self._slot(folded)
        hint = -1
        if self.keys[slot] == folded:
            entry = self.entries[slot]
            if entry & 1048575:
                hint = self.symmetries._move(entry & 1048575, self.symmetries._inverse(number))
            if (entry >> 20 & 255) >= depth and quiet + depth < self.limit:
                score = (entry >> 32) - 32768
                if score > _DECIDED:
                    score -= ply
                elif score < -_DECIDED:
                    score += ply
                kind = entry >> 28 & 3
                if (
                    kind == _EXACT
                    or (kind == _LOWER and score >= beta)
                    or (kind == _UPPER and score <= alpha)
                ):
                    return score

        free = ~(own | enemy) & 0xFFFFFF
        danger = strikes(enemy, free, enemy_hand, self.grounded)
        worth = _WIN
        if (
            beta - alpha == 1
            and -_DECIDED < alpha < _DECIDED
            and count(own | enemy) + own_hand + enemy_hand >= _CROWD
            and (own_hand or neighbours(own) & free)
        ):
            worth = evaluate(own, enemy, own_hand, enemy_hand)
            if depth >= 3 and worth >= beta and own_hand and enemy_hand and self.passed != ply:
                # While placing, one more man never harms: if even a pass is good enough, cut.
                before = self.passed
                self.passed = ply + 1
                score = -self._search(
                    enemy, own, enemy_hand, own_hand, 0, depth - 4, -beta, -alpha, ply + 1
                )
                self.passed = before
                if self.halted != 0:
                    return 0
                if score >= beta:
                    return score if score < _DECIDED else beta
                self.lengths[ply] = 0
            if danger:
                worth = _WIN
            elif depth <= 5 and worth - self.slack * depth >= beta:
                return worth
        if hint < 0 and depth >= 4:
            depth -= 1

        base = ply * _STRIDE
        end = self.generator._fill(own, enemy, own_hand, base)
        if end == base:
            return ply - _WIN
        self.ordering._arrange(base, end, hint, ply)
        self.ordering._sharpen(base, end, own, enemy, enemy_hand, danger)
        best = -_WIN
        chosen = 0
        low = alpha
        for at in range(base, end):
            self.ordering._select(at, end)
            move = self.generator.room[at]
            capture = move >> 10 & 31 != _NONE
            if (
                not capture
                and depth <= 3
                and best > -_DECIDED
                and worth + self.slack * depth <= alpha
            ):
                continue
            further = depth - 1
            if capture and ply < 2 * self.depth:
                further = depth  # After a closed mill, the reply is searched at the same depth.
            reduced = further
            high = low + 1
            if at == base:
                high = beta
            elif capture:
                if at - base >= 2 and depth >= 2:
                    reduced = depth - 1 if at - base < 6 else depth - 2
            elif depth >= 2 and at - base >= 2:
                reduced -= 1 if at - base < 8 else 2
                if reduced < further and (depth == 2) + (danger >> (move & 31) & 1):
                    reduced += 1
            score = self._child(
                own, enemy, own_hand, enemy_hand, quiet, move, reduced, low, high, ply
            )
            if score > low and reduced < further:
                score = self._child(
                    own, enemy, own_hand, enemy_hand, quiet, move, further, low, high, ply
                )
            if high < beta and low < score < beta:
                score = self._child(
                    own, enemy, own_hand, enemy_hand, quiet, move, further, low, beta, ply
                )
            if self.halted != 0:
                return 0
            if score > best:
                best = score
                chosen = move
                if score > low:
                    low = score
                    self._extend(ply, move)
                    if score >= beta:
                        self.ordering._praise(move, depth, ply)
                        break
        kind = _EXACT
        if best >= beta:
            kind = _LOWER
        elif best <= alpha:
            kind = _UPPER
        self._keep(slot, folded, number, depth, kind, best, chosen, ply)
        return best

    def _settle(
        self,
        own: int,
        enemy: int,
        own_hand: int,
        enemy_hand: int,
        alpha: int,
        beta: int,
        ply: int,
        depth: int,
    ) -> int:
        """Search the moves that close a mill now; otherwise return the static evaluation."""
        self.lengths[ply] = 0
        if count(own) + own_hand < 3:
            return ply - _WIN
        free = ~(own | enemy) & 0xFFFFFF
        if own_hand == 0 and not neighbours(own) & free and (self.grounded or count(own) > 3):
            return ply - _WIN
        best = evaluate(own, enemy, own_hand, enemy_hand)
        if best >= beta or depth == 0 or ply >= _PLIES - 1:
            return best
        if not enemy or not strikes(own, free, own_hand, self.grounded):
            return best
        base = ply * _STRIDE
        end = self.generator._fill(own, enemy, own_hand, base)
        self.ordering._arrange(base, end, -1, ply)
        low = best if best > alpha else alpha
        for at in range(base, end):
            self.ordering._select(at, end)
            move = self.generator.room[at]
            if move >> 10 & 31 == _NONE:
                break
            self.nodes += 1
            men = own | 1 << (move & 31)
            hand = own_hand
            if move >> 5 & 31 == _NONE:
                hand -= 1
            else:
                men ^= 1 << (move >> 5 & 31)
            left = enemy ^ 1 << (move >> 10 & 31)
            if move >> 15 & 31 != _NONE:
                left ^= 1 << (move >> 15 & 31)
            score = -self._settle(left, men, enemy_hand, hand, -beta, -low, ply + 1, depth - 1)
            if score > best:
                best = score
                if score > low:
                    low = score
                    if score >= beta:
                        break
        return best

    def _slot(self, folded: int) -> int:
        low = folded & 0x7FFFFFFF
        high = folded >> 31
        return (low * 0x1E3779B1 + high * 0x45EBCA6B >> 20) & self.mask

    def _keep(
        self,
        slot: int,
        folded: int,
        number: int,
        depth: int,
        kind: int,
        score: int,
        move: int,
        ply: int,
    ) -> None:
        if self.keys[slot] == folded and (self.entries[slot] >> 20 & 255) > depth + 2:
            return
        if score > _DECIDED:
            score += ply
        elif score < -_DECIDED:
            score -= ply
        self.keys[slot] = folded
        packed = score + 32768
        self.entries[slot] = (
            packed << 32 | kind << 28 | depth << 20 | self.symmetries._move(move, number)
        )
