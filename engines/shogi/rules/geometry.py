"""The squares that men reach on an empty board; computed once and copied into hot tables.

A square is (file - 1) * 9 + (rank - 1): 1a is 0, 1i is 8, 9i is 80. Black moves towards rank a.
A man is its kind, plus 16 for White; a promoted kind is the unpromoted kind plus 8.
"""

from typing import Final

PAWN: Final = 1
LANCE: Final = 2
KNIGHT: Final = 3
SILVER: Final = 4
BISHOP: Final = 5
ROOK: Final = 6
GOLD: Final = 7
KING: Final = 8
HORSE: Final = 13
DRAGON: Final = 14
PROMOTED: Final = 8
WHITE: Final = 16
BOARD: Final = (1 << 81) - 1

MEN: Final = {  # The number of men of each unpromoted kind.
    PAWN: 18,
    LANCE: 4,
    KNIGHT: 4,
    SILVER: 4,
    BISHOP: 2,
    ROOK: 2,
    GOLD: 4,
    KING: 2,
}

# Directions as steps of file and rank: 0 is forward for Black and 1 for White. Directions 2, 4 and
# 5 lead to squares with higher numbers, directions 3, 6 and 7 to lower ones.
DIRECTIONS: Final = ((0, -1), (0, 1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1))

_ORTHOGONAL: Final = ((0, -1), (0, 1), (1, 0), (-1, 0))
_DIAGONAL: Final = ((1, 1), (1, -1), (-1, -1), (-1, 1))
_GOLD: Final = (*_ORTHOGONAL, (1, -1), (-1, -1))
STEPS: Final = {  # The single steps of black men; sliding moves are in rays.
    PAWN: ((0, -1),),
    KNIGHT: ((1, -2), (-1, -2)),
    SILVER: ((0, -1), *_DIAGONAL),
    GOLD: _GOLD,
    KING: (*_ORTHOGONAL, *_DIAGONAL),
    PAWN + PROMOTED: _GOLD,
    LANCE + PROMOTED: _GOLD,
    KNIGHT + PROMOTED: _GOLD,
    SILVER + PROMOTED: _GOLD,
    HORSE: _ORTHOGONAL,
    DRAGON: _DIAGONAL,
}


def square_at(file: int, rank: int) -> int:
    """Return the square of a file and a rank, both counted from 0, or -1 if off the board."""
    return file * 9 + rank if 0 <= file < 9 and 0 <= rank < 9 else -1


def ray(direction: int, square: int) -> int:
    """Return the squares from `square` to the edge, without `square` itself."""
    files, ranks = DIRECTIONS[direction]
    file, rank = divmod(square, 9)
    reached = 0
    while (target := square_at(file := file + files, rank := rank + ranks)) >= 0:
        reached |= 1 << target
    return reached


def step(man: int, square: int) -> int:
    """Return the squares that a man reaches by a single step."""
    file, rank = divmod(square, 9)
    forward = -1 if man & WHITE else 1
    reached = 0
    for files, ranks in STEPS.get(man & 15, ()):
        if (target := square_at(file + files, rank + forward * ranks)) >= 0:
            reached |= 1 << target
    return reached


def file_attacks(rank: int, inner: int) -> int:
    """Return the squares of file 1 that a rook on `rank` attacks; `inner` is the men on b to h."""
    men = inner << 1
    reached = 0
    for towards in (-1, 1):
        reach = rank + towards
        while 0 <= reach < 9:
            reached |= 1 << reach
            if men >> reach & 1:
                break
            reach += towards
    return reached


def ranks_set(first: int, last: int) -> int:
    """Return all squares of the ranks from `first` to `last`, counted from 0."""
    return sum(1 << file * 9 + rank for file in range(9) for rank in range(first, last + 1))


def between(start: int, end: int) -> int:
    """Return the squares strictly between two on one line, or an empty set."""
    for direction in range(8):
        if (reached := ray(direction, start)) >> end & 1:
            return reached ^ ray(direction, end) ^ 1 << end
    return 0


def line(start: int, end: int) -> int:
    """Return the whole line through two squares, or an empty set."""
    for direction, opposite in ((0, 1), (2, 3), (4, 6), (5, 7)):
        whole = ray(direction, start) | ray(opposite, start)
        if whole >> end & 1:
            return whole | 1 << start
    return 0


def dead_squares(kind: int, side: int) -> int:
    """Return the squares from which an unpromoted man of `side` could never move."""
    rows = {PAWN: 1, LANCE: 1, KNIGHT: 2}.get(kind, 0)
    if not rows:
        return 0
    return ranks_set(0, rows - 1) if side == 0 else ranks_set(9 - rows, 8)


def random_keys(count: int) -> list[int]:
    """Return 63-bit numbers for hashing, the same on every machine (SplitMix64)."""
    mask = (1 << 64) - 1
    keys = []
    for number in range(1, count + 1):
        key = number * 0x9E3779B97F4A7C15 & mask
        key = (key ^ key >> 30) * 0xBF58476D1CE4E5B9 & mask
        key = (key ^ key >> 27) * 0x94D049BB133111EB & mask
        keys.append((key ^ key >> 31) >> 1)
    return keys
