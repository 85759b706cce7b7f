"""What a quiet position seems worth to the side to move, in hundredths of a man.

Hot. Weights were set by hand; matches decide about changing them. That for blocked men won 61, drew
35 and lost 24 games against none; weights regressed on exact values of positions lost their match.
"""

from engines.morris.board import closers, count, double_closers, in_mills, neighbours

_MAN = 100
_STEP = 4  # A free point beside one's men.
_BLOCKED = 32  # A man without a free point beside it.
_MILL = 12  # A man standing in a mill, by thirds.
_THREAT = 22  # A point where one more man closes a mill.
_STRIKE = 40  # The mover closes a mill now.
_FORK = 16  # A point that closes two.


def evaluate(own: int, enemy: int, own_hand: int, enemy_hand: int) -> int:
    """Return the difference of men, freedom, mills and threats, the mover's strike included."""
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
        score += _MAN // 2  # Flying makes up for a part of what was lost.
    if theirs == 3 and enemy_hand == 0:
        score -= _MAN // 2
    return score


def strikes(men: int, free: int, hand: int, grounded: int) -> int:
    """Return the free points where a side closes a mill by its next move; `grounded` cannot fly."""
    if hand > 0:
        return closers(men) & free
    flies = count(men) == 3 and not grounded
    found = 0
    rest = men
    while rest:
        man = rest & ~(rest - 1)
        rest ^= man
        targets = free if flies else neighbours(man) & free
        if targets:
            found |= targets & closers(men ^ man)
    return found
