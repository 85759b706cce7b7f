"""A game record: headers, a tree of moves with times and comments, and an ending."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from engines.core.charset import decode_japanese
from engines.core.game import InvalidText
from engines.shogi.rules.notation import format_move, parse_move
from engines.shogi.rules.position import Position
from engines.shogi.rules.sfen import START, format_sfen, parse_sfen


class RecordError(InvalidText):
    """A malformed record; the message begins with the number of the line."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line
        self.message = message


class Ending(StrEnum):
    """The ways in which a game ends; a record has one in place of a last move."""

    RESIGN = "resign"
    INTERRUPT = "interrupt"
    REPETITION = "repetition"
    IMPASSE = "impasse"
    DRAW = "draw"
    MAX_MOVES = "max moves"
    MATE = "mate"
    NO_MATE = "no mate"
    TIMEOUT = "timeout"
    FOUL_LOSS = "foul loss"  # The side to move committed the foul, unless a foul comes before.
    FOUL_ACTION = "foul action"  # The same; CSA tells an illegal action from an illegal move.
    FOUL_WIN = "foul win"  # The opponent's last move was the foul.
    DECLARATION = "declaration"
    TRY = "try"
    WIN_BY_DEFAULT = "win by default"
    LOSS_BY_DEFAULT = "loss by default"
    SEALED = "sealed move"
    ERROR = "error"


FOULS: Final = (Ending.FOUL_LOSS, Ending.FOUL_ACTION, Ending.FOUL_WIN)
MOST_MOVES: Final = 100_000
"""A record with more moves is refused, those of its variations included."""


@dataclass(slots=True)
class Node:
    """A move or an ending, with its comments; the first child continues the main line.

    A `foul` is a move that the rules forbid. It cannot be played, and only an ending follows it.
    """

    move: int = 0
    ending: Ending | None = None
    foul: bool = False
    seconds: float | None = None
    comments: list[str] = field(default_factory=list)
    bookmark: str = ""
    children: list["Node"] = field(default_factory=list)


@dataclass(slots=True)
class Record:
    """A game with variations; the keys of the headers are those of Kakinoki's format.

    The names of the players are not among the headers. The root has the comments before the first
    move.
    """

    start: str = START
    black: str = ""
    white: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    root: Node = field(default_factory=Node)

    def main_line(self) -> list[Node]:
        """Return the nodes of the main line without the root."""
        nodes = []
        node = self.root
        while node.children:
            node = node.children[0]
            nodes.append(node)
        return nodes

    def moves(self) -> list[str]:
        """Return the legal moves of the main line in USI notation."""
        return [
            format_move(node.move)
            for node in self.main_line()
            if node.ending is None and not node.foul
        ]

    def foul(self) -> str:
        """Return the illegal move that ended the main line in USI notation, or an empty text."""
        return next((format_move(node.move) for node in self.main_line() if node.foul), "")

    def ending(self) -> Ending | None:
        """Return the ending of the main line, or None."""
        nodes = self.main_line()
        return nodes[-1].ending if nodes else None

    def position(self) -> Position:
        """Set up the position before the first move, which may be a composed problem."""
        return parse_sfen(self.start, tolerate="rule")

    def usi(self) -> str:
        """Return the main line as the USI command `position`."""
        moves = self.moves()
        start = "startpos" if self.start == START else f"sfen {self.start}"
        return f"position {start}" + (f" moves {' '.join(moves)}" if moves else "")

    @classmethod
    def from_usi(cls, text: str, ending: Ending | None = None, line: int = 1) -> "Record":
        """Read a line as `usi` returns it, or just an SFEN; raises RecordError with its number."""
        try:
            return cls._from_usi(text, ending, line)
        except RecordError:
            raise
        except InvalidText as error:
            raise RecordError(line, str(error)) from None

    @classmethod
    def _from_usi(cls, text: str, ending: Ending | None, line: int) -> "Record":
        words = text.split()
        if words[:1] == ["position"]:
            words = words[1:]
        at = words.index("moves") if "moves" in words else len(words)
        if len(words) - at - 1 > MOST_MOVES + 1:
            raise RecordError(line, f"it has more than {MOST_MOVES} moves")
        setup = words[:at]
        start = " ".join(setup[1:] if setup[:1] == ["sfen"] else setup)
        # Normalised, so that handicaps are recognised by their start position.
        record = cls(format_sfen(parse_sfen(start, tolerate="rule")))
        grower = Grower(record)
        for number, word in enumerate(words[at + 1 :], start=1):
            if word == "resign" and number == len(words) - at - 1:
                ending = Ending.RESIGN
                break
            grower.play(parse_move(word), line)
        if ending is not None:
            grower.end(ending, line)
        return record


class Grower:
    """Appends checked moves to a record that is being read."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.position = record.position()
        self.path = [record.root]
        self._moves = 0
        self._illegal: RecordError | None = None  # A move that no ending has explained yet.

    @property
    def node(self) -> Node:
        """The last node that was appended."""
        return self.path[-1]

    @property
    def ply(self) -> int:
        """The number of moves in the current line, including a foul."""
        return self.position.plies() + self._after_foul

    @property
    def turn(self) -> int:
        """The side to move; after a foul, the opponent of the side that committed it."""
        return self.position.turn ^ self._after_foul

    @property
    def _after_foul(self) -> bool:
        return any(node.foul for node in self.path[-2:])

    def play(self, move: int, line: int, seconds: float | None = None) -> None:
        """Append a legal move; raises RecordError."""
        self.attempt(move, line, seconds)
        self.finish()

    def attempt(self, move: int, line: int, seconds: float | None = None) -> None:
        """Append a move, which may be illegal if the game ended by it; raises RecordError.

        An illegal move is an error unless `end` follows with an ending by foul. The error is raised
        by whatever else is called next; call `finish` when nothing follows.
        """
        self._refuse_after_end(line)
        self.finish()
        if self._moves >= MOST_MOVES:
            raise RecordError(line, f"it has more than {MOST_MOVES} moves")
        self._moves += 1
        if move in self.position.legal_moves():
            self.position.play(move)
            self._append(Node(move, seconds=seconds))
            return
        reason = f"illegal move {format_move(move)} after ply {self.ply}"
        self._append(Node(move, foul=True, seconds=seconds))
        self._illegal = RecordError(line, reason)

    def end(self, ending: Ending, line: int = 0, seconds: float | None = None) -> None:
        """Append an ending; raises RecordError if the line has one already."""
        self._refuse_after_end(line)
        if ending not in FOULS:
            self.finish()
        self._illegal = None
        self._append(Node(ending=ending, seconds=seconds))

    def finish(self) -> None:
        """Raise RecordError for an illegal move that no ending by foul follows."""
        if self._illegal is not None:
            raise self._illegal

    def branch(self, ply: int, line: int) -> None:
        """Return to the position before a ply of the current line; raises RecordError."""
        self.finish()
        if not 1 <= ply < len(self.path):
            raise RecordError(line, f"a variation at ply {ply}, and the line has {self.ply} plies")
        del self.path[ply:]
        while self.position.plies() > ply - 1:
            self.position.undo()

    def _refuse_after_end(self, line: int) -> None:
        if self.node.ending is not None:
            raise RecordError(line, f"a move after the game ended: {self.node.ending}")

    def _append(self, node: Node) -> None:
        self.node.children.append(node)
        self.path.append(node)


def decode(data: bytes) -> str:
    """Decode a record in UTF-8, UTF-16, CP932, EUC-JP or ISO-2022-JP; raises RecordError.

    The encoding that a file names is often wrong, and is ignored.
    """
    try:
        return decode_japanese(data)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise RecordError(line, "neither UTF-8 nor CP932 (Shift_JIS)") from None


# CP932 has full-width equivalents of these characters.
_TWINS = str.maketrans({"☗": "▲", "☖": "△", "—": "―", "〜": "～", "−": "－", "‖": "∥", "–": "－"})


def encode(text: str, encoding: str) -> bytes:
    """Encode a record; what CP932 lacks becomes an equivalent character or a question mark."""
    if encoding == "cp932":
        return text.translate(_TWINS).encode("cp932", errors="replace")
    return text.encode(encoding)


def text_of(data: bytes | str) -> str:
    """Return the text of a record; raises RecordError if there is nothing but white space in it."""
    text = decode(data) if isinstance(data, bytes) else data.removeprefix("\ufeff")
    if not text.strip():
        raise RecordError(1, "the file is empty")
    return text


def lines_of(data: bytes | str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a record, without line ends, and their numbers.

    Raises RecordError if there is nothing but white space in it.
    """
    text = text_of(data)
    begin, number = 0, 1
    while (end := text.find("\n", begin)) >= 0:
        yield number, text[begin:end].rstrip("\r")
        begin, number = end + 1, number + 1
    yield number, text[begin:].rstrip("\r")


def line_text(lines: Sequence[str]) -> str:
    """Join lines with CRLF, also after the last one."""
    return "".join(f"{line}\r\n" for line in lines)
