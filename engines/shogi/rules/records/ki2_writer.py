"""KI2, Kakinoki's short format: a writer. Words tell apart the men that could make a move."""

import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

from engines.shogi.rules.geometry import DRAGON, HORSE
from engines.shogi.rules.notation import dropped, origin, promotes, target
from engines.shogi.rules.position import Position
from engines.shogi.rules.records.kakinoki import (
    DIGITS,
    ENDING_WORDS,
    MEN,
    PROMOTABLE,
    RANKS,
    side_names,
    write_start,
    write_summary,
)
from engines.shogi.rules.records.kif import LineWriter, PendingLine, write_remarks
from engines.shogi.rules.records.record import Ending, Node, Record, encode, line_text

_MARKS: Final = "▲△"
_ROW: Final = 6  # Moves in a line of the file.
_WIDTH: Final = 12  # Of a move, in halves of a Japanese character.

# Other readers refuse the words that remain, such as 入玉勝ち, and with them the whole file.
_BARE: Final = (Ending.NO_MATE, Ending.SEALED)


def write_ki2(record: Record, encoding: str = "cp932") -> bytes:
    """Write a game with its variations: `cp932` for a .ki2 file, `utf-8` for .ki2u.

    KI2 has no times, and no words for some endings.
    """
    lines = [f"{key}：{_one_line(value)}" for key, value in record.headers.items()]
    lines += write_start(record)
    black, white = side_names(record)
    lines += [f"{black}：{_one_line(record.black)}", f"{white}：{_one_line(record.white)}", ""]
    lines += write_remarks(record.root)
    lines += _in_rows(_MoveWriter(record).write())
    return encode(line_text(lines), encoding)


class _MoveWriter(LineWriter):
    """Writes lines of play with one move in each line of text."""

    def follow(self, line: PendingLine) -> Iterator[str]:
        """Write one line, and put its variations on the stack."""
        position = self.position
        node, chosen, previous = line.parent, line.child, line.previous
        while node.children:
            if chosen == 0:
                self.postpone(node, line.spent, previous)
            parent, node, chosen = node, node.children[chosen], 0
            if node.ending is not None:
                yield from self._end(parent, node)
                return
            yield format_ki2_move(position, node.move, previous)
            yield from write_remarks(node)
            if not node.foul:
                position.play(node.move)
            previous = node.move

    def _end(self, parent: Node, node: Node) -> Iterator[str]:
        # Nobody can play a foul: the ending that follows belongs to the other side.
        ending = Ending.FOUL_WIN if parent.foul else node.ending
        assert ending is not None
        turn, moves = self.position.turn ^ parent.foul, self.position.plies() + parent.foul
        summary = write_summary(self.record, ending, turn, moves)
        if ending in _BARE:
            summary = f"まで{moves}手で{ENDING_WORDS[ending]}"
        elif not summary and len(parent.children) > 1:
            # Without a line for the ending, its variations would continue the line before.
            summary = write_summary(self.record, Ending.INTERRUPT, turn, moves)
        if summary:
            yield summary
        yield from write_remarks(node)


def format_ki2_move(position: Position, move: int, previous: int) -> str:
    """Format a move as in KI2; `previous` is the move before it, or 0."""
    to, kind = target(move), dropped(move) or position.man_at(origin(move)) & 15
    place = DIGITS[to // 9] + RANKS[to % 9]
    if previous and target(previous) == to:
        place = "同　"
    text = _MARKS[position.turn] + place + MEN[kind]
    text += tell_apart(position, move)
    if dropped(move):
        return text
    if promotes(move):
        return text + "成"
    return text + ("不成" if may_promote(position, move) else "")


def tell_apart(position: Position, move: int) -> str:
    """Return the words that tell a move from those of other men of its kind to its square."""
    turn, to = position.turn, target(move)
    kind = dropped(move) or position.man_at(origin(move)) & 15
    men = [square for square in range(81) if position.man_at(square) == kind | turn << 4]
    # Men that are pinned count as well, because other readers do not know of pins.
    rivals = [square for square in men if position.reaches(square, to)]
    if dropped(move):
        return "打" if rivals or not position.held(turn, kind) else ""
    if origin(move) not in rivals:
        rivals = men  # A foul, of a man that does not move so.
    return _choose_words(turn, origin(move), to, rivals, kind) if len(rivals) > 1 else ""


def may_promote(position: Position, move: int) -> bool:
    """Tell whether a man may promote by its move, or may leave it."""
    kind, ranks = position.man_at(origin(move)) & 15, (origin(move) % 9, target(move) % 9)
    return kind in PROMOTABLE and (min(ranks) < 3 if position.turn == 0 else max(ranks) > 5)


def _choose_words(turn: int, start: int, to: int, rivals: Sequence[int], kind: int) -> str:
    """Return the words by which readers know which of several men moves."""
    forward = 1 if turn == 0 else -1

    def motion(square: int) -> str:
        up = (square % 9 - to % 9) * forward
        return "上" if up > 0 else "引" if up < 0 else "寄"

    def side(square: int) -> str:
        left = (square // 9 - to // 9) * forward
        return "左" if left > 0 else "右" if left < 0 else "直"

    own, beside = motion(start), side(start)
    if [motion(square) for square in rivals].count(own) == 1:
        return own
    sides = [side(square) for square in rivals]
    if beside == "直" and kind in (HORSE, DRAGON):
        return "右" if "左" in sides else "左"  # There are two at most.
    if beside == "直" or sides.count(beside) == 1:
        return beside
    return beside + own


def _in_rows(lines: Iterator[str]) -> Iterator[str]:
    """Put the moves that follow each other into rows."""
    row: list[str] = []
    for line in lines:
        move = line[:1] in _MARKS and line != ""
        if row and (not move or len(row) == _ROW):
            yield "".join(row).rstrip(" ")
            row = []
        if move:
            row.append(_padded(line))
        else:
            yield line
    if row:
        yield "".join(row).rstrip(" ")


def _padded(text: str) -> str:
    width = sum(2 if unicodedata.east_asian_width(letter) in "FWA" else 1 for letter in text)
    return text + " " * max(_WIDTH - width, 1)


def _one_line(text: str) -> str:
    return " ".join(text.splitlines())
