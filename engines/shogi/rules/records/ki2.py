"""KI2, Kakinoki's short format, in which moves have no origin: a reader."""

import re
from typing import Final

from engines.shogi.rules.geometry import DRAGON, HORSE, KING
from engines.shogi.rules.notation import (
    dropped,
    format_move,
    make_drop,
    make_move,
    origin,
    promotes,
    target,
)
from engines.shogi.rules.position import Position
from engines.shogi.rules.records.kakinoki import (
    KINDS,
    PROMOTABLE,
    RANKS,
    Heading,
    read_annotation,
    read_summary,
)
from engines.shogi.rules.records.record import Grower, Record, RecordError, lines_of

_MOVE: Final = re.compile(
    r"([▲△☗☖▼▽])(?:([１-９1-9])([一二三四五六七八九１-９1-9])|同)[ 　]*"
    r"(成香|成桂|成銀|[歩香桂銀金角飛玉王と杏圭全馬龍竜])([左右]?)([直上引寄行入]?)(成|不成|不|生|打)?"
)


def read_ki2(data: bytes | str) -> Record:
    """Read a game with its variations; raises RecordError."""
    heading = Heading()
    grower: Grower | None = None
    for line, text in lines_of(data):
        if text.startswith("#") or not text.strip("　 "):
            continue
        begun = text.lstrip("　 ")[:1] in "▲△☗☖▼▽" or text[:1] in "*&" or text.startswith("まで")
        if grower is None and not begun and heading.read(line, text):
            continue
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
        ending = read_summary(grower, text, line)
        if ending is not None:
            grower.end(ending, line)
    else:
        at = 0
        text = text.rstrip(" 　")
        while at < len(text):
            if text[at] in " 　":
                at += 1
                continue
            match = _MOVE.match(text, at)
            if match is None:
                raise RecordError(line, f"not a move: {text[at : at + 20]!r}")
            _play(grower, line, match)
            at = match.end()


def _play(grower: Grower, line: int, match: re.Match[str]) -> None:
    mark, file, rank, name, side, motion, ending = match.groups()
    grower.finish()
    turn = grower.position.turn
    if (mark in "△☖▽") != (turn == 1):
        raise RecordError(line, f"{match[0]}: the other side is to move")
    if file is None:
        if grower.node.move == 0:
            raise RecordError(line, "同 without a move before it")
        to = target(grower.node.move)
    else:
        to = (int(file) - 1) * 9 + (RANKS.index(rank) if rank in RANKS else int(rank) - 1)
    kind = KINDS[name]
    legal = grower.position.legal_moves()
    board = [
        move
        for move in legal
        if target(move) == to
        and not dropped(move)
        and grower.position.man_at(origin(move)) & 15 == kind
        and promotes(move) == (ending == "成")
    ]
    if ending == "打" or (not board and not side and not motion and ending is None):
        drop = make_drop(kind, to) if kind < KING else 0
        if drop in legal:
            grower.play(drop, line)
        else:
            _foul(grower, line, match, _illegal_moves(grower.position, to, kind, drop, ending))
        return
    matches = _choose(board, turn, to, kind, side, motion)
    if len(matches) > 1:
        texts = ", ".join(format_move(move) for move in matches)
        raise RecordError(line, f"{match[0]} may be any of {texts}")
    if not matches:
        fouls = _illegal_moves(grower.position, to, kind, 0, ending)
        _foul(grower, line, match, _choose(fouls, turn, to, kind, side, motion))
        return
    grower.play(matches[0], line)


def _illegal_moves(
    position: Position, to: int, kind: int, drop: int, ending: str | None
) -> list[int]:
    """Return the illegal moves that a notation may mean: as men move, or else from anywhere."""
    if (ending == "打" or (drop and position.held(position.turn, kind))) and drop:
        return [drop]
    if ending == "打" or (ending == "成" and kind not in PROMOTABLE):
        return []
    men = [square for square in range(81) if position.man_at(square) == kind | position.turn << 4]
    squares = [square for square in men if position.reaches(square, to)] or men
    return [make_move(square, to, promotion=ending == "成") for square in squares if square != to]


def _foul(grower: Grower, line: int, match: re.Match[str], moves: list[int]) -> None:
    """Append the illegal move of a notation, for the ending to explain; raises RecordError."""
    if len(moves) != 1:
        raise RecordError(line, f"illegal move {match[0]} after ply {grower.ply}")
    grower.attempt(moves[0], line)


def _choose(moves: list[int], turn: int, to: int, kind: int, side: str, motion: str) -> list[int]:
    """Return the moves that fit the words for relative position and motion."""
    matches = moves
    forward = -1 if turn == 0 else 1
    if motion:
        matches = [move for move in matches if _moves_so(move, to, forward, motion)]
    if not side or (kind in (HORSE, DRAGON) and len(matches) == 1):
        return matches  # The words may tell it from a man that is pinned.
    lefts = [(origin(move) // 9) * -forward for move in matches]
    if kind in (HORSE, DRAGON) and len(matches) == 2:
        # The words compare the squares of the two men, not each with the target square.
        chosen = max(lefts) if side == "左" else min(lefts)
        return [move for move, left in zip(matches, lefts, strict=True) if left == chosen]
    own = (to // 9) * -forward
    return [
        move
        for move, left in zip(matches, lefts, strict=True)
        if (left > own if side == "左" else left < own)
    ]


def _moves_so(move: int, to: int, forward: int, motion: str) -> bool:
    ranks = (to % 9 - origin(move) % 9) * forward
    if motion == "直":
        return ranks == 1 and origin(move) // 9 == to // 9
    if motion == "寄":
        return ranks == 0
    return ranks < 0 if motion == "引" else ranks > 0
