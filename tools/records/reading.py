"""Reading and writing records, in the format of the file's suffix."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from engines.core.game import InvalidText
from engines.core.sgf import SgfFile, parse_sgf
from engines.go.rules.records.gib import read_gib
from engines.go.rules.records.ngf import read_ngf
from engines.go.rules.records.ugf import read_ugf
from engines.shogi.rules.records.csa import iterate_csa, write_csa_games
from engines.shogi.rules.records.jkf import read_jkf, write_jkf
from engines.shogi.rules.records.ki2 import read_ki2
from engines.shogi.rules.records.ki2_writer import write_ki2
from engines.shogi.rules.records.kif import read_kif, write_kif
from engines.shogi.rules.records.record import Record, RecordError, lines_of

MOST_BYTES: Final = 1 << 25
"""A larger file is refused before it is read; engines.core.sgf has the same limit."""


SGF: Final = ".sgf"
TREES: Final[Mapping[str, Callable[[bytes, str], SgfFile]]] = {
    SGF: parse_sgf,
    ".gib": read_gib,
    ".ngf": read_ngf,
    ".ugf": read_ugf,
    ".ugi": read_ugf,
}
"""By suffix, the readers of SGF and of formats of Go that are read as SGF.

Their second argument is the character set; if it is empty, the set is detected.
"""


def _read_usi(data: bytes) -> Record:
    lines = [(number, text) for number, text in lines_of(data) if text.strip()]
    if len(lines) > 1:
        raise RecordError(lines[1][0], "a second line, and a game in USI has one")
    number, text = lines[0] if lines else (1, "")
    return Record.from_usi(text, line=number)


def _one(read: Callable[[bytes], Record]) -> Callable[[bytes], list[Record]]:
    return lambda data: [read(data)]


READERS: Final[Mapping[str, Callable[[bytes], list[Record]]]] = {
    ".kif": _one(read_kif),
    ".kifu": _one(read_kif),
    ".ki2": _one(read_ki2),
    ".ki2u": _one(read_ki2),
    ".csa": lambda data: list(iterate_csa(data)),
    ".jkf": _one(read_jkf),
    ".usi": _one(_read_usi),
    ".sfen": _one(_read_usi),
}
"""By suffix, the readers of shogi records."""


def _write_csa(records: Sequence[Record]) -> bytes:
    """Write version 2.2, which all programs read, unless that would lose fractions of seconds."""
    times = (node.seconds or 0 for record in records for node in record.main_line())
    version = "3.0" if any(time != int(time) for time in times) else "2.2"
    return write_csa_games(records, version=version)


WRITERS: Final[Mapping[str, Callable[[Record], bytes]]] = {
    ".kif": write_kif,
    ".kifu": lambda record: write_kif(record, "utf-8"),
    ".ki2": write_ki2,
    ".ki2u": lambda record: write_ki2(record, "utf-8"),
    ".csa": lambda record: _write_csa([record]),
    ".jkf": write_jkf,
    ".usi": lambda record: f"{record.usi()}\n".encode(),
    ".sfen": lambda record: f"{record.usi()}\n".encode(),
}
"""By suffix, functions that write a single game."""

COLLECTIONS: Final[Mapping[str, Callable[[Sequence[Record]], bytes]]] = {".csa": _write_csa}
"""By suffix, functions that write several games into one file."""


def read_bytes(path: Path) -> bytes:
    """Read a file; raises OSError, and InvalidText if it is too large to be a record."""
    if path.stat().st_size > MOST_BYTES:
        raise InvalidText(f"it has more than {MOST_BYTES >> 20} MiB")
    return path.read_bytes()


def check_number(number: int, count: int) -> None:
    """Raise InvalidText unless a file of so many games has the one of a number, from 1."""
    if not 1 <= number <= count:
        raise InvalidText(f"it has {count} game{'s' if count > 1 else ''}, and no game {number}")


def read_records(path: Path) -> list[Record]:
    """Read all games of a file of shogi records; raises InvalidText and OSError."""
    suffix = path.suffix.lower()
    if suffix not in READERS:
        raise InvalidText(f"no such format: {path.suffix!r} (known: {', '.join(READERS)})")
    return READERS[suffix](read_bytes(path))


def read_record(path: Path) -> Record:
    """Read the first game of a file of shogi records; raises InvalidText and OSError."""
    return read_records(path)[0]
