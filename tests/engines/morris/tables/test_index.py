import random
from itertools import combinations

import pytest

from engines.morris.rules.board import COMPILED, count
from engines.morris.tables.index import Index

INDEX = Index()


@pytest.mark.parametrize(
    ("sector", "entries"),
    [((3, 3), 210_140), ((4, 3), 862_980), ((3, 4), 945_630), ((5, 3), 2_742_270)],
)
def test_sectors_have_the_known_sizes(sector: tuple[int, int], entries: int) -> None:
    assert INDEX.entries(*sector) == entries


def test_numbers_and_positions_answer_each_other() -> None:
    chance = random.Random(1)
    for _ in range(2_000 if COMPILED else 100):
        own, enemy = chance.randrange(3, 7), chance.randrange(3, 10)
        number = chance.randrange(INDEX.entries(own, enemy))
        men = INDEX.position(own, enemy, number)
        assert men[0] & men[1] == 0
        assert (count(men[0]), count(men[1])) == (own, enemy)
        least = INDEX.find(*men)
        assert least <= number
        assert INDEX.is_canonical(own, enemy, least)
        assert INDEX.is_canonical(own, enemy, number) == (least == number)


def test_every_position_of_three_men_has_a_number_within_the_sector() -> None:
    enemy = 0b111 << 21
    numbers = {
        INDEX.find(sum(1 << point for point in points), enemy)
        for points in combinations(range(21), 3)
    }
    assert max(numbers) < INDEX.entries(3, 3)
    assert len(numbers) > 21 * 20 * 19 // 6 // 8  # Only symmetries that keep the mill fold them.
