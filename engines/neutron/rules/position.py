"""A position of Neutron: its turns, its endings, and counts of move sequences."""

from array import array
from typing import Final

try:
    import cython
except ImportError:  # Interpreted, and Cython is not installed.
    from engines.core import uncompiled as cython

from engines.core.game import FIRST, SECOND, Outcome
from engines.neutron.rules.board import BOARD, ENDS, HOME, MOST_MOVES, NOWHERE, mirror

# Endings: 0 while the game is not over, 1 or 2 for the win of a side, 3 for the win of both.
GOES_ON: Final = 0
BOTH: Final = 3

MOST_TURNS: Final = 1000  # A random game is abandoned after so many turns.

# Compiled code reads these private C globals, which other modules cannot see.
_GOES_ON = GOES_ON
_BOTH = BOTH
_NOWHERE = NOWHERE
_ENDS = ENDS
_MOST_MOVES = MOST_MOVES
_MOST_TURNS = MOST_TURNS
_FACTOR = 6364136223846793005  # Knuth's linear congruential generator; use its high bits.
_MASK = (1 << 63) - 1


class Position:
    """Men, neutron and side to move; `only_man` if the neutron is not to be moved this turn."""

    def __init__(
        self, white: int, black: int, neutron: int, turn: int, only_man: bool, kraus: bool
    ) -> None:
        self.board = BOARD
        self.white = white
        self.black = black
        self.neutron = neutron
        self.turn = turn
        self.only_man = only_man
        self.kraus = kraus
        self.past: list[tuple[int, int, int, int, bool]] = []
        self.buffer = array("i", [0])

    def legal_moves(self) -> list[int]:
        """List every legal turn; empty once the game is over."""
        if self.ending() != _GOES_ON:
            return []
        own, enemy = (self.black, self.white) if self.turn else (self.white, self.black)
        moves = array("i", [0] * _MOST_MOVES)
        count = self.board.legal_turns(own, enemy, self.neutron, self.only_man, moves, 0)
        return moves[:count].tolist()

    def play(self, move: int) -> None:
        """Make a turn; legality is the caller's."""
        self.past.append((self.white, self.black, self.neutron, self.turn, self.only_man))
        if (move >> 5 & 31) != _NOWHERE:
            self.neutron = move >> 5 & 31
        if (move >> 15 & 31) == _NOWHERE:
            # The neutron has ended the game, or its mover has no man to move.
            self.only_man = True
            return
        change = 1 << (move >> 10 & 31) | 1 << (move >> 15 & 31)
        if self.turn:
            self.black ^= change
        else:
            self.white ^= change
        self.turn ^= 1
        self.only_man = False

    def undo(self) -> None:
        """Take the last turn back; that there is one is the caller's."""
        self.white, self.black, self.neutron, self.turn, self.only_man = self.past.pop()

    def ending(self) -> int:
        """Return how the game ended as a number: 0, the winner + 1, or 3 for both."""
        return self._ending(self.white, self.black, self.neutron, self.turn, self.only_man)

    def _ending(self, white: int, black: int, neutron: int, turn: int, only_man: bool) -> int:
        if neutron < 5:
            return 1
        if neutron > 19:
            return 2
        men = white | black
        if not self.kraus:
            if white == 0x1F << 20:
                return 1
            if black == 0x1F:
                return 2
        if only_man:
            if not self.board.can_move(black if turn else white, men | 1 << neutron):
                return 2 - turn if self.kraus else _BOTH
            if self.kraus:  # Under Kraus's rules a blocked neutron stays.
                return _GOES_ON
        if not self.board.count_neutron_moves(neutron, men):
            return 2 - turn if self.kraus else _BOTH
        return _GOES_ON

    def outcome(self) -> Outcome | None:
        """Return how the game ended; only the history shows a third repetition."""
        ended = self.ending()
        if ended == _GOES_ON:
            return None
        men = self.white | self.black
        if self.neutron < 5 or self.neutron > 19:
            reason = "neutron home"
        elif not self.kraus and (self.white == HOME[SECOND] or self.black == HOME[FIRST]):
            reason = "far row"
        elif self.only_man and (self.kraus or self.board.count_neutron_moves(self.neutron, men)):
            reason = "no move"
        else:
            reason = "neutron blocked"
        if ended == _BOTH:
            return Outcome(None, reason, both=True)
        return Outcome(ended - 1, reason)

    def key(self) -> int:
        """Return the whole position in 57 bits; no two positions share a key."""
        black, neutron, rest = self.black, self.neutron, self.turn + 2 * self.only_man
        return self.white | black << 25 | neutron << 50 | rest << 55

    def copy(self) -> "Position":
        """Return an independent position, its own undo history included."""
        twin = Position(self.white, self.black, self.neutron, self.turn, self.only_man, self.kraus)
        twin.past = self.past.copy()
        return twin

    def mirrored(self) -> "Position":
        """Return the position mirrored left to right, without a history."""
        return Position(
            mirror(self.white),
            mirror(self.black),
            self.neutron + 4 - 2 * (self.neutron % 5),
            self.turn,
            self.only_man,
            self.kraus,
        )

    def perft(self, depth: int) -> int:
        """Count the sequences of `depth` half-moves; games that end earlier are not counted."""
        if depth == 0:
            return 1
        if self.ending() != _GOES_ON:
            return 0
        own, enemy = (self.black, self.white) if self.turn else (self.white, self.black)
        with cython.nogil:  # A count may take hours, and the program must notice `quit`.
            if self.only_man:
                return self._men_halves(own, enemy, self.neutron, self.turn, depth)
            return self._neutron_halves(own, enemy, self.neutron, self.turn, depth)

    def _neutron_halves(self, own: int, enemy: int, neutron: int, turn: int, depth: int) -> int:
        men = own | enemy
        if depth == 1:
            return self.board.count_neutron_moves(neutron, men)
        total = 0
        targets = self.board.destinations(neutron, men) & 0x0FFFE0  # Home rows end the game.
        while targets:
            bit = targets & -targets
            targets ^= bit
            if depth == 2:
                total += self.board.count_men_moves(own, men | bit)
            else:
                total += self._men_halves(own, enemy, self.board.index[bit % 37], turn, depth - 1)
        return total

    def _men_halves(self, own: int, enemy: int, neutron: int, turn: int, depth: int) -> int:
        occupied = own | enemy | 1 << neutron
        if depth == 1:
            return self.board.count_men_moves(own, occupied)
        total = 0
        men = own
        while men:
            man = men & -men
            men ^= man
            targets = self.board.destinations(self.board.index[man % 37], occupied)
            while targets:
                bit = targets & -targets
                targets ^= bit
                moved = own ^ man ^ bit
                if not self.kraus and moved == (0x1F if turn else 0x1F << 20):
                    continue
                # A blocked neutron has no moves of its own to count.
                total += self._neutron_halves(enemy, moved, neutron, turn ^ 1, depth - 1)
        return total

    def perft_turns(self, depth: int) -> int:
        """Count the sequences of `depth` turns; games that end earlier are not counted."""
        if depth == 0:
            return 1
        if self.ending() != _GOES_ON:
            return 0
        if len(self.buffer) < depth * _MOST_MOVES:
            self.buffer = array("i", [0] * (depth * _MOST_MOVES))
        return self._turns(self.white, self.black, self.neutron, self.turn, self.only_man, depth)

    def _turns(
        self, white: int, black: int, neutron: int, turn: int, only_man: bool, depth: int
    ) -> int:
        own, enemy = (black, white) if turn else (white, black)
        if depth == 1:
            return self.board.count_turns(own, enemy, neutron, only_man)
        at = (depth - 1) * _MOST_MOVES
        end = self.board.legal_turns(own, enemy, neutron, only_man, self.buffer, at)
        total = 0
        while at < end:
            move = self.buffer[at]
            at += 1
            if move >> 15 == _NOWHERE:
                continue
            own_moved = own ^ (1 << (move >> 10 & 31)) ^ (1 << (move >> 15))
            to = neutron if (move >> 5 & 31) == _NOWHERE else move >> 5 & 31
            first, second = (enemy, own_moved) if turn else (own_moved, enemy)
            if self._ending(first, second, to, turn ^ 1, False) == _GOES_ON:
                total += self._turns(first, second, to, turn ^ 1, False, depth - 1)
        return total

    def play_out(self, seed: int) -> int:
        """Play random turns to the end, or MOST_TURNS turns; return the ending as a number.

        All legal turns have the same probability.
        """
        if self.ending() != _GOES_ON:
            return self.ending()
        with cython.nogil:
            return self._play_out(seed & _MASK)

    def play_games(self, number: int) -> int:
        """Play `games` random games with the seeds from 0 on; return how many White has won.

        The game must not be over.
        """
        with cython.nogil:
            return self._play_games(number)

    def _play_games(self, number: int) -> int:
        won = 0
        for seed in range(number):
            won += self._play_out(seed) == 1
        return won

    def _play_out(self, state: int) -> int:
        # The neutron's move is drawn with the number of men's moves after it as its weight, and
        # the man's move by trial and error: all turns are equally likely, and none is listed.
        own, enemy = (self.black, self.white) if self.turn else (self.white, self.black)
        neutron, turn, only_man = self.neutron, self.turn, self.only_man
        for _ in range(_MOST_TURNS):
            men = own | enemy
            if not only_man:
                targets = self.board.destinations(neutron, men)
                if targets == 0:
                    return 2 - turn if self.kraus else _BOTH
                state = state * _FACTOR + 1 & _MASK
                bit = targets & -targets
                if targets != bit:
                    bit = self._draw_neutron(own, men, targets, state >> 32)
                if bit & _ENDS:
                    return 1 if bit < 32 else 2
                neutron = self.board.index[bit % 37]
                if not self.board.can_move(own, men | bit):
                    return 2 - turn if self.kraus else _BOTH
            only_man = False
            men |= 1 << neutron
            while True:
                state = state * _FACTOR + 1 & _MASK
                draw = (state >> 32) % 40
                rest = own
                while draw >= 8:
                    rest &= rest - 1
                    draw -= 8
                start = self.board.index[(rest & -rest) % 37]
                stop = self.board.stop_of(start, draw, men)
                if stop != start:
                    break
            own ^= 1 << start | 1 << stop
            if not self.kraus and own == (0x1F if turn else 0x1F << 20):
                return turn + 1
            own, enemy = enemy, own
            turn ^= 1
        return _GOES_ON

    def _draw_neutron(self, own: int, men: int, targets: int, number: int) -> int:
        """Return one of the neutron's targets, weighted by the number of turns through it."""
        total = 0
        rest = targets
        while rest:
            bit = rest & -rest
            rest ^= bit
            total += self._weigh(own, men, bit)
        left = number % total
        rest = targets
        while True:
            bit = rest & -rest
            rest ^= bit
            left -= self._weigh(own, men, bit)
            if left < 0:
                return bit

    def _weigh(self, own: int, men: int, bit: int) -> int:
        if bit & _ENDS:
            return 1
        return self.board.count_men_moves(own, men | bit) or 1
