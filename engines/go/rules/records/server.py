"""A game from a Go server: collected while its record is read, and returned as a tree of SGF."""

import io
import re
from collections.abc import Iterator, Sequence
from typing import Final

from engines.core.charset import decode_text
from engines.core.game import InvalidText, Move
from engines.core.sgf import MOST_BYTES, SgfFile, SgfNode
from engines.go.rules.records.sgf import walk
from engines.go.rules.text import LARGEST, SIZE, SMALLEST, handicap_moves, star_points

MOST_MOVES: Final = 100_000
"""A record with more moves is refused."""
_LETTERS: Final = "abcdefghijklmnopqrstuvwxy"
_WIDTH: Final = 40  # Characters of a line that a message quotes.
_DATE: Final = re.compile(r"(\d{4})[-/:]? ?(\d{1,2})[-/:]? ?(\d{1,2})(?!\d)")


def read_lines(
    data: bytes, charset: str, named: str = ""
) -> tuple[Iterator[tuple[int, str]], str, list[str]]:
    """Return the numbered lines of a record, its character set, and notices; raises InvalidText."""
    if len(data) > MOST_BYTES:
        raise InvalidText(f"it has more than {MOST_BYTES >> 20} MiB")
    text, used, notices = decode_text(data, charset, named)
    lines = ((number, line.rstrip()) for number, line in enumerate(io.StringIO(text, None), 1))
    return lines, used, notices


def fault(line: int, reason: str, text: str = "") -> InvalidText:
    """Return the error for a line that cannot be read."""
    quoted = f": {text[:_WIDTH]!r}" if text else ""
    return InvalidText(f"line {line}: {reason}{quoted}")


def parse_count(text: str, line: int, what: str) -> int:
    """Parse a short whole number; raises InvalidText."""
    word = text.strip()
    if not (word.isascii() and word.isdecimal() and len(word) < 8):
        raise fault(line, f"{what} is no number", text or "nothing")
    return int(word)


def format_date(text: str) -> str:
    """Return the date at the beginning of a text as SGF writes it, or an empty text."""
    match = _DATE.match(text.strip())
    if match is None:
        return ""
    year, month, day = map(int, match.groups())
    return f"{year:04}-{month:02}-{day:02}" if 0 < month < 13 and 0 < day < 32 else ""


class ServerGame:
    """Collects the headers and moves of a game; `finish` returns them."""

    def __init__(self, charset: str, notices: Sequence[str]) -> None:
        self.root = SgfNode({"GM": ["1"], "SZ": [str(SIZE)]}, line=1)
        self.size = SIZE
        self.moves: list[SgfNode] = []
        self.notices = list(notices)
        self._charset = charset
        self._handicap = 0

    def note(self, notice: str) -> None:
        """Add a notice, unless it was given before."""
        if notice not in self.notices:
            self.notices.append(notice)

    def put(self, key: str, value: str) -> None:
        """Set a property of the root, if there is a value."""
        if value.strip():
            self.root.values[key] = [value.strip()]

    def set_size(self, size: int, line: int) -> None:
        """Set the size of the board; raises InvalidText."""
        if not SMALLEST <= size <= LARGEST:
            raise fault(line, f"unacceptable size: {size} (from {SMALLEST} to {LARGEST})")
        self.size = size
        self.root.values["SZ"] = [str(size)]

    def set_handicap(self, count: int, line: int) -> None:
        """Set the number of handicap stones; 0 and 1 are none. Raises InvalidText."""
        if count > 9:
            raise fault(line, f"unacceptable handicap: {count} (at most 9)")
        self._handicap = count if count > 1 else 0
        if self._handicap:
            self.root.values["HA"] = [str(count)]

    def set_up(self, colour: str, x: int, y: int, line: int) -> None:
        """Put a stone on the board before the first move; raises InvalidText."""
        if self.moves:
            raise fault(line, "a stone is set up after the first move")
        self.root.values.setdefault(f"A{colour}", []).append(self._point(x, y, line))

    def play(self, colour: str, x: int, y: int, line: int) -> None:
        """Add a move, with coordinates that count from 0 at the top left; raises InvalidText."""
        self._add({colour: [self._point(x, y, line)]}, line)

    def play_pass(self, colour: str, line: int) -> None:
        """Add a pass; without a colour, it is that of the side to move."""
        self._add({colour or self.turn: [""]}, line)

    @property
    def turn(self) -> str:
        """The side to move, if colours alternate."""
        if self.moves:
            return "W" if "B" in self.moves[-1].values else "B"
        return "W" if self._handicap else "B"

    def finish(self) -> SgfFile:
        """Return the game, with its handicap stones where the record does not place them."""
        if self._handicap and "AB" not in self.root.values and self._is_given():
            self._place_handicap()
        last = self.root
        for node in self.moves:
            last.children.append(node)
            last = node
        return SgfFile([self.root], self._charset, self.notices)

    def _add(self, values: dict[str, list[str]], line: int) -> None:
        if len(self.moves) >= MOST_MOVES:
            raise fault(line, f"it has more than {MOST_MOVES} moves")
        self.moves.append(SgfNode(values, line=line))

    def format_point(self, x: int, y: int) -> str:
        """Return a point as SGF writes it, or an empty text for one off the board."""
        return _LETTERS[x] + _LETTERS[y] if max(x, y) < self.size and min(x, y) >= 0 else ""

    def _point(self, x: int, y: int, line: int) -> str:
        if not (point := self.format_point(x, y)):
            raise fault(line, f"a point off the board of {self.size}x{self.size}")
        return point

    def _is_given(self) -> bool:
        """Whether White begins, so that the handicap stones are not among Black's moves."""
        return not self.moves or "W" in self.moves[0].values

    def _place_handicap(self) -> None:
        """Set the handicap stones, whose points the servers leave to the reader.

        The third of three stones is at the top left, as on Tygem, unless the moves are only
        possible with one at the bottom right, where other servers put it.
        """
        stones = handicap_moves(self.size, self.size, self._handicap)
        if self._handicap == 3 and not self._can_be_played(stones):
            other = [*stones[:2], star_points(self.size, self.size)[3]]
            stones = other if self._can_be_played(other) else stones
        self.root.values["AB"] = self._format(stones)
        self.note(f"the {self._handicap} handicap stones are put on the usual points")

    def _can_be_played(self, stones: Sequence[Move]) -> bool:
        root = {**self.root.values, "AB": self._format(stones)}
        try:
            for _ in walk([root, *(node.values for node in self.moves)]):
                pass
        except InvalidText:
            return False
        return True

    def _format(self, stones: Sequence[Move]) -> list[str]:
        return [self.format_point(move % self.size, move // self.size) for move in stones]
