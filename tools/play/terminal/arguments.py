"""The arguments of commands that are typed."""

from pathlib import Path

from tools.play.session import CannotPlay
from tools.play.texts import say


def ply_of(text: str, how: str) -> int:
    """Return the number of a move that somebody has typed; raises CannotPlay."""
    if not (text.isascii() and text.isdecimal() and len(text) < 7):
        raise CannotPlay(say(how))
    return int(text)


def path_of(text: str) -> Path:
    """Return the path that somebody has typed; raises CannotPlay."""
    if "\0" in text:
        raise CannotPlay(say("no.path"))
    try:
        return Path(text).expanduser()
    except RuntimeError:  # There is no such user: as in a shell, the sign belongs to the name.
        return Path(text)
