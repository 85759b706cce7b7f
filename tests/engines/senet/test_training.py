import pytest

from engines.senet import training as module
from engines.senet.lookahead import Lookahead
from engines.senet.net import Net
from engines.senet.sweep import Sweep, improve
from engines.senet.table import FLOAT, Table
from engines.senet.training import Trainer

COMPILED = not module.__file__.endswith(".py")


def test_a_net_learns_to_be_less_wrong() -> None:
    table = Table([(1, 1)], FLOAT)
    sweep = Sweep(table, 1, 1, 0, 0, None)
    while improve([sweep]) > 1e-6:
        pass
    net = Net(seed=1)
    lookahead = Lookahead(net, table, 0, 0)
    errors = []
    for own, enemy in ((20, 10), (10, 20), (25, 25)):
        errors.append(abs(net.evaluate(1 << own, 2 << enemy) - table.chance(1 << own, 2 << enemy)))
    trainer = Trainer(net, lookahead, 5)
    positions = 30_000 if COMPILED else 1500
    first = trainer.run(positions // 10, 0.02, 0.1) / (positions // 10)
    last = trainer.run(positions, 0.02, 0.1) / positions
    assert last < first
    if COMPILED:
        later = [
            abs(net.evaluate(1 << own, 2 << enemy) - table.chance(1 << own, 2 << enemy))
            for own, enemy in ((20, 10), (10, 20), (25, 25))
        ]
        assert sum(later) < sum(errors)


def test_the_same_seed_teaches_the_same() -> None:
    weights = []
    for _ in range(2):
        net = Net(seed=1)
        Trainer(net, Lookahead(net, Table([], FLOAT), 1, 0), 5).run(50, 0.01, 0.2)
        weights.append(net.weights())
    assert weights[0] == weights[1]
    assert weights[0] != Net(seed=1).weights()


@pytest.mark.parametrize("explore", [0.0, 1.0])
def test_training_plays_on_with_any_share_of_random_moves(explore: float) -> None:
    net = Net(seed=1)
    error = Trainer(net, Lookahead(net, Table([], FLOAT), 0, 1), 6).run(100, 0.01, explore)
    assert 0 < error < 100
