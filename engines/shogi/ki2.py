"""KI2, Kakinoki's short format, whose moves name no origin: a reader."""

import re
from typing import Final

from engines.shogi.geometry import DRAGON, HORSE
from engines.shogi.kakinoki import DIGITS, KINDS, MEN, RANKS, Heading, read_summary
from engines.shogi.notation import dropped, format_move, make_drop, origin, promotes, target
from engines.shogi.position import Position
from engines.shogi.record import Grower, Record, RecordError, lines_of

_MOVE: Final = re.compile(
    r"([▲△☗☖▼▽])(?:([１-９1-9])([一二三四五六七八九])|同)[ 　]*"
    r"(成香|成桂|成銀|[歩香桂銀金角飛玉王と杏圭全馬龍竜])([左右]?)([直上引寄行入]?)(成|不成|不|生|打)?"
)
_BRANCH: Final = re.compile(r"変化：[ 　]*(\d{1,9})手[ 　]*")


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
    return grower.record if grower is not None else heading.finish()


def _read_line(grower: Grower, line: int, text: str) -> None:
    if text.startswith("*"):
        grower.node.comments.append(text[1:])
    elif text.startswith("&"):
        grower.node.bookmark = text[1:].strip()
    elif match := _BRANCH.fullmatch(text):
        grower.branch(int(match[1]), line)
    elif text.startswith("まで"):
        ending = read_summary(text, grower.position.turn, grower.ply, line)
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
                raise RecordError(line, f"no move: {text[at : at + 20]!r}")
            _play(grower, line, match)
            at = match.end()


def _play(grower: Grower, line: int, match: re.Match[str]) -> None:
    mark, file, rank, name, side, motion, ending = match.groups()
    turn = grower.position.turn
    if (mark in "△☖▽") != (turn == 1):
        raise RecordError(line, f"{match[0]}: the other side is to move")
    if file is None:
        if grower.node.move == 0:
            raise RecordError(line, "同 without a move before it")
        to = target(grower.node.move)
    else:
        digit = DIGITS.find(file) if file in DIGITS else int(file) - 1
        to = digit * 9 + RANKS.index(rank)
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
        drop = make_drop(kind, to)
        if kind > 7 or drop not in legal:
            raise RecordError(line, f"illegal move {match[0]} after ply {grower.ply}")
        grower.play(drop, line)
        return
    found = _choose(board, turn, to, kind, side, motion)
    if len(found) > 1:
        texts = ", ".join(format_move(move) for move in found)
        raise RecordError(line, f"{match[0]} may be any of {texts}")
    if not found:
        raise RecordError(line, f"illegal move {match[0]} after ply {grower.ply}")
    grower.play(found[0], line)


def _choose(moves: list[int], turn: int, to: int, kind: int, side: str, motion: str) -> list[int]:
    """Return the moves that the words for side and motion leave."""
    found = moves
    forward = -1 if turn == 0 else 1
    if motion:
        found = [move for move in found if _moves_so(move, to, forward, motion)]
    if not side:
        return found
    lefts = [(origin(move) // 9) * -forward for move in found]
    if kind in (HORSE, DRAGON) and len(found) == 2:
        # The two are told apart by their places alone, not by the target's file.
        chosen = max(lefts) if side == "左" else min(lefts)
        return [move for move, left in zip(found, lefts, strict=True) if left == chosen]
    own = (to // 9) * -forward
    return [
        move
        for move, left in zip(found, lefts, strict=True)
        if (left > own if side == "左" else left < own)
    ]


def _moves_so(move: int, to: int, forward: int, motion: str) -> bool:
    ranks = (to % 9 - origin(move) % 9) * forward
    if motion == "直":
        return ranks == 1 and origin(move) // 9 == to // 9
    if motion == "寄":
        return ranks == 0
    return ranks < 0 if motion == "引" else ranks > 0


def format_ki2_move(position: Position, move: int, previous: int) -> str:
    """Write a move as KI2 and evaluation comments do; `previous` is the move before it, or 0."""
    mark = "▲△"[position.turn]
    to = target(move)
    place = DIGITS[to // 9] + RANKS[to % 9]
    if previous and target(previous) == to:
        place = "同　"
    kind = dropped(move) or position.man_at(origin(move)) & 15
    rivals = {
        origin(other)
        for other in position.legal_moves()
        if target(other) == to
        and not dropped(other)
        and position.man_at(origin(other)) & 15 == kind
    }
    text = mark + place + MEN[kind]
    if dropped(move):
        return text + ("打" if rivals else "")
    if len(rivals) > 1:
        text += _tell_apart(position.turn, move, sorted(rivals), kind)
    if promotes(move):
        return text + "成"
    could = any(other == move | 1 << 14 for other in position.legal_moves())
    return text + ("不成" if could else "")


def _tell_apart(turn: int, move: int, rivals: list[int], kind: int) -> str:
    to = target(move)
    forward = -1 if turn == 0 else 1
    moves = [start << 7 | to for start in rivals]
    own = origin(move) << 7 | to
    motions = [word for word in "直上引寄" if _moves_so(own, to, forward, word)]
    if "直" in motions and kind not in (HORSE, DRAGON):
        motions = ["直"]
    else:
        motions = [word for word in motions if word != "直"]
    candidates = [("", word) for word in motions]
    candidates += [(side, "") for side in "左右"]
    candidates += [(side, word) for side in "左右" for word in motions]
    for side, motion in candidates:
        if _choose(moves, turn, to, kind, side, motion) == [own]:
            return side + motion
    return "".join(motions)
