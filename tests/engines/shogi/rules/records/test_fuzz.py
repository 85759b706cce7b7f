"""Readers of shogi records, on damaged records: they read or refuse them, quickly."""

import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from engines.core.game import InvalidText
from engines.shogi.rules import position as position_module
from engines.shogi.rules.records.csa import iterate_csa, write_csa_games
from engines.shogi.rules.records.jkf import read_jkf
from engines.shogi.rules.records.ki2 import read_ki2
from engines.shogi.rules.records.kif import read_kif, write_kif
from engines.shogi.rules.records.record import Record, lines_of
from tests.mutants import mutants

COMPILED = not str(position_module.__file__).endswith(".py")
MUTANTS = 250 if COMPILED else 100
MOST_MEMORY = 50_000_000  # Bytes; the mutants have up to some hundred thousand.
FOLDER = Path("tests/data/records")
WORDS = ("反則勝ち\n", "変化：3手\n", "▲同　歩", "手合割：角落ち\n", "まで5手で投了\n")
PIECES = [
    *(b"\n", b"\r\n", b",", b"/", b"'", b"*", b"(", b")", b"[", b"{", b'"', b"\\", b"\0", b"\xff"),
    *(b"+7776FU\n", b"%TORYO\n", b"%+ILLEGAL_ACTION\n", b"T1\n", b"PI\n", b"+\n", b"-\n"),
    *(b"$NOTE:", b"9" * 400, b"1e999", b'{"moves":[{}]}', b"null", b"[[[[", b"\x1b$B"),
    *(word.encode(codec) for word in WORDS for codec in ("utf-8", "cp932")),
]


def read_usi(data: bytes) -> Record:
    return Record.from_usi(" ".join(text for _, text in lines_of(data)))


READERS: dict[str, Callable[[bytes], list[Record]]] = {
    ".kif": lambda data: [read_kif(data)],
    ".kifu": lambda data: [read_kif(data)],
    ".ki2": lambda data: [read_ki2(data)],
    ".csa": lambda data: list(iterate_csa(data)),
    ".jkf": lambda data: [read_jkf(data)],
    ".usi": lambda data: [read_usi(data)],
}
FILES = sorted(path.name for path in FOLDER.iterdir() if path.suffix in READERS)


@pytest.mark.parametrize("name", FILES)
def test_the_records_are_read_as_they_are(name: str) -> None:
    path = FOLDER / name
    records = READERS[path.suffix](path.read_bytes())
    assert all(record.main_line() for record in records)


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_a_damaged_record_is_read_or_refused(name: str) -> None:
    path = FOLDER / name
    read = 0
    tracemalloc.start()
    try:
        for data in mutants(path.read_bytes(), MUTANTS, PIECES):
            try:
                records = READERS[path.suffix](data)
            except InvalidText:
                continue
            read += 1
            for record in records:  # What was read can be written, and keeps its moves.
                assert read_kif(write_kif(record, "utf-8")).moves() == record.moves()
            again = list(iterate_csa(write_csa_games(records)))
            assert [game.moves() for game in again] == [game.moves() for game in records]
        assert tracemalloc.get_traced_memory()[1] < MOST_MEMORY
    finally:
        tracemalloc.stop()
    assert read  # Otherwise nothing but the first line would have been tried.
