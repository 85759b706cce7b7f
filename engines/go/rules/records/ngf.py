"""NGF, the format of the servers WBaduk and Cyberoro: twelve lines of headers, then the moves.

There is no public specification. It is read as files show it, and as the notes at Sensei's Library
say. The headers are: kind of game, size, White, Black, server, handicap, an unknown number, komi
without its half point, date, an unknown number, result, number of moves. In other files they begin
with `GI`, and the size comes after the date. `PMABBQEEQ` is a move: its number in letters, its
side, and its point from the top left, from B on, forwards and backwards; A is a pass.
"""

import re
from typing import Final

from engines.core.sgf import SgfFile
from engines.go.rules.records.server import (
    ServerGame,
    fault,
    format_date,
    parse_count,
    read_lines,
)

_MOVE: Final = re.compile(r"PM[A-Z]{2}([BW])([A-Z])([A-Z])(?:([A-Z])([A-Z]))?")
_COMMENT: Final = re.compile(r"([A-Z]{2})[BW]\[\d+\] ?(.*)")
_END: Final = "[EndTxt]"
_MARGIN: Final = re.compile(r"(\d+(?:\.\d+)?)")
_BLACK: Final = re.compile(r"black (?:win|\d)|white lose", re.IGNORECASE)
_WHITE: Final = re.compile(r"white (?:win|\d)|black lose", re.IGNORECASE)
_HEADERS: Final = 12
# The places of size, White, Black, place, handicap, komi, date, result and number of moves.
_USUAL: Final = (1, 2, 3, 4, 5, 7, 8, 10, 11)
_OTHER: Final = (6, 1, 2, 3, 7, 9, 5, None, 10)


def read_ngf(data: bytes, charset: str = "") -> SgfFile:
    """Read a game as a tree of SGF; raises InvalidText with the line of the fault."""
    lines, used, notices = read_lines(data, charset)
    game = ServerGame(used, notices)
    headers: list[str] = []
    announced = 0
    comment: list[str] = []
    for number, text in lines:
        if comment or (_COMMENT.fullmatch(text) and game.moves):
            comment.append(text)
            if text.endswith(_END):
                _comment(game, number, "\n".join(comment))
                comment = []
        elif match := _MOVE.fullmatch(text):
            if not game.moves:
                announced = _put_headers(game, headers)
            _move(game, number, match)
        elif not game.moves and len(headers) < _HEADERS:
            headers.append(text)
        elif text and not (text.startswith("GI") and game.moves):  # How many comments follow.
            raise fault(number, "expected a move such as PMABBQEEQ", text)
    if not game.moves:
        announced = _put_headers(game, headers)
    if comment:
        raise fault(number, f"a comment without {_END}", comment[0])
    passes = sum("" in values for node in game.moves for values in node.values.values())
    if announced not in (len(game.moves), len(game.moves) - passes):
        game.note(f"{announced} moves are announced, and there are {len(game.moves)}")
    return game.finish()


def _put_headers(game: ServerGame, lines: list[str]) -> int:
    """Set the headers, and return the number of moves that they announce."""
    other = all(line.startswith("GI") for line in lines[:_HEADERS] if line)
    if len(lines) < _HEADERS - other:
        raise fault(len(lines) + 1, f"expected {_HEADERS} lines before the first move")
    texts = [line[2:] for line in lines] if other else lines
    places = _OTHER if other else _USUAL
    size, white, black, place, handicap, komi, date, result, moves = places
    game.put("EV", texts[0])
    game.set_size(parse_count(texts[size], size + 1, "the size"), size + 1)
    for letter, at in (("W", white), ("B", black)):
        name, rank = ["", *texts[at].rsplit(maxsplit=1)][-2:] if texts[at] else ("", "")
        game.put(f"P{letter}", name or rank)
        game.put(f"{letter}R", rank if name else "")
    if other:
        game.note("the first of the players is taken for White, as in other files of NGF")
    game.put("PC", texts[place])
    stones = parse_count(texts[handicap], handicap + 1, "the handicap")
    game.set_handicap(stones, handicap + 1)
    points = parse_count(texts[komi], komi + 1, "the komi")
    game.put("KM", str(points) if stones else f"{points}.5")
    game.put("DT", format_date(texts[date]) or texts[date])
    if result is not None:
        _put_result(game, texts[result])
    return parse_count(texts[moves], moves + 1, "the number of moves")


def _put_result(game: ServerGame, text: str) -> None:
    """Set the result from such as `White wins by 2.5 points!`; other languages are kept as text."""
    winner = "B" if _BLACK.search(text) else "W" if _WHITE.search(text) else ""
    low = text.lower()
    if winner and ("resi" in low or "time" in low):
        game.put("RE", f"{winner}+{'R' if 'resi' in low else 'T'}")
    elif winner:
        margin = _MARGIN.search(text.partition(">>")[0])
        game.put("RE", f"{winner}+{margin[1] if margin is not None else ''}")
    elif text.strip():
        game.put("RE", "?")
        game.put("GC", text)
        game.note(f"the result is not understood: {text.strip()[:60]}")


def _move(game: ServerGame, number: int, match: re.Match[str]) -> None:
    side, x, y, y_again, x_again = match.groups()
    if x_again is not None and (x, y) != (x_again, y_again):
        raise fault(number, "a point that is not the same forwards and backwards", match[0])
    if (x, y) == ("A", "A"):
        game.play_pass(side, number)
    else:
        game.play(side, ord(x) - ord("B"), ord(y) - ord("B"), number)


def _comment(game: ServerGame, number: int, text: str) -> None:
    """Add a comment on the move whose number, in letters, is at the beginning."""
    match = _COMMENT.match(text)
    if match is None:
        raise fault(number, "expected a comment", text)
    high, low = (ord(letter) - ord("A") for letter in match[1])
    at = 26 * high + low
    if not 0 < at <= len(game.moves):
        raise fault(number, f"a comment on move {at}, and there are {len(game.moves)}", text)
    body = text[match.start(2) :].removesuffix(_END).strip()
    game.moves[at - 1].values.setdefault("C", []).append(body)
