"""Terms of labelled positions: the same sums as the evaluation of the search makes."""

import random
from pathlib import Path

import numpy as np

from engines.shogi.play.table import TranspositionTable
from engines.shogi.play.weights import load
from engines.shogi.play.worker import Worker
from engines.shogi.rules.sfen import START, parse_sfen
from engines.shogi.workshop.features import LAYOUT, read, transform
from engines.shogi.workshop.label import LAST, QUIET, RECORD, Label


def labels(games: int) -> tuple[list[bytes], list[int]]:
    """Return records of random positions and their values."""
    chance = random.Random(7)
    records, values = [], []
    for _ in range(games):
        position = parse_sfen(START)
        for ply in range(150):
            moves = position.legal_moves()
            if not moves:
                break
            position.play(chance.choice(moves))
            if ply % 30 == 29:
                label = Label.of(position, 0, 17, ply)
                records.append(label.pack(1.0, last=False))
                values.append(Worker(position.copy(), TranspositionTable(1)).static_value())
    return records, values


def test_the_sums_are_those_of_the_search() -> None:
    records, values = labels(6)
    data = np.frombuffer(b"".join(records), LAYOUT)
    sums = transform(data, np.arange(len(data))).sums(np.array(load(), float))
    assert [int(value) for value in np.floor(sums / 8)] == values


def test_a_gradient_is_the_slope_of_the_sums() -> None:
    records, _ = labels(2)
    data = np.frombuffer(b"".join(records), LAYOUT)
    samples = transform(data, np.arange(len(data)))
    weights = np.array(load(), float)
    slopes = np.linspace(-1, 1, len(data))
    gradient = samples.gradient(slopes)
    step = np.zeros_like(weights)
    step[::3] = 1.0
    risen = (slopes * (samples.sums(weights + step) - samples.sums(weights))).sum()
    assert np.isclose(risen, gradient @ step)


def test_only_quiet_positions_count_each_once(tmp_path: Path) -> None:
    records, _ = labels(2)
    twice = [*records, *records]
    path = tmp_path / "some.labels"
    path.write_bytes(b"".join(twice) + b"half a record")
    assert len(read([path])) == sum(1 for raw in records if raw[96] & QUIET)
    assert LAYOUT.itemsize == RECORD.size


def test_the_result_is_that_of_the_side_to_move() -> None:
    position = parse_sfen(START)
    position.play(position.legal_moves()[0])
    raw = Label.of(position, 0, 5, 1).pack(1.0, last=True)
    record = np.frombuffer(raw, LAYOUT)[0]
    assert record["turn"] == 1
    assert record["result"] == -1
    assert record["flags"] & LAST
    assert record["value"] == 5
