"""Programs that a user names: why a word cannot be run, and what may have been meant."""

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from tools.roster.settings import nearest, suggestion


def find_fault(word: str, *, folder: str = "", path: str | None = None) -> str:
    """Say why a program cannot be run; empty if it can, or if the word is no path.

    A relative path is looked up in `folder`.
    """
    if not _is_path(word):
        return ""
    place = Path(folder or os.curdir, word)
    if shutil.which(os.path.join(folder or os.curdir, word), path=path) is not None:
        return ""
    if place.is_dir():
        return f"{word} is a folder; expected a program"
    if place.exists():
        return f"{word} is not executable: {_advice(word)}"
    return f"no such file: {word}{_neighbour(place, word)}"


def no_such_engine(word: str, names: Sequence[str], known: str) -> str:
    """Say that a word is neither an engine's name nor a program; `known` tells what there is."""
    local = os.path.join(os.curdir, word)
    hint = suggestion(word, names) or ", and PATH has no program of this name"
    if Path(word).is_dir():
        hint = f"; {local} is a folder"
    elif os.access(local, os.X_OK):
        hint = f"; did you mean {local}?"
    elif Path(word).is_file():
        hint = f"; {local} is not executable: {_advice(local)}"
    return f"no such engine: {word!r}{hint} ({known})"


def _is_path(word: str) -> bool:
    if word in (os.curdir, os.pardir):
        return True
    return bool(os.path.dirname(word)) or (sys.platform == "win32" and ":" in word)


def _advice(word: str) -> str:
    return f'name its interpreter ("python3 {word}") or make it executable (chmod +x {word})'


def _neighbour(place: Path, word: str) -> str:
    """Suggest a program in the same folder whose name is nearly the same."""
    parent = place.parent
    if not parent.is_dir():
        return f" ({os.path.dirname(word)} is not a folder)"
    try:
        names = sorted(each.name for each in parent.iterdir() if each.is_file())
    except OSError:
        return ""
    near = nearest(place.name, names)
    return f"; did you mean {os.path.join(os.path.dirname(word), near)}?" if near else ""
