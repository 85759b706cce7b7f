"""Files that a run leaves: whole, or not at all."""

from pathlib import Path

from engines.core.game import InvalidText
from tools.journal import JournalError, write_whole


def save(path: Path, text: str) -> None:
    """Write a text in UTF-8; raises InvalidText."""
    try:
        write_whole(path, text.encode("utf-8", "replace"))
    except JournalError as error:
        raise InvalidText(str(error)) from error
