"""The file of a finished game: its name, and its record in the format of the game."""

from pathlib import Path
from typing import Final

from engines import registry
from tools.records import shogi
from tools.records.game import GameRecord
from tools.records.sgf import to_sgf

SHOGI_FORMATS: Final = ("kif", "kifu", "csa")
"""The formats of shogi records, the default first.

The default is KIF in Shift_JIS, which every program for shogi reads; many do not know `.kifu`,
which is KIF in UTF-8.
"""
SUFFIXES: Final = (".sgf", *(f".{name}" for name in SHOGI_FORMATS))


def record_name(record: GameRecord, shogi_format: str = SHOGI_FORMATS[0]) -> str:
    """Return the name of a game's file; each attempt at a game has a file of its own."""
    again = f"-{record.attempt + 1}" if record.attempt else ""
    suffix = shogi_format if record.game == registry.SHOGI else "sgf"
    return f"{record.game}-{record.number:04}{again}.{suffix}"


def write_record(
    record: GameRecord, sides: tuple[str, str], shogi_format: str = SHOGI_FORMATS[0]
) -> bytes:
    """Return the content of a game's file: KIF or CSA for shogi, SGF for other games."""
    if record.game != registry.SHOGI:
        return to_sgf(record, sides)
    if shogi_format == "csa":
        return shogi.to_csa(record)
    return shogi.to_kif(record, "utf-8" if shogi_format == "kifu" else "cp932")


def find_record(folder: Path) -> Path | None:
    """Return any record in a folder, or None."""
    records = (path for path in folder.iterdir() if path.suffix in SUFFIXES)
    return next(records, None)
