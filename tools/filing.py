"""A game's file: its name, and its record in the format of its game."""

from pathlib import Path

from tools import shogi
from tools.record import GameRecord, to_sgf

SUFFIXES = (".sgf", ".kif")


def record_name(record: GameRecord) -> str:
    """Return the name of a game's file; each attempt at a game has its own."""
    again = f"-{record.attempt + 1}" if record.attempt else ""
    suffix = ".kif" if record.game == shogi.NAME else ".sgf"
    return f"{record.game}-{record.number:04}{again}{suffix}"


def write_record(record: GameRecord, sides: tuple[str, str]) -> bytes:
    """Return what the file holds: KIF for shogi, SGF for all others."""
    return shogi.to_kif(record) if record.game == shogi.NAME else to_sgf(record, sides)


def find_record(folder: Path) -> Path | None:
    """Return a record that is in a folder already."""
    found = (path for path in folder.iterdir() if path.suffix in SUFFIXES)
    return next(found, None)
