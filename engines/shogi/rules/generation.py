"""Legal move generation and counting with bitboards.

The two generators are long and flat on purpose.
"""

from array import array

import engines.shogi.rules.bits as bits
import engines.shogi.rules.board as board
from engines.shogi.rules.board import Board

MOST_MOVES = 600  # No position has more than 593.


class Generation(Board):
    """A board that lists its legal moves in a buffer; `survey` must precede every listing."""

    def __init__(self) -> None:
        self.moves = array("i", bytes(4 * MOST_MOVES))
        self.room = MOST_MOVES
        Board.__init__(self)

    def make_room(self, moves: int) -> None:
        """Make room for so many moves in the list that the generators fill."""
        if moves > self.room:
            self.moves = array("i", bytes(4 * moves))
            self.room = moves

    def generate(self, end: int, part: int) -> int:
        """List legal moves from index `end` on and return the new end; call `survey` first.

        Part 0 is all moves, part 1 captures and promotions of pawns, part 2 all others. Parts 1
        and 2 omit useless refusals: moves that decline a promotion without gaining anything. In
        check, each of them lists all evasions.
        """
        us = self.turn
        king = self.kings[us]
        enemy = self.sides[us ^ 1] & ~self.kinds[8]
        empty = board.ALL & ~(self.sides[0] | self.sides[1])
        if self.checkers:
            end = self._king_moves(end, empty | enemy)
            if self.checkers & (self.checkers - 1):
                return end
            drops = board.BETWEEN[king][bits.lowest(self.checkers)]
            goals = drops | self.checkers
            end = self._board_moves(end, goals, 0 if part == 0 else 3)
            return self._drops(end, drops) if drops else end
        goals = (empty | enemy) if part != 1 else enemy
        if part == 2:
            goals = empty
        if king >= 0:
            end = self._king_moves(end, goals)
        end = self._board_moves(end, goals, part)
        if part != 1:
            end = self._drops(end, empty)
        return end

    def _board_moves(self, end: int, goals: int, part: int) -> int:
        """List the moves of all men but the king to `goals`; part 3 omits useless refusals only."""
        us = self.turn
        king = self.kings[us]
        men = self.sides[0] | self.sides[1]
        own = self.sides[us]
        zone = board.ZONE[us]
        pawns = self.kinds[1] & own & ~self.pinned & ~board.DEAD[us][1]
        if pawns:
            reached = (pawns >> 1) if us == 0 else (pawns << 1)
            reached &= ~own & board.ALL
            promoted = reached & zone
            plain = reached & goals
            if part == 1:
                # Promotions of pawns belong to the captures.
                promoted &= ~men | goals
            elif part == 2:
                promoted = 0
                plain &= ~zone
            else:
                promoted &= goals
            if part:
                plain &= ~zone
            else:
                plain &= ~board.DEAD[us][1]
            while promoted:
                start = bits.lowest(promoted)
                promoted &= promoted - 1
                self.moves[end] = 16384 | start | (start + (1 if us == 0 else -1)) << 7
                end += 1
            while plain:
                start = bits.lowest(plain)
                plain &= plain - 1
                self.moves[end] = start | (start + (1 if us == 0 else -1)) << 7
                end += 1
        left = own & ~pawns & ~self.kinds[8]
        while left:
            start = bits.lowest(left)
            left &= left - 1
            man = self.cells[start]
            reached = board.attacks(man, start, men)
            if self.pinned & board.SQUARE[start]:
                reached &= board.LINE[king][start]
            base = start << 7
            man &= 15
            if man == 1:
                # A pinned pawn: its promotions are divided as above.
                reached &= ~own
                promoted = reached & zone
                if part == 1:
                    promoted &= ~men | goals
                elif part == 2:
                    promoted = 0
                else:
                    promoted &= goals
                end = self._emit(end, promoted, base | 16384)
                reached &= goals
                end = self._emit(end, reached & ~(zone if part else board.DEAD[us][1]), base)
                continue
            reached &= goals
            if man > 6:
                end = self._emit(end, reached, base)
                continue
            promoted = reached if zone & board.SQUARE[start] else reached & zone
            plain = reached & ~board.DEAD[us][man]
            if part:
                if man > 4:
                    plain &= ~promoted
                elif man == 2:
                    plain &= ~board.DEAD[us][3]
            end = self._emit(end, promoted, base | 16384)
            end = self._emit(end, plain, base)
        return end

    def _emit(self, end: int, reached: int, base: int) -> int:
        while reached:
            self.moves[end] = base | bits.lowest(reached)
            reached &= reached - 1
            end += 1
        return end

    def _king_moves(self, end: int, goals: int) -> int:
        us = self.turn
        king = self.kings[us]
        men = (self.sides[0] | self.sides[1]) ^ board.SQUARE[king]
        reached = board.STEP[8][king] & goals
        while reached:
            to = bits.lowest(reached)
            reached &= reached - 1
            if not self.attacked(to, us ^ 1, men):
                self.moves[end] = king << 7 | to
                end += 1
        return end

    def _drops(self, end: int, empty: int) -> int:
        us = self.turn
        for kind in range(1, 8):
            if self.hands[us][kind]:
                base = (80 + kind) << 7
                reached = self._drop_goals(kind, empty)
                end = self._emit(end, reached, base)
        return end

    def _drop_goals(self, kind: int, empty: int) -> int:
        if kind == 1:
            return self._pawn_drops(empty)
        return empty & ~board.DEAD[self.turn][kind]

    def _pawn_drops(self, empty: int) -> int:
        """Return where a pawn may be dropped: neither a second pawn on a file, nor to mate."""
        us = self.turn
        pawns = self.kinds[1] & self.sides[us]
        # Adding eight ones to a file's lower ranks carries into its last rank if there is a pawn.
        full = ((pawns & ~board.RANK9) + board.CARRY | pawns) & board.RANK9
        full |= full - (full >> 8)
        empty &= ~full & ~board.DEAD[us][1]
        king = self.kings[us ^ 1]
        if king >= 0:
            to = king + 1 if us == 0 else king - 1
            if board.STEP[(us ^ 1) << 4 | 1][king] & empty and self._drop_mates(to):
                empty ^= board.SQUARE[to]
        return empty

    def _drop_mates(self, to: int) -> bool:
        """Tell whether a pawn dropped in front of the opponent's king would mate."""
        us = self.turn
        king = self.kings[us ^ 1]
        men = self.sides[0] | self.sides[1] | board.SQUARE[to]
        if not self.attacked(to, us, men):
            return False
        takers = self.attackers(to, us ^ 1, men) & ~board.SQUARE[king]
        if takers:
            pinned = self.shields(us ^ 1, us ^ 1)
            while takers:
                at = bits.lowest(takers)
                takers &= takers - 1
                if not pinned & board.SQUARE[at] or board.LINE[king][at] & board.SQUARE[to]:
                    return False
        men ^= board.SQUARE[king]
        flights = board.STEP[8][king] & ~self.sides[us ^ 1] & ~board.SQUARE[to]
        while flights:
            at = bits.lowest(flights)
            flights &= flights - 1
            if not self.attacked(at, us, men):
                return False
        return True

    def count(self) -> int:
        """Count all legal moves without listing them; call `survey` first."""
        us = self.turn
        king = self.kings[us]
        own = self.sides[us]
        men = own | self.sides[us ^ 1]
        goals = ~own & board.ALL & ~self.kinds[8]
        drops = board.ALL & ~men
        zone = board.ZONE[us]
        total = 0
        if king >= 0:
            reached = board.STEP[8][king] & goals
            while reached:
                to = bits.lowest(reached)
                reached &= reached - 1
                if not self.attacked(to, us ^ 1, men ^ board.SQUARE[king]):
                    total += 1
        if self.checkers:
            if self.checkers & (self.checkers - 1):
                return total
            drops = board.BETWEEN[king][bits.lowest(self.checkers)]
            goals = drops | self.checkers
        pawns = self.kinds[1] & own & ~self.pinned & ~board.DEAD[us][1]
        reached = ((pawns >> 1) if us == 0 else (pawns << 1)) & goals
        total += bits.count(reached) + bits.count(reached & zone & ~board.DEAD[us][1])
        left = own & ~pawns & ~self.kinds[8]
        while left:
            start = bits.lowest(left)
            left &= left - 1
            man = self.cells[start]
            reached = board.attacks(man, start, men) & goals
            if self.pinned & board.SQUARE[start]:
                reached &= board.LINE[king][start]
            total += bits.count(reached)
            kind = man & 15
            if kind < 7:
                # A promotion that is not forced counts as a second move.
                promoted = reached if zone & board.SQUARE[start] else reached & zone
                total += bits.count(promoted & ~board.DEAD[us][kind])
        if drops:
            if self.hands[us][1]:
                total += bits.count(self._pawn_drops(drops))
            for kind in range(2, 4):
                if self.hands[us][kind]:
                    total += bits.count(drops & ~board.DEAD[us][kind])
            start = 0
            for kind in range(4, 8):
                if self.hands[us][kind]:
                    start += 1
            if start:
                total += start * bits.count(drops)
        return total

    def has_move(self) -> bool:
        """Tell whether there is any legal move; call `survey` first."""
        return self.count() != 0

    def is_legal(self, move: int) -> bool:
        """Tell whether a move from another position is legal here; call `survey` first."""
        us = self.turn
        king = self.kings[us]
        to = move & 127
        start = (move >> 7) & 127
        if to > 80 or start > 87 or move > 32767:
            return False
        goals = board.ALL & ~self.sides[us] & ~self.kinds[8]
        drops = board.ALL & ~self.sides[0] & ~self.sides[1]
        if self.checkers:
            drops = 0
            goals = 0
            if not self.checkers & (self.checkers - 1):
                drops = board.BETWEEN[king][bits.lowest(self.checkers)]
                goals = drops | self.checkers
        if start > 80:
            kind = start - 80
            if move & 16384 or not self.hands[us][kind] or not drops & board.SQUARE[to]:
                return False
            return self._drop_goals(kind, drops) & board.SQUARE[to] != 0
        man = self.cells[start]
        if man == 0 or man >> 4 != us:
            return False
        kind = man & 15
        men = self.sides[0] | self.sides[1]
        if kind == 8:
            if move & 16384 or self.sides[us] & board.SQUARE[to] or to == self.kings[us ^ 1]:
                return False
            if not board.STEP[8][start] & board.SQUARE[to]:
                return False
            return not self.attacked(to, us ^ 1, men ^ board.SQUARE[start])
        if not goals & board.SQUARE[to] & board.attacks(man, start, men):
            return False
        if self.pinned & board.SQUARE[start] and not board.LINE[king][start] & board.SQUARE[to]:
            return False
        if move & 16384:
            return kind < 7 and board.ZONE[us] & (board.SQUARE[start] | board.SQUARE[to]) != 0
        return not board.DEAD[us][kind] & board.SQUARE[to]

    def generate_checks(self, end: int) -> int:
        """List the legal moves that give check, from index `end` on; call `survey` first."""
        us = self.turn
        king = self.kings[us]
        their = self.kings[us ^ 1]
        if their < 0:
            return end
        if self.checkers:
            return self._filter_checks(end, self.generate(end, 0))
        other = (us ^ 1) << 4
        men = self.sides[0] | self.sides[1]
        empty = board.ALL & ~men
        shields = self.shields(us, us ^ 1)
        goals = ~self.sides[us] & board.ALL & ~self.kinds[8]
        gold = board.STEP[other | 7][their]
        diagonal = board.bishop_attacks(their, men)
        straight = board.rook_attacks(their, men)
        left = self.sides[us]
        while left:
            start = bits.lowest(left)
            left &= left - 1
            man = self.cells[start]
            kind = man & 15
            if kind == 8:
                if shields & board.SQUARE[start]:
                    reached = goals & ~board.LINE[their][start]
                    end = self._king_moves(end, reached)
                continue
            reached = board.attacks(man, start, men) & goals
            if self.pinned & board.SQUARE[start]:
                reached &= board.LINE[king][start]
            if not reached:
                continue
            # A sliding man may attack the king through the square that it leaves.
            plain = board.attacks(man ^ 16, their, men ^ board.SQUARE[start]) & reached
            promoted = 0
            if kind < 7:
                promoted = reached
                if not board.ZONE[us] & board.SQUARE[start]:
                    promoted &= board.ZONE[us]
                if kind < 5:
                    plain &= ~board.DEAD[us][kind]
            discovered = 0
            if shields & board.SQUARE[start]:
                discovered = ~board.LINE[their][start]
            if promoted:
                if kind < 5:
                    promoted &= gold | discovered
                else:
                    promoted &= (
                        board.attacks((kind + 8) | other, their, men ^ board.SQUARE[start])
                        | discovered
                    )
                end = self._emit(end, promoted, start << 7 | 16384)
            if discovered:
                plain |= reached & discovered
                if kind < 5:
                    plain &= ~board.DEAD[us][kind]
            end = self._emit(end, plain, start << 7)
        for kind in range(1, 8):
            if self.hands[us][kind]:
                if kind == 5:
                    reached = diagonal
                elif kind == 6:
                    reached = straight
                elif kind == 2:
                    reached = straight & board.RAY[us ^ 1][their]
                else:
                    reached = board.STEP[other | kind][their]
                reached &= empty
                if reached:
                    end = self._emit(end, self._drop_goals(kind, reached), (80 + kind) << 7)
        return end

    def _filter_checks(self, base: int, end: int) -> int:
        shields = self.shields(self.turn, self.turn ^ 1)
        kept = base
        at = base
        while at < end:
            if self.checks(self.moves[at], shields):
                self.moves[kept] = self.moves[at]
                kept += 1
            at += 1
        return kept

    def mate_in_one(self, base: int) -> int:
        """Return a move that mates in one, or 0 if there is none; call `survey` first."""
        end = self.generate_checks(base)
        at = base
        while at < end:
            self.make(self.moves[at])
            self.survey()
            mates = not self.has_move()
            self.unmake()
            if mates:
                self.survey()
                return self.moves[at]
            at += 1
        self.survey()
        return 0
