"""The hot part of the search: alpha-beta over safe turns, with a transposition table."""

import time
from array import array
from collections.abc import Callable, Sequence
from mmap import mmap
from typing import Final

try:
    import cython
except ImportError:  # Interpreted, and Cython is not installed.
    from engines.core import uncompiled as cython

from engines.neutron.play.evaluation import Evaluation
from engines.neutron.rules.board import BLOCKS, BOARD, MOST_MOVES, NOWHERE

WIN: Final = 30000  # A win is this minus the turns to it.
PROVED: Final = 29000  # Scores beyond this are exact.
DEEPEST: Final = 100  # Turns from the root, including extensions.
FOREVER: Final = 1 << 60

# Compiled code reads these private C globals, which other modules cannot see.
_WIN = WIN
_PROVED = PROVED
_DEEPEST = DEEPEST
_BLOCKS = BLOCKS
_NOWHERE = NOWHERE
_MOST_MOVES = MOST_MOVES
_FACTOR = 0x1E3779B97F4A7C15
_MASK = (1 << 63) - 1
_NODES_BETWEEN_POLLS = 2048 if cython.compiled else 16  # About a millisecond, compiled or not.
_THOROUGH = 1 << 57  # A bit of the key: without reductions, a bound means more.
_UPPER, _LOWER, _EXACT = 1, 2, 3


def _make_table(bits: int) -> memoryview:
    """Return pairs of key and entry, all zero; pages that are never used take no memory."""
    return memoryview(mmap(-1, 16 << bits)).cast("q")


class Tree:
    """The search of one thread, with all that it remembers from move to move."""

    def __init__(self, evaluation: Evaluation, table_bits: int, noise: int, seed: int) -> None:
        self.board = BOARD
        self.evaluation = evaluation
        self.noise = noise
        self.seed = seed
        self.table_bits = table_bits
        self.table = _make_table(table_bits)
        self.moves = array("i", [0] * (MOST_MOVES * (DEEPEST + 2)))
        self.order = array("i", [0] * (MOST_MOVES * (DEEPEST + 2)))
        self.killers = array("i", [0] * (2 * (DEEPEST + 2)))
        self.history = array("i", [0] * 4096)
        self.path = array("q", [0] * (DEEPEST + 2))
        self.drawn = array("q", [0])
        self.drawn_count = 0
        self.root_moves = array("i", [0] * MOST_MOVES)
        self.root_count = 0
        self.root_done = 0
        self.white = self.black = self.neutron = self.turn = 0
        self.kraus = False
        self.thorough = False
        self.mark = 0
        self.nodes = 0

    def forget(self) -> None:
        """Clear the table and the history."""
        self.table = _make_table(self.table_bits)
        self.history = array("i", [0] * 4096)
        self.killers = array("i", [0] * (2 * (DEEPEST + 2)))

    def set_root(
        self,
        men: tuple[int, int],
        neutron: int,
        turn: int,
        kraus: bool,
        moves: Sequence[int],
        drawn: Sequence[int],
    ) -> None:
        """Set the root: the position, its turns in order, and the keys of draws by repetition."""
        self.white, self.black = men
        self.neutron, self.turn, self.kraus = neutron, turn, kraus
        self.root_count = len(moves)
        for index, move in enumerate(moves):
            self.root_moves[index] = move
        self.drawn = array("q", [*drawn, 0])
        self.drawn_count = len(drawn)
        self._fade()

    def limit(self, deadline: float, nodes: int, stop: Callable[[], bool]) -> None:
        """Set the limits: the search ends at `nodes`, `deadline` (time.monotonic) or `stop`."""
        self.deadline = deadline
        self.node_limit = nodes
        self.stop = stop
        self.stopped = 0
        self.nodes = 0
        self.next_check = min(nodes, _NODES_BETWEEN_POLLS)

    def limit_nodes(self, nodes: int) -> None:
        """Lower the limit on nodes."""
        self.node_limit = min(self.node_limit, nodes)
        self.next_check = min(self.next_check, self.node_limit)

    def set_thorough(self, thorough: bool) -> None:
        """Search without reductions from now on, so that no shorter win is missed."""
        self.thorough = thorough
        self.mark = _THOROUGH if thorough else 0

    def deepen(self, depth: int, alpha: int, beta: int) -> int:
        """Search the root to a depth; return the best score found above `alpha`."""
        with cython.nogil:
            return self._root(depth, alpha, beta)

    def root_move(self, index: int) -> int:
        """Return a root move: 0 is the best so far, those from `tried()` on are not searched."""
        move: int = self.root_moves[index]
        return move

    def tried(self) -> int:
        """Return how many root moves the last `deepen` has finished."""
        return self.root_done

    def is_stopped(self) -> bool:
        """Return whether a limit has ended the search."""
        return self.stopped > 0

    def stored_move(self, key: int) -> int:
        """Return the table's move for a position, or 0."""
        at = self._find(key | _THOROUGH)
        if at < 0:
            at = self._find(key)
        if at < 0:
            return 0
        return (key >> 50 & 31) | (self.table[at + 1] >> 16 & 0x7FFF) << 5

    def _root(self, depth: int, alpha: int, beta: int) -> int:
        """Search every root move; the best one comes first in `root_moves`."""
        best = alpha
        index = 0
        self.root_done = 0
        own, enemy = (self.black, self.white) if self.turn else (self.white, self.black)
        self.path[0] = self._key(own, enemy, self.neutron, self.turn)
        while index < self.root_count:
            move = self.root_moves[index]
            score = 0
            if index:
                score = -self._child(own, enemy, move, depth, -best - 1, -best)
            if index == 0 or (score > best and self.stopped == 0):
                score = -self._child(own, enemy, move, depth, -beta, -best)
            if self.stopped > 0:
                break
            self.root_done += 1
            if score > best:
                best = score
                at = index
                while at > 0:
                    self.root_moves[at] = self.root_moves[at - 1]
                    at -= 1
                self.root_moves[0] = move
            if best >= beta:
                break
            index += 1
        return best

    def _child(self, own: int, enemy: int, move: int, depth: int, alpha: int, beta: int) -> int:
        """Return the score of a root move for the enemy."""
        far = 0x1F if self.turn else 0x1F << 20
        to = move >> 5 & 31
        if to == _NOWHERE:
            to = self.neutron
        if to < 5 or to > 19:
            return 1 - _WIN if (to > 19) == (self.turn == 1) else _WIN - 1
        if move >> 15 == _NOWHERE:
            return _WIN - 1 if self.kraus else 0
        own = own ^ (1 << (move >> 10 & 31)) ^ (1 << (move >> 15))
        if not self.kraus and own == far:
            return 1 - _WIN
        if not self.board.near[to] & ~(own | enemy):
            return 1 - _WIN if self.kraus else 0
        if self.board.can_win(self.turn ^ 1, to, own | enemy):
            return _WIN - 2
        return self._node(enemy, own, to, self.turn ^ 1, depth - 1, alpha, beta, 1)

    def _node(
        self,
        own: int,
        enemy: int,
        neutron: int,
        side: int,
        depth: int,
        alpha: int,
        beta: int,
        ply: int,
    ) -> int:
        """Return the score of a node for the mover, who cannot win with the neutron alone."""
        if self.stopped > 0:
            return 0
        self.nodes += 1
        if self.nodes >= self.next_check:
            self._check()
            if self.stopped > 0:
                return 0
        key = self._key(own, enemy, neutron, side)
        back = ply - 4
        while back >= 0:
            if self.path[back] == key:
                return 0
            back -= 2
        for index in range(self.drawn_count):
            if self.drawn[index] == key:
                return 0
        self.path[ply] = key
        if not self.kraus and self.board.filling_turn(own, enemy, neutron, side):
            return _WIN - ply - 1
        if ply >= _DEEPEST:
            return 0
        if depth <= 0:
            if not self.board.can_answer(own, enemy, neutron, side):
                return self._lost(own, enemy, neutron, ply)
            return self._evaluate(own, enemy, neutron, side, key)
        # No score here can be better than a win now, or worse than a loss now.
        if alpha >= _WIN - ply - 1:
            return alpha
        if beta <= ply + 1 - _WIN:
            return beta
        first = -1
        slot = self._find(key | self.mark)
        if slot >= 0:
            entry = self.table[slot + 1]
            first = neutron | (entry >> 16 & 0x7FFF) << 5
            stored = (entry & 0xFFFF) - 32768
            if stored > _PROVED:
                stored -= ply
            elif stored < -_PROVED:
                stored += ply
            bound = entry >> 38 & 3
            deep = (entry >> 31 & 127) >= depth
            # A proof is valid at any depth, but there may be a shorter win.
            if bound != _UPPER and stored >= beta and (deep or stored > _PROVED):
                return stored
            if bound != _LOWER and stored <= alpha and (deep or stored < -_PROVED):
                return stored
            if bound == _EXACT and deep:
                return stored
        at = ply * _MOST_MOVES
        end = self.board.safe_turns(own, enemy, neutron, side, self.moves, at)
        if end == at:
            return self._lost(own, enemy, neutron, ply)
        self._rank_turns(at, end, own, enemy, side, ply, depth, first)
        if end == at + 1:
            depth += 1
        best = -_WIN
        best_move = 0
        searched = 0
        floor = alpha
        while at < end:
            pick = at
            index = at + 1
            while index < end:
                if self.order[index] > self.order[pick]:
                    pick = index
                index += 1
            move = self.moves[pick]
            self.moves[pick] = self.moves[at]
            self.order[pick] = self.order[at]
            at += 1
            if move & _BLOCKS:
                if not self.kraus:
                    score = 0
                elif (move >> 15 & 31) == _NOWHERE:
                    score = ply + 1 - _WIN
                else:
                    score = _WIN - ply - 1
            else:
                moved = own ^ (1 << (move >> 10 & 31)) ^ (1 << (move >> 15 & 31))
                to = move >> 5 & 31
                score = 0
                reduced = 0
                searched += 1
                if depth > 2 and searched > 2 and not self.thorough:
                    # Late turns are searched less deeply, which halves the nodes of a proof.
                    reduced = 1 if searched < 6 else 2
                    score = -self._node(
                        enemy, moved, to, side ^ 1, depth - 1 - reduced, -alpha - 1, -alpha, ply + 1
                    )
                if best > -_WIN and (reduced == 0 or score > alpha):
                    score = -self._node(
                        enemy, moved, to, side ^ 1, depth - 1, -alpha - 1, -alpha, ply + 1
                    )
                if best == -_WIN or (alpha < score < beta):
                    score = -self._node(
                        enemy, moved, to, side ^ 1, depth - 1, -beta, -alpha, ply + 1
                    )
            if self.stopped > 0:
                return 0
            if score > best:
                best = score
                best_move = move
                if score > alpha:
                    alpha = score
                    if score >= beta:
                        self._reward(move, side, ply, depth)
                        break
        bound = _LOWER if best >= beta else _EXACT if best > floor else _UPPER
        self._store(key | self.mark, best, bound, depth, best_move, ply)
        return best

    def _lost(self, own: int, enemy: int, neutron: int, ply: int) -> int:
        """Return the score of a mover without a safe turn: it loses now, or by the reply."""
        men = own | enemy
        targets = self.board.destinations(neutron, men) & 0x0FFFE0
        while targets:
            bit = targets & -targets
            targets ^= bit
            if self.board.can_move(own, men | bit):
                return ply + 2 - _WIN
        return ply + 1 - _WIN

    def _rank_turns(
        self, at: int, end: int, own: int, enemy: int, side: int, ply: int, depth: int, first: int
    ) -> None:
        while at < end:
            move = self.moves[at]
            if move & _BLOCKS:
                rank = 1 << 28 if self.kraus else 1 << 8
            elif move == first:
                rank = 1 << 29
            elif move == self.killers[2 * ply] or move == self.killers[2 * ply + 1]:
                rank = 1 << 27
            else:
                rank = (
                    self.history[side << 11 | (move & 1023)]
                    + self.history[side << 11 | 1024 | (move >> 10 & 1023)]
                )
                if depth > 1:
                    moved = own ^ (1 << (move >> 10 & 31)) ^ (1 << (move >> 15 & 31))
                    rank >>= 10
                    rank -= self.evaluation.evaluate(enemy, moved, move >> 5 & 31, side ^ 1)
            self.order[at] = rank
            at += 1

    def _fade(self) -> None:
        for index in range(4096):
            self.history[index] = self.history[index] >> 3

    def _reward(self, move: int, side: int, ply: int, depth: int) -> None:
        if move & _BLOCKS:
            return
        if self.killers[2 * ply] != move:
            self.killers[2 * ply + 1] = self.killers[2 * ply]
            self.killers[2 * ply] = move
        neutron = side << 11 | (move & 1023)
        man = side << 11 | 1024 | (move >> 10 & 1023)
        self.history[neutron] += depth * depth
        self.history[man] += depth * depth
        if self.history[neutron] > 1 << 25 or self.history[man] > 1 << 25:
            for index in range(4096):
                self.history[index] = self.history[index] >> 1

    def _key(self, own: int, enemy: int, neutron: int, side: int) -> int:
        """Return the same number as `Position.key` when the neutron is to be moved."""
        white, black = (enemy, own) if side else (own, enemy)
        rest = neutron | side << 5
        return white | black << 25 | rest << 50

    def _find(self, key: int) -> int:
        """Return the index of the key in the table, where its entry follows, or -1."""
        at = ((key * _FACTOR & _MASK) >> (63 - self.table_bits)) << 1
        if self.table[at] == key:
            return at
        at ^= 2
        if self.table[at] == key:
            return at
        return -1

    def _store(self, key: int, score: int, bound: int, depth: int, move: int, ply: int) -> None:
        if score > _PROVED:
            score += ply
        elif score < -_PROVED:
            score -= ply
        at = self._find(key)
        if at < 0:
            # Of the two slots of a key, one keeps the deeper search, the other the latest one.
            at = ((key * _FACTOR & _MASK) >> (63 - self.table_bits)) << 1 & ~2
            if (self.table[at + 1] >> 31 & 127) > depth:
                at |= 2
        high = move >> 5 & 0x7FFF | depth << 15 | bound << 22
        self.table[at] = key
        self.table[at + 1] = score + 32768 | high << 16

    def _evaluate(self, own: int, enemy: int, neutron: int, side: int, key: int) -> int:
        worth = self.evaluation.evaluate(own, enemy, neutron, side)
        if self.noise:
            mixed = (key ^ self.seed) * _FACTOR & _MASK
            mixed = (mixed ^ mixed >> 31) * _FACTOR & _MASK
            worth += (mixed >> 40) % (2 * self.noise + 1) - self.noise
        return max(-20000, min(20000, worth))

    def _check(self) -> None:
        if self.nodes >= self.node_limit:
            self.stopped = 1
            return
        self._poll()
        self.next_check = min(self.node_limit, self.nodes + _NODES_BETWEEN_POLLS)

    def _poll(self) -> None:
        if time.monotonic() >= self.deadline or self.stop():
            self.stopped = 1
