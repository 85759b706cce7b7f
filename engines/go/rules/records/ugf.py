"""UGF, also called UGI, the format of PandaNET: sections of headers, moves and figures.

There is no public specification. It is read as files show it, and as A. E. Brouwer and Sensei's
Library describe it. `QP,B1,1,0` is a move: column, row, side and player, its number, and seconds.
Rows count from the bottom if CoordinateType is IGS, else from the top. The column Y or Z is a pass,
and moves with number 0 are stones that are set up. In [Figure], texts between .Text and .EndText
are comments on a move. [ReviewNode] repeats the moves.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from engines.core.sgf import SgfFile
from engines.go.rules.records.server import (
    ServerGame,
    fault,
    format_date,
    parse_count,
    read_lines,
)
from engines.go.rules.text import parse_komi

_LANGUAGE: Final = re.compile(rb"^Lang=([\w-]{1,20})", re.MULTILINE)
_HEAD: Final = 4000  # The bytes in which the language is looked for.
_MOVE: Final = re.compile(r"([A-Z])([A-Z]),(?:([BW])\d?|MK),(\d{1,6}),.*")
_TEXTS: Final = {
    "Place": "PC",
    "Copyright": "CP",
    "Commentator": "AN",
    "Comment": "GC",
    "Writer": "US",
}
_RULES: Final = {"JPN": "Japanese", "CHN": "Chinese"}
_PLAIN: Final = "PLAIN_UGF_FILE"
_ENDINGS: Final = {"C": "R", "F": "F", "T": "T"}
_OTHERS: Final = {"D": "Draw", "N": "Void", "A": "", "P": ""}
_UNREAD: Final = ("Remote", "Files", "MessageLine", "Comment", "ReviewComment")


def read_ugf(data: bytes, charset: str = "") -> SgfFile:
    """Read a game as a tree of SGF; raises InvalidText with the line of the fault."""
    language = _LANGUAGE.search(data, 0, _HEAD)
    named = language[1].decode("ascii") if language is not None else ""
    lines, used, notices = read_lines(data, charset, named)
    reader = _Reader(ServerGame(used, notices))
    for number, text in lines:
        if text.startswith("[") and text.endswith("]"):
            reader.begin(text[1:-1])
        elif text.strip():
            reader.read(number, text)
    return reader.finish()


class _Reader:
    """Reads line by line; what a line means depends on its section."""

    def __init__(self, game: ServerGame) -> None:
        self._game = game
        self._section = ""
        self._has_data = False
        self._headers: dict[str, tuple[int, str]] = {}
        self._from_bottom = False
        self._comment: list[str] | None = None  # The lines of a text that has no end yet.
        self._commented = 0  # The move of that text.
        self._in_figure = False
        self._labels: list[str] = []
        self._review: list[tuple[str, ...]] = []

    def begin(self, section: str) -> None:
        """Begin a section."""
        if section == "Data" and not self._has_data:
            self._has_data = True
            self._put_headers()
        self._section = section

    def read(self, number: int, text: str) -> None:
        """Read a line."""
        match self._section:
            case "":
                if not text.startswith("#"):
                    raise fault(number, "no UGF begins in it: expected [Header]", text)
            case "Header":
                key, _, value = text.partition("=")
                self._headers.setdefault(key.strip(), (number, value.strip()))
            case "Data":
                self._move(number, text)
            case "Figure":
                self._figure(number, text)
            case "ReviewNode":
                self._review.append(tuple(text.split(",")[2:]))
            case section if section in _UNREAD:
                self._game.note(f"the section [{section}] is left out")
            case section:
                self._game.note(f"the section [{section[:40]}] is not known and left out")

    def finish(self) -> SgfFile:
        """Return the game."""
        if not self._headers:
            raise fault(1, "no UGF begins in it: expected [Header]")
        if not self._has_data:
            self._put_headers()
        if self._comment is not None:
            self._end_comment()
        self._check_review()
        return self._game.finish()

    def _move(self, number: int, text: str) -> None:
        game = self._game
        match = _MOVE.fullmatch(text)
        if match is None:
            raise fault(number, "expected a move such as QP,B1,1,0", text)
        column, row, side, at = match.groups()
        x, y = ord(column) - ord("A"), ord(row) - ord("A")
        if column in "YZ" and x >= game.size:
            game.play_pass(side or "", number)
            return
        if self._from_bottom:
            y = game.size - 1 - y
        if int(at) == 0:
            game.set_up(side or "B", x, y, number)
        else:
            game.play(side or game.turn, x, y, number)

    def _figure(self, number: int, text: str) -> None:
        """Read a line of comments on moves; figures with positions of their own are left out."""
        if self._in_figure:
            self._in_figure = not text.startswith(".EndFig")
        elif self._comment is not None:
            if text.startswith(".EndText"):
                self._end_comment()
            elif text.startswith(".#,"):
                self._label(number, text)
            else:
                self._comment.append(text)
        elif text.startswith(".Text,"):
            word = text.split(",")[1]
            self._commented = parse_count(word, number, "the number of a move")
            if self._commented > len(self._game.moves):
                many = len(self._game.moves)
                raise fault(number, f"a text on move {word}, and there are {many}", text)
            self._comment, self._labels = [], []
        elif text.startswith(".Fig,"):
            self._in_figure = True
            self._game.note("figures with positions of their own are left out")
        else:
            self._game.note("lines of [Figure] that are not understood are left out")

    def _label(self, number: int, text: str) -> None:
        words = text.split(",", 3)
        if len(words) != 4:
            raise fault(number, "expected a label such as .#,6,16,A", text)
        x, y = (parse_count(word, number, "a coordinate") - 1 for word in words[1:3])
        point = self._game.format_point(x, self._game.size - 1 - y if self._from_bottom else y)
        if not point:
            raise fault(number, "a label off the board", text)
        self._labels.append(f"{point}:{words[3]}")

    def _end_comment(self) -> None:
        game, lines = self._game, self._comment or []
        node = game.moves[self._commented - 1] if self._commented else game.root
        if lines:
            node.values.setdefault("C", []).append("\n".join(lines))
        if self._labels:
            node.values.setdefault("LB", []).extend(self._labels)
        self._comment = None

    def _check_review(self) -> None:
        """Say that the review is left out, unless it only repeats the moves."""
        moves = []
        for node in self._game.moves:
            side = "B" if "B" in node.values else "W"
            point = node.values[side][0]
            if point:
                x, y = (ord(letter) - ord("a") for letter in point)
                row = self._game.size - y if self._from_bottom else y + 1
                moves.append(("12"["BW".index(side)], str(x + 1), str(row)))
        if self._review and self._review[1:] != moves:
            self._game.note("the section [ReviewNode] is left out")

    def _put_headers(self) -> None:
        """Set what the headers say; those that the position depends on are checked."""
        game = self._game
        fields = {
            key: [part.strip() for part in value.split(",")]
            for key, (_, value) in self._headers.items()
        }
        self._put_board(fields)
        for header, key in _TEXTS.items():
            game.put(key, self._headers.get(header, (0, ""))[1])
        for letter in "BW":
            name, rank = [*fields.get(f"Player{letter}", []), "", ""][:2]
            second = fields.get(f"Player{letter}2", [""])[0]
            game.put(f"P{letter}", f"{name} & {second}" if second else name)
            game.put(f"{letter}R", rank)
        game.put("EV", ", ".join(filter(None, fields.get("Title", []))))
        game.put("DT", format_date(fields.get("Date", [""])[0]))
        rule = fields.get("Rule", [""])[0]
        game.put("RU", _RULES.get(rule, rule))
        self._put_result(fields.get("Winner", [""]))
        words = fields.get("Ptime", [""])[0].split(";")
        if len(words) > 1 and words[1].isdecimal() and len(words[1]) < 6 and int(words[1]):
            game.put("TM", str(60 * int(words[1])))

    def _put_board(self, fields: Mapping[str, Sequence[str]]) -> None:
        game = self._game
        lines = {key: number for key, (number, _) in self._headers.items()}
        crypt = fields.get("Crypt", [])
        if len(crypt) > 1 and crypt[1] != _PLAIN:
            raise fault(lines["Crypt"], "it is encrypted", ",".join(crypt))
        if "Size" in fields:
            size = parse_count(fields["Size"][0], lines["Size"], "the size")
            game.set_size(size, lines["Size"])
        kind = fields.get("CoordinateType", [""])[0]
        self._from_bottom = kind == "IGS"
        if kind not in ("IGS", "JPN"):
            game.note(f"CoordinateType={kind[:20]} is not known: rows count from the top")
        if "Hdcp" in fields:
            stones, komi = [*fields["Hdcp"], ""][:2]
            count = parse_count(stones or "0", lines["Hdcp"], "the handicap")
            game.set_handicap(count, lines["Hdcp"])
            game.put("KM", f"{parse_komi(komi):g}" if komi else "")

    def _put_result(self, fields: list[str]) -> None:
        game, (winner, margin) = self._game, [*fields, ""][:2]
        if winner in ("B", "W"):
            how = _ENDINGS.get(margin[:1].upper(), margin)
            if how == margin and margin.replace(".", "", 1).isdecimal():
                how = f"{float(margin):g}"
            game.put("RE", f"{winner}+{how}")
        elif winner[:1] in _OTHERS:
            game.put("RE", _OTHERS[winner[:1]])
        elif winner:
            game.note(f"the result is left out: Winner={','.join(fields)[:40]} is not known")
