from random import Random

import numpy as np
import pytest

from engines.senet.tables.folding import fold, unfold
from engines.senet.tables.table import Class, entries


@pytest.mark.parametrize("each", [(1, 1), (2, 1), (1, 2), (1, 3)])
@pytest.mark.parametrize("smooth", [True, False])
def test_folding_is_undone_by_unfolding(each: Class, smooth: bool) -> None:
    generator = Random(1)
    rows = entries(each[0], 0)
    columns = entries(*each) // rows
    levels = np.array(
        [
            [
                40 * row + 9 * column if smooth else generator.randrange(65536)
                for column in range(columns)
            ]
            for row in range(rows)
        ],
        dtype=np.int32,
    )
    folded, row_weights, column_weights = fold(levels, each)
    assert folded.shape == (columns, rows)
    assert (unfold(folded, each, row_weights, column_weights) == levels).all()


def test_what_neighbours_tell_is_folded_away() -> None:
    # 378 sets of two men against one: the chance falls by so much with each square of each man.
    pairs = [(low, high) for high in range(28) for low in range(high)]
    levels = np.array(
        [[1000 + 50 * low + 30 * high + 20 * enemy for enemy in range(26)] for low, high in pairs],
        dtype=np.int32,
    )
    folded, _, _ = fold(levels, (2, 1))
    assert levels.max() > 2500
    assert np.median(np.abs(folded)) <= 8
