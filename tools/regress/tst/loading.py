"""Replace GNU Go's `loadsgf` by standard commands, for engines that do not know it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from engines.core.game import InvalidText
from engines.core.sgf import read_sgf
from engines.go.rules.board import Board
from engines.go.rules.ruleset import DEFAULT
from engines.go.rules.text import GoRules
from protocols.ask.detect import FramedClient
from tools.records import go as sgf_go
from tools.roster.gtp_setup import place_commands

_UNCLOSED: Final = 8  # A record may lack this many closing parentheses.
_KOMI: Final = "5.5"  # GNU Go's defaults for records that say nothing.
_KOMI_HANDICAP: Final = "0.5"
_COLOURS: Final = {"B": "b", "W": "w"}
_CODES: Final = {"b": 1, "w": 2}

Stone = tuple[str, str]
"""`b` or `w`, and a vertex."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A record up to some move: the stones at the beginning, and the moves.

    `handicap` is the number of black stones in `stones`, or of fixed handicap stones that the
    record does not list.
    """

    width: int
    height: int
    komi: str
    handicap: int
    stones: Sequence[Stone]
    moves: Sequence[Stone]

    def commands(self, client: FramedClient) -> list[str]:
        """Return commands, among those that the engine lists, that lead to this position."""
        size = f"boardsize {self.width}"
        if self.width != self.height:
            known = client.known("rectangular_boardsize")
            word = "rectangular_boardsize" if known else "boardsize"
            size = f"{word} {self.width} {self.height}"
        commands = [size, "clear_board", f"komi {self.komi}"]
        free = self.handicap > 1 and all(side == "b" for side, _ in self.stones)
        if free and not self.stones:
            commands.append(f"fixed_handicap {self.handicap}")
        elif free and client.known("set_free_handicap"):
            commands.append("set_free_handicap " + " ".join(vertex for _, vertex in self.stones))
        else:
            commands += place_commands(client, list(self.stones))
        return [*commands, *(f"play {side} {vertex}" for side, vertex in self.moves)]


def load(path: Path, until: int = 0) -> Loaded:
    """Read a record's main line up to the position before move `until`; raises InvalidText.

    As in GNU Go, passes count as moves, and a move onto a stone ends the line. Stones may also be
    added or removed between moves.
    """
    try:
        data = path.read_bytes()
        return _load(_nodes(data[max(data.find(b"("), 0) :]), until)
    except OSError as error:
        raise InvalidText(f"{path}: {error.strerror or error}") from error
    except InvalidText as error:
        raise InvalidText(f"{path}: {error}") from error


@lru_cache(maxsize=64)
def _nodes(data: bytes) -> Sequence[Mapping[str, Sequence[str]]]:
    """Read a record; the result is cached, and missing closing parentheses are added."""
    try:
        return read_sgf(data)
    except InvalidText:
        # Other readers tolerate missing parentheses. Any other error remains an error.
        return read_sgf(data + b")" * _UNCLOSED)


def _load(nodes: Sequence[Mapping[str, Sequence[str]]], until: int) -> Loaded:
    root = nodes[0]
    width, height = _size(root.get("SZ", ["19"])[0].strip())
    handicap_text = root.get("HA", ["0"])[0].strip()
    handicap = int(handicap_text) if handicap_text.isdecimal() else 0
    komi = root.get("KM", [""])[0].strip()
    line = _Line(GoRules(DEFAULT, width, height))
    for node in nodes:
        if not line.follow(node, until):
            break
    return Loaded(
        width,
        height,
        komi if _is_number(komi) else _KOMI_HANDICAP if handicap > 1 else _KOMI,
        handicap,
        line.stones,
        line.moves,
    )


class _Line:
    """The stones and moves so far, and the resulting board."""

    def __init__(self, rules: GoRules) -> None:
        self.stones: list[Stone] = []
        self.moves: list[Stone] = []
        self._rules = rules
        self._count = 0
        self._board = Board(rules.width, rules.height)
        self._board.suicide = True

    def follow(self, node: Mapping[str, Sequence[str]], until: int) -> bool:
        """Apply a node; return whether the line continues after it."""
        for key, side in (("AB", "b"), ("AW", "w")):
            for vertex in self._points(node.get(key, [])):
                if not self._cell(vertex):
                    self._put(side, vertex)
        if gone := set(self._points(node.get("AE", []))):
            self._remove(gone)
        for key, side in _COLOURS.items():
            if key not in node:
                continue
            if until and self._count == until - 1:
                return False
            vertex = sgf_go.parse_point(node[key][0].strip(), self._rules)
            if vertex != "pass" and (not self._is_point(vertex) or self._cell(vertex)):
                return False
            self._count += 1
            self.moves.append((side, vertex))
            if vertex != "pass":
                self._play(side, vertex)
        return True

    def _put(self, side: str, vertex: str) -> None:
        # GTP can set up a later stone only as a move.
        (self.moves if self.moves else self.stones).append((side, vertex))
        self._play(side, vertex)

    def _play(self, side: str, vertex: str) -> None:
        self._board.play(self._board.point(self._rules.parse_vertex(vertex)), _CODES[side])

    def _cell(self, vertex: str) -> int:
        return self._board.cell(self._board.point(self._rules.parse_vertex(vertex)))

    def _is_point(self, vertex: str) -> bool:
        try:
            self._rules.parse_vertex(vertex)
        except InvalidText:
            return False
        return True

    def _remove(self, gone: set[str]) -> None:
        """Begin again with the remaining stones, because GTP cannot remove single stones."""
        rules: Any = self._rules
        left = [
            (" bw"[cell], rules.format_vertex(point))
            for point, cell in enumerate(self._board.cells_copy())
            if cell and rules.format_vertex(point) not in gone
        ]
        self._board = Board(rules.width, rules.height)
        self._board.suicide = True
        self.stones, self.moves = [], []
        for side, vertex in left:
            self._put(side, vertex)

    def _points(self, values: Sequence[str]) -> Iterator[str]:
        """Yield points and rectangles such as `aa:cc`."""
        for value in values:
            first, _, last = value.strip().partition(":")
            if len(first) != 2 or len(last or first) != 2:
                raise InvalidText(f"not a point: {value[:20]!r}")
            columns, rows = zip(first, last or first, strict=True)
            for row in range(ord(rows[0]), ord(rows[1]) + 1):
                for column in range(ord(columns[0]), ord(columns[1]) + 1):
                    vertex = sgf_go.parse_point(chr(column) + chr(row), self._rules)
                    if not self._is_point(vertex):
                        raise InvalidText(f"{value[:20]!r} is off the board")
                    yield vertex


def _size(text: str) -> tuple[int, int]:
    words = text.split(":")
    if len(words) > 2 or not all(word.isascii() and word.isdecimal() for word in words):
        raise InvalidText(f"unacceptable size: SZ[{text}]")
    return int(words[0]), int(words[-1])


def _is_number(text: str) -> bool:
    return text.lstrip("+-").replace(".", "", 1).isdecimal() and text.isascii()
