"""The numbering of sets of squares: by size of the number, without gaps, per number of men."""

from array import array
from functools import cache
from itertools import combinations
from math import comb

from engines.neutron.rules.board import mirror


@cache
def sets(squares: int, men: int) -> "array[int]":
    """List the sets of a number of men in the order of their ranks."""
    return array("i", sorted(_masks(squares, men)))


def _masks(squares: int, men: int) -> list[int]:
    return [sum(1 << square for square in chosen) for chosen in combinations(range(squares), men)]


@cache
def ranks(half: int, men: int) -> "tuple[array[int], array[int]]":
    """Return what the low and the high part of a set add to its rank; bits from 24 on count men."""
    low = array("i")
    for part in range(1 << half):
        low.append(_rank(part, 0, 0, men) | min(bin(part).count("1"), men) << 24)
    high = array("i")
    for below in range(men + 1):
        high.extend(_rank(part, half, below, men) for part in range(1 << half))
    return low, high


def _rank(part: int, shift: int, below: int, men: int) -> int:
    rank = 0
    for bit in range(13):
        if part >> bit & 1:
            below += 1
            rank += comb(bit + shift, below)
    return rank if below <= men else 0


@cache
def canonical(men: int) -> "tuple[array[int], array[int]]":
    """Return the smaller of each set and its mirror image; and its row doubled, odd if mirrored."""
    masks = sorted(_masks(25, men))
    rows = array("i", [mask for mask in masks if mask <= mirror(mask)])
    number = {mask: row for row, mask in enumerate(rows)}
    row_of = array(
        "i",
        [2 * number[mask] if mask in number else 2 * number[mirror(mask)] + 1 for mask in masks],
    )
    return rows, row_of
