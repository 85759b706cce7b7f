"""The records of the measurement are the same game in each format, and are read whole."""

from engines.core.sgf import main_line
from tests.tools.records.speed import go_records, shogi_records
from tools.records.reading import READERS, TREES


def test_the_formats_of_go_hold_the_same_moves() -> None:
    moves = {
        suffix: [
            node.values.get("B", node.values.get("W"))
            for node in main_line(TREES[suffix](data, "").roots[0])
        ]
        for suffix, data in go_records().items()
    }
    assert len(moves) == 4
    assert all(of == moves[".sgf"] for of in moves.values())
    assert len(moves[".sgf"]) == 201


def test_the_formats_of_shogi_hold_the_same_moves() -> None:
    records = {suffix: READERS[suffix](data)[0] for suffix, data in shogi_records().items()}
    assert len(records) == len(READERS)
    assert len({tuple(record.moves()) for record in records.values()}) == 1
    assert len(records[".usi"].moves()) == 120
