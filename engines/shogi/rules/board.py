"""Men on squares and in hand: attacks, pins, making and unmaking moves, exchanges.

A move is an integer: its target square, plus 128 times its origin (80 + kind for a drop), plus
16384 if the man promotes. This module does not check whether moves are legal; generation.py does.
"""

from array import array
from typing import Final

import engines.shogi.rules.bits as bits
from engines.shogi.rules import geometry

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

if not cython.compiled:
    SQUARE = [0] * 81
    FROM = [0] * 81
    STEP = [[0] * 81 for _ in range(32)]
    RAY = [[0] * 81 for _ in range(8)]
    ROOK_RAYS = [0] * 81
    BISHOP_RAYS = [0] * 81
    FILE_ATTACKS = [[0] * 128 for _ in range(9)]
    BETWEEN = [[0] * 81 for _ in range(81)]
    LINE = [[0] * 81 for _ in range(81)]
    ZONE = [0, 0]
    DEAD = [[0] * 16 for _ in range(2)]
    MAN_KEY = [[0] * 81 for _ in range(32)]
    HAND_KEY = [[[0] * 19 for _ in range(8)] for _ in range(2)]
    VALUE = [0] * 16
    EXCHANGE = [0] * 16
    HAND_UNIT = [0] * 8
ALL = geometry.BOARD
RANK9 = geometry.ranks_set(8, 8)
CARRY = geometry.ranks_set(0, 7)
TURN_KEY = geometry.random_keys(1)[0]
# A hand has six bits per kind. The highest of them stays 0 in a hand: it takes up the borrow when
# two hands are compared with one subtraction.
HAND_GUARD = sum(32 << 6 * kind for kind in range(8))

# In hundredths of a pawn. A capture gains the value of the man twice: the opponent loses it on the
# board, and the capturer has it in hand.
_VALUES: Final = (0, 100, 350, 450, 550, 950, 1100, 600, 15000, 600, 600, 600, 600, 1150, 1450, 0)


def _fill_sets() -> None:
    for square in range(81):
        SQUARE[square] = 1 << square
        FROM[square] = geometry.BOARD >> square << square
        for man in range(32):
            STEP[man][square] = geometry.step(man, square)
        rays = [geometry.ray(direction, square) for direction in range(8)]
        for direction in range(8):
            RAY[direction][square] = rays[direction]
        ROOK_RAYS[square] = rays[0] | rays[1] | rays[2] | rays[3]
        BISHOP_RAYS[square] = rays[4] | rays[5] | rays[6] | rays[7]
        for end in range(81):
            BETWEEN[square][end] = 0
            LINE[square][end] = 0
    for square in range(81):
        for end in range(81):
            if (ROOK_RAYS[square] | BISHOP_RAYS[square]) & SQUARE[end]:
                BETWEEN[square][end] = geometry.between(square, end)
                LINE[square][end] = geometry.line(square, end)
    for rank in range(9):
        for inner in range(128):
            FILE_ATTACKS[rank][inner] = geometry.file_attacks(rank, inner)
    ZONE[0] = geometry.ranks_set(0, 2)
    ZONE[1] = geometry.ranks_set(6, 8)
    for side in range(2):
        for kind in range(16):
            DEAD[side][kind] = geometry.dead_squares(kind, side)


def _fill_numbers() -> None:
    keys = iter(geometry.random_keys(1 + 32 * 81 + 2 * 8 * 19)[1:])
    for man in range(32):
        for square in range(81):
            MAN_KEY[man][square] = next(keys)
    for side in range(2):
        for kind in range(8):
            for held in range(19):
                HAND_KEY[side][kind][held] = next(keys)
    for kind in range(8):
        HAND_UNIT[kind] = 1 << 6 * kind
    for kind in range(16):
        VALUE[kind] = _VALUES[kind]
        EXCHANGE[kind] = _VALUES[kind] + _VALUES[kind if kind < 9 else kind - 8]


_fill_sets()
_fill_numbers()


def rank_attacks(square: int, men: int) -> int:
    """Return the squares that a rook attacks along its rank."""
    along = RAY[2][square]
    met = men & along
    down = RAY[3][square]
    # Subtracting one flips all bits up to the first man on the ray, or the whole ray.
    return (along & (met ^ (met - 1))) | (down & FROM[bits.highest((men & down) | 1)])


def bishop_attacks(square: int, men: int) -> int:
    """Return the squares that a bishop attacks."""
    along = RAY[4][square]
    met = men & along
    reached = along & (met ^ (met - 1))
    along = RAY[5][square]
    met = men & along
    reached |= along & (met ^ (met - 1))
    along = RAY[6][square]
    reached |= along & FROM[bits.highest((men & along) | 1)]
    along = RAY[7][square]
    return reached | (along & FROM[bits.highest((men & along) | 1)])


def file_attacks(square: int, men: int) -> int:
    """Return the squares that a rook attacks along its file."""
    shift = square // 9 * 9
    return FILE_ATTACKS[square - shift][bits.seven(men, shift + 1)] << shift


def rook_attacks(square: int, men: int) -> int:
    """Return the squares that a rook attacks."""
    return file_attacks(square, men) | rank_attacks(square, men)


def attacks(man: int, square: int, men: int) -> int:
    """Return the squares that a man attacks when `men` are the occupied squares."""
    kind = man & 15
    if kind == 2:
        return file_attacks(square, men) & RAY[man >> 4][square]
    if kind == 5 or kind == 13:
        return bishop_attacks(square, men) | STEP[man][square]
    if kind == 6 or kind == 14:
        return rook_attacks(square, men) | STEP[man][square]
    return STEP[man][square]


class Board:
    """The men on the board and in hand, the side to move, and the moves made so far."""

    def __init__(self) -> None:
        if not cython.compiled:
            self.cells = [0] * 81
            self.kinds = [0] * 16
            self.sides = [0] * 2
            self.hands = [[0] * 8 for _ in range(2)]
            self.kings = [0] * 2
            self.checkers = 0
            self.pinned = 0
        self.capacity = 0
        self.height = 0
        self.past_moves = array("i")
        self.past_taken = array("i")
        self.past_checks = array("i")
        self.past_boards = array("q")
        self.past_hands = array("q")
        self.past_counts = array("q")
        self.reserve(64)
        self.place([0] * 81, [[0] * 8, [0] * 8], 0, 1)

    def place(self, cells: "list[int]", hands: "list[list[int]]", turn: int, ply: int) -> None:
        """Set up men on squares and in hand; the list of moves becomes empty."""
        self.height = 0
        self.turn = turn
        self.ply = ply
        self.board_key = TURN_KEY if turn else 0
        self.hand_key = 0
        self.black_counts = 0
        for kind in range(16):
            self.kinds[kind] = 0
        for side in range(2):
            self.sides[side] = 0
            self.kings[side] = -1
            for kind in range(8):
                held = hands[side][kind]
                self.hands[side][kind] = held
                self.hand_key ^= HAND_KEY[side][kind][held]
                if side == 0:
                    self.black_counts += held * HAND_UNIT[kind]
        for square in range(81):
            man = cells[square]
            self.cells[square] = man
            if man:
                self.kinds[man & 15] |= SQUARE[square]
                self.sides[man >> 4] |= SQUARE[square]
                self.board_key ^= MAN_KEY[man][square]
                if man & 15 == 8:
                    self.kings[man >> 4] = square
        self.survey()

    def reserve(self, moves: int) -> None:
        """Make room for so many more moves; call this before `make`."""
        if self.height + moves <= self.capacity:
            return
        # Doubling the room keeps a long game from being copied at every move.
        more = max(self.height + 2 * moves - self.capacity, self.capacity)
        self.capacity += more
        # Concatenation makes new arrays: an array that a compiled view holds cannot be resized.
        self.past_moves = array("i", self.past_moves) + array("i", bytes(4 * more))
        self.past_taken = array("i", self.past_taken) + array("i", bytes(4 * more))
        self.past_checks = array("i", self.past_checks) + array("i", bytes(4 * more))
        self.past_boards = array("q", self.past_boards) + array("q", bytes(8 * more))
        self.past_hands = array("q", self.past_hands) + array("q", bytes(8 * more))
        self.past_counts = array("q", self.past_counts) + array("q", bytes(8 * more))

    def golds(self) -> int:
        """Return the men that move like a gold."""
        return self.kinds[7] | self.kinds[9] | self.kinds[10] | self.kinds[11] | self.kinds[12]

    def attackers(self, square: int, side: int, men: int) -> int:
        """Return the men of `side` that attack a square when `men` are the occupied squares."""
        own = self.sides[side]
        other = (side ^ 1) << 4
        attackers = (
            (STEP[other | 1][square] & self.kinds[1])
            | (STEP[other | 3][square] & self.kinds[3])
            | (STEP[other | 4][square] & self.kinds[4])
            | (STEP[other | 7][square] & self.golds())
            | (STEP[8][square] & (self.kinds[8] | self.kinds[13] | self.kinds[14]))
        )
        if RAY[side ^ 1][square] & self.kinds[2] & own:
            attackers |= file_attacks(square, men) & RAY[side ^ 1][square] & self.kinds[2]
        lines = self.kinds[5] | self.kinds[13]
        if BISHOP_RAYS[square] & lines & own:
            attackers |= bishop_attacks(square, men) & lines
        lines = self.kinds[6] | self.kinds[14]
        if ROOK_RAYS[square] & lines & own:
            attackers |= rook_attacks(square, men) & lines
        return attackers & own

    def attacked(self, square: int, side: int, men: int) -> bool:
        """Tell whether a man of `side` attacks a square when `men` are the occupied squares."""
        own = self.sides[side]
        other = (side ^ 1) << 4
        if own & (
            (STEP[other | 7][square] & self.golds())
            | (STEP[other | 4][square] & self.kinds[4])
            | (STEP[other | 3][square] & self.kinds[3])
            | (STEP[other | 1][square] & self.kinds[1])
            | (STEP[8][square] & (self.kinds[8] | self.kinds[13] | self.kinds[14]))
        ):
            return True
        lines = (self.kinds[5] | self.kinds[13]) & own
        if BISHOP_RAYS[square] & lines and bishop_attacks(square, men) & lines:
            return True
        lines = (self.kinds[6] | self.kinds[14]) & own
        if ROOK_RAYS[square] & lines and rook_attacks(square, men) & lines:
            return True
        lines = self.kinds[2] & own & RAY[side ^ 1][square]
        return lines != 0 and file_attacks(square, men) & lines != 0

    def snipers(self, king: int, side: int) -> int:
        """Return the sliding men of `side` that would check `king` on an empty board."""
        return self.sides[side] & (
            (ROOK_RAYS[king] & (self.kinds[6] | self.kinds[14]))
            | (BISHOP_RAYS[king] & (self.kinds[5] | self.kinds[13]))
            | (RAY[side ^ 1][king] & self.kinds[2])
        )

    def survey(self) -> None:
        """Find the men that give check to the side to move, and which of its men are pinned."""
        king = self.kings[self.turn]
        self.checkers = 0
        self.pinned = 0
        if king < 0:
            return
        enemy = self.sides[self.turn ^ 1]
        men = enemy | self.sides[self.turn]
        other = self.turn << 4
        self.checkers = enemy & (
            (STEP[other | 1][king] & self.kinds[1])
            | (STEP[other | 3][king] & self.kinds[3])
            | (STEP[other | 4][king] & self.kinds[4])
            | (STEP[other | 7][king] & self.golds())
            | (STEP[8][king] & (self.kinds[13] | self.kinds[14]))
        )
        snipers = self.snipers(king, self.turn ^ 1)
        while snipers:
            at = bits.lowest(snipers)
            snipers &= snipers - 1
            way = BETWEEN[king][at] & men
            if not way:
                self.checkers |= SQUARE[at]
            elif not way & (way - 1):
                self.pinned |= way & self.sides[self.turn]

    def shields(self, side: int, king_side: int) -> int:
        """Return the men of `side` that alone shield a king from a sliding man.

        The king is that of `king_side`, and the sliding man belongs to its opponent.
        """
        king = self.kings[king_side]
        shields = 0
        if king < 0:
            return 0
        men = self.sides[0] | self.sides[1]
        snipers = self.snipers(king, king_side ^ 1)
        while snipers:
            at = bits.lowest(snipers)
            snipers &= snipers - 1
            way = BETWEEN[king][at] & men
            if way and not way & (way - 1):
                shields |= way & self.sides[side]
        return shields

    def make(self, move: int) -> None:
        """Make a move without looking for checks; `reserve` must have made room for it."""
        height = self.height
        us = self.turn
        to = move & 127
        start = (move >> 7) & 127
        self.past_moves[height] = move
        self.past_boards[height] = self.board_key
        self.past_hands[height] = self.hand_key
        self.past_counts[height] = self.black_counts
        self.past_taken[height] = 0
        key = self.board_key ^ TURN_KEY
        if start > 80:
            kind = start - 80
            man = kind | us << 4
            held = self.hands[us][kind]
            self.hands[us][kind] = held - 1
            self.hand_key ^= HAND_KEY[us][kind][held] ^ HAND_KEY[us][kind][held - 1]
            if us == 0:
                self.black_counts -= HAND_UNIT[kind]
        else:
            man = self.cells[start]
            taken = self.cells[to]
            if taken:
                self.past_taken[height] = taken
                kind = taken & 15
                self.kinds[kind] ^= SQUARE[to]
                self.sides[us ^ 1] ^= SQUARE[to]
                key ^= MAN_KEY[taken][to]
                if kind > 8:
                    kind -= 8
                held = self.hands[us][kind]
                self.hands[us][kind] = held + 1
                self.hand_key ^= HAND_KEY[us][kind][held] ^ HAND_KEY[us][kind][held + 1]
                if us == 0:
                    self.black_counts += HAND_UNIT[kind]
            kind = man & 15
            self.cells[start] = 0
            self.kinds[kind] ^= SQUARE[start]
            self.sides[us] ^= SQUARE[start]
            key ^= MAN_KEY[man][start]
            if move & 16384:
                man += 8
                kind += 8
            elif kind == 8:
                self.kings[us] = to
        self.cells[to] = man
        self.kinds[kind] |= SQUARE[to]
        self.sides[us] |= SQUARE[to]
        self.board_key = key ^ MAN_KEY[man][to]
        self.height = height + 1
        self.turn = us ^ 1

    def unmake(self) -> None:
        """Take the last move back."""
        height = self.height - 1
        self.height = height
        move = self.past_moves[height]
        us = self.turn ^ 1
        self.turn = us
        self.board_key = self.past_boards[height]
        self.hand_key = self.past_hands[height]
        self.black_counts = self.past_counts[height]
        to = move & 127
        start = (move >> 7) & 127
        man = self.cells[to]
        kind = man & 15
        self.kinds[kind] ^= SQUARE[to]
        self.sides[us] ^= SQUARE[to]
        if start > 80:
            self.cells[to] = 0
            self.hands[us][kind] += 1
            return
        if move & 16384:
            man -= 8
            kind -= 8
        elif kind == 8:
            self.kings[us] = start
        self.cells[start] = man
        self.kinds[kind] |= SQUARE[start]
        self.sides[us] |= SQUARE[start]
        taken = self.past_taken[height]
        self.cells[to] = taken
        if taken:
            kind = taken & 15
            self.kinds[kind] |= SQUARE[to]
            self.sides[us ^ 1] |= SQUARE[to]
            self.hands[us][kind if kind < 9 else kind - 8] -= 1

    def checks(self, move: int, shields: int) -> bool:
        """Tell whether a move gives check; `shields` is what the method of that name returns."""
        us = self.turn
        king = self.kings[us ^ 1]
        if king < 0:
            return False
        to = move & 127
        start = (move >> 7) & 127
        if start > 80:
            man = (start - 80) | us << 4
            return attacks(man, to, self.sides[0] | self.sides[1]) & SQUARE[king] != 0
        if shields & SQUARE[start] and not LINE[king][start] & SQUARE[to]:
            return True
        man = self.cells[start] + (8 if move & 16384 else 0)
        return attacks(man, to, (self.sides[0] | self.sides[1]) ^ SQUARE[start]) & SQUARE[king] != 0

    def wins(self, move: int, threshold: int) -> bool:
        """Tell whether the exchange of men that a move begins gains at least `threshold`."""
        to = move & 127
        start = (move >> 7) & 127
        us = self.turn
        men = self.sides[0] | self.sides[1]
        gain = EXCHANGE[self.cells[to] & 15] - threshold
        if start > 80:
            stake = EXCHANGE[start - 80]
            men |= SQUARE[to]
        else:
            kind = self.cells[start] & 15
            if move & 16384:
                gain += VALUE[kind + 8] - VALUE[kind]
                kind += 8
            stake = EXCHANGE[kind]
            men = (men ^ SQUARE[start]) | SQUARE[to]
        if gain < 0:
            return False
        gain = stake - gain  # The gain of recapturing, as the opponent counts it.
        if gain <= 0:
            return True
        side = us
        result = 1
        while True:
            side ^= 1
            mine = self.attackers(to, side, men) & men
            if not mine:
                return result != 0
            result ^= 1
            at = -1
            stake = 1000000
            left = mine
            while left:
                kind = self.cells[bits.lowest(left)] & 15
                if EXCHANGE[kind] < stake:
                    stake = EXCHANGE[kind]
                    at = bits.lowest(left)
                left &= left - 1
            if self.cells[at] & 15 == 8:
                # A king may recapture only on a square that is no longer defended.
                if self.attackers(to, side ^ 1, men ^ SQUARE[at]) & men:
                    return result == 0
                return result != 0
            gain = stake - gain
            if gain < result:
                return result != 0
            men ^= SQUARE[at]
