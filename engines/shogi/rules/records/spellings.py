"""Moves as people write them: Japanese (`７六歩`, `76歩`), western (`P-7f`), CSA (`7776FU`)."""

import re
from typing import Final

from engines.core.game import InvalidText
from engines.shogi.rules.notation import (
    LETTERS,
    dropped,
    format_move,
    format_square,
    is_declaration,
    origin,
    promotes,
    target,
)
from engines.shogi.rules.position import Position
from engines.shogi.rules.records.csa import NAMES, format_csa_move
from engines.shogi.rules.records.kakinoki import DIGITS, KINDS, RANKS
from engines.shogi.rules.records.ki2_writer import tell_apart

_PIECES: Final = "|".join(sorted(KINDS, key=len, reverse=True))
_JAPANESE: Final = re.compile(
    rf"[▲△☗☖▼▽]?(?:([1-9][1-9])|同)({_PIECES})([右左直上引寄打]*)(成|不成)?"
)
_WESTERN: Final = re.compile(r"(\+?[PLNSBRGK])([1-9][1-9a-i])?([-x*'])([1-9][1-9a-i])([+=]?)")
_CSA: Final = re.compile(r"[+-]?[0-9]{2}[1-9]{2}[A-Z]{2}")
_DIGITS: Final = str.maketrans(DIGITS + RANKS + "　", "123456789" * 2 + " ")


def read_spelling(position: Position, text: str, previous: int = 0) -> int | None:
    """Return the legal move that a text means; None if it is in none of these notations.

    `previous` is the move before it, to whose square 同 refers. Raises InvalidText if no move fits,
    or several, which the message names.
    """
    plain = "".join(text.translate(_DIGITS).split())
    if match := _JAPANESE.fullmatch(plain):
        fitting = _japanese(position, match, previous)
    elif match := _WESTERN.fullmatch(plain):
        fitting = _western(position, match)
    elif _CSA.fullmatch(plain) and plain[-2:] in NAMES:
        fitting = [
            move for move in _moves(position) if format_csa_move(position, move)[1:] == plain[-6:]
        ]
    else:
        return None
    if not fitting:
        raise InvalidText(f"no legal move is {text[:40]}")
    if len(fitting) > 1:
        known = ", ".join(map(format_move, fitting))
        raise InvalidText(f"{text[:40]} may be several moves; type one of {known}")
    return fitting[0]


def _moves(position: Position) -> list[int]:
    return [move for move in position.legal_moves() if not is_declaration(move)]


def _kind(position: Position, move: int) -> int:
    return dropped(move) or position.man_at(origin(move)) & 15


def _square(text: str) -> str:
    """Return a square as in USI, also if its rank was a digit."""
    return text[0] + ("abcdefghi"[int(text[1]) - 1] if text[1].isdecimal() else text[1])


def _japanese(position: Position, match: "re.Match[str]", previous: int) -> list[int]:
    square, piece, words, end = match.groups()
    if square is None and not previous:
        raise InvalidText("同: no move was played before")
    to = format_square(target(previous)) if square is None else _square(square)
    fitting = [
        move
        for move in _moves(position)
        if format_square(target(move)) == to
        and _kind(position, move) == KINDS[piece]
        and promotes(move) == (end == "成")
    ]
    if "打" in words:
        return [move for move in fitting if dropped(move)]
    if any(not dropped(move) for move in fitting):  # A drop is written where both are possible.
        fitting = [move for move in fitting if not dropped(move)]
    return [move for move in fitting if set(words) <= set(tell_apart(position, move))]


def _western(position: Position, match: "re.Match[str]") -> list[int]:
    piece, start, sign, to, end = match.groups()
    kind = LETTERS.index(piece[-1]) + (8 if piece[0] == "+" else 0)
    return [
        move
        for move in _moves(position)
        if format_square(target(move)) == _square(to)
        and _kind(position, move) == kind
        and promotes(move) == (end == "+")
        and bool(dropped(move)) == (sign in "*'")
        and (start is None or format_square(origin(move)) == _square(start))
    ]
