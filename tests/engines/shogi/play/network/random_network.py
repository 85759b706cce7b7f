"""A network with random weights, whose layers all matter."""

import random
from array import array

from engines.shogi.play.network.inputs import INPUTS
from engines.shogi.play.network.weights import HIDDEN, NEURONS, Layers


def random_layers(seed: int = 1) -> Layers:
    chance = random.Random(seed)

    def draw(kind: str, count: int, most: int, mean: int = 0) -> "array[int]":
        return array(kind, (mean + chance.randint(-most, most) for _ in range(count)))

    return Layers(
        draw("h", INPUTS * NEURONS, 15),
        draw("h", NEURONS, 60, 60),
        draw("b", 2 * NEURONS * HIDDEN, 30),
        draw("i", HIDDEN, 4000),
        draw("b", HIDDEN * HIDDEN, 60),
        draw("i", HIDDEN, 4000),
        draw("h", HIDDEN, 2000),
        draw("i", 1, 20000),
    )
