"""KIF, Kakinoki's format: reads all common forms, writes the form that every reader knows."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final, NamedTuple

from engines.shogi.rules.notation import dropped, make_drop, make_move, origin, promotes, target
from engines.shogi.rules.position import Position
from engines.shogi.rules.records.kakinoki import (
    DIGITS,
    ENDING_WORDS,
    KINDS,
    MEN,
    PROMOTABLE,
    RANKS,
    WORDS,
    Heading,
    read_annotation,
    read_summary,
    side_names,
    write_start,
    write_summary,
)
from engines.shogi.rules.records.record import (
    Ending,
    Grower,
    Node,
    Record,
    RecordError,
    encode,
    line_text,
    lines_of,
)

_SPLIT: Final = "手数----指手---------消費時間--"
_MOVE: Final = re.compile(
    r"(?:([１-９1-9])([一二三四五六七八九１-９1-9])|同[ 　]*)"
    r"(成香|成桂|成銀|[歩香桂銀金角飛玉王と杏圭全馬龍竜])[ 　]*(成|不成)?[ 　]*"
    r"(打|[(（][1-9１-９]{2}[)）])"
)
_NUMBERED: Final = re.compile(r"[ 　]*(\d{1,9})[ 　]+(.*)")
_TIME: Final = re.compile(
    r"[(（]\s*(?:(\d{1,6}):)?(\d{1,9}):(\d{1,9}(?:\.\d{1,9})?)\s*"
    r"(?:/\s*(?:\d+:\d+:\d+(?:\.\d+)?\s*)?)?[)）]"
)


def read_kif(data: bytes | str) -> Record:
    """Read a game with its variations; raises RecordError."""
    heading = Heading()
    grower: Grower | None = None
    for line, text in lines_of(data):
        if text.startswith("#") or not text.strip("　 "):
            continue
        if text.startswith("手数-"):
            grower = grower or Grower(heading.finish())
        elif grower is None and heading.read(line, text):
            pass
        else:
            grower = grower or Grower(heading.finish())
            _read_line(grower, line, text)
    if grower is None:
        return heading.finish()
    grower.finish()
    return grower.record


def _read_line(grower: Grower, line: int, text: str) -> None:
    if read_annotation(grower, line, text):
        return
    if text.startswith("まで"):
        known = grower.node.ending
        ending = read_summary(grower, text, line, known)
        if ending is not None and known is None:
            grower.end(ending, line)
    elif match := _NUMBERED.fullmatch(text):
        ply, number = len(grower.path), int(match[1])
        if number > ply or not number:
            raise RecordError(line, f"move {match[1]} where move {ply} is due")
        if number < ply:  # A variation without a line that says so.
            grower.branch(number, line)
        _read_move(grower, line, match[2])
    else:
        raise RecordError(line, f"not a line of a record: {text[:60]!r}")


def _read_move(grower: Grower, line: int, text: str) -> None:
    seconds = None
    text = text.rstrip(" 　")
    text = text.removesuffix("+").rstrip(" 　")
    if match := _TIME.search(text):
        if text[match.end() :].strip("　 "):
            raise RecordError(line, f"not a move: {text[:60]!r}")
        last = float(match[3]) if "." in match[3] else int(match[3])
        seconds = int(match[1] or 0) * 3600 + int(match[2]) * 60 + last
        text = text[: match.start()].rstrip(" 　")
    if text in WORDS:
        grower.end(WORDS[text], line, seconds)
        return
    grower.finish()
    match = _MOVE.fullmatch(text)
    if match is None:
        raise RecordError(line, f"not a move: {text[:60]!r}")
    file, rank, name, promotion, source = match.groups()
    if file is None:
        if grower.node.move == 0:
            raise RecordError(line, "同 without a move before it")
        to = target(grower.node.move)
    else:
        to = (_digit(file) - 1) * 9 + (RANKS.find(rank) if rank in RANKS else _digit(rank) - 1)
    kind = KINDS[name]
    if source == "打":
        if promotion or kind > 7:
            raise RecordError(line, f"not a drop: {text!r}")
        grower.attempt(make_drop(kind, to), line, seconds)
        return
    if promotion == "成" and kind not in PROMOTABLE:
        raise RecordError(line, f"{name} cannot promote: {text!r}")
    start = (_digit(source[1]) - 1) * 9 + _digit(source[2]) - 1
    if grower.position.man_at(start) & 15 != kind:
        raise RecordError(line, f"no {name} on {source[1:3]}")
    grower.attempt(make_move(start, to, promotion=promotion == "成"), line, seconds)


def _digit(text: str) -> int:
    return int(unicodedata.digit(text))


def format_kif_move(position: Position, move: int, previous: int) -> str:
    """Format a move as in KIF; `previous` is the move before it, or 0."""
    to = target(move)
    place = DIGITS[to // 9] + RANKS[to % 9]
    if kind := dropped(move):
        return f"{place}{MEN[kind]}打"
    if previous and target(previous) == to:
        place = "同　"
    start = origin(move)
    name = MEN[position.man_at(start) & 15]
    source = f"({start // 9 + 1}{start % 9 + 1})"
    return f"{place}{name}{'成' if promotes(move) else ''}{source}"


def write_kif(record: Record, encoding: str = "cp932") -> bytes:
    """Write a game: `cp932` for a .kif file, `utf-8` for .kifu; lines end with CRLF."""
    claimed = "Shift_JIS" if encoding == "cp932" else "UTF-8"
    lines = [f"#KIF version=2.0 encoding={claimed}"]
    lines += [f"{key}：{_one_line(value)}" for key, value in record.headers.items()]
    lines += write_start(record)
    black, white = side_names(record)
    lines += [f"{black}：{_one_line(record.black)}", f"{white}：{_one_line(record.white)}", _SPLIT]
    lines += write_remarks(record.root)
    lines += LineWriter(record).write()
    return encode(line_text(lines), encoding)


class PendingLine(NamedTuple):
    """A line of play that is still to be written: its first move, and the state before it."""

    parent: Node
    child: int
    plies: int
    spent: tuple[float, float]
    previous: int


class LineWriter:
    """Writes a line of play, and then its variations, the deepest first."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.position = record.position()
        self._waiting: list[PendingLine] = []

    def write(self) -> Iterator[str]:
        """Write all lines, with a stack, because variations may be nested deeply."""
        self._waiting.append(PendingLine(self.record.root, 0, 0, (0.0, 0.0), 0))
        while self._waiting:
            line = self._waiting.pop()
            while self.position.plies() > line.plies:
                self.position.undo()
            if line.child:
                yield ""
                yield f"変化：{line.plies + 1}手"
            yield from self.follow(line)

    def postpone(self, node: Node, spent: tuple[float, float], previous: int) -> None:
        """Put the variations that begin after a node on the stack."""
        self._waiting += [
            PendingLine(node, sibling, self.position.plies(), spent, previous)
            for sibling in range(len(node.children) - 1, 0, -1)
        ]

    def follow(self, line: PendingLine) -> Iterator[str]:
        """Write one line, and put its variations on the stack."""
        position = self.position
        node, chosen, spent, previous = line.parent, line.child, line.spent, line.previous
        while node.children:
            count = len(node.children)
            if chosen == 0:
                self.postpone(node, spent, previous)
            parent, node, following = node, node.children[chosen], count - 1 > chosen
            chosen = 0
            # Nobody can play a foul: the ending that follows belongs to the other side.
            after_foul = parent.foul
            text, spent = self._move(node, spent, previous, after_foul=after_foul)
            yield text + "+" * following
            yield from write_remarks(node)
            if node.ending is not None:
                turn, moves = position.turn ^ after_foul, position.plies() + after_foul
                ending = Ending.FOUL_WIN if after_foul else node.ending
                summary = write_summary(self.record, ending, turn, moves)
                if summary:
                    yield summary
                break
            previous = node.move
            if not node.foul:
                position.play(node.move)

    def _move(
        self, node: Node, spent: tuple[float, float], previous: int, *, after_foul: bool
    ) -> tuple[str, tuple[float, float]]:
        position = self.position
        number = position.plies() + 1 + after_foul
        if node.ending is not None:
            text = ENDING_WORDS[Ending.FOUL_WIN if after_foul else node.ending]
        else:
            text = format_kif_move(position, node.move, previous)
        if node.seconds is None:
            return f"{number:>4} {text}", spent
        side = position.turn ^ after_foul
        now = int(node.seconds)
        both = (spent[0] + now, spent[1]) if side == 0 else (spent[0], spent[1] + now)
        minutes, seconds = divmod(int(both[side]), 60)
        total = f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02}"
        width = sum(2 if unicodedata.east_asian_width(letter) in "FWA" else 1 for letter in text)
        padded = text + " " * (max(12 - width, 0) + 1)
        return f"{number:>4} {padded}({now // 60:>2}:{now % 60:02}/{total})", both


def write_remarks(node: Node) -> Iterator[str]:
    """Write the comments and the bookmark of a node."""
    for comment in node.comments:
        for part in comment.splitlines() or [""]:
            yield f"*{part}"
    if node.bookmark:
        yield f"&{_one_line(node.bookmark)}"


def _one_line(text: str) -> str:
    return " ".join(text.splitlines())
