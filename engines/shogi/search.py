"""The search below the root: principal variations, a shared table, prunings and reductions.

`_search` is long and flat on purpose: it is the hot code.
"""

import math

from engines.shogi import scores
from engines.shogi.quiescence import Quiescence
from engines.shogi.table import Table

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

MATE = scores.MATE
SURE = scores.SURE
PERPETUAL = scores.PERPETUAL
INFINITE = scores.INFINITE
TOP = scores.TOP
MEN = scores.MEN
TRY = scores.TRY
BARRED_KEY = 0x9E3779B97F4A  # Times a move below 2**15 it stays below 2**63.

if not cython.compiled:
    REDUCTION = [[0] * 64 for _ in range(64)]

SURPLUS = 4000  # What the same position with more in hand is worth.

(
    REVERSE_FUTILITY,
    SINGULAR,
    LATE_MOVES,
    FUTILITY,
    EXCHANGES,
    BAD_CAPTURES,
    REDUCTIONS,
    MATE_IN_ONE,
    CORRECTION,
) = (1 << bit for bit in range(len(scores.METHODS)))


def _fill() -> None:
    for depth in range(1, 64):
        for count in range(1, 64):
            REDUCTION[depth][count] = int(0.4 + math.log(depth) * math.log(count) / 2.1)


_fill()


def reduction_of(depth: int, count: int) -> int:
    """Return by how much the search of a late move is shallower."""
    return REDUCTION[min(depth, 63)][min(count, 63)]


class Search(Quiescence):
    """Searches below the root; `worker.py` sets it up and searches the root."""

    def __init__(self, table: Table) -> None:
        if not cython.compiled:
            self.barred = [0] * 130
            self.tries = [0] * (130 * 64)
            self.catches = [0] * (130 * 32)
            self.values = [0] * 130
        Quiescence.__init__(self, table)
        self.declaring = 27
        self.most_plies = 0
        self.reached = 0
        self.root_depth = 1

    def use_methods(self, methods: int) -> None:
        """Leave out methods whose bit is 0, for measuring what they gain."""
        self.methods = methods

    def _ended(self, ply: int) -> int:
        """Return the score of a recurrence, a declaration or a try for the side to move.

        INFINITE where there is none.
        """
        if self.most_plies and self.position.height >= self.most_plies:
            return 0
        found = self.position.recurrence(24)
        if found:
            if found == 1:
                return 0
            if found > 3:
                return SURPLUS if found == 4 else -SURPLUS
            # An opponent who gave check before this search began may leave off yet.
            if (
                (found == 2) == (ply & 1)
                or self.position.recurrence(ply) == found
                or self.position.occurrences() > 2
            ):
                return PERPETUAL - ply if found == 2 else ply - PERPETUAL
        if self.declaring == TRY:
            # The king that has just come to 5a, or White's to 5i, has won.
            found = 44 if self.position.turn == 0 else 36
            if (
                self.position.height
                and self.position.past_moves[self.position.height - 1] & 127 == found
                and self.position.kings[self.position.turn ^ 1] == found
            ):
                return ply - MATE
        elif self.declaring:
            found = self.position.points()
            if found >= (31 if self.declaring == 24 else 28 - self.position.turn):
                return MATE - ply - 1
        return INFINITE

    def _search(self, depth: int, alpha: int, beta: int, ply: int, cut: bool, base: int) -> int:
        """Search to a depth; `base` is the first free place in the list of moves."""
        if depth <= 0:
            return self._quiesce(alpha, beta, ply, 0, base)
        self.nodes += 1
        self.countdown -= 1
        if self.countdown <= 0:
            self._poll()
        if self.table.is_halted():
            return 0
        self.lengths[ply] = 0
        checked = self.position.checkers != 0
        open_window = beta - alpha > 1
        excluded = self.barred[ply]
        if ply >= TOP:
            return 0 if checked else self.evaluation.value(self.position)
        if ply > self.reached:
            self.reached = ply
        if not excluded:
            score = self._ended(ply)
            if score != INFINITE:
                return score
        # A mate found nearer to the root makes longer ones pointless.
        if alpha < ply - MATE:
            alpha = ply - MATE
        if beta > MATE - ply - 1:
            beta = MATE - ply - 1
        if alpha >= beta:
            return alpha
        old = alpha
        key = self.position.board_key ^ self.position.hand_key ^ (excluded * BARRED_KEY)
        entry = self.table.probe(key)
        hint = 0
        caught = 0
        score = 0
        old_depth = 0
        bound = 0
        unaided = 0
        if entry:
            hint = entry & 32767
            score = ((entry >> 15) & 65535) - 32768
            if score > SURE:
                score -= ply
            elif score < -SURE:
                score += ply
            old_depth = (entry >> 47) & 255
            bound = (entry >> 55) & 3
            if (
                not open_window
                and not excluded
                and old_depth >= depth
                and bound & (2 if score >= beta else 1)
            ):
                if (
                    hint
                    and score >= beta
                    and self.position.is_legal(hint)
                    and self.position.cells[hint & 127] == 0
                ):
                    self._learn_quiet(hint, ply, min(16 * depth * depth + 32 * depth, 1600))
                return score
        checkers = self.position.checkers
        pinned = self.position.pinned
        if checked:
            value = self.values[ply - 2] if ply > 1 else 0
            improving = False
            self.values[ply] = value
        else:
            unaided = (
                ((entry >> 31) & 65535) - 32768 if entry else self.evaluation.value(self.position)
            )
            value = self._corrected(unaided, ply)
            self.values[ply] = value
            improving = ply > 1 and value > self.values[ply - 2]
            # An entry of depth 0 may come from where no mate was looked for.
            if self.methods & MATE_IN_ONE and old_depth == 0 and not excluded:
                move = self.position.mate_in_one(base)
                if move:
                    self.lengths[ply + 1] = 0
                    self._extend_line(move, ply)
                    self.table.store(key, move, MATE - 1, unaided, 100, 3)
                    return MATE - ply - 1
            if entry and bound & (2 if score > value else 1) and abs(score) < SURE:
                value = score  # The table knows better than the evaluation.
            # Reverse futility: so far ahead that a shallow search cannot lose it.
            if (
                self.methods & REVERSE_FUTILITY
                and not open_window
                and not excluded
                and abs(beta) < SURE
                and ply > 1
                and depth < 8
                and value - 120 * (depth - improving) >= beta
            ):
                return value
        value = self.values[ply]
        best = -INFINITE
        chosen = 0
        count = 0
        tried = 0
        stage = 0
        at = base
        bad = base
        bad_at = base
        free = base
        first = base
        if hint and (hint == excluded or not self.position.is_legal(hint)):
            hint = 0
        while True:
            # The table's move, good captures, quiet moves, bad captures; in check all at once.
            move = 0
            if stage == 0:
                stage = 1
                if hint:
                    move = hint
            if not move and stage == 1:
                free = self.position.generate(base, 2 if checked else 1)
                if checked:
                    self._weigh_evasions(base, free, ply)
                else:
                    self._weigh_captures(base, free)
                at = base
                stage = 2
            if not move and stage == 2:
                while at < free and not move:
                    move = self._pick(at, free)
                    at += 1
                    if move in (hint, excluded):
                        move = 0
                    elif not checked and not self.position.wins(move, 0):
                        self.position.moves[bad] = move
                        bad += 1
                        move = 0
                if not move:
                    stage = 5 if checked else 3
            if not move and stage == 3:
                first = free
                free = self.position.generate(free, 2)
                self._weigh_quiets(first, free, ply)
                at = first
                stage = 4
            if not move and stage == 4:
                while at < free and not move:
                    move = self._pick(at, free)
                    at += 1
                    if move in (hint, excluded):
                        move = 0
                if not move:
                    stage = 5
            if not move and stage == 5:
                if checked or bad_at >= bad:
                    break
                move = self.position.moves[bad_at]
                bad_at += 1
            count += 1
            quiet = self.position.cells[move & 127] == 0 and not (
                move & 16384 and self.position.cells[(move >> 7) & 127] & 15 == 1
            )
            man = self._man_of(move)
            history = 0
            if quiet:
                history = self.quiets[man + 32 if (move >> 7) & 127 > 80 else man][move & 127]
                if ply > 0:
                    history += self.following[self.made[ply - 1] * MEN + man * 81 + (move & 127)]
            reduction = reduction_of(depth, count)
            new_depth = depth - 1
            if best > -SURE and not checked:
                reduced = max(new_depth - reduction, 0)
                if quiet:
                    # Late moves: enough were tried at this depth.
                    if (
                        self.methods & LATE_MOVES
                        and count > (4 + depth * depth) * (2 if improving else 1)
                        and stage == 4
                    ):
                        at = free
                        continue
                    # Futility: too far behind for a move that takes nothing.
                    if (
                        self.methods & FUTILITY
                        and reduced < 7
                        and value + 180 + 140 * reduced <= alpha
                    ):
                        continue
                    if (
                        self.methods & EXCHANGES
                        and reduced < 8
                        and not self.position.wins(move, -60 * reduced * reduced)
                    ):
                        continue
                elif (
                    self.methods & BAD_CAPTURES
                    and depth < 7
                    and not self.position.wins(move, -200 * depth)
                ):
                    continue
            extension = 0
            if (
                self.methods & SINGULAR
                and move == hint
                and depth >= 7
                and ply < 2 * self.root_depth
                and not excluded
                and bound & 2
                and abs(score) < SURE
                and old_depth >= depth - 3
            ):
                # Singular: the table's move stands alone if all others fail well below it.
                margin = score - 2 * depth
                self.barred[ply] = move
                reduced = self._search((depth - 1) // 2, margin - 1, margin, ply, cut, free)
                self.barred[ply] = 0
                self.position.checkers = checkers
                self.position.pinned = pinned
                if self.table.is_halted():
                    return 0
                if reduced < margin:
                    extension = 1
                elif margin >= beta:
                    return margin
                elif score >= beta:
                    extension = -1
                self.lengths[ply] = 0
            self._advance(move, ply)
            gives = self.position.checkers != 0
            new_depth += extension
            if (
                self.methods & REDUCTIONS
                and depth >= 2
                and count > 1 + open_window
                and (quiet or stage == 5)
            ):
                reduction -= open_window
                reduction += cut
                reduction -= gives
                reduction += not improving
                reduction -= max(min((history + 4096) >> 13, 2), -2)
                if checked:
                    reduction -= 1
                reduced = max(min(new_depth - reduction, new_depth), 1)
                margin = -self._search(reduced, -alpha - 1, -alpha, ply + 1, True, free)
                if margin > alpha and reduced < new_depth:
                    margin = -self._search(new_depth, -alpha - 1, -alpha, ply + 1, not cut, free)
            elif not open_window or count > 1:
                margin = -self._search(new_depth, -alpha - 1, -alpha, ply + 1, not cut, free)
            else:
                margin = -INFINITE
            if open_window and (count == 1 or margin > alpha):
                margin = -self._search(new_depth, -beta, -alpha, ply + 1, False, free)
            self._retreat()
            self.position.checkers = checkers
            self.position.pinned = pinned
            if self.table.is_halted():
                return 0
            if margin > best:
                best = margin
                if margin > alpha:
                    chosen = move
                    self._extend_line(move, ply)
                    if margin >= beta:
                        break
                    alpha = margin
            if quiet and tried < 64:
                self.tries[ply * 64 + tried] = move
                tried += 1
            elif not quiet and caught < 32:
                self.catches[ply * 32 + caught] = move
                caught += 1
        if count == 0:
            if excluded:
                return alpha
            return ply - MATE
        if best == -INFINITE:
            best = alpha  # Everything was pruned.
        if best >= beta:
            bonus = min(16 * depth * depth + 32 * depth, 1600)
            if self.position.cells[chosen & 127] == 0:
                if self.killers[ply][0] != chosen:
                    self.killers[ply][1] = self.killers[ply][0]
                    self.killers[ply][0] = chosen
                self._learn_quiet(chosen, ply, bonus)
                at = 0
                while at < tried:
                    if self.tries[ply * 64 + at] != chosen:
                        self._learn_quiet(self.tries[ply * 64 + at], ply, -bonus)
                    at += 1
            else:
                self._learn_capture(chosen, bonus)
            at = 0
            while at < caught:
                if self.catches[ply * 32 + at] != chosen:
                    self._learn_capture(self.catches[ply * 32 + at], -bonus)
                at += 1
        bound = 2 if best >= beta else (3 if best > old and open_window else 1)
        score = best
        if score > SURE:
            score += ply
        elif score < -SURE:
            score -= ply
        # What men it took to be worth is not what the evaluation lacks.
        if (
            not checked
            and not excluded
            and abs(best) < SURE
            and (not chosen or self.position.cells[chosen & 127] == 0)
            and bound & (2 if best >= self.values[ply] else 1)
        ):
            self.correction.learn(
                self.position,
                self.made[ply - 1] if ply > 0 else 0,
                (best - self.values[ply]) * depth >> 3,
            )
        self.table.store(key, chosen, score, unaided, depth, bound)
        return best
