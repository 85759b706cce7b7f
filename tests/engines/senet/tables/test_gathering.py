from itertools import combinations, pairwise
from math import comb

import pytest

from engines.senet.tables import gathering as module
from engines.senet.tables.gathering import BATCH, GatheredRows, due
from engines.senet.tables.table import FLOAT, SHORT, SQUARES
from tests.engines.senet.tables.test_sweep import random_table

COMPILED = not module.__file__.endswith(".py")
OWN, ENEMY = (3, 2) if COMPILED else (1, 1)


def squares(places: "tuple[int, ...]") -> int:
    return sum(1 << (place + (place >= 26)) for place in places)


def pips(places: "tuple[int, ...]") -> int:
    return sum(place + 1 + (place >= 26) for place in places)


@pytest.mark.parametrize("kind", [FLOAT, SHORT])
@pytest.mark.parametrize("parts", [1, 3])
def test_a_line_holds_the_chance_against_every_enemy_set_when_the_enemy_throws(
    kind: str, parts: int
) -> None:
    table = random_table([(OWN, ENEMY), (ENEMY, OWN)], kind)
    first = GatheredRows(table, OWN, ENEMY, None)
    workers = [first, *(GatheredRows(table, OWN, ENEMY, first) for _ in range(1, parts))]
    level = 30 if COMPILED else 12
    for part, worker in enumerate(workers):
        worker.gather(level, part, parts)
    seen = set()
    for own in combinations(range(SQUARES), OWN):
        if pips(own) // BATCH != level // BATCH:
            continue
        seen.add(pips(own))
        free = [place for place in range(SQUARES) if place not in own]
        line = first.line(sum(1 << place for place in own))
        assert len(line) == comb(len(free), ENEMY)
        ranked = sorted(combinations(free, ENEMY), key=lambda places: places[::-1])
        for chance, enemy in zip(line, ranked, strict=True):
            expected = 1 - table.chance(squares(enemy), squares(own))
            # Comparing by pytest.approx would take nine tenths of the time.
            assert abs(chance / (1 if kind == FLOAT else 65535) - expected) <= 1e-6
    assert len(seen) > 1  # Several levels, gathered together.


def test_lines_are_due_once_a_batch_going_down() -> None:
    levels = [level for level in range(100, 0, -1) if due(level)]
    assert all(a - b == BATCH for a, b in pairwise(levels))
    assert all(level % BATCH == BATCH - 1 for level in levels)
