from engines.core.splitmix import GOLDEN, MASK, mix, pair_seed


def test_numbers_are_those_of_splitmix64() -> None:
    # The first outputs of the published generator for the seed 1234567.
    numbers = [mix(1234567 + number * GOLDEN) for number in range(1, 4)]
    assert numbers == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_every_number_has_64_bits() -> None:
    assert all(0 <= mix(seed) <= MASK for seed in (0, 1, -1, MASK, MASK + 1, 10**30))
    assert mix(MASK + 1) == mix(0)


def test_pairs_have_different_seeds() -> None:
    assert len({pair_seed(7, pair) for pair in range(1000)}) == 1000
