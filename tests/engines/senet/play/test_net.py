from array import array

import pytest

from engines.senet.play import net as module
from engines.senet.play.net import Net

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


@pytest.mark.parametrize(
    ("own", "enemy", "twin"),
    [
        # A 3 from 10 and a 2 from 11 are blocked by neighbours; without them nothing is.
        (mask(10, 11), mask(13, 14, 20), mask(13, 15, 20)),
        # One man alone, out of reach of its captor and within it.
        (mask(12), mask(7), mask(8)),
    ],
)
def test_throws_that_are_blocked_or_capture_are_inputs(own: int, enemy: int, twin: int) -> None:
    # First all other weights are 0, then also the weights of these inputs.
    weights = array("f", Net(seed=1).weights())
    for feature in range(126):
        weights[feature * 64 : (feature + 1) * 64] = array("f", [0.0] * 64)
    net = Net(weights.tobytes())
    assert net.evaluate(own, enemy) != net.evaluate(own, twin)
    for feature in range(126, 146):
        weights[feature * 64 : (feature + 1) * 64] = array("f", [0.0] * 64)
    net = Net(weights.tobytes())
    assert net.evaluate(own, enemy) == net.evaluate(own, twin)


def test_as_many_inputs_as_there_can_be_have_room() -> None:
    net = Net(seed=1)
    own, enemy = mask(12, 13, 14, 15, 16), mask(17, 18, 19, 20, 21)
    before = net.evaluate(own, enemy)
    net.learn(own, enemy, 0.9, 0.01)
    assert net.evaluate(own, enemy) > before


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
    with pytest.raises(ValueError, match="9473 weights or 25 times as many, not 1"):
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
