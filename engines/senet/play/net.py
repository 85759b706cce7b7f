"""A small neural net that estimates the chance of the side that throws next; it also learns.

Hot. The inputs are 0 or 1: for each side, the squares of its men, its neighbouring pairs, its
number of men, the throws that would allow it no move, and the throws that would let it capture.
There is one hidden layer of rectified units, and one output, the odds of winning. There is either
one set of weights, or one for each pair of numbers of men.
"""

from array import array
from random import Random

from engines.senet.rules.track import count, movable, steps_of

_FEATURES = 146
_UNITS = 64
_SIZE = (_FEATURES + 2) * _UNITS + 1
_SETS = 25


class Net:
    """The weights, and memory for one evaluation at a time: each thread needs its own net."""

    def __init__(self, weights: bytes = b"", seed: int = 0) -> None:
        values = array("f")
        if weights:
            values.frombytes(weights)
            if len(values) not in (_SIZE, _SETS * _SIZE):
                raise ValueError(
                    f"a net has {_SIZE} weights or {_SETS} times as many, not {len(values)}"
                )
        else:
            generator = Random(seed)
            values.extend(generator.gauss(0, 0.25) for _ in range(_SIZE))
        self._weights = values
        self._stride = _SIZE if len(values) > _SIZE else 0
        self._square = array(
            "i", [0] * 37
        )  # Squares by the remainder of a man's bit; all remainders differ.
        for square in range(1, 30):
            self._square[(1 << (square - 1)) % 37] = square
        self._mine = array("f", [0.0] * _UNITS)
        self._hidden = array("f", [0.0] * _UNITS)
        self._slopes = array("f", [0.0] * _UNITS)
        self._active = array("i", [0] * 48)
        self._base = 0
        self._own = 0
        self._owners = 0  # The number of active inputs of the own men, and of all men.
        self._seen = 0

    def weights(self) -> bytes:
        """Return the weights as a file stores them."""
        return bytes(self._weights)

    def specialists(self) -> "Net":
        """Return a net with the same estimates, with a set of weights for each pair of numbers."""
        return Net(self.weights() * (1 if self._stride else _SETS))

    def evaluate(self, own: int, enemy: int) -> float:
        """Estimate the chance of the side that throws next; both sides have men."""
        return self._evaluate(own, enemy)

    def learn(self, own: int, enemy: int, target: float, rate: float) -> float:
        """Move the estimate towards a target; return the error before."""
        return self._learn(own, enemy, target, rate)

    def _mark(self, men: int, first: int, slot: int) -> int:
        # List the active inputs of a side from number `first` on: squares, pairs, number of men.
        pairs = men & (men >> 1)
        number = 0
        while men:
            self._active[slot] = first + self._square[(men & -men) % 37] - 1
            slot += 1
            number += 1
            men &= men - 1
        while pairs:
            self._active[slot] = first + 28 + self._square[(pairs & -pairs) % 37]
            slot += 1
            pairs &= pairs - 1
        self._active[slot] = first + 57 + number
        return slot + 1

    def _look(self, own: int, enemy: int, first: int, slot: int) -> int:
        # List the throws that allow a side no move, and those that let it capture: a side whose
        # twos and threes are blocked keeps throwing.
        for throw in range(1, 6):
            steps = steps_of(throw)
            men = movable(own, enemy, steps, 0)
            if men == 0:
                self._active[slot] = first + throw - 1
                slot += 1
            elif men << steps & enemy:
                self._active[slot] = first + 4 + throw
                slot += 1
        return slot

    def _prepare(self, own: int, enemies: int) -> None:
        """Set the own men, and the number of enemy men whose sets `_finish` will add."""
        self._own = own
        self._owners = self._mark(own, 0, 0)
        number = 5 * (self._active[self._owners - 1] - 58) + enemies - 1
        self._base = number * self._stride
        bias = self._base + _FEATURES * _UNITS
        for unit in range(_UNITS):
            self._mine[unit] = self._weights[bias + unit]
        for slot in range(self._owners):
            row = self._base + self._active[slot] * _UNITS
            for unit in range(_UNITS):
                self._mine[unit] += self._weights[row + unit]

    def _finish(self, enemy: int) -> float:
        """Return the estimate with these enemy men; their number is the prepared one."""
        active = self._mark(enemy, 63, self._owners)
        active = self._look(self._own, enemy, 126, active)
        active = self._look(enemy, self._own, 136, active)
        for unit in range(_UNITS):
            self._hidden[unit] = self._mine[unit]
        for slot in range(self._owners, active):
            row = self._base + self._active[slot] * _UNITS
            for unit in range(_UNITS):
                self._hidden[unit] += self._weights[row + unit]
        out = self._base + (_FEATURES + 1) * _UNITS
        odds = self._weights[out + _UNITS]
        for unit in range(_UNITS):
            if self._hidden[unit] > 0.0:
                odds += self._hidden[unit] * self._weights[out + unit]
        self._seen = active
        return self._squash(odds)

    def _evaluate(self, own: int, enemy: int) -> float:
        self._prepare(own, count(enemy))
        return self._finish(enemy)

    def _squash(self, odds: float) -> float:
        # The logistic function with (1 - x / 1024) ** 1024 as the exponential, which takes ten
        # products and gives the same bits whether compiled or not.
        if odds > 20.0:
            odds = 20.0
        if odds < -20.0:
            odds = -20.0
        power = 1.0 - odds / 1024.0
        for _ in range(10):
            power *= power
        return 1.0 / (1.0 + power)

    def _learn(self, own: int, enemy: int, target: float, rate: float) -> float:
        error = target - self._evaluate(own, enemy)
        step = rate * error
        out = self._base + (_FEATURES + 1) * _UNITS
        for unit in range(_UNITS):
            self._slopes[unit] = 0.0
            if self._hidden[unit] > 0.0:
                self._slopes[unit] = step * self._weights[out + unit]
                self._weights[out + unit] += step * self._hidden[unit]
        self._weights[out + _UNITS] += step
        self._active[self._seen] = _FEATURES  # The bias is an input that is always active.
        for slot in range(self._seen + 1):
            row = self._base + self._active[slot] * _UNITS
            for unit in range(_UNITS):
                self._weights[row + unit] += self._slopes[unit]
        return error
