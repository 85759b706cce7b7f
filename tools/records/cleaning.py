"""Cleaning up trees of other programs: SGF as FF[4] in UTF-8, mistakes corrected or named."""

import re
from collections.abc import Iterator
from typing import Final

from engines.core.game import InvalidText
from engines.core.sgf import SgfFile, SgfNode, write_trees

_GO: Final = "1"
_MOVES: Final = ("B", "W")
_STONES: Final = ("AB", "AW", "AE")
_SINGLE: Final = {
    *("B", "W", "BL", "WL", "OB", "OW", "C", "N", "PL", "AN", "AP", "BR", "BT", "CA", "CP", "DT"),
    *("EV", "FF", "GM", "GN", "GC", "HA", "KM", "ON", "OT", "PB", "PC", "PW", "RE", "RO", "RU"),
    *("SO", "ST", "SZ", "TM", "US", "WR", "WT"),
}
_LARGEST: Final = 52
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LOWER: Final = 26  # Up to this size, a point needs no upper-case letters.
_PASS: Final = 19  # Up to this size, `tt` is a pass.
_RESULT: Final = re.compile(r"([BW])\+(.*)", re.IGNORECASE)
_WORDS: Final = {
    "draw": "Draw",
    "jigo": "0",
    **dict.fromkeys(("void", "no result"), "Void"),
    "r": "R",
    "resign": "Resign",
    "t": "T",
    "time": "Time",
    "f": "F",
    "forfeit": "Forfeit",
}


def clean_trees(file: SgfFile) -> tuple[bytes, list[str]]:
    """Return a clean SGF file, and notices about what was corrected or changed.

    All trees and variations are kept. Raises InvalidText, which names the line, for a mistake that
    cannot be corrected.
    """
    notices = list(file.notices)
    for number, root in enumerate(file.roots, 1):
        for what in _clean(root):
            notices.append(what if len(file.roots) == 1 else f"game {number}: {what}")
    return write_trees(file.roots), notices


def _clean(root: SgfNode) -> Iterator[str]:
    values = root.values
    game = values.get("GM", [_GO])[0].strip() or _GO
    standard = {"FF": ["4"], "GM": [game], "CA": ["UTF-8"]}
    if game == _GO:
        size = values.get("SZ", [""])[0].strip()
        standard["SZ"] = [size or "19"]
        if not size:
            yield "SZ is missing: 19 is assumed"
        yield from _clean_points(root, *_size(size or "19", root.line))
    yield from _clean_values(root)
    rest = {key: texts for key, texts in values.items() if key not in standard}
    if "RE" in rest:
        rest["RE"] = [_result(rest["RE"][0].strip())]
        if rest["RE"] != values["RE"]:
            yield f"RE[{values['RE'][0]}] is written RE[{rest['RE'][0]}]"
    root.values = standard | rest


def _clean_values(root: SgfNode) -> Iterator[str]:
    """Reduce each property that SGF allows one value to a single value."""
    todo = [root]
    while todo:
        node = todo.pop()
        todo.extend(node.children)
        for key, values in node.values.items():
            if len(values) == 1 or key not in _SINGLE:
                continue
            values = list(dict.fromkeys(values))
            node.values[key] = values
            if len(values) == 1:
                continue
            if key in _MOVES:
                raise InvalidText(f"line {node.line}: two moves of {key} in one node")
            if key in ("C", "GC"):
                node.values[key] = ["\n".join(values)]
                continue
            node.values[key] = values[:1]
            yield f"line {node.line}: of several {key}, the first is kept: {key}[{values[0]}]"


def _size(text: str, line: int) -> tuple[int, int]:
    words = text.split(":")
    sizes = [int(word) for word in words if word.isascii() and word.isdecimal()]
    if len(sizes) != len(words) or len(words) > 2 or not all(0 < n <= _LARGEST for n in sizes):
        raise InvalidText(f"line {line}: SZ[{text}]: expected a size up to {_LARGEST}, or two")
    return sizes[0], sizes[-1]


def _clean_points(root: SgfNode, width: int, height: int) -> Iterator[str]:
    lowered = passes = 0
    todo = [root]
    while todo:
        node = todo.pop()
        todo.extend(node.children)
        for key in (*_MOVES, *_STONES):
            for place, value in enumerate(node.values.get(key, ())):
                text = "".join(value.split())
                if max(width, height) <= _LOWER and text != text.lower():
                    text = text.lower()
                    lowered += 1
                if key in _MOVES and text == "tt" and max(width, height) <= _PASS:
                    text = ""
                    passes += 1
                if not _is_place(text, key, width, height):
                    raise InvalidText(
                        f"line {node.line}: {key}[{value}] is no point of {width}x{height}"
                    )
                node.values[key][place] = text
    if lowered:
        yield f"{lowered} points are written in lower case"
    if passes:
        yield f"{passes} passes, written tt, are written as empty moves"


def _is_place(text: str, key: str, width: int, height: int) -> bool:
    if key in _MOVES and not text:
        return True
    corners = text.split(":")  # Stones may be set up by rectangles.
    if len(corners) > (1 if key in _MOVES else 2):
        return False
    return all(_is_point(corner, width, height) for corner in corners)


def _is_point(text: str, width: int, height: int) -> bool:
    return len(text) == 2 and text[0] in _LETTERS[:width] and text[1] in _LETTERS[:height]


def _result(text: str) -> str:
    if match := _RESULT.fullmatch(text):
        rest = match[2].strip()
        return f"{match[1].upper()}+{_WORDS.get(rest.lower(), rest)}"
    return _WORDS.get(text.lower(), text)
