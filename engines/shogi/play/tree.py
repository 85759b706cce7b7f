"""The search below the root: principal variation search with pruning and reductions.

`_search` is long and flat on purpose: it is the hottest code, and calls would slow it down.
"""

import math

import engines.shogi.play.table as table
import engines.shogi.rules.board as board
from engines.shogi.play import scores
from engines.shogi.play.quiescence import Quiescence
from engines.shogi.play.table import TranspositionTable

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
BARRED_KEY = 0x9E3779B97F4A  # Its product with a move (below 2**15) stays below 2**63.

if not cython.compiled:
    REDUCTION = [[0] * 64 for _ in range(64)]

SURPLUS = 4000  # Score of reaching an earlier position again with more men in hand.

(
    REVERSE_FUTILITY,
    NULL_MOVE,
    PROBCUT,
    NO_TABLE_MOVE,
    SINGULAR,
    LATE_MOVES,
    FUTILITY,
    EXCHANGES,
    BAD_CAPTURES,
    REDUCTIONS,
    MATE_IN_ONE,
    CORRECTION,
    FEW_CAPTURES,
    HISTORY_PRUNING,
    CAPTURE_FUTILITY,
    REFUTATIONS,
    GAINS,
    TABLE_IN_QUIESCENCE,
) = (1 << bit for bit in range(len(scores.METHODS)))


def _fill() -> None:
    for depth in range(1, 64):
        for count in range(1, 64):
            REDUCTION[depth][count] = int(0.4 + math.log(depth) * math.log(count) / 2.1)


_fill()


def reduction_of(depth: int, count: int) -> int:
    """Return by how many plies the search of a late move is reduced."""
    return REDUCTION[min(depth, 63)][min(count, 63)]


class Search(Quiescence):
    """Search below the root; `worker.py` sets it up and searches the root."""

    def __init__(self, transpositions: TranspositionTable) -> None:
        if not cython.compiled:
            self.barred = [0] * 130
            self.tries = [0] * (130 * 64)
            self.catches = [0] * (130 * 32)
            self.values = [0] * 130
        Quiescence.__init__(self, transpositions)
        self.declaring = 27
        self.most_plies = 0
        self.reached = 0
        self.root_depth = 1
        self.first_pass = 0
        self.proven = 0

    def use_methods(self, methods: int) -> None:
        """Disable the methods whose bit is 0, to measure what each of them gains."""
        self.methods = methods

    def _ended(self, ply: int) -> int:
        """Return the score, for the side to move, of a game that ends here, or INFINITE.

        A repetition, a declaration, a try and the limit of moves end the game.
        """
        if self.most_plies and self.position.height >= self.most_plies:
            return 0
        recurrence = self.position.recurrence(24)
        if recurrence:
            if recurrence == 1:
                return 0
            if recurrence > 3:
                return SURPLUS if recurrence == 4 else -SURPLUS
            # An opponent whose checks began before this search may still stop giving them.
            if (
                (recurrence == 2) == (ply & 1)
                or self.position.recurrence(ply) == recurrence
                or self.position.occurrences() > 2
            ):
                return PERPETUAL - ply if recurrence == 2 else ply - PERPETUAL
        if self.declaring == TRY:
            # Black's king that has just reached 5a, or White's that has reached 5i, has won.
            goal = 44 if self.position.turn == 0 else 36
            if (
                self.position.height
                and self.position.past_moves[self.position.height - 1] & 127 == goal
                and self.position.kings[self.position.turn ^ 1] == goal
            ):
                return ply - MATE
        elif self.declaring:
            points = self.position.points()
            if points >= (31 if self.declaring == 24 else 28 - self.position.turn):
                return MATE - ply - 1
        return INFINITE

    def _pass_holds(self, depth: int, beta: int, ply: int, value: int, base: int) -> bool:
        """Tell whether the side to move stays above beta even if it passes.

        Deep searches verify this by a search without passes.
        """
        checkers = self.position.checkers
        pinned = self.position.pinned
        reduction = 4 + depth // 4 + min((value - beta) // 200, 3)
        self.made[ply] = 0
        self.quiet_made[ply] = -1
        self.position.make_pass()
        self.position.survey()
        score = -self._search(depth - reduction, -beta, 1 - beta, ply + 1, False, base)
        self.position.unmake_pass()
        self.position.checkers = checkers
        self.position.pinned = pinned
        if score < beta or self.transpositions.is_halted():
            return False
        if depth < 12 or self.first_pass:
            return True
        self.first_pass = ply + 3 * (depth - reduction) // 4
        score = self._search(depth - reduction, beta - 1, beta, ply, False, base)
        self.first_pass = 0
        return score >= beta

    def _wins_by_capture(
        self, depth: int, goal: int, ply: int, value: int, cut: bool, base: int
    ) -> int:
        """Return the score of a capture that reaches a goal in a less deep search, or -INFINITE."""
        checkers = self.position.checkers
        pinned = self.position.pinned
        end = self.position.generate(base, 1)
        self._weigh_captures(base, end)
        at = base
        while at < end:
            move = self._pick(at, end)
            at += 1
            if not self.position.wins(move, goal - value):
                continue
            self._advance(move, ply)
            score = -self._quiesce(-goal, 1 - goal, ply + 1, 0, end)
            if score >= goal:
                score = -self._search(depth - 4, -goal, 1 - goal, ply + 1, not cut, end)
            self._retreat()
            self.position.checkers = checkers
            self.position.pinned = pinned
            if self.transpositions.is_halted():
                return -INFINITE
            if score >= goal:
                self.proven = move
                return score
        return -INFINITE

    def _search(self, depth: int, alpha: int, beta: int, ply: int, cut: bool, base: int) -> int:
        """Search to a depth and return the score; `base` is the first free index of the move list.

        `cut` says that the parent expects this node to fail high.
        """
        if depth <= 0:
            return self._quiesce(alpha, beta, ply, 0, base)
        self.nodes += 1
        self.countdown -= 1
        if self.countdown <= 0:
            self._poll()
        if self.transpositions.is_halted():
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
        # No mate from here can be shorter than one that is already known nearer to the root.
        if alpha < ply - MATE:
            alpha = ply - MATE
        if beta > MATE - ply - 1:
            beta = MATE - ply - 1
        if alpha >= beta:
            return alpha
        first_alpha = alpha
        key = self.position.board_key ^ self.position.hand_key ^ (excluded * BARRED_KEY)
        entry = self.transpositions.probe(key)
        table_move = 0
        table_score = 0
        table_depth = 0
        table_bound = 0
        raw_value = 0
        caught = 0
        if entry:
            table_move = table.move_in(entry)
            table_score = table.score_in(entry, ply)
            table_depth = table.depth_in(entry)
            table_bound = table.bound_in(entry)
            if (
                not open_window
                and not excluded
                and table_depth >= depth
                and table_bound & (2 if table_score >= beta else 1)
            ):
                if (
                    table_move
                    and table_score >= beta
                    and self.position.is_legal(table_move)
                    and self.position.cells[table_move & 127] == 0
                ):
                    self._learn_quiet(table_move, ply, min(16 * depth * depth + 32 * depth, 1600))
                return table_score
        checkers = self.position.checkers
        pinned = self.position.pinned
        if checked:
            value = self.values[ply - 2] if ply > 1 else 0
            improving = False
            self.values[ply] = value
        else:
            raw_value = table.value_in(entry) if entry else self.evaluation.value(self.position)
            value = self._corrected(raw_value, ply)
            self.values[ply] = value
            improving = ply > 1 and value > self.values[ply - 2]
            # A quiet move after which the evaluation is better than before it is a good one.
            if self.methods & GAINS and ply > 1 and self.quiet_made[ply - 1] >= 0 and not excluded:
                self._learn_last(ply, max(min(-3 * (value + self.values[ply - 1]), 700), -700))
            # An entry of depth 0 may come from a node where no mate in one was looked for.
            if self.methods & MATE_IN_ONE and table_depth == 0 and not excluded:
                move = self.position.mate_in_one(base)
                if move:
                    self.lengths[ply + 1] = 0
                    self._extend_line(move, ply)
                    self.transpositions.store(key, move, MATE - 1, raw_value, 100, 3)
                    return MATE - ply - 1
            # A score from the table is a better estimate than the evaluation.
            estimate = value
            if (
                entry
                and table_bound & (2 if table_score > value else 1)
                and abs(table_score) < SURE
            ):
                estimate = table_score
            if not open_window and not excluded and abs(beta) < SURE:
                # Reverse futility: so far ahead that a shallow search will not fall below beta.
                if (
                    self.methods & REVERSE_FUTILITY
                    and ply > 1
                    and depth < 8
                    and estimate - 120 * (depth - improving) >= beta
                ):
                    return estimate
                # Null move: if even a pass holds, a move will.
                if (
                    self.methods & NULL_MOVE
                    and depth >= 3
                    and estimate >= beta
                    and value >= beta + 200 - 20 * depth
                    and ply >= self.first_pass
                    and ply > 0
                    and self.made[ply - 1]
                    and self._pass_holds(depth, beta, ply, estimate, base)
                ):
                    return beta
                if self.transpositions.is_halted():
                    return 0
                # ProbCut: a capture that wins by far in a shallow search does so in a deep one.
                goal = beta + 250 - 60 * improving
                if (
                    self.methods & PROBCUT
                    and depth >= 5
                    and abs(beta) < SURE - 1000
                    and not (entry and table_depth >= depth - 3 and table_score < goal)
                ):
                    score = self._wins_by_capture(depth, goal, ply, value, cut, base)
                    if self.transpositions.is_halted():
                        return 0
                    if score > -INFINITE:
                        self.transpositions.store(
                            key,
                            self.proven,
                            table.stored_score(score, ply),
                            raw_value,
                            depth - 3,
                            2,
                        )
                        return score
        # Without a move to try first, a deep search of this node is worth less.
        if (
            self.methods & NO_TABLE_MOVE
            and not table_move
            and not excluded
            and ((open_window and depth >= 4) or (cut and depth >= 6))
        ):
            depth -= 1
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
        if table_move and (table_move == excluded or not self.position.is_legal(table_move)):
            table_move = 0
        while True:
            # In this order: the move of the table, good captures, quiet moves, bad captures. In
            # check, all moves after that of the table form one stage.
            move = 0
            if stage == 0:
                stage = 1
                if table_move:
                    move = table_move
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
                    if move in (table_move, excluded):
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
                    if move in (table_move, excluded):
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
                reduced_depth = max(new_depth - reduction, 0)
                if quiet:
                    # Late moves: enough moves were tried for this depth.
                    if (
                        self.methods & LATE_MOVES
                        and count > (4 + depth * depth) * (2 if improving else 1)
                        and stage == 4
                    ):
                        at = free
                        continue
                    # Futility: too far behind for a move that captures nothing.
                    if (
                        self.methods & FUTILITY
                        and reduced_depth < 7
                        and value + 180 + 140 * reduced_depth <= alpha
                    ):
                        continue
                    # Moves that failed elsewhere in the tree.
                    if (
                        self.methods & HISTORY_PRUNING
                        and reduced_depth < 6
                        and history < -2500 * depth
                    ):
                        continue
                    if (
                        self.methods & EXCHANGES
                        and reduced_depth < 8
                        and not self.position.wins(move, -60 * reduced_depth * reduced_depth)
                    ):
                        continue
                elif (
                    self.methods & BAD_CAPTURES
                    and depth < 7
                    and not self.position.wins(move, -200 * depth)
                ) or (
                    self.methods & CAPTURE_FUTILITY
                    and reduced_depth < 6
                    and value
                    + 250
                    + 180 * reduced_depth
                    + board.EXCHANGE[self.position.cells[move & 127] & 15]
                    + (500 if move & 16384 else 0)
                    <= alpha
                ):
                    continue
            extension = 0
            if (
                self.methods & SINGULAR
                and move == table_move
                and depth >= 7
                and ply < 2 * self.root_depth
                and not excluded
                and table_bound & 2
                and abs(table_score) < SURE
                and table_depth >= depth - 3
            ):
                # Singular: extend the move of the table if all others score well below it.
                singular_beta = table_score - 2 * depth
                self.barred[ply] = move
                singular_score = self._search(
                    (depth - 1) // 2, singular_beta - 1, singular_beta, ply, cut, free
                )
                self.barred[ply] = 0
                self.position.checkers = checkers
                self.position.pinned = pinned
                if self.transpositions.is_halted():
                    return 0
                if singular_score < singular_beta:
                    extension = 1
                elif singular_beta >= beta:
                    return singular_beta
                elif table_score >= beta:
                    extension = -1
                self.lengths[ply] = 0
            self._advance(move, ply)
            gives_check = self.position.checkers != 0
            new_depth += extension
            if (
                self.methods & REDUCTIONS
                and depth >= 2
                and count > 1 + open_window
                and (quiet or stage == 5)
            ):
                reduction -= open_window
                reduction += cut
                reduction -= gives_check
                reduction += not improving
                reduction -= max(min((history + 4096) >> 13, 2), -2)
                if checked:
                    reduction -= 1
                reduced_depth = max(min(new_depth - reduction, new_depth), 1)
                score = -self._search(reduced_depth, -alpha - 1, -alpha, ply + 1, True, free)
                if score > alpha and reduced_depth < new_depth:
                    score = -self._search(new_depth, -alpha - 1, -alpha, ply + 1, not cut, free)
            elif not open_window or count > 1:
                score = -self._search(new_depth, -alpha - 1, -alpha, ply + 1, not cut, free)
            else:
                score = -INFINITE
            if open_window and (count == 1 or score > alpha):
                score = -self._search(new_depth, -beta, -alpha, ply + 1, False, free)
            self._retreat()
            self.position.checkers = checkers
            self.position.pinned = pinned
            if self.transpositions.is_halted():
                return 0
            if score > best:
                best = score
                if score > alpha:
                    chosen = move
                    self._extend_line(move, ply)
                    if score >= beta:
                        break
                    alpha = score
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
            best = alpha  # All moves were pruned.
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
        elif (
            self.methods & REFUTATIONS
            and best <= first_alpha
            and not excluded
            and ply > 1
            and self.quiet_made[ply - 1] >= 0
        ):
            # The move that led here is not refuted.
            bonus = min(8 * depth * depth + 16 * depth, 800)
            self._learn_last(ply, bonus)
            man = self.made[ply - 2] * MEN + self.made[ply - 1]
            self.following[man] += bonus - (self.following[man] * bonus >> 14)
        bound = 2 if best >= beta else (3 if best > first_alpha and open_window else 1)
        # The evaluation is not to blame where the best move captures, and not for mates.
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
        self.transpositions.store(
            key, chosen, table.stored_score(best, ply), raw_value, depth, bound
        )
        return best
