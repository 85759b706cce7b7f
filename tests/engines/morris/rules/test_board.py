from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from engines.morris.rules import board


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**24 - 1))
def test_sets_of_points_agree_with_the_lines_drawn_out(men: int) -> None:
    sides = [
        [8 * ring + (at + step) % 8 for step in range(3)]
        for ring in range(3)
        for at in (0, 2, 4, 6)
    ]
    spokes = [[8 * ring + at for ring in range(3)] for at in (1, 3, 5, 7)]
    lines = [sum(1 << point for point in line) for line in sides + spokes]
    assert board.count(men) == men.bit_count()
    assert board.in_mills(men) == sum(
        1 << at for at in range(24) if any(m >> at & 1 and men & m == m for m in lines)
    )
    steps = [pair for line in sides + spokes for pair in pairwise(line)]
    near = {at: {a + b - at for a, b in steps if at in (a, b)} for at in range(24)}
    joined = {other for at in range(24) if men >> at & 1 for other in near[at]}
    assert board.neighbours(men) == sum(1 << at for at in joined)
    for needed, closing in ((1, board.closers(men)), (2, board.double_closers(men))):
        for at in range(24):
            mills = [m for m in lines if m >> at & 1 and (men | 1 << at) & m == m]
            assert closing >> at & 1 == (len(mills) >= needed)
