"""Fit the evaluation's weights to labelled positions: `python -m engines.morris.fit --help`.

The fit begins with what the hand-set counts say of a pattern. A pattern learns together with its
images and, with the opposite sign, with that of exchanged sides; a part of it in all phases, a part
in one. Needs numpy.
"""

import argparse
import math
import sys
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from engines.morris import evaluation
from engines.morris.board import count, neighbours
from engines.morris.evaluation import strikes
from engines.morris.weights import (
    FACE,
    FACES,
    MATERIAL,
    MEN,
    MIDDLE,
    PHASE,
    PHASES,
    RING,
    ROW,
    SHIPPED,
    SIZE,
    STEPPING,
    STEPS,
    STRIKES,
    STRIKING,
    save,
)

Array = np.ndarray[Any, Any]

UNIT: Final = 8  # Of a hundredth of a man, in the file.
SCALE: Final = 400 / math.log(10)  # The value that stands for a chance of 73 %.
BATCH: Final = 4096
HELD_OUT: Final = 20  # One game in so many does not teach.

_SIDES: Final = ((0, 1, 2), (2, 3, 4), (4, 5, 6), (6, 7, 0))
_MAN, _STEP, _BLOCKED, _MILL, _THREAT, _STRIKE, _FORK = evaluation.HAND_SET


def _digits(states: Array, points: int) -> Array:
    """Return who stands on each point of states: 0 nobody, 1 the mover, 2 the opponent."""
    return np.stack([states // 3**point % 3 for point in range(points)], axis=1)


def _number(digits: Array) -> Array:
    numbers: Array = digits @ 3 ** np.arange(digits.shape[1])
    return numbers


def _ring_worth(digits: Array) -> Array:
    """Return what the hand-set counts say of a square by itself."""
    worth = np.zeros(len(digits))
    for side, sign in ((1, 1), (2, -1)):
        for corner in (0, 2, 4, 6):
            behind, ahead = digits[:, corner - 1], digits[:, corner + 1]
            stuck = (digits[:, corner] == side) & (behind > 0) & (ahead > 0)
            worth -= sign * _BLOCKED * stuck
            around = digits[:, [corner - 1, corner - 2, (corner + 1) % 8, (corner + 2) % 8]]
            fork = (digits[:, corner] == 0) & (around == side).all(axis=1)
            worth += sign * _FORK * fork
        for points in _SIDES:
            worth += sign * _MILL * (digits[:, points] == side).all(axis=1)
    return worth


def _face_worth(digits: Array) -> Array:
    """Return what the hand-set counts say of the middles of three parallel sides."""
    worth = np.zeros(len(digits))
    middles = (1, 4, 7)
    for side, sign in ((1, 1), (2, -1)):
        worth += sign * _MILL * (digits[:, middles] == side).all(axis=1)
        for middle in middles:
            across = [other for other in middles if other != middle]
            beside = [middle - 1, middle + 1, *(at for at in across if abs(at - middle) == 3)]
            stuck = (digits[:, middle] == side) & (digits[:, beside] > 0).all(axis=1)
            worth -= sign * _BLOCKED * stuck
            around = digits[:, [middle - 1, middle + 1, *across]]
            fork = (digits[:, middle] == 0) & (around == side).all(axis=1)
            worth += sign * _FORK * fork
    return worth


def _classes(digits: Array, images: Sequence[Sequence[int]]) -> tuple[Array, Array]:
    """Return of each state the least of its images, sides exchanged or not, and its sign there."""
    turned = np.array([0, 2, 1])[digits]
    same = np.min([_number(digits[:, list(image)]) for image in images], axis=0)
    other = np.min([_number(turned[:, list(image)]) for image in images], axis=0)
    return np.minimum(same, other), np.sign(other - same)


def begin() -> Array:
    """Return weights, in hundredths of a man, that say what the hand-set counts say."""
    weights = np.zeros(SIZE)
    ring = _ring_worth(_digits(np.arange(RING), 8))
    face = _face_worth(_digits(np.arange(FACE), 9))
    own, enemy = np.indices((STRIKES, STRIKES))
    striking = _THREAT * (own - enemy) + _STRIKE * (own > 0)
    stepping = _STEP * np.arange(STEPS)
    row = np.concatenate([ring, ring, face, striking.ravel(), stepping, -stepping])
    weights[:MATERIAL] = np.tile(row, PHASES)
    mine, theirs = np.indices((MEN, MEN))
    weights[MATERIAL:] = np.tile((_MAN * (mine - theirs)).ravel(), len(PHASE))
    return weights


_TURNS: Final = [[(at + turn) % 8 for at in range(8)] for turn in (0, 2, 4, 6)]
_RINGS: Final = _TURNS + [[turn[-at % 8] for at in range(8)] for turn in _TURNS]
_FACES: Final = [
    [3 * row + column for row in rows for column in columns]
    for rows in ((0, 1, 2), (2, 1, 0))
    for columns in ((0, 1, 2), (2, 1, 0))
]


def fold_patterns() -> tuple[Array, int]:
    """Number the patterns of a row, images alike; return the numbers, and how many there are."""
    ring, face = (
        np.min([_number(digits[:, list(image)]) for image in images], axis=0)
        for digits, images in (
            (_digits(np.arange(RING), 8), _RINGS),
            (_digits(np.arange(FACE), 9), _FACES),
        )
    )
    least = np.concatenate([ring, MIDDLE + ring, FACES + face, np.arange(STRIKING, ROW)])
    numbers: Array
    found, numbers = np.unique(least, return_inverse=True)
    return numbers, len(found)


class Factors:
    """What weights are sums of: a part that is shared, and one by itself."""

    def __init__(self) -> None:
        ring, ring_sign = _classes(_digits(np.arange(RING), 8), _RINGS)
        face, face_sign = _classes(_digits(np.arange(FACE), 9), _FACES)
        rest = np.arange(ROW - STRIKING)
        one = np.concatenate([ring, MIDDLE + ring, FACES + face, STRIKING + rest])
        sign = np.concatenate([ring_sign, ring_sign, face_sign, np.ones(len(rest))])
        mine, theirs = np.indices((MEN, MEN))
        material = ROW + (MEN * mine + theirs).ravel()
        self._shared = np.concatenate([np.tile(one, PHASES), np.tile(material, len(PHASE))])
        alone = [phase * ROW + one for phase in range(PHASES)]
        self._alone = np.concatenate([*alone, np.arange(MATERIAL, SIZE)])
        self._sign = np.concatenate([np.tile(sign, PHASES), np.ones(SIZE - MATERIAL)])
        self.sizes = (ROW + MEN * MEN, SIZE)

    def gather(self, gradient: Array) -> tuple[Array, Array]:
        """Turn the slope of each weight into the slopes of all parts."""
        signed = gradient * self._sign
        return (
            np.bincount(self._shared, signed, minlength=self.sizes[0]),
            np.bincount(self._alone, signed, minlength=self.sizes[1]),
        )

    def spread(self, shared: Array, alone: Array) -> Array:
        """Turn the parts into weights."""
        weights: Array = self._sign * (shared[self._shared] + alone[self._alone])
        return weights


@dataclass(frozen=True, slots=True)
class Samples:
    """Positions as the rows of the weights that they sum up, and their labels."""

    rows: Array
    value: Array
    result: Array
    game: Array


def read(paths: Sequence[Path]) -> Samples:
    """Read labelled positions as `selfplay` writes them; those with few men are left out."""
    lines = np.concatenate([np.loadtxt(path, dtype=np.int64, ndmin=2) for path in paths])
    own, enemy, own_hand, enemy_hand, value, result, game = lines.T
    popcount: Callable[[Array], Array] = np.bitwise_count
    mine, theirs = popcount(own) + own_hand, popcount(enemy) + enemy_hand
    hands = own_hand + enemy_hand
    row = np.array(PHASE)[hands] * ROW
    material = MATERIAL + (hands * MEN + mine) * MEN + theirs
    kept = mine + theirs > 10
    rows = np.column_stack([row[:, None] + find_patterns(lines[:, :4]), material])[kept]
    return Samples(rows.astype(np.int32), value[kept], result[kept], game[kept])


def find_patterns(positions: Array) -> Array:
    """Return where in a row of weights the patterns of positions stand.

    A position is its own men, enemy men, and the men in hand of either.
    """
    own, enemy = positions[:, 0], positions[:, 1]
    ternary = np.array([int(f"{number:b}", 3) for number in range(512)])

    def state(mine: Array, theirs: Array) -> Array:
        found: Array = ternary[mine] + 2 * ternary[theirs]
        return found

    def face(men: Array, turn: int) -> Array:
        squares = [(men >> 8 * ring & 255) * 257 >> 2 * turn & 7 for ring in range(3)]
        found: Array = squares[0] | squares[1] << 3 | squares[2] << 6
        return found

    told = [
        (
            count(strikes(one, ~(one | other) & 0xFFFFFF, hand, 0)),
            count(strikes(other, ~(one | other) & 0xFFFFFF, other_hand, 0)),
            count(neighbours(one) & ~(one | other) & 0xFFFFFF),
            count(neighbours(other) & ~(one | other) & 0xFFFFFF),
        )
        for one, other, hand, other_hand in positions.tolist()
    ]
    own_strikes, enemy_strikes, own_steps, enemy_steps = np.array(told).T
    striking = np.minimum(own_strikes, STRIKES - 1) * STRIKES
    striking += np.minimum(enemy_strikes, STRIKES - 1)
    columns = [
        state(own & 255, enemy & 255),
        state(own >> 16, enemy >> 16),
        MIDDLE + state(own >> 8 & 255, enemy >> 8 & 255),
        *(FACES + state(face(own, turn), face(enemy, turn)) for turn in range(4)),
        STRIKING + striking,
        STEPPING + np.minimum(own_steps, STEPS - 1),
        STEPPING + STEPS + np.minimum(enemy_steps, STEPS - 1),
    ]
    return np.stack(columns, axis=1)


@dataclass(frozen=True, slots=True)
class Course:
    """How to fit."""

    epochs: int = 12
    share: float = 0.3  # Of the game's result in a target.
    decay: float = 0.005  # Of weights of single phases; of shared ones a third.
    rate: float = 2.0  # The first step, hundredths of a man.
    seed: int = 1


def fit(samples: Samples, course: Course, say: Callable[[str], None]) -> Array:
    """Return fitted weights in hundredths of a man."""
    chance = np.random.default_rng(course.seed)
    exam = np.flatnonzero(samples.game % HELD_OUT == 0)
    lessons = np.flatnonzero(samples.game % HELD_OUT)
    say(f"{len(lessons)} positions, {len(exam)} held out")
    told = 1.0 / (1.0 + np.exp(-np.clip(samples.value, -1500, 1500) / SCALE))
    aims = (1.0 - course.share) * told + course.share * (samples.result + 1) / 2
    factors = Factors()
    base = weights = begin()
    values = [np.zeros(size) for size in factors.sizes]
    first = [np.zeros_like(value) for value in values]
    second = [np.zeros_like(value) for value in values]
    steps = 0
    whole = course.epochs * -(-len(lessons) // BATCH)

    def loss(weights: Array) -> float:
        odds = weights[samples.rows[exam]].sum(axis=1) / SCALE
        return float((np.logaddexp(0.0, odds) - aims[exam] * odds).mean())

    say(f"before: loss {loss(base):.5f} held out")
    for epoch in range(course.epochs):
        order = chance.permutation(lessons)
        for begun in range(0, len(order), BATCH):
            chosen = order[begun : begun + BATCH]
            rows = samples.rows[chosen]
            odds = weights[rows].sum(axis=1) / SCALE
            slopes = (1.0 / (1.0 + np.exp(-odds)) - aims[chosen]) / len(chosen)
            repeated = np.repeat(slopes, rows.shape[1])
            gradient = np.bincount(rows.ravel(), repeated, minlength=SIZE)
            steps += 1
            pace = course.rate * 0.5 * (1.0 + math.cos(math.pi * steps / whole))
            for at, slope in enumerate(factors.gather(gradient)):
                first[at] += 0.1 * (slope - first[at])
                second[at] += 0.001 * (slope * slope - second[at])
                drift = first[at] / (1.0 - 0.9**steps)
                spread = np.sqrt(second[at] / (1.0 - 0.999**steps))
                values[at] -= pace * drift / (spread + 1e-7)
                values[at] *= 1.0 - pace * course.decay * (1.0 if at else 1 / 3)
            weights = base + factors.spread(values[0], values[1])
        if epoch % 3 == 2 or epoch == course.epochs - 1:
            say(f"epoch {epoch + 1}: loss {loss(weights):.5f} held out")
    return weights


def main(words: Sequence[str] | None = None) -> None:
    """Write what is fitted to the files of labels."""
    parser = argparse.ArgumentParser(prog="python -m engines.morris.fit", description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, default=SHIPPED)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--share", type=float, default=0.3, help="of the results")
    parser.add_argument("--decay", type=float, default=0.005)
    parser.add_argument("--rate", type=float, default=2.0)
    chosen = parser.parse_args(words)
    course = Course(chosen.epochs, chosen.share, chosen.decay, chosen.rate)
    weights = fit(read(chosen.files), course, lambda text: print(text, file=sys.stderr))
    limit = 32767
    save(
        chosen.out,
        array("h", np.clip(np.rint(weights * UNIT), -limit, limit).astype(int).tolist()),
    )


if __name__ == "__main__":
    main()
