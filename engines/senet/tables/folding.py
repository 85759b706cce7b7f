"""Fold a class of chances into small numbers: the errors of a forecast from its neighbours.

The rows of a class are sets of own men, and its columns are sets of enemy men. The neighbours of a
set are the sets with some of its men one square further back. First each row is forecast as a
weighted sum of its neighbours; then each column of the errors is. All numbers are integers, so the
folding is lossless.
"""

from collections.abc import Mapping
from functools import cache
from itertools import combinations, product
from typing import Any, Final

import numpy as np

from engines.senet.tables.table import SQUARES, Class

Matrix = np.ndarray[Any, np.dtype[np.int32]]
Weights = Mapping[str, list[int]]
"""The weights of the neighbours of a set, by the kind of the set: which neighbours exist."""

_BITS: Final = 8  # Binary places of a weight after the point.
_HALF: Final = 1 << (_BITS - 1)
_SAMPLES: Final = 200  # Lines to which weights are fitted; more do not change them.


def fold(levels: Matrix, each: Class) -> tuple[Matrix, Weights, Weights]:
    """Return the errors of a class, transposed, and the weights for its rows and columns."""
    rest, weights = _fold_lines(levels, *_rows(each))
    folded, column_weights = _fold_lines(_transposed(rest), *_columns(each))
    return folded, weights, column_weights


def unfold(folded: Matrix, each: Class, rows: Weights, columns: Weights) -> Matrix:
    """Return the class that `fold` has folded."""
    rest = _transposed(_unfold_lines(folded, *_columns(each), columns))
    return _unfold_lines(rest, *_rows(each), rows)


def _rows(each: Class) -> Class:
    return SQUARES, each[0]


def _columns(each: Class) -> Class:
    return SQUARES - each[0], each[1]


def _transposed(lines: Matrix) -> Matrix:
    return np.ascontiguousarray(lines.T)


def _fold_lines(lines: Matrix, squares: int, men: int) -> tuple[Matrix, Weights]:
    neighbours = _neighbours(squares, men)
    alike: dict[str, list[int]] = {}
    for number, (kind, _) in enumerate(neighbours):
        if kind:
            alike.setdefault(kind, []).append(number)
    weights: dict[str, list[int]] = {}
    rest = lines.copy()
    for kind, numbers in alike.items():
        sample = numbers[:: 1 + len(numbers) // _SAMPLES]
        known = [lines[neighbours[number][1]] for number in sample]
        fitted, *_ = np.linalg.lstsq(
            np.concatenate(known, axis=1).T.astype(float), lines[sample].ravel(), rcond=None
        )
        weights[kind] = [round(float(weight) * 2 * _HALF) for weight in fitted]
        for number in numbers:
            rest[number] -= _forecast(lines, neighbours[number][1], weights[kind])
    return rest, weights


def _unfold_lines(rest: Matrix, squares: int, men: int, weights: Weights) -> Matrix:
    lines = rest.copy()
    for number, (kind, known) in enumerate(_neighbours(squares, men)):
        if kind:
            lines[number] += _forecast(lines, known, weights[kind])
    return lines


def _forecast(lines: Matrix, known: list[int], weights: list[int]) -> Matrix:
    total: Matrix = (np.array(weights, dtype=np.int32) @ lines[known] + _HALF) >> _BITS
    return total


@cache
def _neighbours(squares: int, men: int) -> list[tuple[str, list[int]]]:
    """Return for each set of men, by rank, the kind of the set and the ranks of its neighbours."""
    sets = sorted(combinations(range(squares), men), key=lambda places: places[::-1])
    ranks = {places: rank for rank, places in enumerate(sets)}
    steps = list(product((0, 1), repeat=men))[1:]
    rows = []
    for places in sets:
        kind, known = "", []
        for number, back in enumerate(steps):
            rank = ranks.get(tuple(map(int.__sub__, places, back)))
            if rank is not None:
                kind += str(number)
                known.append(rank)
        rows.append((kind, known))
    return rows
