"""Writing the files of a run so that none is ever left half written."""

import tempfile
from pathlib import Path

from engines.core.game import InvalidText
from tools.journal.journal import JournalError, write_whole


def check_place(path: Path) -> None:
    """Raise InvalidText if a file cannot be written, before hours are spent on the run."""
    if path.exists() and not path.is_file():
        return  # This is a device or a pipe; a folder is refused when the options are read.
    folder = path.absolute().parent
    if not folder.is_dir():
        raise InvalidText(f"no such folder: {path.parent}")
    try:
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise InvalidText(f"cannot write into {folder}: {error.strerror or error}") from error


def save(path: Path, text: str) -> None:
    """Write a text file in UTF-8; raises InvalidText."""
    try:
        write_whole(path, text.encode("utf-8", "replace"))
    except JournalError as error:
        raise InvalidText(str(error)) from error
