"""Read a board that is drawn as our engines draw it, and return the set-up text of its game."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engines.core.game import InvalidText

_LABELS: Final = re.compile(r"[A-Z](?:\s*[A-Z])*|[a-z](?:\s+[a-z])*|\d(?:\s+\d)*")
_MOVER: Final = re.compile(
    r".*\b(black|white)\b[^,;:]*\b(?:to move|throws|has thrown)\b.*|(black|white)(?: roll)?"
)
_MORRIS_ROWS: Final = (3, 3, 3, 6, 3, 3, 3)


def setup_from(game: str, lines: Sequence[str], turn: str = "") -> str:
    """Return the set-up text of a drawn position; raises InvalidText saying what was expected.

    Coordinates at the edges are ignored. Of the text below the board, only the side to move, the
    pieces in hand and the throw are read. `turn` overrides the side to move.
    """
    movers = [match for line in lines if (match := _MOVER.fullmatch(line.strip().lower()))]
    side = turn or (movers[-1][1] or movers[-1][2] if movers else "")
    if side not in ("", "black", "white"):
        raise InvalidText(f"turn: expected black or white, not {turn!r}")
    if game not in _READERS:
        raise InvalidText(f"diagrams cannot be read for {game!r} (known: {', '.join(_READERS)})")
    return _READERS[game](lines, side)


def _rows(lines: Sequence[str], cells: str, edges: str = "0-9") -> list[str]:
    """Return the rows of a board: lines of cells only, without the labels at the edges."""
    rows = []
    for line in lines:
        text = re.sub(r"[()]", " ", line).strip()
        if _LABELS.fullmatch(text) and not set(text) <= set(cells + " "):
            continue
        row = re.sub(rf"^[{edges}]+\s+|\s+[{edges}]+$", "", text).replace(" ", "")
        if row and set(row) <= set(cells):
            rows.append(row)
    return rows


def _go(lines: Sequence[str], side: str) -> str:
    rows = [row.replace("+", ".") for row in _rows(lines, ".+XO")]
    if len({len(row) for row in rows}) != 1:
        raise InvalidText("diagram: expected rows of . X O, all of one length")
    text = "/".join(re.sub(r"\.+", lambda gap: str(len(gap[0])), row) for row in rows)
    return f"{text} {(side or 'black')[0]}"


def go_size(lines: Sequence[str]) -> str:
    """Return the size of a drawn Go board, `9` or `9x13`."""
    rows = _rows(lines, ".+XO")
    width, height = len(rows[0]) if rows else 0, len(rows)
    return str(width) if width == height else f"{width}x{height}"


def _neutron(lines: Sequence[str], side: str) -> str:
    rows = _rows(lines, ".WBN")
    if [len(row) for row in rows] != [5] * 5:
        raise InvalidText("diagram: expected five rows of five of . W B N, row 5 first")
    return f"{'/'.join(rows)} {(side or 'white')[0]}"


def _morris(lines: Sequence[str], side: str) -> str:
    cells = ""
    for line in lines:
        text = re.sub(r"^\s*\d", "", line)
        if re.fullmatch(r"[-|.OX\s]*[.OX][-|.OX\s]*", text):
            cells += re.sub(r"[^.OX]", "", text)
    if len(cells) != sum(_MORRIS_ROWS):
        raise InvalidText(f"diagram: expected 24 points of . O X, not {len(cells)}")
    cells = cells.replace("O", "W").replace("X", "B")
    rows = []
    for length in _MORRIS_ROWS:
        rows.append(cells[:length])
        cells = cells[length:]
    hands = re.search(r"in hand: white (\d+), black (\d+)", " ".join(lines))
    held = f"{hands[1]} {hands[2]}" if hands else "0 0"
    return f"{'/'.join(rows)} {(side or 'white')[0]} {held} 0"


def _shogi(lines: Sequence[str], side: str) -> str:
    rows = []
    hands = dict.fromkeys(("black", "white"), "")
    for line in lines:
        if held := re.fullmatch(r"\s*(black|white) in hand: (.*)", line):
            hands[held[1]] = held[2].strip()
            continue
        men = re.findall(r"\+?[A-Za-z]|\.", line)
        if len(men) == 10 and men[0] in "abcdefghi":
            men = men[1:]
        if len(men) == 9:
            rows.append(men)
    if len(rows) != 9:
        raise InvalidText(
            "diagram: expected nine rows of nine pieces, as SFEN writes them, or dots"
        )
    board = "/".join(
        re.sub(r"\.+", lambda gap: str(len(gap[0])), "".join(row).replace(" ", "")) for row in rows
    )
    held_text = _held(hands["black"]).upper() + _held(hands["white"]).lower()
    return f"{board} {(side or 'black')[0]} {held_text or '-'} 1"


def _held(text: str) -> str:
    """Turn `R1 P12` into SFEN's `R12P`."""
    if text in ("", "-"):
        return ""
    pieces = ""
    for word in text.split():
        match = re.fullmatch(r"([A-Za-z])(\d*)", word)
        if match is None:
            raise InvalidText(f"diagram: expected pieces in hand such as P2 R1, not {word!r}")
        pieces += (match[2] if match[2] not in ("", "1") else "") + match[1]
    return pieces


def _senet(lines: Sequence[str], side: str) -> str:
    rows = [row.replace("T", ".") for row in _rows(lines, ".XOT")]
    if [len(row) for row in rows] != [10] * 3:
        raise InvalidText("diagram: expected three rows of ten of . X O T, the first 1 to 10")
    board = (rows[0] + rows[1][::-1] + rows[2]).replace("X", "1").replace("O", "2")
    thrown = re.search(r"has thrown (\d)", " ".join(lines))
    return f"{board} {'2' if side == 'white' else '1'} {thrown[1] if thrown else '-'}"


_READERS: Final[Mapping[str, Callable[[Sequence[str], str], str]]] = {
    "go": _go,
    "morris": _morris,
    "neutron": _neutron,
    "senet": _senet,
    "shogi": _shogi,
}
