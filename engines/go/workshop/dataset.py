"""Labelled positions as training batches; the inputs of each sample come from replaying its game.

The format of the files is that of `engines/go/README.md`, "Labelled positions". Needs numpy.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from engines.go.play.network.features import Features
from engines.go.play.network.inputs import PLANES, SCALARS, scalars
from engines.go.rules.board import Board

Array = np.ndarray[Any, Any]

HELD_OUT: Final = 40  # One game in 40 is held out; a hash of its moves decides which.


@dataclass(frozen=True, slots=True)
class Batch:
    """Inputs and targets of positions of one board size, from the mover's point of view."""

    planes: Array  # samples x PLANES x height x width, bytes
    scalars: Array  # samples x SCALARS
    moves: Array  # samples x 24, likeliest first; the area is a pass
    policy: Array  # samples x 24, sums to 1
    win: Array
    lead: Array  # points
    owned: Array  # whether the ownership is known
    ownership: Array  # samples x area, 1 for the mover, 0 for the opponent


@dataclass(frozen=True, slots=True)
class Labels:
    """Labelled positions of one board size: one row each, except in `games` and `ownership`."""

    size: int
    games: Array  # moves of all games, one after the other
    start: Array  # where the game's moves begin
    at: Array  # how many of its moves are played
    komi: Array  # the effective komi for White
    territory: Array
    moves: Array
    policy: Array
    win: Array
    lead: Array
    owner: Array  # row of `ownership`, -1 where it is not known
    ownership: Array

    def __len__(self) -> int:
        return len(self.at)

    def batch(self, rows: Array, symmetries: Array) -> Batch:
        """Return a batch of rows; each of the symmetries is applied to an equal share of it."""
        size, area = self.size, self.size * self.size
        board = Board(size, size)
        features = Features(board)
        planes = np.zeros((len(rows), PLANES, size, size), np.uint8)
        flat = planes.reshape(-1)
        given = np.zeros((len(rows), SCALARS), np.float32)
        for place, row in enumerate(rows):
            start, at = int(self.start[row]), int(self.at[row])
            features.replay(board, self.games, start, at, flat, place * PLANES * area)  # type: ignore[arg-type]
            komi = float(self.komi[row])
            given[place] = scalars(
                -komi if at % 2 == 0 else komi,
                area,
                territory=bool(self.territory[row]),
                passed=at > 0 and self.games[start + at - 1] == area,
                both_passed=at > 1 and self.games[start + at - 2] == area,
            )
        owner = self.owner[rows]
        ownership = (self.ownership[owner].astype(np.float32) + 100.0) / 200.0
        ownership = ownership.reshape(-1, size, size)
        moves = self.moves[rows].astype(np.int64)
        for part, symmetry in zip(
            np.array_split(np.arange(len(rows)), len(symmetries)), symmetries, strict=True
        ):
            turned = turn(np.arange(area).reshape(size, size), int(symmetry)).reshape(-1)
            places = np.empty(area + 1, np.int64)
            places[turned] = np.arange(area)
            places[area] = area
            moves[part] = places[moves[part]]
            planes[part] = turn(planes[part], int(symmetry))
            ownership[part] = turn(ownership[part], int(symmetry))
        policy = self.policy[rows].astype(np.float32)
        return Batch(
            planes,
            given,
            moves,
            policy / policy.sum(1, keepdims=True),
            self.win[rows],
            self.lead[rows],
            (owner >= 0).astype(np.float32),
            ownership.reshape(-1, area),
        )


def turn(boards: Array, symmetry: int) -> Array:
    """Apply one of the eight symmetries to the last two axes."""
    if symmetry & 1:
        boards = boards[..., ::-1, :]
    if symmetry & 2:
        boards = boards[..., :, ::-1]
    if symmetry & 4:
        boards = np.swapaxes(boards, -1, -2)
    return boards


def load(path: Path, *, held_out: bool) -> Labels:
    """Load one file: either the games that are held out or all others."""
    with np.load(path) as file:
        data = {name: file[name] for name in file.files}
    size = int(data["size"])
    length = data["length"].astype(np.int64)
    begin = np.cumsum(length) - length
    moves = data["move"]
    count = data.get("label_count", data["length"]).astype(np.int64)
    game = np.repeat(np.arange(len(length)), count)
    at = data.get("label_at")
    if at is None:
        at = np.arange(len(game)) - np.repeat(begin, count)
    at = at.astype(np.int64)
    kept = np.array(
        [
            (zlib.crc32(moves[b : b + n].astype("<u2").tobytes()) % HELD_OUT == 0) == held_out
            for b, n in zip(begin, length, strict=True)
        ]
    )
    owner = np.arange(len(game))
    if "ownership_at" in data:
        first = np.cumsum(count) - count
        rows = np.repeat(first, data["own_count"]) + data["ownership_at"]
        owner = np.full(len(game), -1)
        owner[rows] = np.arange(len(rows))
    # Black's stones less White's after each move: area and territory counting differ by this.
    ply = np.arange(len(moves)) - np.repeat(begin, length)
    sign = np.where(moves < size * size, np.where(ply % 2 == 0, 1, -1), 0)
    total = np.concatenate([[0], np.cumsum(sign)])
    start = begin[game]
    territory = data["rules"][game] == 1
    komi = data["komi"][game] + territory * (total[start + at] - total[start])
    chosen = kept[game]
    owner = owner[chosen]
    known = owner >= 0
    ownership = data["ownership"][owner[known]]
    owner[known] = np.arange(len(ownership))
    return Labels(
        size,
        moves.astype(np.int32),
        start[chosen],
        at[chosen],
        komi[chosen].astype(np.float32),
        territory[chosen],
        data["policy_index"][chosen],
        data["policy"][chosen],
        data["winrate"][chosen].astype(np.float32),
        data["lead"][chosen].astype(np.float32),
        owner,
        ownership,
    )


def join(parts: Sequence[Labels]) -> Labels:
    """Join several sets of labels of the same board size."""
    games = np.cumsum([0] + [len(part.games) for part in parts])
    owners = np.cumsum([0] + [len(part.ownership) for part in parts])
    pairs = list(zip(parts, games[:-1], owners[:-1], strict=True))
    return Labels(
        parts[0].size,
        np.concatenate([part.games for part in parts]),
        np.concatenate([part.start + offset for part, offset, _ in pairs]),
        np.concatenate([part.at for part in parts]),
        np.concatenate([part.komi for part in parts]),
        np.concatenate([part.territory for part in parts]),
        np.concatenate([part.moves for part in parts]),
        np.concatenate([part.policy for part in parts]),
        np.concatenate([part.win for part in parts]),
        np.concatenate([part.lead for part in parts]),
        np.concatenate(
            [np.where(part.owner < 0, -1, part.owner + offset) for part, _, offset in pairs]
        ),
        np.concatenate([part.ownership for part in parts]),
    )
