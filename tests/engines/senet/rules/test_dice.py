import pytest

from engines.core.splitmix import GOLDEN, mix, pair_seed
from engines.senet.rules.dice import Dice, throw


@pytest.mark.parametrize(
    ("seed", "throws"),
    [
        (0, [1, 1, 5, 5, 3, 1, 4, 1, 5, 1]),
        (1, [1, 5, 1, 1, 2, 4, 1, 4, 1, 1]),
        (42, [4, 2, 4, 5, 1, 3, 1, 4, 1, 5]),
    ],
)
def test_a_seed_always_throws_the_same(seed: int, throws: list[int]) -> None:
    dice = Dice(seed)
    assert [dice.throw() for _ in throws] == throws
    assert [throw(seed, number) for number in range(1, 11)] == throws


def test_mix_agrees_with_the_published_generator() -> None:
    # The first output of SplitMix64 started at 0, as its authors print it.
    assert mix(GOLDEN) == 0xE220A8397B1DCDAF


def test_the_one_value_too_many_is_mixed_again() -> None:
    last = 0xCF9A04AFFA6BADC0
    assert mix(last) == 2**64 - 1
    assert throw(last - 3 * GOLDEN, 3) == 1 + mix(2**64 - 1) % 5 == 3


def test_every_face_comes_up_evenly() -> None:
    counts = [0] * 6
    for number in range(1, 20_001):
        counts[throw(7, number)] += 1
    assert counts[0] == 0
    assert all(abs(count - 4000) < 250 for count in counts[1:])  # Four standard deviations.


def test_the_pairs_of_a_match_have_seeds_of_their_own() -> None:
    seeds = [pair_seed(42, pair) for pair in range(100)]
    assert len(set(seeds)) == 100
    assert all(0 <= seed < 2**64 for seed in seeds)
    assert seeds[1] == mix(42 + GOLDEN)


def test_a_seed_may_have_any_size() -> None:
    assert throw(2**64 + 5, 3) == throw(5, 3)
    assert throw(-1, 3) == throw(2**64 - 1, 3)
