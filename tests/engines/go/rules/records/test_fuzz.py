"""Readers of other formats than SGF, on damaged records: they read or refuse them, quickly."""

import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from engines.core.game import InvalidText
from engines.core.sgf import SgfFile, main_line, parse_sgf, write_trees
from engines.go.rules.records.gib import read_gib
from engines.go.rules.records.ngf import read_ngf
from engines.go.rules.records.ugf import read_ugf
from tests.mutants import mutants
from tests.programs import RECORDS

READERS: dict[str, Callable[[bytes], SgfFile]] = {
    ".gib": read_gib,
    ".ngf": read_ngf,
    ".ugf": read_ugf,
}
FILES = sorted(path for path in Path("tests/data/records").iterdir() if path.suffix in READERS)
MUTANTS = 150
MOST_MEMORY = 50_000_000  # Bytes; the mutants have up to some hundred thousand.
PIECES = [
    *(b"\n", b"\r", b",", b"=", b"\\[", b"\\]", b"[Data]\n", b"[Figure]\n", b".Text,1\n", b"\xff"),
    *(b"STO 0 2 1 3 3\n", b"SKI 0 2\n", b"INI 0 1 9 &4\n", b"PMABBQEEQ\n", b"QP,B1,1,0\n"),
    *(b"9" * 400, b"\0", b"(;", b"GI\n", b"Size=9\n", b"Lang=utf-16\n", b"GIBOKIND=China"),
]


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_damaged_record_is_read_or_refused(path: Path) -> None:
    read = 0
    tracemalloc.start()
    try:
        for data in mutants(path.read_bytes(), MUTANTS, PIECES):
            try:
                file = READERS[path.suffix](data)
            except InvalidText:
                continue
            read += 1
            # What was read is the same as SGF.
            again = parse_sgf(write_trees(file.roots))
            assert [node.values for node in main_line(again.roots[0])] == [
                node.values for node in main_line(file.roots[0])
            ]
        assert tracemalloc.get_traced_memory()[1] < MOST_MEMORY
    finally:
        tracemalloc.stop()
    assert read


def test_records_of_other_programs_are_read_to_their_last_move() -> None:
    folder = RECORDS / "go-other"
    if not folder.is_dir():
        pytest.skip("no foreign records here")
    lengths = {"amateur": 254, "euc-kr": 49, "gb2312": 211, "handicap2": 189, "utf8": 118}
    for path in folder.iterdir():
        file = READERS[path.suffix](path.read_bytes())
        assert sum(1 for _ in main_line(file.roots[0])) == 1 + lengths[path.stem]
