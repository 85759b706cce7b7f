import random

import pytest

from engines.senet.play.net import Net
from engines.senet.tables import sweep as module
from engines.senet.tables.gathering import due
from engines.senet.tables.iteration import Iteration
from engines.senet.tables.shipped import net_weights
from engines.senet.tables.sweep import Sweep, improve
from engines.senet.tables.table import FLOAT, SHORT, ChanceTable, Class

COMPILED = not module.__file__.endswith(".py")
CLASSES: list[Class] = [(2, 1), (1, 2), (1, 1)] if COMPILED else [(1, 1)]


def random_table(classes: list[Class], kind: str) -> ChanceTable:
    """Return a table of random chances: an error in a successor cannot hide behind another."""
    table = ChanceTable(classes, kind)
    generator = random.Random(5)
    for index in range(table.size):
        table.values[index] = generator.random() if kind == FLOAT else generator.randrange(65536)
    return table


def positions(own: int, enemy: int, number: int) -> list[tuple[int, int]]:
    generator = random.Random(6)
    squares = [*range(1, 27), 28, 29]
    pairs = []
    for _ in range(number):
        men = generator.sample(squares, own + enemy)
        masks = [sum(1 << (square - 1) for square in part) for part in (men[:own], men[own:])]
        pairs.append((masks[0], masks[1]))
    return pairs


def pips(men: int) -> int:
    return sum(square for square in range(1, 30) if men >> (square - 1) & 1)


@pytest.mark.parametrize("kind", [FLOAT, SHORT])
@pytest.mark.parametrize(("passing", "over"), [(0, 0), (1, 0), (0, 1)])
def test_a_row_gets_the_values_that_single_positions_get(
    kind: str, passing: int, over: int
) -> None:
    for own, enemy in CLASSES:
        table = random_table(CLASSES, kind)
        sweep = Sweep(table, own, enemy, passing, over, None)
        iteration = Iteration(table, passing, over)
        unit = 1e-6 if kind == FLOAT else 1 / 65535
        for men, others in positions(own, enemy, 40 if COMPILED else 3):
            expected = iteration.value(men, others)
            before = table.values[:].tolist()
            for above in (2, 3):
                sweep.gather(pips(men) + above, 0, 1)
            sweep.level(pips(men), 0, 1)
            # Rows of one level do not read one another but through the trap.
            assert table.chance(men, others) == pytest.approx(expected, abs=unit)
            for index, value in enumerate(before):
                table.values[index] = value


@pytest.mark.slow
@pytest.mark.compiled("takes a minute")
@pytest.mark.parametrize("over", [0, 1])
def test_rows_of_three_and_two_men_get_the_values_of_single_positions(over: int) -> None:
    classes: list[Class] = [(3, 2), (2, 3), (2, 2), (3, 1), (1, 3)]
    table = random_table(classes, FLOAT)
    values = memoryview(bytes(table.values)).cast(FLOAT)
    for own, enemy in classes[:2]:
        sweep = Sweep(table, own, enemy, 1, over, None)
        iteration = Iteration(table, 1, over)
        for men, others in positions(own, enemy, 60):
            expected = iteration.value(men, others)
            for above in (2, 3):
                sweep.gather(pips(men) + above, 0, 1)
            sweep.level(pips(men), 0, 1)
            assert table.chance(men, others) == pytest.approx(expected, abs=1e-6)
            table.values[:] = values


def test_workers_share_a_level() -> None:
    alone = ChanceTable([(1, 1)], FLOAT)
    shared = ChanceTable([(1, 1)], FLOAT)
    single = Sweep(alone, 1, 1, 0, 0, None)
    first = Sweep(shared, 1, 1, 0, 0, None)
    workers = [first, *(Sweep(shared, 1, 1, 0, 0, first) for _ in range(2))]
    single.guess(Net(net_weights()), 0, 1)
    for part, worker in enumerate(workers):
        worker.guess(Net(net_weights()), part, 3)
    for _ in range(3):
        improve([single])
        for level in range(first.most, 0, -1):
            if level == first.most or due(level + 2):
                for part, worker in enumerate(workers):
                    worker.gather(level + 2, part, 3)
            for part, worker in enumerate(workers):
                worker.level(level, part, 3)
    assert list(shared.values) == list(alone.values)


@pytest.mark.parametrize("kind", [FLOAT, SHORT])
def test_the_first_guess_is_what_the_net_says(kind: str) -> None:
    table = ChanceTable([(2, 1)], kind)
    net = Net(net_weights())
    Sweep(table, 2, 1, 0, 0, None).guess(net, 0, 1)
    for own, enemy in positions(2, 1, 30):
        assert table.chance(own, enemy) == pytest.approx(net.evaluate(own, enemy), abs=1e-5)


def test_changes_shrink_to_nothing() -> None:
    table = ChanceTable([(1, 1)], FLOAT)
    sweep = Sweep(table, 1, 1, 0, 0, None)
    sweep.guess(Net(net_weights()), 0, 1)
    changes = [improve([sweep]) for _ in range(20)]
    assert changes[0] > 0.001  # The net that ships guesses the class well.
    assert changes[-1] < 1e-6
    assert Iteration(table, 0, 0).check(1, 1, 500, seed=3) < 1e-6
