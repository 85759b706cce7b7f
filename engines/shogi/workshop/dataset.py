"""Labelled positions as inputs of the network. Needs numpy."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from engines.shogi.play.network.inputs import INPUTS, MOST_HELD, MOST_INPUTS, in_hand, on_board
from engines.shogi.play.table import TranspositionTable
from engines.shogi.play.worker import Worker
from engines.shogi.rules import geometry
from engines.shogi.rules.position import Position
from engines.shogi.workshop.features import LAYOUT
from engines.shogi.workshop.label import ASIDE, LAST, QUIET, RECORD, position_of

Array = np.ndarray[Any, Any]

NOTHING: Final = INPUTS
"""Fills the places that a position with fewer men leaves empty."""

SCALE: Final = 1000
"""The hundredths of a pawn that change the odds of winning by a factor of e."""

_CHUNK: Final = 16384  # Positions that are processed together.
_INPUT: Final = np.array([on_board(man) for man in range(32)])
_SWAPPED: Final = np.array([man ^ 16 if man else 0 for man in range(32)], np.uint8)
_POSITION: Final = 96  # The bytes of a record that describe the position.


@dataclass(frozen=True, slots=True)
class Lessons:
    """One row per position."""

    inputs: Array  # rows x 2 x MOST_INPUTS: the inputs as the side to move sees them, and the other
    value: Array  # rows, hundredths of a pawn, for the side to move
    result: Array  # rows: 1 won, 0.5 drawn, 0 lost by the side to move
    game: Array  # rows, the number of the game
    base: Array  # rows, the evaluation that the network is added to; 0 if it stands alone
    later: Array  # rows, the chance of winning by later searches of the game and its result
    aside: Array  # rows, whether the position is not of the game, so that its result is unknown

    def __len__(self) -> int:
        return len(self.value)

    def take(self, rows: Array) -> "Lessons":
        """Return some of the rows."""
        return Lessons(
            self.inputs[rows],
            self.value[rows],
            self.result[rows],
            self.game[rows],
            self.base[rows],
            self.later[rows],
            self.aside[rows],
        )


def read(
    paths: Sequence[Path], *, quiet: bool = True, corrects: bool = False, trust: float = 1.0
) -> Lessons:
    """Read the positions in files of labels, each position once; `quiet` leaves out the others.

    If the network `corrects` the fitted evaluation, this is computed for each position. `trust` is
    that of `outlooks`.
    """
    parts = []
    games = []
    later = []
    last = 0
    for path in paths:
        raw = path.read_bytes()
        part = np.frombuffer(raw[: len(raw) // RECORD.size * RECORD.size], LAYOUT)
        ends = (part["flags"] & LAST) != 0
        number = last + np.cumsum(ends) - ends
        last += int(ends.sum())
        chosen = ((part["flags"] & QUIET) != 0) | (not quiet)
        parts.append(part[chosen])
        games.append(number[chosen])
        later.append(outlooks(part, trust)[chosen])
    data, number, outlook = np.concatenate(parts), np.concatenate(games), np.concatenate(later)
    seen = np.ascontiguousarray(data.view("u1").reshape(len(data), -1)[:, :_POSITION])
    first = np.unique(seen.view(f"V{_POSITION}"), return_index=True)[1]
    return transform(data[first], number[first], outlook[first], corrects=corrects)


def outlooks(data: Array, trust: float) -> Array:
    """Return the chances of winning of the side to move, as the rest of each game shows them.

    A chance is a mean of the later searches of the game and its result: the next search has the
    weight 1 - `trust`, and all that follows it has the weight `trust`, in which the search after it
    has the share 1 - `trust` again. With a trust of 1, the result alone counts. Positions that are
    not of the game have the chance by their own search.
    """
    own = 1 / (1 + np.exp(data["value"] / -np.float32(SCALE)))
    own = np.where(data["turn"] == 0, own, 1 - own)
    result = (data["result"].astype(np.float32) + 1) / 2
    result = np.where(data["turn"] == 0, result, 1 - result)
    flags, chances, results = data["flags"].tolist(), own.tolist(), result.tolist()
    ahead = 0.5
    for at in range(len(data) - 1, -1, -1):
        if flags[at] & LAST:
            ahead = results[at]
        if not flags[at] & ASIDE:
            searched = chances[at]
            chances[at] = ahead
            ahead = (1 - trust) * searched + trust * ahead
    found = np.array(chances, np.float32)
    return np.where(data["turn"] == 0, found, 1 - found)


def transform(
    data: Array, game: Array, later: Array | None = None, *, corrects: bool = False
) -> Lessons:
    """Find the inputs of each position; what came `later` is the result if it is not given."""
    inputs = np.empty((len(data), 2, MOST_INPUTS), np.int16)
    for start in range(0, len(data), _CHUNK):
        part = data[start : start + _CHUNK]
        for other in range(2):
            inputs[start : start + _CHUNK, other] = _view(part, other)
    value = data["value"].astype(np.float32)
    result = (data["result"].astype(np.float32) + 1) / 2
    base = fitted_values(data) if corrects else np.zeros(len(data), np.float32)
    aside = (data["flags"] & ASIDE) != 0
    return Lessons(inputs, value, result, game, base, result if later is None else later, aside)


def fitted_values(data: Array) -> Array:
    """Return what the fitted evaluation says of each position."""
    worker = Worker(Position(), TranspositionTable(1))
    values = np.empty(len(data), np.float32)
    raw = data.tobytes()
    for row in range(len(data)):
        worker.begin(position_of(raw[row * RECORD.size : (row + 1) * RECORD.size]))
        values[row] = worker.static_value()
    return values


def _view(data: Array, other: int) -> Array:
    """Return the inputs as the side to move, or the other side, sees them."""
    rows = len(data)
    white = (data["turn"] ^ other) != 0
    men = data["men"].copy()
    men[white] = _SWAPPED[men[white, ::-1]]
    king = (men == geometry.KING).argmax(1)
    turned = king > 44
    men[turned] = men[turned].reshape(-1, 9, 9)[:, ::-1].reshape(-1, 81)
    present = np.zeros((rows, INPUTS), bool)
    row, square = np.nonzero(men)
    present[row, _INPUT[men[row, square]] + square] = True
    held = data["hands"].copy()
    held[white] = held[white, ::-1]
    for relation in range(2):
        for kind in range(1, 8):
            at = in_hand(relation, kind)
            counts = held[:, relation, kind - 1]
            present[:, at : at + MOST_HELD[kind]] = counts[:, None] > np.arange(MOST_HELD[kind])
    row, place = np.nonzero(present)
    inputs = np.full((rows, MOST_INPUTS), NOTHING, np.int16)
    inputs[row, np.arange(len(row)) - np.searchsorted(row, np.arange(rows))[row]] = place
    return inputs


def mirrored(inputs: Array) -> Array:
    """Return the inputs of the mirror images, where a king on file 5 makes them differ.

    The network sees every other position as its mirror image already.
    """
    images = inputs.copy()
    middle = _own_king_in_middle(inputs)
    chosen = images[middle]
    men = chosen < in_hand(0, 1)
    square = chosen % 81
    chosen[men] = (chosen - square + 72 - square + 2 * (square % 9))[men]
    images[middle] = chosen
    return images


def _own_king_in_middle(inputs: Array) -> Array:
    king = on_board(geometry.KING)
    square = np.where((inputs >= king) & (inputs < king + 81), inputs - king, 0).sum(-1)
    middle: Array = square // 9 == 4
    return middle
