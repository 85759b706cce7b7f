from math import comb

import pytest

from engines.neutron.rules.board import mirror
from engines.neutron.tables.numbering import canonical, ranks, sets


@pytest.mark.parametrize(("half", "men"), [(13, 2), (12, 3), (11, 5)])
def test_both_parts_of_a_set_add_up_to_its_rank(half: int, men: int) -> None:
    low, high = ranks(half, men)
    listed = sets(25 - men, men)
    assert len(listed) == comb(25 - men, men)
    for rank, mask in enumerate(listed):
        first = low[mask & (1 << half) - 1]
        assert (first & 0xFFFFFF) + high[(first >> 24 << half) + (mask >> half)] == rank


def test_a_set_and_its_mirror_image_have_one_row() -> None:
    rows, row_of = canonical(2)
    for rank, mask in enumerate(sets(25, 2)):
        row = row_of[rank]
        assert rows[row >> 1] == min(mask, mirror(mask))
        assert row & 1 == (mask > mirror(mask))
