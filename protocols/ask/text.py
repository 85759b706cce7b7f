"""Text that an engine wrote, made fit to be shown and recorded."""

from collections.abc import Collection, Iterator
from typing import Final

LONGEST: Final = 300  # Characters of a name, a reason or a claim.
_LONGEST_LINE: Final = 4000  # Characters of a line of play.


def plain(text: str, longest: int = LONGEST) -> str:
    """Return a text as one line of printable characters, cut to a length.

    Control characters become `?`, since they could move the cursor of a terminal or begin a new
    line of a record.
    """
    words = " ".join(text[: 2 * longest].split())
    return "".join(each if each.isprintable() else "?" for each in words[:longest])


def moves(text: str, keywords: Collection[str]) -> str:
    """Return the moves at the beginning of a text, cut to a length that fits into a record.

    Moves are words of ASCII letters, digits and signs; a keyword of the protocol is none.
    """
    return " ".join(_moves(text[:_LONGEST_LINE], keywords, cut=len(text) > _LONGEST_LINE))


def _moves(text: str, keywords: Collection[str], *, cut: bool) -> Iterator[str]:
    words = text.split()
    if cut:
        words.pop()  # The last word may be half of a move.
    for word in words:
        if word in keywords or not (word.isascii() and word.isprintable()):
            return
        yield word
