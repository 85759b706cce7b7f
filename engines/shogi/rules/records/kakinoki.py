"""The parts that KIF and KI2 share: headers, board diagrams, and words for men and endings."""

import re
from collections.abc import Iterator
from typing import Final

from engines.core.game import InvalidText
from engines.shogi.rules.geometry import BISHOP, GOLD, KING, KNIGHT, LANCE, PAWN, ROOK, SILVER
from engines.shogi.rules.notation import HAND_ORDER
from engines.shogi.rules.position import Position
from engines.shogi.rules.records.record import Ending, Grower, Record, RecordError
from engines.shogi.rules.sfen import START, format_sfen, handicap_sfen, set_up

_BRANCH: Final = re.compile(r"変化[：:][ 　]*(\d{1,9})手[ 　]*")
# A colon of ASCII may end the key of a header, but it also stands in the time of a move.
_HEADER: Final = re.compile(r"([^：:\s\d()（）▲△☗☖▼▽]+)[：:](.*)|([^：]*)：(.*)")
DIGITS: Final = "１２３４５６７８９"
RANKS: Final = "一二三四五六七八九"
MEN: Final = (
    *("", "歩", "香", "桂", "銀", "角", "飛", "金", "玉"),
    *("と", "成香", "成桂", "成銀", "馬", "龍"),
)
KINDS: Final = {
    **{name: kind for kind, name in enumerate(MEN) if name},
    "王": KING,
    "竜": 14,
    "杏": 10,
    "圭": 11,
    "全": 12,
}
PROMOTABLE: Final = (PAWN, LANCE, KNIGHT, SILVER, BISHOP, ROOK)
_DRAWN: Final = (
    "",
    "歩",
    "香",
    "桂",
    "銀",
    "角",
    "飛",
    "金",
    "玉",
    "と",
    "杏",
    "圭",
    "全",
    "馬",
    "龍",
)
_HELD: Final = {MEN[kind]: kind for kind in (PAWN, LANCE, KNIGHT, SILVER, BISHOP, ROOK, GOLD)}

HANDICAPS: Final = {
    "香落ち": "lance",
    "右香落ち": "right-lance",
    "角落ち": "bishop",
    "飛車落ち": "rook",
    "飛香落ち": "rook+lance",
    "二枚落ち": "two",
    "三枚落ち": "three",
    "四枚落ち": "four",
    "五枚落ち": "five",
    "左五枚落ち": "left-five",
    "六枚落ち": "six",
    "左七枚落ち": "left-seven",
    "右七枚落ち": "right-seven",
    "八枚落ち": "eight",
    "九枚落ち": "nine",
    "十枚落ち": "ten",
}
# Other readers mistake these for an even game, so their start position is written as a diagram.
_UNSAFE: Final = ("三枚落ち", "五枚落ち", "左五枚落ち", "左七枚落ち", "右七枚落ち", "九枚落ち")

WORDS: Final = {
    "投了": Ending.RESIGN,
    "中断": Ending.INTERRUPT,
    "千日手": Ending.REPETITION,
    "持将棋": Ending.IMPASSE,
    "詰み": Ending.MATE,
    "詰": Ending.MATE,
    "不詰": Ending.NO_MATE,
    "切れ負け": Ending.TIMEOUT,
    "反則負け": Ending.FOUL_LOSS,
    "反則勝ち": Ending.FOUL_WIN,
    "入玉勝ち": Ending.DECLARATION,
    "トライ": Ending.TRY,
    "不戦勝": Ending.WIN_BY_DEFAULT,
    "不戦敗": Ending.LOSS_BY_DEFAULT,
    "封じ手": Ending.SEALED,
}
ENDING_WORDS: Final = {
    **{ending: word for word, ending in WORDS.items() if word != "詰"},
    Ending.DRAW: "持将棋",
    Ending.MAX_MOVES: "持将棋",
    Ending.ERROR: "中断",
    Ending.FOUL_ACTION: "反則負け",
}
# For the side to move. Repetitions, tries and interrupted games may have any result.
_WINS: Final = (Ending.FOUL_WIN, Ending.DECLARATION, Ending.WIN_BY_DEFAULT)
_LOSSES: Final = (
    Ending.RESIGN,
    Ending.MATE,
    Ending.TIMEOUT,
    Ending.FOUL_LOSS,
    Ending.FOUL_ACTION,
    Ending.LOSS_BY_DEFAULT,
)
_DECIDED: Final = (_WINS, _LOSSES, (Ending.IMPASSE,))
_UNTIL: Final = re.compile(r"まで(?:(\d{1,9})手)?(?:で|に?て)?(.*)")
_SUMMARY: Final = re.compile(
    r"(?:(時間切れ)により)?([先後上下])手の(勝ち|反則勝ち|反則負け|入玉勝ち|切れ負け)"
)
_PLIES: Final = re.compile(r"手数[＝=](\d{1,6})(?!\d)")
_HAND_ITEM: Final = re.compile(r"(.)([一二三四五六七八九十]*)")
_NUMBERS: Final = "〇一二三四五六七八九"


def number_name(number: int) -> str:
    """Format a number up to 99 in Chinese numerals."""
    tens, ones = divmod(number, 10)
    name = ("" if tens < 2 else _NUMBERS[tens]) + ("十" if tens else "")
    return name + (_NUMBERS[ones] if ones else "")


def parse_number_name(text: str) -> int:
    """Parse a number up to 99 in Chinese numerals; raises ValueError."""
    tens, ten, ones = text.rpartition("十")
    value = (_NUMBERS.index(tens) if tens else 1) * 10 if ten else 0
    return value + (_NUMBERS.index(ones) if ones else 0)


class Heading:
    """Collects the lines before the moves, and makes a record from them."""

    def __init__(self) -> None:
        self.record = Record()
        self._handicap = ""
        self._handicap_line = 0
        self._rows: list[tuple[int, str]] = []  # With line numbers.
        self._hands: dict[int, list[int]] = {}
        self._turn: int | None = None
        self._ply = 1
        self._line = 1

    def read(self, line: int, text: str) -> bool:
        """Read a line of the heading; return False for other lines; raises RecordError."""
        self._line = line
        header = _HEADER.fullmatch(text)
        key, value = [part for part in header.groups() if part is not None] if header else ("", "")
        if text.startswith("*"):
            self.record.root.comments.append(text[1:])
        elif text.startswith("&"):
            self.record.root.bookmark = text[1:].strip()
        elif text.startswith("|"):
            self._rows.append((line, text))
        elif text.startswith("+--") or text.lstrip(" 　").startswith("９"):
            pass  # The border of a diagram.
        elif text.strip("　 ") in ("先手番", "下手番", "後手番", "上手番"):
            turn = 0 if text.strip("　 ")[0] in "先下" else 1
            if self._turn not in (None, turn):
                raise RecordError(line, "contradicts an earlier line for the side to move")
            self._turn = turn
        elif match := _PLIES.match(text):
            self._ply = int(match[1]) + 1
        elif header is None:
            return False
        elif key in ("先手の持駒", "下手の持駒", "後手の持駒", "上手の持駒"):
            side, hand = int(key[0] in "後上"), self._parse_hand(value)
            if self._hands.setdefault(side, hand) != hand:
                raise RecordError(line, f"a second hand of {key[:2]}")
        elif key == "手合割":
            if self._handicap not in ("", value.strip("　 ")):
                raise RecordError(line, f"a second handicap after {self._handicap!r}")
            self._handicap, self._handicap_line = value.strip("　 "), line
        elif key in ("先手", "下手"):
            self.record.black = value.strip("　 ")
        elif key in ("後手", "上手"):
            self.record.white = value.strip("　 ")
        else:
            self.record.headers[key] = value.strip("　 ")
        return True

    def finish(self) -> Record:
        """Set up the start position from the lines that were read; raises RecordError."""
        if self._rows or any(map(any, self._hands.values())):
            self.record.start = self._draw()
        elif self._handicap in HANDICAPS:
            self.record.start = handicap_sfen(HANDICAPS[self._handicap])
        elif self._handicap not in ("", "平手"):
            reason = f"no such handicap and no board: {self._handicap!r}"
            raise RecordError(self._handicap_line, reason)
        elif self._turn == 1:
            raise RecordError(self._line, "White is to move, and there is no board")
        return self.record

    def _parse_hand(self, text: str) -> list[int]:
        hand = [0] * 8
        for item in text.replace("　", " ").split():
            if item == "なし":
                continue
            match = _HAND_ITEM.fullmatch(item)
            if match is None or match[1] not in _HELD:
                raise RecordError(self._line, f"not a hand: {item!r}")
            try:
                hand[_HELD[match[1]]] += parse_number_name(match[2]) if match[2] else 1
            except ValueError:
                raise RecordError(self._line, f"not a number: {match[2]!r}") from None
        return hand

    def _draw(self) -> str:
        if len(self._rows) != 9:
            raise RecordError(self._line, f"a board has 9 rows, not {len(self._rows)}")
        cells = [0] * 81
        for rank, (line, row) in enumerate(self._rows):
            drawn, _, label = row[1:].partition("|")
            labelled = RANKS.find(label[0]) if label else -1
            if len(drawn) != 18 or labelled not in (-1, rank):
                raise RecordError(line, f"not row {rank + 1} of a board: {row[:60]!r}")
            for file in range(9):
                side, name = drawn[16 - 2 * file], drawn[17 - 2 * file]
                if name in "・　 " and side in " 　":
                    continue
                if name not in KINDS or side not in " vV^":
                    raise RecordError(line, f"not a man: {side + name!r} in row {rank + 1}")
                cells[file * 9 + rank] = KINDS[name] | (16 if side in "vV" else 0)
        hands = [self._hands.get(side, [0] * 8) for side in range(2)]
        try:
            position = set_up(cells, hands, self._turn or 0, self._ply, tolerate="rule")
        except InvalidText as error:
            raise RecordError(self._line, f"not a position: {error}") from None
        return format_sfen(position)


def is_handicap(record: Record) -> bool:
    """Tell whether the players are called 上手 and 下手."""
    return any(handicap_sfen(name) == record.start for name in HANDICAPS.values())


def side_names(record: Record) -> tuple[str, str]:
    """Return the words for the two sides."""
    return ("下手", "上手") if is_handicap(record) else ("先手", "後手")


def write_start(record: Record) -> Iterator[str]:
    """Write the start as a handicap, or as a diagram if not every reader knows its name."""
    if record.start == START:
        yield "手合割：平手"
        return
    for name, handicap in HANDICAPS.items():
        if handicap_sfen(handicap) == record.start and name not in _UNSAFE:
            yield f"手合割：{name}"
            return
    yield from draw_board(record.position())


def draw_board(position: Position) -> Iterator[str]:
    """Draw a board with hands and the side to move."""
    yield f"後手の持駒：{_hand_text(position, 1)}"
    yield "  ９ ８ ７ ６ ５ ４ ３ ２ １"
    yield "+---------------------------+"
    for rank in range(9):
        row = ""
        for file in range(8, -1, -1):
            man = position.man_at(file * 9 + rank)
            row += ("v" if man & 16 else " ") + (_DRAWN[man & 15] if man else "・")
        yield f"|{row}|{RANKS[rank]}"
    yield "+---------------------------+"
    yield f"先手の持駒：{_hand_text(position, 0)}"
    yield ("先手番", "後手番")[position.turn]


def _hand_text(position: Position, side: int) -> str:
    written = ""
    for kind in HAND_ORDER:
        if held := position.held(side, kind):
            written += MEN[kind] + (number_name(held) if held > 1 else "") + "　"
    return written or "なし"


def write_summary(record: Record, ending: Ending, turn: int, moves: int) -> str:
    """Write the line that summarises the ending, or nothing if other readers would refuse it."""
    names = side_names(record)
    mover, other = names[turn], names[turn ^ 1]
    words = {
        Ending.RESIGN: f"{other}の勝ち",
        Ending.INTERRUPT: "中断",
        Ending.ERROR: "中断",
        Ending.REPETITION: "千日手",
        Ending.IMPASSE: "持将棋",
        Ending.DRAW: "持将棋",
        Ending.MAX_MOVES: "持将棋",
        Ending.MATE: "詰み",
        Ending.TIMEOUT: f"時間切れにより{other}の勝ち",
        Ending.FOUL_LOSS: f"{mover}の反則負け",
        Ending.FOUL_ACTION: f"{mover}の反則負け",
        Ending.FOUL_WIN: f"{mover}の反則勝ち",
    }.get(ending)
    return f"まで{moves}手で{words}" if words else ""


def read_annotation(grower: Grower, line: int, text: str) -> bool:
    """Read a comment, a bookmark or the head of a branch; return False for any other line."""
    if text.startswith("*"):
        grower.node.comments.append(text[1:])
    elif text.startswith("&"):
        grower.node.bookmark = text[1:].strip()
    elif match := _BRANCH.fullmatch(text):
        grower.branch(int(match[1]), line)
    else:
        return False
    return True


def read_summary(
    grower: Grower, text: str, line: int, known: Ending | None = None
) -> Ending | None:
    """Read the line that summarises the ending; return None for other lines.

    Raises RecordError if the line is wrong or contradicts `known`, an ending that was read before.
    """
    match = _UNTIL.fullmatch(text.strip("　 "))
    if match is None:
        return None
    if "反則" not in text:
        grower.finish()
    turn, moves = grower.turn, grower.ply
    # Some programs do not count a foul.
    if match[1] is not None and int(match[1]) not in (moves, grower.position.plies()):
        plural = "" if moves == 1 else "s"
        raise RecordError(line, f"the game has {moves} move{plural}, and this line says {match[1]}")
    words = match[2].strip("　 ")
    if words in WORDS:
        return _agree(WORDS[words], known, text, line)
    if not words and match[1] is not None:
        return Ending.INTERRUPT
    if (summary := _SUMMARY.fullmatch(words)) is None:
        raise RecordError(line, f"not an ending: {text!r}")
    mover = (0 if summary[2] in "先下" else 1) == turn
    if summary[3] == "勝ち" and mover and known in _WINS:
        return known
    ending = {
        ("勝ち", False): Ending.TIMEOUT if summary[1] else Ending.RESIGN,
        ("反則勝ち", True): Ending.FOUL_WIN,
        ("反則勝ち", False): Ending.FOUL_LOSS,
        ("反則負け", True): Ending.FOUL_LOSS,
        ("反則負け", False): Ending.FOUL_WIN,
        ("入玉勝ち", True): Ending.DECLARATION,
        ("切れ負け", True): Ending.TIMEOUT,
    }.get((summary[3], mover))
    if ending is None:
        raise RecordError(line, f"{text!r} does not fit the side to move")
    return _agree(ending, known, text, line)


def _agree(ending: Ending, known: Ending | None, text: str, line: int) -> Ending:
    """Return an ending; raises RecordError if it contradicts one that was read before."""
    now, before = ([ways for ways in _DECIDED if each in ways] for each in (ending, known))
    if now and before and now != before:
        raise RecordError(line, f"{text!r} contradicts the ending before it: {known}")
    return ending
