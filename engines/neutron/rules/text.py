"""Neutron as text: variants, notation, set-ups and diagrams; and repetition."""

import re
from typing import Final, NoReturn

from engines.core.game import (
    Game,
    IllegalMove,
    InvalidText,
    Outcome,
    no_such_variant,
)
from engines.neutron.rules.board import BOARD, DIRECTIONS, NOWHERE, ray, slide
from engines.neutron.rules.position import Position

VARIANTS: Final = ("kraus",)
START: Final = "BBBBB/...../..N../...../WWWWW w man"

_MOVE: Final = re.compile(r"([a-z]\d+)-([a-z]\d+)(?:/([a-z]\d+)-([a-z]\d+))?")
_EXPECTED: Final = "c3-c1/b1-b4, b1-b4 where only a man moves, or c3-c1 where the neutron ends it"
_SIDES: Final = ("white", "black")

_EXPLANATION: Final = """\
Neutron is played by two players with five men each, and the neutron, on a board of 5x5.
White's men start on row 1, White's home row. Black's men start on row 5, Black's home row.
The neutron starts on c3. White begins.
In a turn you slide the neutron first, and then one of your men. In the first turn of the game,
only a man is moved.
Every piece slides in one of eight directions as far as it can, and at least one square.
There are no captures.
You win when the neutron stops on your home row, whichever player moved it there, or when all
your five men are on the enemy's home row.
If the neutron cannot move, or if none of your men can move after it, both players win.
The game is a draw when a position occurs for the third time with the same side to move.
Variant kraus (1978): if the neutron is blocked, or no man can move, the side to move loses.
Men on the enemy's home row do not win.
A turn is written c3-c1/b1-b4: the neutron moves from c3 to c1, then the man from b1 to b4."""


def format_square(square: int) -> str:
    """Return a square as column and row."""
    return f"{'abcde'[square % 5]}{square // 5 + 1}"


def parse_square(text: str) -> int:
    """Read a square; raises InvalidText."""
    column, row = text[:1], text[1:]
    if len(text) != 2 or column not in "abcde" or row not in "12345":
        raise InvalidText(f"no such square: {text} (expected a1 to e5)")
    return 5 * (int(row) - 1) + "abcde".index(column)


class NeutronRules:
    """The rules of Neutron: the default rules, or the variant `kraus`."""

    name = "neutron"
    sides = _SIDES

    def __init__(self, variant: str = "") -> None:
        if variant not in ("", *VARIANTS):
            raise no_such_variant(variant, VARIANTS)
        self.variant = variant

    def start(self, setup: str = "") -> Position:
        """Set up the start, or the position that a text describes; raises InvalidText.

        The text has the rows 5 to 1, the side to move, and `man` if only a man is to be moved.
        """
        words = (setup or START).split()
        if len(words) not in (2, 3) or words[1] not in ("w", "b") or words[2:] not in ([], ["man"]):
            raise InvalidText(
                f"set-up {setup!r}: expected rows 5 to 1, w or b, perhaps man: {START}"
            )
        rows = words[0].split("/")
        if len(rows) != 5 or any(len(row) != 5 for row in rows):
            raise InvalidText(f"set-up {setup!r}: expected five rows of five squares")
        cells = "".join(reversed(rows))
        if stray := set(cells) - set("WBN."):
            raise InvalidText(f"set-up {setup!r}: expected W, B, N and '.', not {min(stray)!r}")
        for letter, count, piece in (
            ("W", 5, "white men"),
            ("B", 5, "black men"),
            ("N", 1, "neutron"),
        ):
            if cells.count(letter) != count:
                raise InvalidText(
                    f"set-up {setup!r}: expected {count} {piece}, not {cells.count(letter)}"
                )
        return Position(
            _bits(cells, "W"),
            _bits(cells, "B"),
            cells.index("N"),
            "wb".index(words[1]),
            len(words) == 3,
            self.variant == "kraus",
        )

    def setup(self, position: Position) -> str:
        """Describe a position so that `start` sets it up again."""
        cells = _cells(position)
        rows = [cells[start : start + 5] for start in (20, 15, 10, 5, 0)]
        return f"{'/'.join(rows)} {'wb'[position.turn]}{' man' if position.only_man else ''}"

    def parse(self, position: Position, text: str) -> int:
        """Read a legal move; raises InvalidText or IllegalMove, each saying why."""
        match = _MOVE.fullmatch(text.strip().lower())
        if match is None:
            raise InvalidText(f"no move: {text!r} (expected {_EXPECTED})")
        squares = [parse_square(word) for word in match.groups() if word is not None]
        halves = list(zip(squares[::2], squares[1::2], strict=True))
        men = position.white | position.black
        if (ended := position.outcome()) is not None:
            _refuse(text, f"the game is over: {ended.reason}")
        if position.only_man:
            if len(halves) == 2:
                _refuse(text, "only a man moves on this turn")
            return _absent() | self._man_half(position, text, halves[0], position.neutron) << 10
        start, to = halves[0]
        if start != position.neutron:
            _refuse(text, f"the neutron moves first: it is on {format_square(position.neutron)}")
        _check_slide(text, start, to, men)
        half = start | to << 5
        own = position.black if position.turn else position.white
        home = not 5 <= to <= 19
        if home or not BOARD.can_move(own, men | 1 << to):
            if len(halves) == 2:
                _refuse(text, "the neutron ends the game" if home else "no man can move after it")
            return half | NOWHERE << 10 | NOWHERE << 15
        if len(halves) == 1:
            _refuse(text, "a man must move too")
        return half | self._man_half(position, text, halves[1], to) << 10

    def _man_half(
        self, position: Position, text: str, squares: tuple[int, int], neutron: int
    ) -> int:
        start, to = squares
        own, enemy = position.white, position.black
        if position.turn:
            own, enemy = enemy, own
        if start == neutron:
            _refuse(text, f"the neutron is on {format_square(start)}, a man must move")
        if enemy >> start & 1:
            _refuse(text, f"the man on {format_square(start)} is {_SIDES[1 - position.turn]}'s")
        if not own >> start & 1:
            _refuse(text, f"no man stands on {format_square(start)}")
        _check_slide(text, start, to, own | enemy | 1 << neutron)
        return start | to << 5

    def format(self, position: Position, move: int) -> str:
        """Write a legal move so that `parse` reads it again."""
        squares = [move >> shift & 31 for shift in (0, 5, 10, 15)]
        halves = [
            f"{format_square(start)}-{format_square(to)}"
            for start, to in (squares[:2], squares[2:])
            if to != NOWHERE
        ]
        return "/".join(halves)

    def diagram(self, position: Position) -> str:
        """Draw the position for a terminal, with row 5 at the top."""
        cells = _cells(position)
        columns = "   a b c d e"
        rows = [
            f"{row + 1:2} {' '.join(cells[5 * row : 5 * row + 5])} {row + 1}" for row in range(5)
        ]
        return "\n".join([columns, *reversed(rows), columns])

    def ending(self, game: Game[Position]) -> Outcome | None:
        """Return a draw if the position occurs for the third time with the same side to move."""
        return Outcome(None, "repetition") if len(game.occurrences()) >= 3 else None


def make_rules(variant: str = "", size: int = 0) -> NeutronRules:
    """Return the rules of a variant; raises InvalidText, also for a size other than 5."""
    if size not in (0, 5):
        raise InvalidText(f"no such size: {size} (expected 5)")
    return NeutronRules(variant)


def explanation() -> str:
    """Return a short explanation of the rules."""
    return _EXPLANATION


def fold(rules: NeutronRules, position: Position) -> str:
    """Describe a position by a text that its mirror image, left to right, shares."""
    board, rest = rules.setup(position).split(" ", 1)
    mirrored = "/".join(row[::-1] for row in board.split("/"))
    return f"{min(board, mirrored)} {rest}"


def perft(rules: NeutronRules, setup: str, depth: int, style: str = "") -> int:
    """Count sequences of half-moves; the style `turns` counts whole turns."""
    if style not in ("", "turns"):
        raise InvalidText(f"no such style: {style!r} (known: turns)")
    position = rules.start(setup)
    return position.perft_turns(depth) if style else position.perft(depth)


def _bits(cells: str, letter: str) -> int:
    return sum(1 << square for square, cell in enumerate(cells) if cell == letter)


def _cells(position: Position) -> str:
    cells = ["."] * 25
    cells[position.neutron] = "N"
    for letter, men in (("W", position.white), ("B", position.black)):
        for square in range(25):
            if men >> square & 1:
                cells[square] = letter
    return "".join(cells)


def _absent() -> int:
    return NOWHERE | NOWHERE << 5


def _refuse(text: str, reason: str) -> NoReturn:
    raise IllegalMove(f"illegal move {text.strip()}: {reason}")


def _check_slide(text: str, start: int, to: int, occupied: int) -> None:
    """Raise IllegalMove unless a piece on `start` slides in a direction and stops on `to`."""
    half = f"{format_square(start)}-{format_square(to)}"
    if start == to:
        _refuse(text, f"{half} is no step at all")
    if occupied >> to & 1:
        _refuse(text, f"{format_square(to)} is occupied")
    for direction in DIRECTIONS:
        if to not in ray(start, direction):
            continue
        stop = slide(start, direction, occupied & ~(1 << start))
        if stop == to:
            return
        passed = ray(start, direction)[: ray(start, direction).index(to)]
        for square in passed:
            if occupied >> square & 1:
                _refuse(text, f"{format_square(square)} is in the way")
        _refuse(text, f"a piece slides to the end, here to {format_square(stop)}")
    _refuse(text, f"{half} is no straight line")
