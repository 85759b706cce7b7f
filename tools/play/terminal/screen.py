"""The output of the terminal: boards with colours, sentences, and no foreign control characters."""

import os
import sys
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final, TextIO

from rich.console import Console
from rich.text import Text

from tools.boards.text import spans
from tools.boards.text.spans import Line, Look

_LONGEST: Final = 2000  # Characters of a line.

_ON_WOOD: Final[Mapping[str, str]] = {
    spans.BOARD: "#6b4a1f on #d9b16a",
    spans.FREE: "#3d2a10 on #d9b16a",
    spans.FIRST: "bold black on #d9b16a",
    spans.SECOND: "bold #ffffff on #d9b16a",
    spans.LAST: "bold #b02020 on #d9b16a",
    spans.TARGET: "bold #1f5f1f on #d9b16a",
    spans.TAKEN: "bold red3 on #d9b16a",
    spans.DEAD: "#7a1f1f on #d9b16a",
}
_USUAL: Final[Mapping[str, str]] = {
    spans.BOARD: "dim",
    spans.COORDINATE: "cyan",
    spans.FREE: "dim",
    spans.FIRST: "bold bright_yellow",
    spans.SECOND: "bold bright_cyan",
    spans.THIRD: "bold bright_green",
    spans.LAST: "bold",
    spans.TAKEN: "bold bright_red",
    spans.TARGET: "bold bright_green",
    spans.DEAD: "dim",
    spans.ALERT: "bold white on red",
    spans.WORDS: "",
}
_ASCII_LOCALES: Final = ("C", "POSIX")
_LOST: Final = "note: ? stands for what only a UTF-8 locale, such as LC_ALL=C.UTF-8, can show"
_QUOTES: Final = str.maketrans("‘’“”–—", "''\"\"--")
_FILLED: Final = {"○": "●", "◇": "◆"}
"""On wood, the colours tell the stones apart, and white ones are not hollow."""


class Screen:
    """Writes to a terminal, or plain text where there is none."""

    def __init__(self, file: TextIO | None = None, *, letters: bool = False) -> None:
        self._console = Console(
            file=file, markup=False, highlight=False, emoji=False, soft_wrap=True
        )
        unicode = _is_utf8(self._console.encoding or "") and not refuses_unicode(os.environ)
        self._look = Look(unicode=unicode, kanji=not letters)
        self._warned = False
        # On a console that shows true colours, the board of Go is of wood.
        self._wooden = (
            self._console.color_system in ("256", "truecolor") and not self._console.no_color
        )

    @property
    def look(self) -> Look:
        """The abilities of the terminal, which has its present width; a file has none."""
        width = self._console.width if self._console.is_terminal else 0
        return replace(self._look, width=width)

    @property
    def coloured(self) -> bool:
        """Whether the terminal shows colours, and the user has not refused them."""
        return self._console.color_system is not None and not self._console.no_color

    def board(self, lines: Iterable[Line], *, wooden: bool = False) -> None:
        """Write the lines of a board."""
        wooden = wooden and self._wooden
        for line in lines:
            text = Text()
            for part, role in line:
                if wooden and role not in (spans.COORDINATE, spans.WORDS):
                    text.append(_FILLED.get(part, part), _ON_WOOD.get(role, ""))
                else:
                    text.append(part, _USUAL.get(role, ""))
            self._console.print(text)

    def say(self, text: str = "", style: str = "") -> None:
        """Write lines of text; control characters that came from elsewhere become `?`."""
        for line in text.split("\n"):
            shown = "".join(each if each.isprintable() else "?" for each in line[:_LONGEST])
            if not self._look.unicode:
                shown = self._in_ascii(shown)
            # A terminal would break words at its edge; a file gets its lines whole.
            self._console.print(Text(shown, style), soft_wrap=not self._console.is_terminal)

    def _in_ascii(self, text: str) -> str:
        """Return a text in ASCII, and say it once if characters are lost."""
        plain = "".join(map(_in_ascii, text.translate(_QUOTES)))
        if plain.isascii():
            return plain
        if not self._warned:
            print(_LOST, file=sys.stderr, flush=True)
        self._warned = True
        return plain.encode("ascii", "replace").decode()

    def throw(self, text: str) -> None:
        """Write a throw of the dice."""
        self.say(text, "bold bright_magenta")

    def error(self, text: str) -> None:
        """Write what went wrong, in red."""
        self.say(text, "bold red")

    def note(self, text: str) -> None:
        """Write something of less importance."""
        self.say(text, "dim")

    def title(self, text: str) -> None:
        """Write a heading."""
        self.say(text, "bold")


def _in_ascii(letter: str) -> str:
    """Return a letter without accents or in its usual width, if that is ASCII."""
    apart = unicodedata.normalize("NFKD", letter)
    plain = "".join(each for each in apart if not unicodedata.combining(each))
    return plain if plain.isascii() else letter


def refuses_unicode(environment: Mapping[str, str]) -> bool:
    """Whether the user's locale names a character set that is not UTF-8, as C and POSIX do.

    Python writes UTF-8 in these locales all the same, and then sets LC_CTYPE, which is why LC_CTYPE
    counts for less than LANG=C here. Without any of the variables, the terminal is not known.
    """
    locale = environment.get("LC_ALL", "")
    if not locale and environment.get("LANG", "") in _ASCII_LOCALES:
        coerced = environment.get("LC_CTYPE", "").startswith("C.")
        locale = "C" if coerced else environment.get("LC_CTYPE", "") or "C"
    locale = locale or environment.get("LC_CTYPE", "") or environment.get("LANG", "")
    charset = locale.partition(".")[2] or locale  # macOS may call the whole locale UTF-8.
    return bool(locale) and not _is_utf8(charset.partition("@")[0])


def _is_utf8(charset: str) -> bool:
    return charset.lower().replace("-", "") == "utf8"


def is_terminal() -> bool:
    """Whether a person sits in front of a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()
