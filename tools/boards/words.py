"""All words that stand on boards and below them, in one place, so that other languages can follow.

The texts of `quintet play` and `quintet board` (tools/play/texts.py) take them from here.
"""

from collections.abc import Mapping
from typing import Final

ENGLISH: Final[Mapping[str, str]] = {
    "side.black": "Black",
    "side.white": "White",
    "board.captured": "captured: {black} black, {white} white",
    "board.hands": "in hand: White {white}, Black {black}",
    "board.hand": "{side} {count} in hand",
    "board.held": "{side} in hand: {pieces}",
    "board.held.none": "-",
    "board.landing": "LANDING",
    "board.trap": "TRAP",
    "board.tray": "OFF",
    "board.home": "off: Black {black}, White {white}",
    "board.off": "{count} off",
    "board.thrown": "{side} has thrown {throw}",
    "board.thrown.6": "{side} has thrown 5 and moves six squares",
    "board.throws": "{side} throws",
}
"""Each text by a key; words in braces are filled in."""


def say(key: str, texts: Mapping[str, str] = ENGLISH, **values: object) -> str:
    """Return a text with its values."""
    return texts[key].format(**values)
