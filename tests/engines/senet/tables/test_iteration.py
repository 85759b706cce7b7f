import random

import pytest

from engines.senet.rules.track import movable, moved, steps_of, throws_again
from engines.senet.tables import iteration as module
from engines.senet.tables.iteration import Iteration
from engines.senet.tables.sweep import Sweep, improve
from engines.senet.tables.table import FLOAT, ChanceTable

COMPILED = not module.__file__.endswith(".py")


def mask(*squares: int) -> int:
    return sum(1 << (square - 1) for square in squares)


def solved(passing: bool, over: bool = False) -> tuple[ChanceTable, Iteration]:
    table = ChanceTable([(1, 1)], FLOAT)
    sweep = Sweep(table, 1, 1, int(passing), int(over), None)
    while improve([sweep]) > 1e-6:
        pass
    return table, Iteration(table, int(passing), int(over))


def expected(table: ChanceTable, own: int, enemy: int, passing: bool, over: bool) -> float:
    """Weigh every throw by brute force, stuck ones by trying them again a hundred times."""
    chance = 0.5
    for _ in range(100):
        total = 0.0
        for throw in range(1, 6):
            men = [
                1 << bit
                for bit in range(29)
                if movable(own, enemy, steps_of(throw), over) >> bit & 1
            ]
            again = throws_again(throw)
            values = []
            for man in men:
                after = moved(own, enemy, man, steps_of(throw))
                mine, theirs = after & 0xFFFFFFFF, after >> 32
                if mine == 0:
                    values.append(1.0)
                elif again:
                    values.append(table.chance(mine, theirs))
                else:
                    values.append(1 - table.chance(theirs, mine))
            if values:
                total += max(values)
            elif passing and not again:
                total += 1 - table.chance(enemy, own)
            else:
                total += chance
        chance = total / 5
    return chance


@pytest.mark.parametrize("passing", [False, True])
@pytest.mark.parametrize("over", [False, True])
def test_a_value_is_the_mean_over_the_throws_of_the_best_move(passing: bool, over: bool) -> None:
    table, iteration = solved(passing, over)
    generator = random.Random(2)
    for _ in range(60):
        own, enemy = (mask(square) for square in generator.sample([*range(1, 27), 28, 29], 2))
        value = expected(table, own, enemy, passing, over)
        assert iteration.value(own, enemy) == pytest.approx(value, abs=1e-6)
        assert table.chance(own, enemy) == pytest.approx(value, abs=1e-5)


def test_a_check_finds_a_wrong_value() -> None:
    table, iteration = solved(passing=False)
    index = table.index(mask(28), mask(3))
    table.part(1, 1)[index] -= 0.1
    assert iteration.check(1, 1, 5000, seed=4) > 0.09
