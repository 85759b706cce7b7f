from array import array
from itertools import combinations

import pytest

from engines.core.storage import allocate
from engines.senet.tables.table import FLOAT, SHORT, ChanceTable, entries

SQUARES = [square for square in range(1, 30) if square != 27]


def mask(*squares: int) -> int:
    return sum(1 << (square - 1) for square in squares)


def test_the_classes_are_as_large_as_they_are_known_to_be() -> None:
    assert entries(5, 5) == 3_307_023_720
    assert sum(entries(own, enemy) for own in range(1, 6) for enemy in range(1, 6)) == 5_772_463_452
    assert sum(entries(own, enemy) for own in range(1, 4) for enemy in range(1, 4)) == 9_807_462


@pytest.mark.parametrize(("own", "enemy"), [(1, 1), (1, 2), (2, 1)])
def test_every_position_of_a_class_has_an_index_of_its_own(own: int, enemy: int) -> None:
    table = ChanceTable([(1, 1), (own, enemy)] if (own, enemy) != (1, 1) else [(1, 1)], FLOAT)
    indices = {
        table.index(mask(*men), mask(*others))
        for men in combinations(SQUARES, own)
        for others in combinations(SQUARES, enemy)
        if not set(men) & set(others)
    }
    start = 0 if (own, enemy) == (1, 1) else entries(1, 1)
    assert indices == set(range(start, start + entries(own, enemy)))


@pytest.mark.parametrize(("own", "enemy"), [(5, 2), (2, 5), (4, 3)])
def test_larger_classes_fill_their_indices_from_end_to_end(own: int, enemy: int) -> None:
    table = ChanceTable([(own, enemy)], SHORT)
    lowest, highest = SQUARES[: own + enemy], SQUARES[-own - enemy :]
    assert table.index(mask(*lowest[:own]), mask(*lowest[own:])) == 0
    assert table.index(mask(*highest[enemy:]), mask(*highest[:enemy])) == entries(own, enemy) - 1


@pytest.mark.parametrize("kind", [FLOAT, SHORT])
def test_values_are_kept_in_either_kind(kind: str) -> None:
    table = ChanceTable([(1, 1)], kind)
    assert table.holds(1, 1)
    assert not table.holds(1, 2)
    for source in (array(FLOAT, [0.25] * 756), array(SHORT, [16384] * 756)):
        table.fill(1, 1, memoryview(source))
        assert table.chance(mask(28), mask(29)) == pytest.approx(0.25, abs=1e-5)
        assert table.part(1, 1).format == kind


def test_a_table_refuses_memory_that_is_too_small_or_of_another_kind() -> None:
    with pytest.raises(ValueError, match="756 values"):
        ChanceTable([(1, 1)], FLOAT, allocate(FLOAT, 755))
    with pytest.raises(ValueError, match="kind 'f'"):
        ChanceTable([(1, 1)], FLOAT, allocate(SHORT, 756))
