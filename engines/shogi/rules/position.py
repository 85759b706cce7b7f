"""A shogi position: making and taking back moves, its history, and queries for other modules."""

from collections.abc import Sequence

import engines.shogi.rules.bits as bits
import engines.shogi.rules.board as board
from engines.core.game import Outcome
from engines.shogi.rules.generation import MOST_MOVES, Generation

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

DECLARED = 1 << 15  # Moves from this number on are declarations: notation.py names them.


class Position(Generation):
    """A mutable position; sfen.py sets up its men."""

    def __init__(self) -> None:
        self.declared = 0
        Generation.__init__(self)

    def legal_moves(self) -> Sequence[int]:
        """List every legal move."""
        if self.declared:
            return []
        self.make_room(MOST_MOVES)
        self.survey()
        return [self.moves[at] for at in range(self.generate(0, 0))]

    def play(self, move: int) -> None:
        """Make a move; legality is the caller's."""
        self.reserve(1)
        if move >= DECLARED:
            # A declaration leaves the board as it is, and only enters the list of moves.
            self.past_moves[self.height] = move
            self.past_boards[self.height] = self.board_key
            self.past_hands[self.height] = self.hand_key
            self.past_counts[self.height] = self.black_counts
            self.past_checks[self.height] = 0
            self.height += 1
            self.declared = move
        else:
            self.advance(move)

    def advance(self, move: int) -> None:
        """Make a move, survey, and record whether it gave check; `reserve` must come before."""
        self.make(move)
        self.survey()
        self.note_check(self.checkers != 0)

    def undo(self) -> None:
        """Take the last move back."""
        if self.height == 0:
            raise IndexError("no move to take back")
        if self.declared:
            self.declared = 0
            self.height -= 1
        else:
            self.unmake()
        self.survey()

    def outcome(self) -> Outcome | None:
        """Return the outcome after a declaration or without a legal move, otherwise None."""
        if self.declared:
            winner = self.turn if self.declared == DECLARED else None
            return Outcome(winner, "declaration")
        if self.has_move():
            return None
        reason = "checkmate" if self.checkers else "no legal move"
        return Outcome(self.turn ^ 1, reason)

    def key(self) -> int:
        """Return a hash below 2**63 of the men, the hands and the side to move."""
        return self.board_key ^ self.hand_key

    def copy(self) -> "Position":
        """Return an independent copy, including the moves that can be taken back."""
        twin = Position()
        cells = [self.cells[square] for square in range(81)]
        hands = [[self.hands[side][kind] for kind in range(8)] for side in range(2)]
        twin.place(cells, hands, self.turn, self.ply)
        twin.reserve(self.height)
        for at in range(self.height):
            twin.past_moves[at] = self.past_moves[at]
            twin.past_taken[at] = self.past_taken[at]
            twin.past_checks[at] = self.past_checks[at]
            twin.past_boards[at] = self.past_boards[at]
            twin.past_hands[at] = self.past_hands[at]
            twin.past_counts[at] = self.past_counts[at]
        twin.height = self.height
        twin.declared = self.declared
        return twin

    def perft(self, depth: int) -> int:
        """Count the sequences of `depth` legal moves."""
        if depth <= 0:
            return 1
        self.reserve(depth)
        self.make_room(depth * MOST_MOVES)
        self.survey()
        with cython.nogil:
            total = self._perft(depth, 0)
        self.survey()
        return total

    def _perft(self, depth: int, base: int) -> int:
        self.survey()
        if depth == 1:
            return self.count()
        end = self.generate(base, 0)
        total = 0
        at = base
        while at < end:
            self.make(self.moves[at])
            total += self._perft(depth - 1, end)
            self.unmake()
            at += 1
        return total

    def make_pass(self) -> None:
        """Let the side to move pass, which only a search may do; `survey` must follow."""
        height = self.height
        self.past_moves[height] = 0
        self.past_taken[height] = 0
        self.past_checks[height] = 0
        self.past_boards[height] = self.board_key
        self.past_hands[height] = self.hand_key
        self.past_counts[height] = self.black_counts
        self.board_key ^= board.TURN_KEY
        self.height = height + 1
        self.turn ^= 1

    def unmake_pass(self) -> None:
        """Take a pass back."""
        self.height -= 1
        self.board_key ^= board.TURN_KEY
        self.turn ^= 1

    def recurrence(self, reach: int) -> int:
        """Classify the latest recurrence of the board within `reach` plies, for the side to move.

        0 is none, 1 a draw, 2 a win and 3 a loss by perpetual check. The same board with more men
        in hand than before is 4, with fewer 5. A pass ends the search for earlier positions.
        """
        height = self.height
        last = height - reach
        if last < 0:
            last = 0
        at = height - 2
        while at >= last:
            if self.past_moves[at] == 0 or self.past_moves[at + 1] == 0:
                return 0  # Nothing can recur across a pass.
            if self.past_boards[at] == self.board_key:
                if self.past_hands[at] == self.hand_key:
                    moves = (height - at) // 2
                    if self.past_checks[height - 1] >= moves:
                        return 2
                    return 3 if self.past_checks[height - 2] >= moves else 1
                now = self.black_counts
                then = self.past_counts[at]
                if ((now | board.HAND_GUARD) - then) & board.HAND_GUARD == board.HAND_GUARD:
                    return 4 if self.turn == 0 else 5
                if ((then | board.HAND_GUARD) - now) & board.HAND_GUARD == board.HAND_GUARD:
                    return 5 if self.turn == 0 else 4
            at -= 2
        return 0

    def occurrences(self) -> int:
        """Count how often the same position, including the hands, occurred before."""
        times = 0
        at = self.height - 2
        while at >= 0:
            if self.past_boards[at] == self.board_key and self.past_hands[at] == self.hand_key:
                times += 1
            at -= 2
        return times

    def note_check(self, check: bool) -> None:
        """Update the number of consecutive checks by the side that has just moved."""
        if not check:
            self.past_checks[self.height - 1] = 0
        elif self.height < 3:
            self.past_checks[self.height - 1] = 1
        else:
            self.past_checks[self.height - 1] = self.past_checks[self.height - 3] + 1

    def points(self) -> int:
        """Return the same as `declaration_points`, for hot code."""
        us = self.turn
        zone = board.ZONE[us]
        own = self.sides[us] & zone
        if self.kings[us] < 0 or self.checkers or not own & self.kinds[8]:
            return -1
        if bits.count(own) < 11:
            return -1
        points = bits.count(own) - 1
        points += 4 * bits.count(
            own & (self.kinds[5] | self.kinds[6] | self.kinds[13] | self.kinds[14])
        )
        for kind in range(1, 8):
            points += self.hands[us][kind] * (5 if kind == 5 or kind == 6 else 1)
        return points

    # Compiled attributes are invisible to Python: other modules use the methods below.

    def man_at(self, square: int) -> int:
        """Return the man on a square, its kind plus 16 for White, or 0 for an empty square."""
        return self.cells[square]

    def held(self, side: int, kind: int) -> int:
        """Return how many men of a kind a side has in hand."""
        return self.hands[side][kind]

    def board_hash(self) -> int:
        """Return the part of the key that does not depend on the hands."""
        return self.board_key

    def king_square(self, side: int) -> int:
        """Return the square of a side's king, or -1."""
        return self.kings[side]

    def is_check(self) -> bool:
        """Tell whether the side to move is in check."""
        return self.checkers != 0

    def can_take_king(self) -> bool:
        """Tell whether the side to move attacks the other king, which no legal move allows."""
        king = self.kings[self.turn ^ 1]
        return king >= 0 and self.attacked(king, self.turn, self.sides[0] | self.sides[1])

    def reaches(self, start: int, to: int) -> bool:
        """Tell whether the man on `start` attacks `to`."""
        men = self.sides[0] | self.sides[1]
        return board.attacks(self.cells[start], start, men) & board.SQUARE[to] != 0

    def leaves_check(self, move: int) -> bool:
        """Tell whether an otherwise legal move leaves the mover's own king in check."""
        self.reserve(1)
        self.make(move)
        left = self.can_take_king()
        self.unmake()
        return left

    def plies(self) -> int:
        """Return how many moves can be taken back."""
        return self.height

    def checks_in_row(self, back: int) -> int:
        """Return the number of consecutive checks by one side up to its move `back` plies ago."""
        at = self.height - 1 - back
        return self.past_checks[at] if at >= 0 else 0

    def find_mate_in_one(self) -> int:
        """Return a move that mates in one, or 0."""
        self.make_room(2 * MOST_MOVES)
        self.reserve(1)
        self.survey()
        return self.mate_in_one(0)

    def checking_moves(self) -> list[int]:
        """List the legal moves that give check."""
        self.make_room(MOST_MOVES)
        self.survey()
        return [self.moves[at] for at in range(self.generate_checks(0))]

    def allows(self, move: int) -> bool:
        """Tell whether any integer, such as a move from another position, is a legal move here."""
        self.survey()
        return move >= 0 and self.is_legal(move)

    def gives_check(self, move: int) -> bool:
        """Tell whether a legal move gives check."""
        return self.checks(move, self.shields(self.turn, self.turn ^ 1))

    def wins_exchange(self, move: int, threshold: int) -> bool:
        """Tell whether the exchange of men that a move begins gains at least `threshold`."""
        return self.wins(move, threshold)

    def parts(self, part: int) -> list[int]:
        """List the legal moves of one part; `generate` says which parts there are."""
        self.make_room(MOST_MOVES)
        self.survey()
        return [self.moves[at] for at in range(self.generate(0, part))]

    def declaration_points(self) -> int:
        """Return the side to move's points for a declaration, or -1 if it may not declare.

        To declare, it must not be in check, and its king and at least ten more of its men must be
        in the promotion zone.
        """
        return self.points()
