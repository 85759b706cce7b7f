"""A game as records keep it: headers, a tree of moves with times and comments, an ending."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from engines.core.game import InvalidText
from engines.shogi.notation import format_move, parse_move
from engines.shogi.position import Position
from engines.shogi.sfen import START, format_sfen, parse_sfen


class RecordError(InvalidText):
    """A malformed record; the message begins with the number of the line."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line


class Ending(StrEnum):
    """What stands in place of a last move."""

    RESIGN = "resign"
    INTERRUPT = "interrupt"
    REPETITION = "repetition"
    IMPASSE = "impasse"
    DRAW = "draw"
    MAX_MOVES = "max moves"
    MATE = "mate"
    NO_MATE = "no mate"
    TIMEOUT = "timeout"
    FOUL_LOSS = "foul loss"  # The side to move committed the foul.
    FOUL_WIN = "foul win"  # The move before was the foul.
    DECLARATION = "declaration"
    TRY = "try"
    WIN_BY_DEFAULT = "win by default"
    LOSS_BY_DEFAULT = "loss by default"
    SEALED = "sealed move"
    ERROR = "error"


@dataclass(slots=True)
class Node:
    """A move, or an ending, with what was said after it; the first child is the main line."""

    move: int = 0
    ending: Ending | None = None
    seconds: float | None = None
    comments: list[str] = field(default_factory=list)
    bookmark: str = ""
    children: list["Node"] = field(default_factory=list)


@dataclass(slots=True)
class Record:
    """A game with variations. Headers have the keys of Kakinoki's format, players apart.

    The root holds what was said before the first move.
    """

    start: str = START
    black: str = ""
    white: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    root: Node = field(default_factory=Node)

    def main_line(self) -> list[Node]:
        """Return the nodes of the main line, the root left out."""
        nodes = []
        node = self.root
        while node.children:
            node = node.children[0]
            nodes.append(node)
        return nodes

    def moves(self) -> list[str]:
        """Write the moves of the main line as USI does."""
        return [format_move(node.move) for node in self.main_line() if node.ending is None]

    def ending(self) -> Ending | None:
        """Return how the main line ends."""
        nodes = self.main_line()
        return nodes[-1].ending if nodes else None

    def position(self) -> Position:
        """Set up the position before the first move; composed problems are welcome."""
        return parse_sfen(self.start, tolerate="rule")

    def usi(self) -> str:
        """Write the main line as the USI command `position` does."""
        moves = self.moves()
        start = "startpos" if self.start == START else f"sfen {self.start}"
        return f"position {start}" + (f" moves {' '.join(moves)}" if moves else "")

    @classmethod
    def from_usi(cls, text: str, ending: Ending | None = None, line: int = 1) -> "Record":
        """Read a line as `usi` writes it, or an SFEN alone; raises RecordError with its number."""
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
        setup = words[:at]
        start = " ".join(setup[1:] if setup[:1] == ["sfen"] else setup)
        # Hands in any order and a missing ply are the same start, which handicaps are known by.
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
    """Appends moves to a record that is being read, each checked; keeps the latest line."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.position = record.position()
        self.path = [record.root]

    @property
    def node(self) -> Node:
        """The latest node."""
        return self.path[-1]

    @property
    def ply(self) -> int:
        """How many moves the latest line has."""
        return self.position.plies()

    def play(self, move: int, line: int, seconds: float | None = None) -> None:
        """Append a legal move; raises RecordError."""
        self._refuse_after_end(line)
        if move not in self.position.legal_moves():
            raise RecordError(line, f"illegal move {format_move(move)} after ply {self.ply}")
        self.position.play(move)
        self._append(Node(move, seconds=seconds))

    def end(self, ending: Ending, line: int = 0, seconds: float | None = None) -> None:
        """Append an ending; raises RecordError after another."""
        self._refuse_after_end(line)
        self._append(Node(ending=ending, seconds=seconds))

    def branch(self, ply: int, line: int) -> None:
        """Go back to before the given ply of the latest line; raises RecordError."""
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
    """Decode a record: UTF-8 if it is that, else CP932; what a file claims is often wrong.

    Raises RecordError.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    try:
        return data.decode("cp932")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise RecordError(line, "neither UTF-8 nor CP932 (Shift_JIS)") from None


# CP932 has the full-width twins of these, and none of the rest.
_TWINS = str.maketrans({"☗": "▲", "☖": "△", "—": "―", "〜": "～", "−": "－", "‖": "∥", "–": "－"})


def encode(text: str, encoding: str) -> bytes:
    """Encode a record; in CP932 what cannot be written becomes its twin, or a question mark."""
    if encoding == "cp932":
        return text.translate(_TWINS).encode("cp932", errors="replace")
    return text.encode(encoding)


def lines_of(data: bytes | str) -> Iterator[tuple[int, str]]:
    """Yield the numbered lines of a record without their ends."""
    text = decode(data) if isinstance(data, bytes) else data.removeprefix("\ufeff")
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
        yield number, line.rstrip("\r")


def line_text(lines: Sequence[str]) -> str:
    """Join lines as records want them: CRLF, also after the last."""
    return "".join(f"{line}\r\n" for line in lines)
