"""The movement of men along the track, as bit masks with square n at bit n - 1. Hot.

The men of a side are the 29 low bits of an integer. Square 27 (the trap) and square 30 (off the
board) never hold a man.
"""

from typing import Final

END: Final = 30
TRAP_SQUARE: Final = 27
HOUSE_SQUARE: Final = 15
STANDING: Final = 0x1BFFFFFF  # Squares 1 to 29 without the trap.


def steps_of(throw: int) -> int:
    """Return how many squares a throw moves."""
    return throw + (throw == 5)


def throws_again(throw: int) -> int:
    """Return 1 if the same player throws again after this throw, otherwise 0."""
    return throw == 1 or throw >= 4


def movable(own: int, enemy: int, steps: int, over: int) -> int:
    """Return the mask of the own men that may move `steps` squares."""
    targets = own << steps
    closed = own | (enemy & ((enemy << 1) | (enemy >> 1)))
    legal = targets & 0x1BFFFFFF & ~closed
    legal |= targets & 0x24000000  # The trap, and off the board by an exact throw.
    if over:
        legal |= targets & ~0x3FFFFFFF
    return legal >> steps


def moved(own: int, enemy: int, man: int, steps: int) -> int:
    """Move the man of a one-bit mask; return the own men in the low 32 bits, enemy men above."""
    target = man << steps
    if target == 0x4000000:
        taken = (
            own | enemy
        )  # The man's own square counts as occupied, because it has not left it yet.
        target = 0x4000
        while taken & target:
            target <<= 1
        own |= target
    elif target < 0x20000000:
        own |= target
        if enemy & target:
            enemy ^= target | man
    return (own ^ man) | (enemy << 32)


def count(men: int) -> int:
    """Count the men of a mask."""
    total = 0
    while men:
        men &= men - 1
        total += 1
    return total


def square_of(man: int) -> int:
    """Return the square of a one-bit mask."""
    square = 1
    while man > 1:
        man >>= 1
        square += 1
    return square


def rearmost(men: int, number: int) -> int:
    """Return the man with `number` other men behind it, as a one-bit mask."""
    while number:
        men &= men - 1
        number -= 1
    return men & -men


def foremost(men: int) -> int:
    """Return the man nearest to the end, as a one-bit mask."""
    while men & (men - 1):
        men &= men - 1
    return men
