r"""GIB, the format of the server Tygem: a header of lines `\[KEY=VALUE\]`, then the moves.

There is no public specification. It is read as files show it, and as the notes at Sensei's Library
say: GONGJE is the komi in tenths, GRLT the kind of the result, ZIPSU its margin in tenths, GTIME
the main time and the periods. `STO 0 N SIDE X Y` is a move, counted from the top left, `SKI` a
pass, and the third number of `INI` the handicap. The board always has 19 lines.
"""

import re
from collections.abc import Iterator
from typing import Final

from engines.core.sgf import SgfFile
from engines.go.rules.records.server import (
    ServerGame,
    fault,
    format_date,
    parse_count,
    read_lines,
)

_KIND: Final = re.compile(rb"GIBOKIND=(\w{1,20})")
_HEAD: Final = 4000  # The bytes in which the kind is looked for.
_CHARSETS: Final = {b"Korea": "euc-kr", b"China": "gb18030", b"Japan": "shift_jis"}
_PLAYER: Final = re.compile(r"([^()]*[^()\s])\s*\(([^()]*)\)")
_TEXTS: Final = {"GAMENAME": "GN", "GAMEPLACE": "PC", "GAMECOMMENT": "GC"}
_RESULTS: Final = {"0": "B+", "1": "W+", "3": "B+R", "4": "W+R", "7": "B+T", "8": "W+T"}
_UNFINISHED: Final = "255"
_MOVE_WORDS: Final = 6


def read_gib(data: bytes, charset: str = "") -> SgfFile:
    """Read a game as a tree of SGF; raises InvalidText with the line of the fault."""
    kind = _KIND.search(data, 0, _HEAD)
    named = _CHARSETS.get(kind[1], "") if kind is not None else ""
    lines, used, notices = read_lines(data, charset, named)
    game = ServerGame(used, notices)
    headers: dict[str, str] = {}
    for number, text in lines:
        if text.startswith("\\["):
            _add_header(headers, number, text, lines)
        elif text and text[0] != "\\":
            _read_command(game, number, text)
    if not headers and not game.moves:
        raise fault(1, r"no GIB begins in it: expected \HS and lines \[KEY=VALUE\]")
    _put_headers(game, headers)
    return game.finish()


def _add_header(
    headers: dict[str, str], number: int, text: str, lines: Iterator[tuple[int, str]]
) -> None:
    """Add a header, which may go on in the next lines."""
    parts = [text]
    while not parts[-1].endswith("\\]"):
        _, more = next(lines, (0, "\\"))
        if more.startswith("\\"):
            raise fault(number, r"expected \[KEY=VALUE\]", text)
        parts.append(more)
    key, sign, value = "\n".join(parts)[2:].removesuffix("\\]").partition("=")
    if not sign:
        raise fault(number, r"expected \[KEY=VALUE\]", text)
    headers.setdefault(key, value)


def _read_command(game: ServerGame, number: int, text: str) -> None:
    words = text.split()
    match words[0]:
        case "INI":
            game.set_handicap(parse_count("".join(words[3:4]), number, "the handicap"), number)
        case "STO":
            if len(words) != _MOVE_WORDS or words[3] not in ("1", "2"):
                raise fault(number, "expected STO 0 NUMBER SIDE X Y", text)
            x, y = (parse_count(word, number, "a coordinate") for word in words[4:])
            game.play("BW"[int(words[3]) - 1], x, y, number)
        case "SKI":
            game.play_pass("", number)
        case "IDX":  # The place where an unfinished game was left; it is no move.
            pass
        case word if not word.isdecimal():
            raise fault(number, "expected STO, SKI or INI", text)


def _put_headers(game: ServerGame, headers: dict[str, str]) -> None:
    for header, key in _TEXTS.items():
        game.put(key, headers.get(header, ""))
    for letter, side in (("B", "BLACK"), ("W", "WHITE")):
        name = headers.get(f"GAME{side}NAME", "") or headers.get(f"GAME{side}NICK", "")
        match = _PLAYER.fullmatch(name.strip())
        game.put(f"P{letter}", match[1] if match is not None else name)
        game.put(f"{letter}R", match[2] if match is not None else "")
    date = headers.get("GAMEDATE", "")
    game.put("DT", format_date(date) or date)
    words = headers.get("GAMEINFOMAIN", "").split(",")
    tags = {key: value for key, _, value in (word.strip().partition(":") for word in words)}
    # The line GAMETAG says the same, with names of one letter.
    short = {word.strip()[:1]: word.strip()[1:] for word in headers.get("GAMETAG", "").split(",")}
    komi = tags.get("GONGJE", short.get("G", ""))
    if _is_figure(komi):
        game.put("KM", f"{int(komi) / 10:g}")
    if (dum := tags.get("DUM", short.get("D", ""))) not in ("", "0"):
        game.note(f"DUM:{dum} is left out: what it means is not known")
    _put_result(
        game, tags.get("GRLT", short.get("W", "")), tags.get("ZIPSU", short.get("Z", "")), headers
    )
    _put_time(game, tags.get("GTIME", ""))


def _put_result(game: ServerGame, kind: str, margin: str, headers: dict[str, str]) -> None:
    result = _RESULTS.get(kind, "")
    if result.endswith("+") and _is_figure(margin) and int(margin):
        result += f"{int(margin) / 10:g}"
    game.put("RE", result)
    if not result and kind not in ("", _UNFINISHED):
        shown = headers.get("GAMERESULT", "").strip()
        game.note(f"the result is left out: its kind {kind[:20]} is not known ({shown})")


def _put_time(game: ServerGame, text: str) -> None:
    """Set the main time and the byo-yomi from such as `1200-30-3`."""
    words = text.strip().split("-")
    if len(words) != 3 or not all(map(_is_figure, words)):
        return
    game.put("TM", str(int(words[0])))
    if int(words[1]) and int(words[2]):
        game.put("OT", f"{int(words[2])}x{int(words[1])} byo-yomi")


def _is_figure(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 8
