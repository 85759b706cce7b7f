import pytest

from engines.senet import net as module
from engines.senet.net import Net

COMPILED = not module.__file__.endswith(".py")


def mask(*squares: int) -> int:
    return sum(1 << (square - 1) for square in squares)


CASES = [
    (mask(2, 4, 6, 8, 10), mask(1, 3, 5, 7, 9), 0.6),
    (mask(25, 26, 28, 29), mask(1, 2), 0.95),
    (mask(1), mask(28, 29), 0.05),
    (mask(10, 11), mask(10 + 2, 15), 0.4),
]


def test_estimates_are_chances() -> None:
    net = Net(seed=3)
    assert all(0 < net.evaluate(own, enemy) < 1 for own, enemy, _ in CASES)
    assert net.evaluate(mask(29), mask(1)) != net.evaluate(mask(1), mask(29))


def test_neighbours_are_seen_as_a_pair() -> None:
    net = Net(seed=3)
    apart = net.evaluate(mask(5, 9), mask(1)) - net.evaluate(mask(5, 8), mask(1))
    for _ in range(200):
        net.learn(mask(5, 6), mask(1), 0.9, 0.02)
    after = net.evaluate(mask(5, 9), mask(1)) - net.evaluate(mask(5, 8), mask(1))
    assert net.evaluate(mask(5, 6), mask(1)) == pytest.approx(0.9, abs=0.02)
    assert abs(after - apart) < 0.1


def test_learning_moves_every_estimate_to_its_target() -> None:
    net = Net(seed=1)
    for _ in range(400):
        for own, enemy, target in CASES:
            net.learn(own, enemy, target, 0.05)
    for own, enemy, target in CASES:
        assert net.evaluate(own, enemy) == pytest.approx(target, abs=0.02)


def test_learning_tells_how_far_the_estimate_was_off() -> None:
    net = Net(seed=1)
    own, enemy, target = CASES[0]
    before = net.evaluate(own, enemy)
    assert net.learn(own, enemy, target, 0.01) == pytest.approx(target - before)


def test_weights_are_stored_and_read_back() -> None:
    net = Net(seed=5)
    twin = Net(net.weights())
    for own, enemy, _ in CASES:
        assert twin.evaluate(own, enemy) == net.evaluate(own, enemy)
    with pytest.raises(ValueError, match="8193 weights or 25 times as many, not 1"):
        Net(b"\0\0\0\0")


def test_specialists_begin_alike_and_learn_apart() -> None:
    net = Net(seed=5)
    wide = net.specialists()
    before = [net.evaluate(own, enemy) for own, enemy, _ in CASES]
    assert [wide.evaluate(own, enemy) for own, enemy, _ in CASES] == before
    assert wide.specialists().weights() == wide.weights() == net.weights() * 25
    own, enemy, _ = CASES[0]
    for _ in range(100):
        wide.learn(own, enemy, 0.9, 0.02)
    assert wide.evaluate(own, enemy) == pytest.approx(0.9, abs=0.05)
    assert [wide.evaluate(*case[:2]) for case in CASES[1:]] == before[1:]
    twin = Net(wide.weights())
    assert twin.evaluate(own, enemy) == wide.evaluate(own, enemy)


def test_the_same_seed_makes_the_same_net() -> None:
    assert Net(seed=2).weights() == Net(seed=2).weights()
    assert Net(seed=2).weights() != Net(seed=4).weights()
