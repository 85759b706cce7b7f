"""Labelled positions as the counts of the weights that the evaluation sums. Needs numpy."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from engines.shogi.play.weights import (
    ABOUT_SIZE,
    ALONG_SIZE,
    COUNT_SIZE,
    HAND_SIZE,
    HELD,
    KINGS,
    MEN_SIZE,
    RINGS,
    SIZE,
    SLIDE_SIZE,
    SLIDERS,
    STATES,
)
from engines.shogi.rules import geometry
from engines.shogi.workshop.label import LAST, QUIET, RECORD

Array = np.ndarray[Any, Any]

LAYOUT: Final = np.dtype(
    [
        ("men", "u1", 81),
        ("hands", "u1", (2, 7)),
        ("turn", "u1"),
        ("flags", "u1"),
        ("value", "<i2"),
        ("result", "i1"),
        ("ply", "u1"),
    ]
)
HAND: Final = MEN_SIZE
COUNT: Final = HAND + HAND_SIZE
SLIDE: Final = COUNT + COUNT_SIZE
ABOUT: Final = SLIDE + SLIDE_SIZE
ALONG: Final = ABOUT + ABOUT_SIZE
TEMPO: Final = ALONG + ALONG_SIZE

_MOST_MEN: Final = 40
_POSITION: Final = 96  # The bytes of a record that describe the position.
_FORWARD: Final = {0: (0, -1), 1: (0, 1)}
_CHUNK: Final = 8192  # Positions that are processed together.
_SORTS: Final = np.array([0, 1, 0, 0, 0, 2, 2, 0, 3, 0, 0, 0, 0, 2, 2, 0])  # As in effects.py.
_LINES: Final = {
    5: geometry.DIRECTIONS[4:],
    6: geometry.DIRECTIONS[:4],
    13: geometry.DIRECTIONS[4:],
    14: geometry.DIRECTIONS[:4],
}


@dataclass(frozen=True, slots=True)
class Samples:
    """One row per position: the weights that count for the side to move, and how often."""

    at: Array  # rows x terms, indices of weights
    times: Array  # rows x terms; 0 for unused terms
    counts: Array  # rows x TEMPO - SLIDE, how often each weight of attacks counts
    value: Array  # rows, hundredths of a pawn
    result: Array  # rows: 1, 0, -1
    game: Array  # rows, the number of the game

    def __len__(self) -> int:
        return len(self.value)

    def take(self, rows: Array) -> "Samples":
        """Return some of the rows."""
        return Samples(
            self.at[rows],
            self.times[rows],
            self.counts[rows],
            self.value[rows],
            self.result[rows],
            self.game[rows],
        )

    def sums(self, weights: Array) -> Array:
        """Return the evaluation of each row."""
        total: Array = (weights[self.at] * self.times).sum(1)
        total += self.counts.astype(np.float32) @ weights[SLIDE:TEMPO] + weights[TEMPO]
        return total

    def gradient(self, slopes: Array) -> Array:
        """Return the derivative, by each weight, of the sum over rows of slope times evaluation."""
        terms = self.times * slopes[:, None]
        derivative: Array = np.bincount(self.at.ravel(), terms.ravel(), minlength=SIZE)
        derivative[SLIDE:TEMPO] += slopes @ self.counts.astype(np.float32)
        derivative[TEMPO] += slopes.sum()
        return derivative


def read(paths: Sequence[Path]) -> Samples:
    """Read the quiet positions in files of labels; duplicates are left out."""
    records = [np.frombuffer(_whole(path.read_bytes()), LAYOUT) for path in paths]
    last = 0
    games = []
    for part in records:
        ended = np.cumsum((part["flags"] & LAST) != 0)
        games.append(last + ended - ((part["flags"] & LAST) != 0))
        last += int(ended[-1]) if len(ended) else 0
    data, number = np.concatenate(records), np.concatenate(games)
    quiet = (data["flags"] & QUIET) != 0
    data, number = data[quiet], number[quiet]
    seen = np.ascontiguousarray(data.view("u1").reshape(len(data), -1)[:, :_POSITION])
    first = np.unique(seen.view(f"V{_POSITION}"), return_index=True)[1]
    return transform(data[first], number[first])


def _whole(raw: bytes) -> bytes:
    return raw[: len(raw) // RECORD.size * RECORD.size]


def transform(data: Array, game: Array) -> Samples:
    """Find the terms of each position."""
    rows = len(data)
    men = data["men"]
    sign = (1 - 2 * data["turn"].astype(np.int8)).astype(np.int8)
    black = (men == geometry.KING).argmax(1)
    white = 80 - (men == geometry.KING + geometry.WHITE).argmax(1)
    row, square = np.nonzero(men)
    man = men[row, square].astype(np.int64)
    place = np.arange(len(row)) - np.searchsorted(row, np.arange(rows))[row]
    at = np.zeros((rows, 2 * _MOST_MEN + 42), np.int32)
    times = np.zeros(at.shape, np.int8)
    at[row, 2 * place] = men_index(man, black[row], square)
    times[row, 2 * place] = sign[row]
    at[row, 2 * place + 1] = men_index(man ^ 16, white[row], 80 - square)
    times[row, 2 * place + 1] = -sign[row]
    column = 2 * _MOST_MEN
    for side in range(2):
        for kind in range(1, 8):
            held = data["hands"][:, side, kind - 1].astype(np.int8)
            at[:, column] = hand_index(side, kind, black)
            times[:, column] = held * sign
            at[:, column + 1] = hand_index(side ^ 1, kind, white)
            times[:, column + 1] = -held * sign
            at[:, column + 2] = COUNT + kind * HELD + held.astype(np.int32)
            times[:, column + 2] = sign * (1 - 2 * side)
            column += 3
    counts = np.empty((rows, TEMPO - SLIDE), np.int8)
    for start in range(0, rows, _CHUNK):
        part = slice(start, start + _CHUNK)
        kings = black[part], 80 - white[part]
        counts[part, :SLIDE_SIZE] = _reach(men[part], *kings)
        counts[part, SLIDE_SIZE:] = _states(men[part], *kings)
    counts *= sign[:, None]
    value = data["value"].astype(np.float32)
    return Samples(at, times, counts, value, data["result"].astype(np.float32), game)


def men_index(man: Array, king: Array, square: Array) -> Array:
    """Return the index of the weight of a man, for any square of a king."""
    turned = (king >= 45) | ((king >= 36) & (square >= 45))
    king = np.where(turned, mirror(king), king)
    square = np.where(turned, mirror(square), square)
    index: Array = (man * KINGS + king) * 81 + square
    return index


def hand_index(relation: int, kind: int, king: Array) -> Array:
    """Return the index of the weight of men of a kind in hand."""
    king = np.where(king >= 45, mirror(king), king)
    index: Array = HAND + (relation * 8 + kind) * KINGS + king
    return index


def mirror(square: Array) -> Array:
    """Return the squares of the mirror image."""
    mirrored: Array = (8 - square // 9) * 9 + square % 9
    return mirrored


def _reach(men: Array, black: Array, white: Array) -> Array:
    """Count the squares that sliding men attack: by distance from each king, and in total."""
    width = 2 * RINGS + 1
    total = np.zeros((len(men), SLIDE_SIZE), np.int16)
    for number, kind in enumerate(SLIDERS):
        for side in range(2):
            own, other = (black, white) if side == 0 else (white, black)
            weight = 1 - 2 * side
            for rows, met in _attacks(men, kind, side):
                for offset, king in ((0, own[rows]), (RINGS, other[rows])):
                    ring = np.maximum(abs(met // 9 - king // 9), abs(met % 9 - king % 9))
                    near = ring < RINGS
                    column = number * width + offset + ring[near]
                    np.add.at(total, (rows[near], column), weight)
                np.add.at(total[:, number * width + width - 1], rows, weight)
    return total


def _states(men: Array, black: Array, white: Array) -> Array:
    """Count how often each state occurs around each king and on each rank."""
    often = np.zeros((2, len(men), 81), np.int64)
    for side in range(2):
        for kind in range(1, 15):
            for rows, met in _attacks(men, kind, side):
                often[side, rows, met] += 1  # In one step, men of a kind attack different squares.
    often = np.minimum(often, 2)
    squares = np.arange(81)
    total = np.zeros((len(men), ABOUT_SIZE + ALONG_SIZE), np.int16)
    place = np.broadcast_to(np.arange(len(men))[:, None], men.shape)
    for side, king in enumerate((black, white)):
        enemy = (men >> 4 != side) * 4
        man = np.where(men == 0, 0, 1 + _SORTS[men & 15] + enemy)
        state = (often[side] * 3 + often[1 - side]) * 9 + man
        rank = squares % 9 if side == 0 else 8 - squares % 9
        np.add.at(total, (place, ABOUT_SIZE + rank * STATES + state), 1 - 2 * side)
        aside = abs(squares // 9 - king[:, None] // 9)
        ahead = (squares % 9 - king[:, None] % 9) * (1 - 2 * side)
        near = (aside < 3) & (abs(ahead) < 3)
        column = ((aside * 5 + ahead + 2) * STATES + state)[near]
        np.add.at(total, (place[near], column), 1 - 2 * side)
    return total


def _attacks(men: Array, kind: int, side: int) -> Iterator[tuple[Array, Array]]:
    """Yield the rows and squares that men of a kind attack, step by step along each line."""
    row, square = np.nonzero(men == kind + 16 * side)
    occupied = men != 0
    lines = (_FORWARD[side],) if kind == geometry.LANCE else _LINES.get(kind, ())
    forward = 1 - 2 * side
    steps = [(files, forward * ranks) for files, ranks in geometry.STEPS.get(kind, ())]
    for direction in (*lines, *steps):
        going = np.ones(len(row), bool)
        for distance in range(1, 9 if direction in lines else 2):
            file = square // 9 + direction[0] * distance
            rank = square % 9 + direction[1] * distance
            going &= (file >= 0) & (file < 9) & (rank >= 0) & (rank < 9)
            if not going.any():
                break
            met = (file * 9 + rank)[going]
            rows = row[going]
            yield rows, met
            going[going] = ~occupied[rows, met]
