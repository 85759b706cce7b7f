from array import array

import pytest

from engines.senet.play.lookahead import Lookahead
from engines.senet.play.net import Net
from engines.senet.rules.track import STANDING
from engines.senet.tables.sweep import Sweep, improve
from engines.senet.tables.table import FLOAT, ChanceTable
from engines.senet.workshop import training as module
from engines.senet.workshop.training import Trainer

COMPILED = not module.__file__.endswith(".py")


@pytest.mark.slow
def test_a_net_learns_to_be_less_wrong() -> None:
    table = ChanceTable([(1, 1)], FLOAT)
    sweep = Sweep(table, 1, 1, 0, 0, None)
    while improve([sweep]) > 1e-6:
        pass
    net = Net(seed=1)
    lookahead = Lookahead(net, table, 0, 0)

    def error() -> float:
        places = [(1 << own, 1 << enemy) for own in range(0, 26, 3) for enemy in range(1, 26, 3)]
        return sum(abs(net.evaluate(*each) - table.chance(*each)) for each in places)

    before = error()
    trainer = Trainer(net, lookahead, 5)
    positions = 300_000 if COMPILED else 1500
    first = trainer.run(positions // 10, 0.02, 0.1) / (positions // 10)
    last = trainer.run(positions, 0.02, 0.1) / positions
    assert last < first
    if COMPILED:
        assert error() < 0.7 * before


def test_the_same_seed_teaches_the_same() -> None:
    weights = []
    for _ in range(2):
        net = Net(seed=1)
        Trainer(net, Lookahead(net, ChanceTable([], FLOAT), 1, 0), 5).run(50, 0.01, 0.2)
        weights.append(net.weights())
    assert weights[0] == weights[1]
    assert weights[0] != Net(seed=1).weights()


@pytest.mark.parametrize("explore", [0.0, 1.0])
def test_training_plays_on_with_any_share_of_random_moves(explore: float) -> None:
    net = Net(seed=1)
    error = Trainer(net, Lookahead(net, ChanceTable([], FLOAT), 0, 1), 6).run(100, 0.01, explore)
    assert 0 < error < 100


def arrays(number: int) -> "tuple[array[int], array[int]]":
    return array("q", bytes(8 * number)), array("q", bytes(8 * number))


def trainer_of(net: Net, seed: int = 6) -> Trainer:
    return Trainer(net, Lookahead(net, ChanceTable([], FLOAT), 0, 0), seed)


def test_positions_are_scattered_over_the_squares_where_men_stand() -> None:
    owns, enemies = arrays(300)
    trainer_of(Net(seed=1)).scatter(3, 4, owns, enemies)
    assert {own.bit_count() for own in owns} == {3}
    assert {enemy.bit_count() for enemy in enemies} == {4}
    assert all(own & enemy == 0 for own, enemy in zip(owns, enemies, strict=True))
    seen = 0
    for men in (*owns, *enemies):
        seen |= men
    assert seen == STANDING


def test_a_walk_through_games_goes_on_where_it_stopped() -> None:
    owns, enemies = arrays(120)
    trainer_of(Net(seed=1)).wander(owns, enemies, 0.3)
    assert (owns[0], enemies[0]) == (0x2AA, 0x155)
    halves = trainer_of(Net(seed=1))
    walked = []
    for _ in range(2):
        part = arrays(60)
        halves.wander(*part, 0.3)
        walked += list(zip(*part, strict=True))
    assert walked == list(zip(owns, enemies, strict=True))
    assert all(own and enemy for own, enemy in walked)


def test_a_net_is_taught_what_a_table_says() -> None:
    table = ChanceTable([(1, 1)], FLOAT)
    table.fill(1, 1, memoryview(array(FLOAT, [0.75] * 756)))
    net = Net(seed=1)
    owns, enemies = arrays(3000)
    trainer = trainer_of(net)
    trainer.scatter(1, 1, owns, enemies)
    errors = [trainer.teach(table, owns, enemies, 0.02) for _ in range(2)]
    assert errors[1] < errors[0] / 2
    assert net.evaluate(1 << 4, 1 << 20) == pytest.approx(0.75, abs=0.1)


def test_a_net_learns_what_it_sees_one_throw_ahead() -> None:
    net = Net(seed=1)
    trainer = trainer_of(net)
    positions = array("q", [1 << 27] * 300), array("q", [1] * 300)  # A throw of 2 wins immediately.
    before = net.evaluate(1 << 27, 1)
    errors = [trainer.foresee(*positions, 0.02) for _ in range(3)]
    assert errors[2] < errors[0]
    assert net.evaluate(1 << 27, 1) > before
