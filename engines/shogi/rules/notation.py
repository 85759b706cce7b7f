"""Squares, men and moves in USI notation, without checking whether moves are legal."""

import re
from typing import Final

from engines.core.game import InvalidText
from engines.shogi.rules.geometry import BISHOP, GOLD, KNIGHT, LANCE, PAWN, ROOK, SILVER

LETTERS: Final = " PLNSBRGK"
HAND_ORDER: Final = (ROOK, BISHOP, GOLD, SILVER, KNIGHT, LANCE, PAWN)
PROMOTION: Final = 1 << 14
DECLARED_WIN: Final = 1 << 15
DECLARED_DRAW: Final = 1 << 16
"""Declarations as moves: `win` in text, with the result that the rules give them."""

_MOVE: Final = re.compile(r"([1-9][a-i])([1-9][a-i])(\+?)")
_DROP: Final = re.compile(r"([PLNSGBR])\*([1-9][a-i])")


def target(move: int) -> int:
    """Return the target square of a move."""
    return move & 127


def origin(move: int) -> int:
    """Return the origin of a move; it is above 80 for a drop."""
    return move >> 7 & 127


def dropped(move: int) -> int:
    """Return the kind that a move drops, or 0."""
    return max(origin(move) - 80, 0)


def promotes(move: int) -> bool:
    """Tell whether the man promotes."""
    return bool(move & PROMOTION)


def is_declaration(move: int) -> bool:
    """Tell whether a move is a declaration."""
    return move >= DECLARED_WIN


def make_move(start: int, to: int, *, promotion: bool = False) -> int:
    """Pack a move of a man on the board."""
    return start << 7 | to | (PROMOTION if promotion else 0)


def make_drop(kind: int, to: int) -> int:
    """Pack a drop."""
    return 80 + kind << 7 | to


def parse_square(text: str) -> int:
    """Parse a well-formed square such as `7g`."""
    return (ord(text[0]) - ord("1")) * 9 + ord(text[1]) - ord("a")


def format_square(square: int) -> str:
    """Format a square."""
    return f"{square // 9 + 1}{'abcdefghi'[square % 9]}"


def parse_move(text: str) -> int:
    """Parse a move such as `7g7f`, `8h2b+` or `P*5e`; raises InvalidText."""
    if match := _MOVE.fullmatch(text):
        start, to, plus = match.groups()
        return make_move(parse_square(start), parse_square(to), promotion=bool(plus))
    if match := _DROP.fullmatch(text):
        return make_drop(LETTERS.index(match[1]), parse_square(match[2]))
    raise InvalidText(f"not a move: {text[:40]!r} (expected one such as 7g7f, 8h2b+ or P*5e)")


def format_move(move: int) -> str:
    """Format a move."""
    if is_declaration(move):
        return "win"
    to = format_square(target(move))
    if kind := dropped(move):
        return f"{LETTERS[kind]}*{to}"
    return f"{format_square(origin(move))}{to}{'+' if promotes(move) else ''}"


def format_man(man: int) -> str:
    """Format a man as in SFEN: `+p` is White's promoted pawn."""
    kind = man & 15
    letter = f"+{LETTERS[kind - 8]}" if kind > 8 else LETTERS[kind]
    return letter.lower() if man & 16 else letter
