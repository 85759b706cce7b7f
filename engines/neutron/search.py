"""Alpha-beta with a table: only turns that do not lose at once are looked at, wins are exact."""

import time
from array import array
from collections.abc import Callable
from typing import Final

try:
    import cython
except ImportError:  # Interpreted without Cython.
    from engines.core import uncompiled as cython

from engines.core.game import Game, Move
from engines.core.search import Limits, Report, Score, Stop
from engines.neutron.board import (
    BLOCKS,
    BOARD,
    MOST_MOVES,
    NOWHERE,
)
from engines.neutron.evaluation import Evaluation
from engines.neutron.position import GOES_ON, Position

WIN: Final = 30000  # Less the turns to it.
PROVED: Final = 29000  # Scores beyond are exact.
DEEPEST: Final = 100  # Turns from the root, extensions included.
LOGIT: Final = 256  # The evaluation's unit.

# Compiled code reads C globals, which no other module sees: the same numbers under private names.
_WIN = WIN
_PROVED = PROVED
_DEEPEST = DEEPEST
_BLOCKS = BLOCKS
_NOWHERE = NOWHERE
_MOST_MOVES = MOST_MOVES
_GOES_ON = GOES_ON
_FACTOR = 0x1E3779B97F4A7C15
_MASK = (1 << 63) - 1
_NODES_BETWEEN_POLLS = 2048 if cython.compiled else 16  # About a millisecond either way.
_UPPER, _LOWER, _EXACT = 1, 2, 3


class Search:
    """One thread's search of one variant, with all that it remembers from move to move."""

    def __init__(self, evaluation: Evaluation, table_bits: int, noise: int, seed: int) -> None:
        self.board = BOARD
        self.evaluation = evaluation
        self.noise = noise
        self.seed = seed
        self.table_bits = table_bits
        self.keys = array("q", bytes(8 << table_bits))
        self.entries = array("q", bytes(8 << table_bits))
        self.moves = array("i", [0] * (MOST_MOVES * (DEEPEST + 2)))
        self.order = array("i", [0] * (MOST_MOVES * (DEEPEST + 2)))
        self.killers = array("i", [0] * (2 * (DEEPEST + 2)))
        self.history = array("i", [0] * 4096)
        self.path = array("q", [0] * (DEEPEST + 2))
        self.drawn_keys: list[int] = []
        self.drawn = array("q", [0])
        self.drawn_count = 0
        self.root_moves = array("i", [0] * MOST_MOVES)
        self.root_count = 0
        self.kraus = False
        self.root_done = 0
        self.nodes = 0

    def forget(self) -> None:
        """Drop the table and the history."""
        self.keys = array("q", bytes(8 << self.table_bits))
        self.entries = array("q", bytes(8 << self.table_bits))
        self.history = array("i", [0] * 4096)
        self.killers = array("i", [0] * (2 * (DEEPEST + 2)))

    def search(
        self,
        game: Game[Position],
        limits: Limits,
        *,
        stop: Stop,
        report: Callable[[Report], None],
    ) -> Move:
        """Return the best turn found within the limits."""
        began = time.monotonic()
        self.deadline = 1e18 if limits.seconds is None else began + limits.seconds
        self.node_limit = (1 << 62) if limits.nodes is None else limits.nodes
        self.stop = stop
        self.stopped = 0
        self.nodes = 0
        self.next_check = min(self.node_limit, _NODES_BETWEEN_POLLS)
        position = game.position
        self._prepare(game)
        deepest = DEEPEST - 1 if limits.depth is None else min(limits.depth, DEEPEST - 1)
        move: Move = self.root_moves[0]
        depth = 0
        while depth < deepest:
            depth += 1
            score = self._deepen(depth)
            if self.root_done == 0:
                break
            move = self.root_moves[0]
            seconds = time.monotonic() - began
            line = self._line(position, move)
            report(Report(depth, self.nodes, seconds, self._score(score), line))
            if self.stopped > 0:
                break
            if abs(score) > PROVED and depth + 1 >= WIN - abs(score):
                break
            if self.root_count == 1 and limits.bounded:
                break
        return move

    def _deepen(self, depth: int) -> int:
        with cython.nogil:
            return self._root(depth)

    def _score(self, score: int) -> Score:
        if score > PROVED:
            return Score(1.0, True, WIN - score)
        if score < -PROVED:
            return Score(0.0, True, WIN + score)
        return Score(1 / (1 + 2.718281828459045 ** (-score / LOGIT)))

    def _prepare(self, game: Game[Position]) -> None:
        """Take over the position; put turns that win first, those that lose at once last."""
        position = game.position
        if position.kraus != self.kraus:
            self.forget()
        self.kraus = position.kraus
        self.turn = position.turn
        self.white, self.black, self.neutron = position.white, position.black, position.neutron
        self._note_repetitions(game)
        ranked = []
        for move in position.legal_moves():
            position.play(move)
            ranked.append((self._rank(position), move))
            position.undo()
        ranked.sort()
        self.root_count = len(ranked)
        for index, (_, move) in enumerate(ranked):
            self.root_moves[index] = move
        for index in range(4096):
            self.history[index] //= 8

    def _rank(self, position: Position) -> int:
        ended = position.ending()
        if ended != GOES_ON:
            return 2 if ended == 3 else (0 if ended == self.turn + 1 else 4)
        men = position.white | position.black
        return 3 if self.board.can_win(position.turn, position.neutron, men) else 1

    def _note_repetitions(self, game: Game[Position]) -> None:
        """Note what stood twice already: to reach it again is a draw."""
        twin = game.copy()
        counts: dict[int, int] = {}
        while True:
            key = twin.position.key()
            counts[key] = counts.get(key, 0) + 1
            if not twin.moves:
                break
            twin.undo()
        drawn = sorted(key for key, count in counts.items() if count > 1)
        if drawn != self.drawn_keys:
            # What the table proved may lead through a position that is now a draw.
            self.forget()
        self.drawn_keys = drawn
        self.drawn = array("q", [*drawn, 0])
        self.drawn_count = len(drawn)

    def _line(self, position: Position, move: Move) -> list[Move]:
        """Follow the table from a root move."""
        twin = position.copy()
        line = [move]
        twin.play(move)
        while twin.ending() == GOES_ON and len(line) < DEEPEST:
            following = self._winning_turn(twin) or self._stored_turn(twin)
            if not following or following not in twin.legal_moves():
                break
            line.append(following)
            twin.play(following)
        return line

    def _winning_turn(self, position: Position) -> Move:
        for move in position.legal_moves():
            turn = position.turn
            position.play(move)
            ended = position.ending()
            position.undo()
            if ended == turn + 1:
                return move
        return 0

    def _stored_turn(self, position: Position) -> Move:
        key = position.key()
        slot = self._find(key)
        if slot < 0:
            return 0
        return position.neutron | (self.entries[slot] >> 16 & 0x7FFF) << 5

    def _root(self, depth: int) -> int:
        """Search every root move; the best comes first in `root_moves`, `root_done` counts them."""
        best = -_WIN
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
                score = -self._child(own, enemy, move, depth, -_WIN, -best)
            if self.stopped > 0:
                break
            self.root_done += 1
            if index == 0:
                best = score
            elif score > best:
                best = score
                at = index
                while at > 0:
                    self.root_moves[at] = self.root_moves[at - 1]
                    at -= 1
                self.root_moves[0] = move
            if best >= _WIN - 1:
                break
            index += 1
        return best

    def _child(self, own: int, enemy: int, move: int, depth: int, alpha: int, beta: int) -> int:
        """Return what a root move is worth to the enemy."""
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
            self.nodes += 1
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
        """Return the worth to the mover, who cannot win with the neutron alone."""
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
        # Nothing here can be better than a win now, or worse than a loss now.
        if alpha >= _WIN - ply - 1:
            return alpha
        if beta <= ply + 1 - _WIN:
            return beta
        first = -1
        slot = self._find(key)
        if slot >= 0:
            entry = self.entries[slot]
            first = neutron | (entry >> 16 & 0x7FFF) << 5
            stored = (entry & 0xFFFF) - 32768
            if stored > _PROVED:
                stored -= ply
            elif stored < -_PROVED:
                stored += ply
            bound = entry >> 38 & 3
            if (entry >> 31 & 127) >= depth or stored > _PROVED or stored < -_PROVED:
                if bound == _EXACT:
                    return stored
                if bound == _LOWER and stored >= beta:
                    return stored
                if bound == _UPPER and stored <= alpha:
                    return stored
        at = ply * _MOST_MOVES
        end = self.board.safe_turns(own, enemy, neutron, side, self.moves, at)
        if end == at:
            return self._lost(own, enemy, neutron, ply)
        self._rank_turns(at, end, side, ply, first)
        if end == at + 1:
            depth += 1
        best = -_WIN
        best_move = 0
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
                if best > -_WIN:
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
        self._store(key, best, bound, depth, best_move, ply)
        return best

    def _lost(self, own: int, enemy: int, neutron: int, ply: int) -> int:
        """Return the score of a mover without a safe turn: beaten by the reply, or at once."""
        men = own | enemy
        targets = self.board.destinations(neutron, men) & 0x0FFFE0
        while targets:
            bit = targets & -targets
            targets ^= bit
            if self.board.can_move(own, men | bit):
                return ply + 2 - _WIN
        return ply + 1 - _WIN

    def _rank_turns(self, at: int, end: int, side: int, ply: int, first: int) -> None:
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
            self.order[at] = rank
            at += 1

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
        """Return what `Position.key` returns where the neutron's half is due."""
        white, black = (enemy, own) if side else (own, enemy)
        rest = neutron | side << 5
        return white | black << 25 | rest << 50

    def _find(self, key: int) -> int:
        """Return the slot that holds the key, or -1."""
        slot = (key * _FACTOR & _MASK) >> (63 - self.table_bits)
        if self.keys[slot] == key:
            return slot
        slot ^= 1
        if self.keys[slot] == key:
            return slot
        return -1

    def _store(self, key: int, score: int, bound: int, depth: int, move: int, ply: int) -> None:
        if score > _PROVED:
            score += ply
        elif score < -_PROVED:
            score -= ply
        slot = self._find(key)
        if slot < 0:
            # Of a pair of slots one keeps the deeper search, the other the latest.
            slot = ((key * _FACTOR & _MASK) >> (63 - self.table_bits)) & ~1
            if (self.entries[slot] >> 31 & 127) > depth:
                slot |= 1
        high = move >> 5 & 0x7FFF | depth << 15 | bound << 22
        self.keys[slot] = key
        self.entries[slot] = score + 32768 | high << 16

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
