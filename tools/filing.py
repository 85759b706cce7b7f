"""A game's file: its name, and its record in the format of its game."""

from pathlib import Path
from typing import Final

from tools import shogi
from tools.record import GameRecord, to_sgf

SUFFIXES: Final = (".sgf", ".kif", ".csa")
SHOGI_FORMATS: Final = ("kif", "csa")
"""What a record of shogi may be written in, the usual one first."""


def record_name(record: GameRecord, shogi_format: str = SHOGI_FORMATS[0]) -> str:
    """Return the name of a game's file; each attempt at a game has its own."""
    again = f"-{record.attempt + 1}" if record.attempt else ""
    suffix = shogi_format if record.game == shogi.NAME else "sgf"
    return f"{record.game}-{record.number:04}{again}.{suffix}"


def write_record(
    record: GameRecord, sides: tuple[str, str], shogi_format: str = SHOGI_FORMATS[0]
) -> bytes:
    """Return what the file holds: KIF or CSA for shogi, SGF for all others."""
    if record.game != shogi.NAME:
        return to_sgf(record, sides)
    return shogi.to_csa(record) if shogi_format == "csa" else shogi.to_kif(record)


def find_record(folder: Path) -> Path | None:
    """Return a record that is in a folder already."""
    found = (path for path in folder.iterdir() if path.suffix in SUFFIXES)
    return next(found, None)
