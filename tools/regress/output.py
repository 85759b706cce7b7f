"""Files that a run leaves: whole, or not at all."""

import tempfile
from pathlib import Path

from engines.core.game import InvalidText
from tools.journal import JournalError, write_whole


def check_place(path: Path) -> None:
    """Raise InvalidText for a file that could not be written, before hours are spent on it."""
    if path.exists() and not path.is_file():
        return  # A device, or a pipe; a folder is refused where options are read.
    folder = path.absolute().parent
    if not folder.is_dir():
        raise InvalidText(f"no such folder: {path.parent}")
    try:
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise InvalidText(f"cannot write into {folder}: {error.strerror or error}") from error


def save(path: Path, text: str) -> None:
    """Write a text in UTF-8; raises InvalidText."""
    try:
        write_whole(path, text.encode("utf-8", "replace"))
    except JournalError as error:
        raise InvalidText(str(error)) from error
