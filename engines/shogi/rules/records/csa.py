"""CSA, the format of computer shogi: reads and writes versions up to 3.0."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from engines.core.game import InvalidText
from engines.shogi.rules.geometry import MEN, WHITE
from engines.shogi.rules.notation import dropped, make_drop, make_move, origin, promotes, target
from engines.shogi.rules.position import Position
from engines.shogi.rules.records.record import (
    Ending,
    Grower,
    Node,
    Record,
    RecordError,
    encode,
    lines_of,
)
from engines.shogi.rules.sfen import START, format_sfen, parse_sfen, set_up

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
    "NOTE": "備考",
}
_KEYS: Final = {header: key for key, header in _HEADERS.items() if key != "TIME"}
ENDINGS: Final = {
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
_SPECIALS: Final = {ending: name for name, ending in ENDINGS.items()} | {
    # CSA has no words for these.
    Ending.TRY: "KACHI",
    Ending.WIN_BY_DEFAULT: "ERROR",
    Ending.LOSS_BY_DEFAULT: "TORYO",
    Ending.SEALED: "CHUDAN",
}
_STATEMENT: Final = re.compile(r"[+-]($|\d)|P[I+\-1-9]|[%$T'/]|N[+-]|V\d")
_MOVE: Final = re.compile(r"([+-])([0-9]{2})([1-9]{2})([A-Z]{2})")
_CLOCK: Final = re.compile(r"\d{1,9}(\.\d{1,9})?")
MOST_GAMES: Final = 20_000
MOST_IN_ALL: Final = 1_000_000
"""A file with more games, or more moves in all of them, is refused."""
_ACTION: Final = "ILLEGAL_ACTION"
_OWN_KEY: Final = re.compile(r"[A-Z_]+[+-]?")  # Headers that other formats have no name for.
_LIMITS: Final = re.compile(r"\d+(\.\d+)?(\+\d+(\.\d+)?){2}")  # $TIME in V3.
_LIMIT: Final = re.compile(r"(?:(\d+)時間)?(?:(\d+)分)?(?:(\d+)秒)?(?:[+＋](\d+)秒)?")


class _Reader:
    """Reads the lines of one game; moves are added once the start position is known."""

    def __init__(self) -> None:
        self._record = Record()
        self._cells = [0] * 81
        self._hands = [[0] * 8, [0] * 8]
        self._rows = 0
        self._placed = False
        self._rest: int | None = None
        self._grower: Grower | None = None
        self._started = False
        self._noting = False

    def read(self, number: int, text: str) -> None:
        """Read a line."""
        noting, self._noting = self._noting, text.startswith("$NOTE:")
        if text.startswith("'"):
            self._comment(text[1:])
        elif text[:1] in ("$", "N"):
            self._statement(number, text.rstrip())
        elif noting and not _STATEMENT.match(text):
            self._noting = True
            self._note(text.rstrip())
        else:
            # Commas separate statements, but do not end a comment.
            statements, apostrophe, comment = text.rstrip().partition(",'")
            for statement in statements.split(","):
                if statement:
                    self._statement(number, statement)
            if apostrophe:
                self._comment(comment)

    def finish(self, number: int) -> Record:
        """Return the game, whose last line has the number."""
        if not self._started and (self._placed or self._rows):
            raise RecordError(number, "a board, and no side to move")
        grower = self._grown(number) if self._started else self._begin(number, 0)
        grower.finish()
        return self._record

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
                raise RecordError(line, f"not a header: {text[:60]!r}")
            if key == "NOTE":
                self._note(value.strip())
            elif value.strip():
                self._record.headers[_HEADERS.get(key, key)] = value.strip()
        elif not re.fullmatch(r"V\d+(\.\d+)?", text):
            raise RecordError(line, f"not a statement: {text[:60]!r}")

    def _note(self, text: str) -> None:
        """Add a line to the note, which may have several."""
        headers, key = self._record.headers, _HEADERS["NOTE"]
        headers[key] = f"{headers[key]}\n{text}" if key in headers else text

    def _begin(self, line: int, turn: int) -> Grower:
        if self._started:
            raise RecordError(line, "a second line for the side to move")
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
                raise RecordError(line, f"not a position: {error}") from None
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
                    raise RecordError(line, f"not a man in hand: {text[at : at + 4]!r}")
        else:
            raise RecordError(line, f"not a board: {text[:60]!r}")
        self._placed = True

    def _all(self, line: int, side: int) -> None:
        """Put all remaining men except kings into one hand."""
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
                raise RecordError(line, f"not a man: {man!r} in row {rank + 1}")
            self._cells[file * 9 + rank] = NAMES.index(man[1:]) | (WHITE if man[0] == "-" else 0)
        if text[29:].strip():
            raise RecordError(line, f"row {rank + 1} is too long")

    @staticmethod
    def _man(line: int, text: str) -> tuple[int, int]:
        if not re.fullmatch(r"(00|[1-9]{2})[A-Z]{2}", text) or text[2:] not in NAMES:
            raise RecordError(line, f"not a man: {text!r}")
        kind = NAMES.index(text[2:])
        if text[:2] == "00":
            return -1, kind
        return (int(text[0]) - 1) * 9 + int(text[1]) - 1, kind

    def _move(self, line: int, text: str) -> None:
        grower = self._grown(line)
        grower.finish()
        match = _MOVE.fullmatch(text.rstrip())
        if match is None or match[4] not in NAMES:
            raise RecordError(line, f"not a move: {text[:40]!r}")
        if "+-".index(match[1]) != grower.position.turn:
            raise RecordError(line, f"{text}: the other side is to move")
        kind = NAMES.index(match[4])
        to = (int(match[3][0]) - 1) * 9 + int(match[3][1]) - 1
        if match[2] == "00":
            if kind > 7:
                raise RecordError(line, f"not a drop: {text}")
            grower.attempt(make_drop(kind, to), line)
            return
        if "0" in match[2]:
            raise RecordError(line, f"not a move: {text}")
        start = (int(match[2][0]) - 1) * 9 + int(match[2][1]) - 1
        before = grower.position.man_at(start) & 15
        if kind not in (before, before + 8):
            raise RecordError(line, f"no {match[4]} can come from {match[2]}")
        grower.attempt(make_move(start, to, promotion=kind != before), line)

    def _time(self, line: int, text: str) -> None:
        node = self._grown(line).node
        if node is self._record.root:
            raise RecordError(line, "a time before the first move")
        if node.seconds is not None:
            raise RecordError(line, "a second time for one move")
        if not _CLOCK.fullmatch(text[1:].strip()):
            raise RecordError(line, f"not a time: {text[:40]!r}")
        node.seconds = float(text[1:])

    def _special(self, line: int, text: str) -> None:
        grower = self._grown(line)
        name = text[1:].strip()
        if name in (f"+{_ACTION}", f"-{_ACTION}"):
            own = "+-".index(name[0]) == grower.turn
            if own:
                grower.finish()  # An illegal move was the opponent's, and does not explain this.
            grower.end(Ending.FOUL_ACTION if own else Ending.FOUL_WIN, line)
        elif name in ENDINGS:
            grower.end(ENDINGS[name], line)
        else:
            raise RecordError(line, f"not an ending: {text[:40]!r}")


def read_csa(data: bytes | str) -> Record:
    """Read the first game of a file; raises RecordError."""
    return next(iterate_csa(data))


def iterate_csa(data: bytes | str) -> Iterator[Record]:
    """Read all games of a file, which lines with `/` separate; raises RecordError.

    A file of comments has one game without moves.
    """
    reader, number, games, moves, used = _Reader(), 0, 0, 0, False
    for number, text in lines_of(data):
        if text.rstrip() == "/":
            record = reader.finish(number)
            moves += len(record.main_line())
            if games >= MOST_GAMES or moves > MOST_IN_ALL:
                most = f"{MOST_GAMES} games or {MOST_IN_ALL} moves"
                raise RecordError(number, f"it has more than {most}")
            yield record
            reader, games, used = _Reader(), games + 1, False
        else:
            used = used or text.strip()[:1] not in ("", "'")
            reader.read(number, text)
    if used or not games:
        yield reader.finish(number)


def write_csa(record: Record, encoding: str = "utf-8", version: str = "2.2") -> bytes:
    """Write the main line of a game; CSA has no variations.

    Version 2.2 is read by all programs. Version 3.0 has fractions of seconds, and some headers
    that 2.2 lacks.
    """
    return write_csa_games([record], encoding, version)


def write_csa_games(
    records: Sequence[Record], encoding: str = "utf-8", version: str = "2.2"
) -> bytes:
    """Write the main lines of several games, with a `/` between them."""
    claimed = "SHIFT_JIS" if encoding == "cp932" else "UTF-8"
    lines = [f"'CSA encoding={claimed}", f"V{version}"]
    for number, record in enumerate(records):
        lines += ["/"] * bool(number)
        lines += _write_game(record, newest=version.startswith("3"))
    return encode("".join(f"{line}\n" for line in lines), encoding)


def _write_game(record: Record, *, newest: bool) -> Iterator[str]:
    for sign, name in (("+", record.black), ("-", record.white)):
        if name:
            yield f"N{sign}{_one_line(name)}"
    for header, value in record.headers.items():
        yield from _write_header(header, value, newest=newest)
    position = record.position()
    yield from _write_start(record.start, position)
    yield from _comments(record.root)
    after_foul = False
    for node in record.main_line():
        if node.ending is not None:
            yield f"%{format_ending(node.ending, position.turn ^ after_foul)}"
        else:
            yield format_csa_move(position, node.move)
            after_foul = node.foul
            if not node.foul:
                position.play(node.move)
        if node.seconds is not None:
            yield _time(node.seconds, newest=newest)
        yield from _comments(node)


def format_ending(ending: Ending, turn: int) -> str:
    """Return the word for an ending; an illegal action names the side that committed it."""
    if ending in (Ending.FOUL_ACTION, Ending.FOUL_WIN):
        return "+-"[turn ^ (ending is Ending.FOUL_WIN)] + _ACTION
    return _SPECIALS[ending]


def _write_header(header: str, value: str, *, newest: bool) -> Iterator[str]:
    if header == "持ち時間" and newest and _LIMITS.fullmatch(value):
        yield f"$TIME:{value}"
    elif header == "持ち時間":
        if limit := _time_limit(value):
            yield f"$TIME_LIMIT:{limit}"
    elif header == "備考":
        yield from (f"$NOTE:{line}" for line in value.splitlines())
    elif value and (header in _KEYS or _OWN_KEY.fullmatch(header)):
        yield f"${_KEYS.get(header, header)}:{_one_line(value)}"


def _time(seconds: float, *, newest: bool) -> str:
    if not newest or seconds == int(seconds):
        return f"T{int(seconds)}"
    return f"T{seconds:.3f}".rstrip("0").rstrip(".")


def format_csa_move(position: Position, move: int) -> str:
    """Format a move as in CSA, such as `+7776FU`."""
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
        return ""  # KIF allows any text here, but CSA requires a fixed form.
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
