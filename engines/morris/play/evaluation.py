"""The static evaluation of a quiet position for the side to move, in hundredths of a man.

Hot. With more men than the shipped tables reach, it is a sum of pattern weights. They were fitted
to games (`workshop.fit`) and, for six men against five, to exact tables (`workshop.sieges`). With
fewer men, it is a sum of a few counts whose weights were set by hand.
"""

import math
from array import array
from typing import Final

from engines.morris.play import weights as shipped
from engines.morris.rules.board import closers, count, double_closers, in_mills, neighbours

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

_MAN = 100
_STEP = 4  # A free point next to an own man.
_BLOCKED = 32  # A man without a free point next to it.
_MILL = 12  # A third of a man that stands in a mill.
_THREAT = 22  # A point where one more man closes a mill.
_STRIKE = 40  # The mover can close a mill now.
_FORK = 16  # A point where one more man closes two mills.

HAND_SET: Final = (_MAN, _STEP, _BLOCKED, _MILL, _THREAT, _STRIKE, _FORK)
"""The hand-set weights, with which fits begin."""

_FEW = 10  # With so many men or fewer, the counts decide.
_MOST_STRIKES = shipped.STRIKES - 1
_MOST_STEPS = shipped.STEPS - 1
_STEPS = shipped.STEPS
_RING = shipped.RING
_FACE = shipped.FACE
_ROW = shipped.ROW
_MATERIAL = shipped.MATERIAL
_MEN = shipped.MEN
_SIEGE = 11  # Men on the board when six stand against five.
_SIEGE_ROWS = shipped.SIZE
_SIEGE_COMMON = shipped.SIZE + shipped.SIEGE_COMMON
_LIKELIEST = 512  # Entries of `WORTH`, and half of them.
_EVEN = _LIKELIEST // 2
_FINE = 16  # Entries of `WORTH` per unit of the logarithm of the odds.
_CERTAIN = 600

if not cython.compiled:
    TERNARY = [0] * 512
    WEIGHTS = [0] * (shipped.SIZE + shipped.SIEGE_SIZE)
    WORTH = [0] * _LIKELIEST
    PHASE = [0] * 19


def _fill_digits() -> None:
    """Fill the tables; one of them reads the bits of a number as ternary digits."""
    for number in range(512):
        TERNARY[number] = int(f"{number:b}", 3)
    for hands, phase in enumerate(shipped.PHASE):
        PHASE[hands] = phase
    for at in range(_LIKELIEST):
        # The worth of this chance to win, else draw; the odds themselves add a little, so that
        # small differences count where the chance is near zero.
        chance = 1 / (1 + math.exp((_EVEN - at) / _FINE))
        worth = 400 * math.log10((1 + chance) / (1 - chance)) + at / _FINE
        WORTH[at] = round(worth) if worth < _CERTAIN else _CERTAIN


def fill(weights: "array[int]") -> int:
    """Use these weights, in the order of weights.py, in all searches of the process."""
    for at in range(shipped.SIZE):
        WEIGHTS[at] = weights[at]
    return 0


def fill_sieges(weights: "array[int]") -> int:
    """Use these weights for six men against five, in all searches of the process."""
    for at in range(shipped.SIEGE_SIZE):
        WEIGHTS[shipped.SIZE + at] = weights[at]
    return 0


def evaluate(own: int, enemy: int, own_hand: int, enemy_hand: int) -> int:
    """Return the evaluation of a position; it includes a mill that the mover can close."""
    mine = count(own) + own_hand
    theirs = count(enemy) + enemy_hand
    if mine + theirs <= _FEW:
        return _count_up(own, enemy, own_hand, enemy_hand)
    free = ~(own | enemy) & 0xFFFFFF
    siege = own_hand + enemy_hand == 0 and mine + theirs == _SIEGE and -2 < mine - theirs < 2
    if siege:
        row = _SIEGE_ROWS + (_ROW if mine < theirs else 0)
        score = WEIGHTS[_SIEGE_COMMON + (1 if mine < theirs else 0)]
    else:
        row = PHASE[own_hand + enemy_hand] * _ROW
        score = WEIGHTS[_MATERIAL + ((own_hand + enemy_hand) * _MEN + mine) * _MEN + theirs]
    score += WEIGHTS[row + TERNARY[own & 255] + 2 * TERNARY[enemy & 255]]
    score += WEIGHTS[row + TERNARY[own >> 16] + 2 * TERNARY[enemy >> 16]]
    row += _RING
    score += WEIGHTS[row + TERNARY[own >> 8 & 255] + 2 * TERNARY[enemy >> 8 & 255]]
    row += _RING
    men = own
    others = enemy
    for _ in range(4):
        score += WEIGHTS[
            row
            + TERNARY[men & 7 | men >> 5 & 0x38 | men >> 10 & 0x1C0]
            + 2 * TERNARY[others & 7 | others >> 5 & 0x38 | others >> 10 & 0x1C0]
        ]
        men = (men >> 2 & 0x3F3F3F) | (men << 6 & 0xC0C0C0)
        others = (others >> 2 & 0x3F3F3F) | (others << 6 & 0xC0C0C0)
    row += _FACE
    own_strikes = count(strikes(own, free, own_hand, 0))
    enemy_strikes = count(strikes(enemy, free, enemy_hand, 0))
    if own_strikes > _MOST_STRIKES:
        own_strikes = _MOST_STRIKES
    if enemy_strikes > _MOST_STRIKES:
        enemy_strikes = _MOST_STRIKES
    score += WEIGHTS[row + own_strikes * (_MOST_STRIKES + 1) + enemy_strikes]
    row += (_MOST_STRIKES + 1) * (_MOST_STRIKES + 1)
    steps = count(neighbours(own) & free)
    score += WEIGHTS[row + (steps if steps < _MOST_STEPS else _MOST_STEPS)]
    steps = count(neighbours(enemy) & free)
    score += WEIGHTS[row + _STEPS + (steps if steps < _MOST_STEPS else _MOST_STEPS)]
    if siege:
        score = (score >> 2) + _EVEN
        score = WORTH[0 if score < 0 else _LIKELIEST - 1 if score >= _LIKELIEST else score]
        return -score if mine < theirs else score
    return score >> 3


def _count_up(own: int, enemy: int, own_hand: int, enemy_hand: int) -> int:
    """Return the difference of men, free points, mills and threats.

    The weights were chosen by matches: with the one for blocked men, the engine won 61, drew 35
    and lost 24 games against itself without it.
    """
    free = ~(own | enemy) & 0xFFFFFF
    mine = count(own) + own_hand
    theirs = count(enemy) + enemy_hand
    score = _MAN * (mine - theirs)
    score += _STEP * (count(neighbours(own) & free) - count(neighbours(enemy) & free))
    beside = neighbours(free)
    score -= _BLOCKED * (count(own & ~beside) - count(enemy & ~beside))
    score += _MILL * (count(in_mills(own)) - count(in_mills(enemy))) // 3
    own_threats = strikes(own, free, own_hand, 0)
    enemy_threats = strikes(enemy, free, enemy_hand, 0)
    score += _THREAT * (count(own_threats) - count(enemy_threats))
    score += _FORK * (count(double_closers(own) & free) - count(double_closers(enemy) & free))
    if own_threats:
        score += _STRIKE
    if mine == 3 and own_hand == 0:
        score += _MAN // 2  # Flying is worth a part of the lost men.
    if theirs == 3 and enemy_hand == 0:
        score -= _MAN // 2
    return score


def strikes(men: int, free: int, hand: int, grounded: int) -> int:
    """Return the free points where a side can close a mill now; if `grounded`, it cannot fly."""
    if hand > 0:
        return closers(men) & free
    flies = count(men) == 3 and not grounded
    points = 0
    rest = men
    while rest:
        man = rest & ~(rest - 1)
        rest ^= man
        targets = free if flies else neighbours(man) & free
        if targets:
            points |= targets & closers(men ^ man)
    return points


_fill_digits()
fill(shipped.load())
fill_sieges(shipped.load_sieges())
