"""Positions as SFEN text; errors have one of three grades: syntax, inventory and rule."""

import re
from typing import Final

from engines.core.game import InvalidText
from engines.shogi.rules import geometry
from engines.shogi.rules.geometry import KING, MEN, PAWN, WHITE
from engines.shogi.rules.notation import HAND_ORDER, LETTERS, format_man, format_square
from engines.shogi.rules.position import Position

START: Final = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"

_REMOVED: Final = {  # White's missing men, with file and rank as in records.
    "lance": "11",
    "right-lance": "91",
    "bishop": "22",
    "rook": "82",
    "rook+lance": "82 11",
    "two": "82 22",
    "three": "82 22 91",
    "four": "82 22 91 11",
    "five": "82 22 91 11 81",
    "left-five": "82 22 91 11 21",
    "six": "82 22 91 11 81 21",
    "left-seven": "82 22 91 11 81 21 31",
    "right-seven": "82 22 91 11 81 21 71",
    "eight": "82 22 91 11 81 21 71 31",
    "nine": "82 22 91 11 81 21 71 31 41",
    "ten": "82 22 91 11 81 21 71 31 61 41",
}
_NAMES: Final = ("", "pawn", "lance", "knight", "silver", "bishop", "rook", "gold", "king")
_SIDES: Final = ("black", "white")
_HAND: Final = re.compile(r"([0-9]*)([PLNSGBRplnsgbr])")
_MAX_PLY: Final = 1_000_000


class SfenError(InvalidText):
    """Text that is not a position; `grade` is syntax, inventory or rule."""

    def __init__(self, grade: str, message: str) -> None:
        super().__init__(f"{grade}: {message}")
        self.grade = grade


def parse_sfen(text: str, *, tolerate: str = "") -> Position:
    """Set up a position; raises SfenError.

    With `tolerate="rule"`, positions may break the rules, as composed problems do; "inventory"
    also accepts more men than a set has. A missing ply, hands in any order and one missing king
    are always accepted.
    """
    words = text.split()
    if words[:1] == ["sfen"]:
        words = words[1:]
    if words == ["startpos"]:
        words = START.split()
    if not 3 <= len(words) <= 4:
        raise SfenError("syntax", f"expected board, side, hands and ply, not {text[:80]!r}")
    cells = _parse_board(words[0])
    if words[1] not in ("b", "w"):
        raise SfenError("syntax", f"the side to move is b or w, not {words[1][:20]!r}")
    hands = _parse_hands(words[2])
    ply = 1
    if len(words) == 4:
        if not (words[3].isascii() and words[3].isdigit() and len(words[3]) < 8):
            raise SfenError("syntax", f"the ply is a whole number, not {words[3][:20]!r}")
        ply = int(words[3])
        if ply > _MAX_PLY:
            raise SfenError("syntax", f"the ply is at most {_MAX_PLY}, not {ply}")
    return set_up(cells, hands, "bw".index(words[1]), ply, tolerate=tolerate)


def set_up(
    cells: list[int], hands: list[list[int]], turn: int, ply: int = 1, *, tolerate: str = ""
) -> Position:
    """Set up valid men; raises SfenError of the grades inventory and rule."""
    _check_inventory(cells, hands, tolerate == "inventory")
    position = Position()
    position.place(cells, hands, turn, ply)
    if not tolerate:
        _check_rules(position, cells)
    return position


def _parse_board(text: str) -> list[int]:
    rows = text.split("/")
    if len(rows) != 9:
        raise SfenError("syntax", f"a board has 9 rows, not {len(rows)}")
    cells = [0] * 81
    for rank, row in enumerate(rows):
        file = 9
        promoted = 0
        for letter in row:
            if letter == "+" and not promoted:
                promoted = 8
                continue
            if letter in "123456789" and not promoted:
                file -= int(letter)
            else:
                kind = LETTERS.find(letter.upper(), 1)
                if kind < 1 or not letter.isascii() or (promoted and kind > 6):
                    written = "+" * bool(promoted) + letter
                    raise SfenError("syntax", f"not a man: {written!r} in row {rank + 1}")
                file -= 1
                if file >= 0:
                    side = WHITE if letter.islower() else 0
                    cells[file * 9 + rank] = kind + promoted + side
            promoted = 0
            if file < 0:
                break
        if file != 0 or promoted:
            raise SfenError("syntax", f"row {rank + 1} is not 9 squares wide: {row[:40]!r}")
    return cells


def _parse_hands(text: str) -> list[list[int]]:
    hands = [[0] * 8, [0] * 8]
    if text == "-":
        return hands
    at = 0
    while at < len(text):
        match = _HAND.match(text, at)
        if match is None or match[1].startswith("0") or len(match[1]) > 2:
            raise SfenError("syntax", f"not a hand: {text[at : at + 20]!r}")
        side = int(match[2].islower())
        hands[side][LETTERS.index(match[2].upper())] += int(match[1] or 1)
        at = match.end()
    return hands


def _check_inventory(cells: list[int], hands: list[list[int]], surplus: bool) -> None:
    counts = [0] * 9
    for man in cells:
        kind = man & 15
        counts[kind - 8 if kind > 8 else kind] += 1
    for side in range(2):
        if cells.count(KING | side << 4) > 1:
            raise SfenError("inventory", f"two kings of {_SIDES[side]}")
        for kind in HAND_ORDER:
            counts[kind] += hands[side][kind]
    for kind, most in MEN.items():
        # The hash has keys for up to 18 men of a kind in hand, whatever is tolerated.
        if counts[kind] > (max(MEN.values()) if surplus else most):
            raise SfenError(
                "inventory", f"{counts[kind]} {_NAMES[kind]}s, and there are only {most}"
            )


def _check_rules(position: Position, cells: list[int]) -> None:
    if position.king_square(0) < 0 and position.king_square(1) < 0:
        raise SfenError("rule", "no king at all")
    for square, man in enumerate(cells):
        kind, side = man & 15, man >> 4
        if kind in (1, 2, 3) and geometry.dead_squares(kind, side) >> square & 1:
            raise SfenError(
                "rule",
                f"the {_SIDES[side]} {_NAMES[kind]} on {format_square(square)} can never move",
            )
    for file in range(9):
        for side in range(2):
            if cells[file * 9 : file * 9 + 9].count(PAWN | side << 4) > 1:
                raise SfenError("rule", f"two pawns of {_SIDES[side]} on file {file + 1}")
    if position.can_take_king():
        waiting = _SIDES[position.turn ^ 1]
        raise SfenError("rule", f"{waiting} is in check and not to move")


def format_sfen(position: Position) -> str:
    """Format a position; its ply is that of the set-up plus the moves since."""
    rows = []
    for rank in range(9):
        row = ""
        gap = 0
        for file in range(8, -1, -1):
            if man := position.man_at(file * 9 + rank):
                row += (str(gap) if gap else "") + format_man(man)
                gap = 0
            else:
                gap += 1
        rows.append(row + (str(gap) if gap else ""))
    hands = ""
    for side in range(2):
        for kind in HAND_ORDER:
            if held := position.held(side, kind):
                hands += (str(held) if held > 1 else "") + format_man(kind | side << 4)
    turn = "bw"[position.turn]
    return f"{'/'.join(rows)} {turn} {hands or '-'} {position.ply + position.plies()}"


def handicap_names() -> tuple[str, ...]:
    """List the names of handicaps that `handicap_sfen` knows."""
    return tuple(_REMOVED)


def handicap_sfen(name: str) -> str:
    """Return the start of a handicap game; White gives the handicap and moves first."""
    cells = _parse_board(START.split()[0])
    for place in _REMOVED[name].split():
        cells[(int(place[0]) - 1) * 9 + int(place[1]) - 1] = 0
    return format_sfen(set_up(cells, [[0] * 8, [0] * 8], 1))
