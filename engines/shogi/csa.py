"""CSA, the format of computer shogi: read up to version 3.0, write version 2.2."""

import re
from collections.abc import Iterator
from typing import Final

from engines.core.game import InvalidText
from engines.shogi.geometry import MEN, WHITE
from engines.shogi.notation import dropped, make_drop, make_move, origin, promotes, target
from engines.shogi.position import Position
from engines.shogi.record import (
    Ending,
    Grower,
    Node,
    Record,
    RecordError,
    encode,
    lines_of,
)
from engines.shogi.sfen import START, format_sfen, parse_sfen, set_up

NAMES: Final = (
    *("", "FU", "KY", "KE", "GI", "KA", "HI", "KI", "OU"),
    *("TO", "NY", "NK", "NG", "UM", "RY"),
)
_HEADERS: Final = {
    "EVENT": "棋戦",
    "SITE": "場所",
    "START_TIME": "開始日時",
    "END_TIME": "終了日時",
    "TIME_LIMIT": "持ち時間",
    "TIME": "持ち時間",
    "OPENING": "戦型",
}
_KEYS: Final = {header: key for key, header in _HEADERS.items() if key != "TIME"}
_ENDINGS: Final = {
    "TORYO": Ending.RESIGN,
    "CHUDAN": Ending.INTERRUPT,
    "SENNICHITE": Ending.REPETITION,
    "JISHOGI": Ending.IMPASSE,
    "HIKIWAKE": Ending.DRAW,
    "MAX_MOVES": Ending.MAX_MOVES,
    "TSUMI": Ending.MATE,
    "FUZUMI": Ending.NO_MATE,
    "TIME_UP": Ending.TIMEOUT,
    "ILLEGAL_MOVE": Ending.FOUL_LOSS,
    "KACHI": Ending.DECLARATION,
    "ERROR": Ending.ERROR,
}
_SPECIALS: Final = {ending: name for name, ending in _ENDINGS.items()} | {
    # Readers disagree about +ILLEGAL_ACTION; the others have no word of their own.
    Ending.FOUL_WIN: "ERROR",
    Ending.TRY: "KACHI",
    Ending.WIN_BY_DEFAULT: "ERROR",
    Ending.LOSS_BY_DEFAULT: "TORYO",
    Ending.SEALED: "CHUDAN",
}
_MOVE: Final = re.compile(r"([+-])([0-9]{2})([1-9]{2})([A-Z]{2})")
_CLOCK: Final = re.compile(r"\d{1,9}(\.\d{1,9})?")
_LIMIT: Final = re.compile(r"(?:(\d+)時間)?(?:(\d+)分)?(?:(\d+)秒)?(?:[+＋](\d+)秒)?")


class _Reader:
    """One pass over the lines; the record grows once the start is known."""

    def __init__(self) -> None:
        self._record = Record()
        self._cells = [0] * 81
        self._hands = [[0] * 8, [0] * 8]
        self._rows = 0
        self._placed = False
        self._rest: int | None = None
        self._grower: Grower | None = None
        self._started = False

    def read(self, data: bytes | str) -> Record:
        number = 0
        for number, text in lines_of(data):
            if text.startswith("'"):
                self._comment(text[1:])
                continue
            if text.rstrip() == "/":
                break  # The next game of the same file.
            for statement in self._statements(text):
                self._statement(number, statement)
        if not self._started and (self._placed or self._rows):
            raise RecordError(number, "a board, and no side to move")
        return self._grown(number).record if self._started else self._begin(number, 0).record

    @staticmethod
    def _statements(text: str) -> list[str]:
        # Commas join statements, but not within what people write.
        if text[:1] in "$N" or not text.strip():
            return [text.rstrip()] if text.strip() else []
        return [part for part in text.rstrip().split(",") if part]

    def _grown(self, line: int) -> Grower:
        if self._grower is None:
            raise RecordError(line, "a move before the side to move")
        return self._grower

    def _comment(self, text: str) -> None:
        if text.startswith("*"):
            node = self._grower.node if self._grower is not None else self._record.root
            node.comments.append(text[1:])

    def _statement(self, line: int, text: str) -> None:
        if text in ("+", "-"):
            self._begin(line, "+-".index(text))
        elif text[0] == "P":
            self._place(line, text)
        elif text[0] in "+-":
            self._move(line, text)
        elif text[0] == "T":
            self._time(line, text)
        elif text[0] == "%":
            self._special(line, text)
        elif text.startswith("N+"):
            self._record.black = text[2:]
        elif text.startswith("N-"):
            self._record.white = text[2:]
        elif text[0] == "$":
            key, colon, value = text[1:].partition(":")
            if not colon:
                raise RecordError(line, f"no header: {text[:60]!r}")
            if value.strip():
                self._record.headers[_HEADERS.get(key, key)] = value.strip()
        elif not re.fullmatch(r"V\d+(\.\d+)?", text):
            raise RecordError(line, f"no statement: {text[:60]!r}")

    def _begin(self, line: int, turn: int) -> Grower:
        if self._started:
            raise RecordError(line, "the side to move is told twice")
        self._started = True
        if not self._placed and not self._rows:
            self._record.start = START
            if turn:
                raise RecordError(line, "White is to move, and there is no board")
        else:
            if self._rows not in (0, 9):
                raise RecordError(line, f"a board has 9 rows, not {self._rows}")
            try:
                position = set_up(self._cells, self._hands, turn, tolerate="rule")
            except InvalidText as error:
                raise RecordError(line, f"no position: {error}") from None
            self._record.start = format_sfen(position)
        self._grower = Grower(self._record)
        return self._grower

    def _place(self, line: int, text: str) -> None:
        if self._started:
            raise RecordError(line, "a board after the side to move")
        if text.startswith("PI"):
            if self._placed:
                raise RecordError(line, "a start position after another board")
            start = parse_sfen(START)
            self._cells = [start.man_at(square) for square in range(81)]
            for at in range(2, len(text), 4):
                square, kind = self._man(line, text[at : at + 4])
                if square < 0 or self._cells[square] & 15 != kind:
                    raise RecordError(line, f"no such man at the start: {text[at : at + 4]!r}")
                self._cells[square] = 0
        elif text[1:2] in "123456789" and len(text) > 1:
            if self._placed and not self._rows:
                raise RecordError(line, "a row after another board")
            self._row(line, text)
        elif text[1:2] in ("+", "-"):
            side = "+-".index(text[1])
            for at in range(2, len(text), 4):
                if text[at : at + 4] == "00AL":
                    self._all(line, side)
                    continue
                square, kind = self._man(line, text[at : at + 4])
                if square >= 0:
                    if self._cells[square]:
                        raise RecordError(line, f"a second man: {text[at : at + 4]!r}")
                    self._cells[square] = kind | side << 4
                elif kind < 8:
                    self._hands[side][kind] += 1
                else:
                    raise RecordError(line, f"no man for a hand: {text[at : at + 4]!r}")
        else:
            raise RecordError(line, f"no board: {text[:60]!r}")
        self._placed = True

    def _all(self, line: int, side: int) -> None:
        """Give all men that are left to one hand, the kings apart."""
        for kind, most in MEN.items():
            if kind < 8:
                shown = sum(man & 15 in (kind, kind + 8) for man in self._cells)
                left = most - shown - sum(hand[kind] for hand in self._hands)
                if left < 0:
                    raise RecordError(
                        line, f"there are only {most} {NAMES[kind]}, not {most - left}"
                    )
                self._hands[side][kind] += left

    def _row(self, line: int, text: str) -> None:
        rank = int(text[1]) - 1
        if rank != self._rows:
            raise RecordError(line, f"row {rank + 1} where row {self._rows + 1} is due")
        self._rows += 1
        for file in range(8, -1, -1):
            man = text[2 + 3 * (8 - file) : 5 + 3 * (8 - file)].ljust(3)
            if man.strip() == "*":
                continue
            if man[0] not in "+-" or man[1:] not in NAMES:
                raise RecordError(line, f"no man: {man!r} in row {rank + 1}")
            self._cells[file * 9 + rank] = NAMES.index(man[1:]) | (WHITE if man[0] == "-" else 0)
        if text[29:].strip():
            raise RecordError(line, f"row {rank + 1} is too long")

    @staticmethod
    def _man(line: int, text: str) -> tuple[int, int]:
        if not re.fullmatch(r"(00|[1-9]{2})[A-Z]{2}", text) or text[2:] not in NAMES:
            raise RecordError(line, f"no man: {text!r}")
        kind = NAMES.index(text[2:])
        if text[:2] == "00":
            return -1, kind
        return (int(text[0]) - 1) * 9 + int(text[1]) - 1, kind

    def _move(self, line: int, text: str) -> None:
        grower = self._grown(line)
        match = _MOVE.fullmatch(text.rstrip())
        if match is None or match[4] not in NAMES:
            raise RecordError(line, f"no move: {text[:40]!r}")
        if "+-".index(match[1]) != grower.position.turn:
            raise RecordError(line, f"{text}: the other side is to move")
        kind = NAMES.index(match[4])
        to = (int(match[3][0]) - 1) * 9 + int(match[3][1]) - 1
        if match[2] == "00":
            if kind > 7:
                raise RecordError(line, f"no drop: {text}")
            grower.play(make_drop(kind, to), line)
            return
        if "0" in match[2]:
            raise RecordError(line, f"no move: {text}")
        start = (int(match[2][0]) - 1) * 9 + int(match[2][1]) - 1
        before = grower.position.man_at(start) & 15
        if kind not in (before, before + 8):
            raise RecordError(line, f"no {match[4]} can come from {match[2]}")
        grower.play(make_move(start, to, promotion=kind != before), line)

    def _time(self, line: int, text: str) -> None:
        node = self._grown(line).node
        if node is self._record.root:
            raise RecordError(line, "a time before the first move")
        if node.seconds is not None:
            raise RecordError(line, "a second time for one move")
        if not _CLOCK.fullmatch(text[1:].strip()):
            raise RecordError(line, f"no time: {text[:40]!r}")
        node.seconds = float(text[1:])

    def _special(self, line: int, text: str) -> None:
        grower = self._grown(line)
        name = text[1:].strip()
        if name in ("+ILLEGAL_ACTION", "-ILLEGAL_ACTION"):
            own = "+-".index(name[0]) == grower.position.turn
            grower.end(Ending.FOUL_LOSS if own else Ending.FOUL_WIN, line)
        elif name in _ENDINGS:
            grower.end(_ENDINGS[name], line)
        else:
            raise RecordError(line, f"no ending: {text[:40]!r}")


def read_csa(data: bytes | str) -> Record:
    """Read a game, the first of several; raises RecordError."""
    return _Reader().read(data)


def write_csa(record: Record, encoding: str = "utf-8") -> bytes:
    """Write the main line; CSA knows no variations."""
    claimed = "SHIFT_JIS" if encoding == "cp932" else "UTF-8"
    lines = [f"'CSA encoding={claimed}", "V2.2"]
    for sign, name in (("+", record.black), ("-", record.white)):
        if name:
            lines.append(f"N{sign}{_one_line(name)}")
    for header, value in record.headers.items():
        if header == "持ち時間":
            value = _time_limit(value)
        if header in _KEYS and value:
            lines.append(f"${_KEYS[header]}:{_one_line(value)}")
    position = record.position()
    lines += _write_start(record.start, position)
    lines += _comments(record.root)
    for node in record.main_line():
        if node.ending is not None:
            lines.append(f"%{_SPECIALS[node.ending]}")
        else:
            lines.append(format_csa_move(position, node.move))
            position.play(node.move)
        if node.seconds is not None:
            lines.append(f"T{int(node.seconds)}")
        lines += _comments(node)
    return encode("".join(f"{line}\n" for line in lines), encoding)


def format_csa_move(position: Position, move: int) -> str:
    """Write a move as CSA does, such as `+7776FU`."""
    sign = "+-"[position.turn]
    to = _square(target(move))
    if kind := dropped(move):
        return f"{sign}00{to}{NAMES[kind]}"
    kind = (position.man_at(origin(move)) & 15) + (8 if promotes(move) else 0)
    return f"{sign}{_square(origin(move))}{to}{NAMES[kind]}"


def _one_line(text: str) -> str:
    return " ".join(text.splitlines())


def _square(square: int) -> str:
    return f"{square // 9 + 1}{square % 9 + 1}"


def _time_limit(text: str) -> str:
    if re.fullmatch(r"\d\d:\d\d\+\d\d", text):
        return text
    match = _LIMIT.fullmatch(text)
    if match is None or not text:
        return ""  # What is free text in KIF has no place in a fixed form.
    hours, minutes, seconds, period = (int(number or 0) for number in match.groups())
    minutes += 60 * hours
    if seconds or minutes >= 6000 or period > 99:
        return ""
    return f"{minutes // 60:02}:{minutes % 60:02}+{period:02}"


def _write_start(start: str, position: Position) -> Iterator[str]:
    even = parse_sfen(START)
    missing = ""
    same = not any(position.held(side, kind) for side in range(2) for kind in range(1, 8))
    for square in range(81):
        man, usual = position.man_at(square), even.man_at(square)
        if man != usual:
            missing += _square(square) + NAMES[usual & 15]
            same = same and man == 0
    if same:
        yield f"PI{missing}"
    else:
        for rank in range(9):
            row = f"P{rank + 1}"
            for file in range(8, -1, -1):
                man = position.man_at(file * 9 + rank)
                row += ("+-"[man >> 4] + NAMES[man & 15]) if man else " * "
            yield row
        for side in range(2):
            held = "".join(f"00{NAMES[kind]}" * position.held(side, kind) for kind in range(1, 8))
            if held:
                yield f"P{'+-'[side]}{held}"
    yield "+-"[position.turn]


def _comments(node: Node) -> Iterator[str]:
    for comment in node.comments:
        for part in comment.splitlines() or [""]:
            yield f"'*{part}"
