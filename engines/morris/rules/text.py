"""Nine Men's Morris as text: variants, notation, set-ups and diagrams; and repetition."""

import re
from collections.abc import Callable
from typing import Final

from engines.core.game import (
    Game,
    IllegalMove,
    InvalidText,
    Outcome,
    no_such_variant,
)
from engines.morris.rules.board import (
    NONE,
    closers,
    count,
    double_closers,
    neighbours,
    pack,
    removable,
)
from engines.morris.rules.position import MEN, QUIET_PLIES, Position
from engines.morris.rules.symmetry import Symmetries

VARIANTS: Final = ("no-draws", "no-flying", "double-removal")
COORDINATES: Final = ("original", "standard")
REPETITION: Final = "third repetition"

# The columns and rows of the points in reading order, as set-ups and diagrams list them.
_NAMES: Final = re.findall("..", "a1d1g1b2d2f2c3d3e3a4b4c4e4f4g4c5d5e5b6d6f6a7d7g7")
_ROWS: Final = (3, 3, 3, 6, 3, 3, 3)
_READING: Final = (0, 1, 2, 8, 9, 10, 16, 17, 18, 7, 15, 23, 19, 11, 3, 22, 21, 20, 14, 13, 12)
_POINTS: Final = (*_READING, 6, 5, 4)
_LETTERS: Final = ".WB"

_SQUARE: Final = r"[a-g][1-7]"
_MOVE: Final = re.compile(
    rf"({_SQUARE})(?:-({_SQUARE}))?(?:x({_SQUARE}))?(?:x({_SQUARE}))?", re.IGNORECASE
)
LINES: Final = (
    "#-----------#-----------#",
    "|           |           |",
    "|   #-------#-------#   |",
    "|   |       |       |   |",
    "|   |   #---#---#   |   |",
    "|   |   |       |   |   |",
    "#---#---#       #---#---#",
    "|   |   |       |   |   |",
    "|   |   #---#---#   |   |",
    "|   |       |       |   |",
    "|   #-------#-------#   |",
    "|           |           |",
    "#-----------#-----------#",
)
"""The lines of the drawn board; `#` stands for a point."""


class MorrisRules:
    """The rules of Nine Men's Morris under the variants that `variant` joins by commas.

    `original` coordinates have row 1 at the top, `standard` coordinates row 7. Set-ups contain no
    coordinates.
    """

    name = "morris"
    sides = ("white", "black")

    def __init__(self, variant: str = "") -> None:
        chosen = [word.strip() for word in variant.split(",") if word.strip()]
        for word in chosen:
            if word not in VARIANTS:
                raise no_such_variant(word, VARIANTS)
        self._chosen = tuple(word for word in VARIANTS if word in chosen)
        self.coordinates = COORDINATES[0]

    @property
    def variant(self) -> str:
        """The chosen variants joined by commas; empty for the default rules."""
        return ",".join(self._chosen)

    @property
    def flying(self) -> bool:
        """Whether a side with three men may move them to any free point."""
        return "no-flying" not in self._chosen

    @property
    def doubles(self) -> bool:
        """Whether a move that closes two mills removes two men."""
        return "double-removal" in self._chosen

    def use_coordinates(self, name: str) -> None:
        """Choose coordinates with row 1 (`original`) or row 7 (`standard`) at the top."""
        if name not in COORDINATES:
            known = ", ".join(COORDINATES)
            raise InvalidText(f"no such coordinates: {name!r} (known: {known})")
        self.coordinates = name

    def start(self, setup: str = "") -> Position:
        """Set up the start, or the position that a text describes; raises InvalidText."""
        if not setup.strip():
            return self._position([0, 0], (MEN, MEN), 0, 0)
        words = setup.split()
        if len(words) != 5:
            raise InvalidText(
                "a set-up is rows, side to move, men in hand of White and of Black, quiet plies, "
                f"as .../.../.../....../.../.../... w 9 9 0; not {setup!r}"
            )
        men = _parse_rows(words[0])
        if words[1] not in ("w", "b"):
            raise InvalidText(f"the side to move is w or b, not {words[1]!r}")
        turn = "wb".index(words[1])
        hands = (_parse_number("White's hand", words[2]), _parse_number("Black's hand", words[3]))
        quiet = _parse_number("quiet plies", words[4])
        for side, name in enumerate(("White", "Black")):
            total = count(men[side]) + hands[side]
            if total > MEN:
                raise InvalidText(f"{name} has {total} men on the board and in hand, at most {MEN}")
        short = [side for side in (0, 1) if count(men[side]) + hands[side] < 3]
        if len(short) == 2:
            raise InvalidText("both sides have fewer than three men")
        if quiet and all(hands):
            raise InvalidText("quiet plies are counted when all men are placed")
        if quiet > QUIET_PLIES and "no-draws" not in self._chosen:
            raise InvalidText(f"at most {QUIET_PLIES} quiet plies, not {quiet}")
        return self._position(men, hands, turn, quiet)

    def _position(self, men: list[int], hands: tuple[int, int], turn: int, quiet: int) -> Position:
        return Position(
            white=men[0],
            black=men[1],
            hands=hands,
            turn=turn,
            quiet=quiet,
            flying=self.flying,
            doubles=self.doubles,
            draws="no-draws" not in self._chosen,
        )

    def setup(self, position: Position) -> str:
        """Describe a position so that `start` sets it up again."""
        men = position.men(0), position.men(1)
        cells = [_LETTERS[(men[0] >> point & 1) + 2 * (men[1] >> point & 1)] for point in _POINTS]
        rows = []
        for length in _ROWS:
            rows.append("".join(cells[:length]))
            del cells[:length]
        hands = f"{position.hand(0)} {position.hand(1)}"
        return f"{'/'.join(rows)} {'wb'[position.turn]} {hands} {position.quiet_plies()}"

    def point_text(self, point: int) -> str:
        """Return the name of a point in the chosen coordinates."""
        text = _NAMES[_POINTS.index(point)]
        return text if self.coordinates == COORDINATES[0] else f"{text[0]}{8 - int(text[1])}"

    def parse_point(self, text: str) -> int:
        """Read a point in the chosen coordinates; raises InvalidText."""
        name = text.lower()
        if self.coordinates != COORDINATES[0] and name[1:].isdigit():
            name = f"{name[0]}{8 - int(name[1:])}"
        if name not in _NAMES:
            raise InvalidText(f"no such point: {text}")
        return _POINTS[_NAMES.index(name)]

    def parse(self, position: Position, text: str) -> int:
        """Read a legal move; raises InvalidText or IllegalMove, each saying why."""
        match = _MOVE.fullmatch(text.strip())
        if match is None:
            raise InvalidText(f"invalid move {text!r}: expected d6, d6-d5 or d6-d5xc3")
        points = [NONE if part is None else self.parse_point(part) for part in match.groups()]
        try:
            return self._check(position, points)
        except IllegalMove as problem:
            raise IllegalMove(f"illegal move {text.strip()}: {problem}") from None

    def _check(self, position: Position, points: list[int]) -> int:
        if (ended := position.outcome()) is not None:
            raise IllegalMove(f"the game is over: {ended.reason}")
        start, end = (NONE, points[0]) if points[1] == NONE else (points[0], points[1])
        own, enemy = position.men(position.turn), position.men(1 - position.turn)
        hand = position.hand(position.turn)
        name = self.point_text
        if start == NONE and hand == 0:
            raise IllegalMove("no men are left in hand; say from where to where")
        if start != NONE and hand > 0:
            raise IllegalMove(f"{hand} {'man is' if hand == 1 else 'men are'} still to be placed")
        if start != NONE and not own >> start & 1:
            whose = "the man there is the opponent's" if enemy >> start & 1 else "no man there"
            raise IllegalMove(f"{name(start)}: {whose}")
        if start == end:
            stuck = not position.may_fly() and not neighbours(1 << start) & ~(own | enemy)
            what = "has no free point beside it" if stuck else "must go to another point"
            raise IllegalMove(f"{name(start)}: the man there {what}")
        if (own | enemy) >> end & 1:
            raise IllegalMove(f"{name(end)} is occupied")
        if start != NONE and not position.may_fly() and not neighbours(1 << start) >> end & 1:
            raise IllegalMove(f"{name(start)} and {name(end)} are not joined by a line")
        rest = own if start == NONE else own ^ 1 << start
        return pack(start, end, *self._check_removals(rest, end, enemy, points[2:]))

    def _check_removals(self, rest: int, end: int, enemy: int, named: list[int]) -> tuple[int, int]:
        due = 0
        if enemy and closers(rest) >> end & 1:
            due = 2 if self.doubles and double_closers(rest) >> end & 1 and count(enemy) > 1 else 1
        victims = [point for point in named if point != NONE]
        if len(victims) < due:
            mills = "a mill: name the man" if due == 1 else "two mills: name the two men"
            raise IllegalMove(f"it closes {mills} to remove, as in d6-d5{'xc3xe4'[: 3 * due]}")
        if len(victims) > due:
            reason = "it closes no mill" if due == 0 else "only one man is removed"
            raise IllegalMove(f"{self.point_text(victims[due])} cannot be removed: {reason}")
        for victim in victims:
            if not enemy >> victim & 1:
                raise IllegalMove(f"no enemy man on {self.point_text(victim)}")
        if due == 2 and victims[0] == victims[1]:
            raise IllegalMove("the two men to remove are the same")
        orders = (victims, victims[::-1]) if due == 2 else (victims,)
        if due and not any(_may_remove(enemy, order) for order in orders):
            wrong = next(
                victim for victim in reversed(victims) if not removable(enemy) >> victim & 1
            )
            raise IllegalMove(f"{self.point_text(wrong)} is in a mill while others are not")
        low, high = sorted((*victims, NONE, NONE)[:2])
        return low, high

    def format(self, position: Position, move: int) -> str:
        """Write a legal move so that `parse` reads it again."""
        end, start, *victims = (move >> shift & 31 for shift in (0, 5, 10, 15))
        text = self.point_text(end)
        if start != NONE:
            text = f"{self.point_text(start)}-{text}"
        return text + "".join(f"x{self.point_text(point)}" for point in victims if point != NONE)

    def diagram(self, position: Position) -> str:
        """Draw the board, White as O and Black as X; the last line has the hands.

        Whether a side is to move depends on the history too, so that it is not said here.
        """
        men = position.men(0), position.men(1)
        marks = iter(".OX"[(men[0] >> point & 1) + 2 * (men[1] >> point & 1)] for point in _POINTS)
        lines = ["    " + "   ".join("ABCDEFG")]
        for number, row in enumerate(LINES):
            label = " "
            if number % 2 == 0:
                label = str(
                    number // 2 + 1 if self.coordinates == COORDINATES[0] else 7 - number // 2
                )
            lines.append(f"{label}   " + "".join(next(marks) if c == "#" else c for c in row))
        hands = f"in hand: white {position.hand(0)}, black {position.hand(1)}"
        lines.append(f"O white, X black; {hands}")
        return "\n".join(lines)

    def ending(self, game: Game[Position]) -> Outcome | None:
        """Return a draw by the third repetition since the last capture or placement."""
        if "no-draws" in self._chosen or len(game.occurrences()) < 3:
            return None
        return Outcome(None, REPETITION)


def _parse_rows(text: str) -> list[int]:
    rows = text.upper().split("/")
    if tuple(map(len, rows)) != _ROWS or set("".join(rows)) - set(_LETTERS):
        raise InvalidText(
            f"the rows are 3, 3, 3, 6, 3, 3 and 3 of . W B joined by slashes, not {text!r}"
        )
    men = [0, 0]
    for point, cell in zip(_POINTS, "".join(rows), strict=True):
        if cell != ".":
            men[_LETTERS.index(cell) - 1] |= 1 << point
    return men


def _parse_number(what: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 7):
        raise InvalidText(f"{what}: expected a whole number, not {text!r}")
    return int(text)


def _may_remove(enemy: int, victims: list[int]) -> bool:
    for victim in victims:
        if not removable(enemy) >> victim & 1:
            return False
        enemy ^= 1 << victim
    return True


def make_rules(variant: str = "", size: int = 0) -> MorrisRules:
    """Return the rules under variants joined by commas; raises InvalidText."""
    if size not in (0, 7):
        raise InvalidText(f"the board has 7 rows and columns, not {size}")
    return MorrisRules(variant)


def fold(rules: MorrisRules, position: Position) -> str:
    """Describe a position by a text that all its sixteen images share."""
    board = Symmetries().fold(position.men(0), position.men(1))
    hands = f"{position.hand(0)} {position.hand(1)}"
    return f"{board:x} {'wb'[position.turn]} {hands} {position.quiet_plies()}"


def perft(rules: MorrisRules, setup: str, depth: int, style: str = "") -> int:
    """Count move sequences; the style `apart` counts each removal as a separate ply."""
    position = rules.start(setup)
    styles: dict[str, Callable[[int], int]] = {"": position.perft, "apart": position.perft_apart}
    if style not in styles:
        raise InvalidText(f"no such style: {style!r} (known: apart)")
    return styles[style](depth)


def explanation() -> str:
    """Return a short explanation of the rules."""
    return _EXPLANATION


_EXPLANATION: Final = """\
Nine Men's Morris is played on the 24 points of three nested squares, which are
joined at the middles of their sides. White and Black have nine men each. White
begins. First the players take turns to place their men on free points. When all
men are placed, a man moves along a line to the next free point. A side that has
exactly three men left may move a man to any free point (it flies).
Three men of one side on one line are a mill. A player who closes a mill, while
placing or moving, removes an enemy man. Men in mills cannot be removed, unless
all enemy men are in mills. A move that closes two mills removes one man.
A side with fewer than three men, or without a legal move, loses. The game is a
draw when a position occurs for the third time, or after 100 plies of moving
without a capture.
Moves: d6 places a man, d6-d5 moves one, and d6-d5xc3 also removes the man on c3.
Variants: no-draws, no-flying, double-removal (two mills remove two men)."""
