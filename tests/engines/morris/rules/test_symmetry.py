import random

import pytest

from engines.morris.rules.board import COMPILED, closers, count, in_mills
from engines.morris.rules.symmetry import Symmetries
from engines.morris.tables.index import Index

SYMMETRIES = Symmetries()
POSITIONS = 100_000 if COMPILED else 300


def some_positions(number: int) -> list[tuple[int, int]]:
    """Make positions with 3 to 9 men each; every third is made of orbits of one symmetry."""
    chance = random.Random(number)
    made: list[tuple[int, int]] = []
    while len(made) < number:
        sides = [0, 0]
        turn = chance.randrange(16) if len(made) % 3 == 0 else 0
        for point in chance.sample(range(24), chance.randrange(6, 19)):
            orbit = 1 << point
            for _ in range(4):
                orbit |= SYMMETRIES.image(orbit, turn)
            side = chance.randrange(2)
            if not (sides[0] | sides[1]) & orbit and count(sides[side] | orbit) <= 9:
                sides[side] |= orbit
        if min(map(count, sides)) >= 3:
            made.append((sides[0], sides[1]))
    return made


def test_the_symmetries_are_sixteen_and_keep_the_lines() -> None:
    men = 0b00000011_01000000_00000001
    images = {SYMMETRIES.image(men, number) for number in range(16)}
    assert len(images) == 16
    for number in range(16):
        image = SYMMETRIES.image(men, number)
        assert closers(image) == SYMMETRIES.image(closers(men), number)
        assert in_mills(image) == SYMMETRIES.image(in_mills(men), number)


@pytest.mark.slow
def test_every_image_of_a_position_has_its_key_and_its_number() -> None:
    index = Index()
    symmetric = 0
    for own, enemy in some_positions(POSITIONS):
        images = {
            (SYMMETRIES.image(own, number), SYMMETRIES.image(enemy, number)) for number in range(16)
        }
        symmetric += len(images) < 16
        assert len({SYMMETRIES.fold(*image) for image in images}) == 1
        assert len({index.find(*image) for image in images}) == 1
    assert symmetric > POSITIONS // 10


def test_a_key_is_an_image_of_its_position() -> None:
    for own, enemy in some_positions(200):
        key = SYMMETRIES.fold(own, enemy)
        images = [
            (SYMMETRIES.image(own, number), SYMMETRIES.image(enemy, number)) for number in range(16)
        ]
        assert divmod(key, 1 << 24) == min(images)
