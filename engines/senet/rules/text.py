"""Senet as text: variants, set-ups, moves, throws and diagrams."""

import re
from typing import Final

from engines.core.game import (
    FIRST,
    SECOND,
    Game,
    IllegalMove,
    InvalidText,
    Move,
    Outcome,
    no_such_variant,
)
from engines.senet.rules.position import SenetPosition
from engines.senet.rules.track import END, HOUSE_SQUARE, STANDING, TRAP_SQUARE, movable, steps_of

START: Final = "2121212121.................... 1 -"
VARIANTS: Final = ("pass", "free-first", "over")
MEN: Final = 5

_EXPECTED: Final = "30 squares of 1, 2 and ., the side to move (1 or 2), its throw or -, [first]"
_MOVE: Final = re.compile(r"(\d{1,2})-(\d{1,2}|off)")
_THROW: Final = re.compile(r"\d+")


class SenetRules:
    """The rules of Senet under a set of variants."""

    def __init__(self, passing: bool = False, free_first: bool = False, over: bool = False) -> None:
        self.passing = passing
        self.free_first = free_first
        self.over = over

    @property
    def name(self) -> str:
        """The game's name in the registry."""
        return "senet"

    @property
    def variant(self) -> str:
        """The chosen variants joined by commas; empty for the default rules."""
        chosen = zip(VARIANTS, (self.passing, self.free_first, self.over), strict=True)
        return ",".join(name for name, on in chosen if on)

    @property
    def sides(self) -> tuple[str, str]:
        """The names of the sides; the first one moves first."""
        return ("black", "white")

    def start(self, setup: str = "") -> SenetPosition:
        """Set up the start, or the position that a text describes; raises InvalidText."""
        if not setup:
            setup = START if self.free_first else f"{START} first"
        words = setup.split()
        if len(words) not in (3, 4) or (len(words) == 4 and words[3] != "first"):
            raise InvalidText(f"set-up {setup!r}: expected {_EXPECTED}")
        board, side_text, throw_text = words[:3]
        first, second = _men(board)
        if side_text not in ("1", "2"):
            raise InvalidText(f"set-up: the side to move must be 1 or 2, not {side_text!r}")
        if throw_text not in ("-", "1", "2", "3", "4", "5"):
            raise InvalidText(f"set-up: the throw must be 1 to 5 or -, not {throw_text!r}")
        side = FIRST if side_text == "1" else SECOND
        forced = len(words) == 4
        if forced and self.free_first:
            raise InvalidText("set-up: no first man is forced under free-first")
        if forced and side != FIRST:
            raise InvalidText("set-up: only side 1 has a forced first man")
        throw = 0 if throw_text == "-" else int(throw_text)
        if not (first and second) and (throw or forced):
            raise InvalidText("set-up: the game is over, so no throw or forced man can be due")
        position = SenetPosition(
            first, second, side, throw, int(forced), int(self.passing), int(self.over)
        )
        if throw and not position.legal_moves():
            raise InvalidText(f"set-up: a throw of {throw} allows no move, so the next one is due")
        return position

    def setup(self, position: SenetPosition) -> str:
        """Describe a position so that `start` sets it up again."""
        board = ["."] * END
        for side, mark in ((FIRST, "1"), (SECOND, "2")):
            for square in position.men(side):
                board[square - 1] = mark
        words = ["".join(board), str(1 + position.thrower), str(position.throw or "-")]
        return " ".join([*words, "first"] if position.forced else words)

    def parse(self, position: SenetPosition, text: str) -> Move:
        """Read a throw if one is due, otherwise a move; raises InvalidText or IllegalMove."""
        if position.outcome() is not None:
            raise IllegalMove("the game is over")
        if _THROW.fullmatch(text):
            return self._throw(position, text)
        match = _MOVE.fullmatch(text)
        if match is None:
            raise InvalidText(
                f"no such move: {text!r} (expected 10-16, 24-off or the like, or a throw)"
            )
        source = int(match[1])
        target = END if match[2] == "off" else int(match[2])
        if not 1 <= source < END or not source < target <= END or match[2] == str(END):
            raise InvalidText(
                f"no such move: {text!r} (squares are 1 to 29, men leave as in 24-off)"
            )
        if position.throw == 0:
            raise IllegalMove("roll first")
        if (reason := self._objection(position, source, target)) is not None:
            raise IllegalMove(f"illegal move {text}: {reason}")
        return source

    def _throw(self, position: SenetPosition, text: str) -> Move:
        if text not in ("1", "2", "3", "4", "5"):
            raise InvalidText(f"no such throw: {text} (expected 1 to 5)")
        if position.throw:
            side = self.sides[position.thrower]
            raise IllegalMove(
                f"illegal throw {text}: {side} has thrown {position.throw}, must move"
            )
        return int(text)

    def _objection(self, position: SenetPosition, source: int, target: int) -> str | None:
        own, enemy = _masks(position)
        side = self.sides[position.thrower]
        man = 1 << (source - 1)
        steps = steps_of(position.throw)
        if not own & man:
            return f"{side} has no man on {source}"
        thrown = f"a throw of {position.throw} moves {steps}"
        if source + steps != target and not (self.over and source + steps > target == END):
            if source + steps > END and target == END:
                return f"men leave by the exact throw, from {source} by {END - source}; {thrown}"
            return f"{thrown}, not {target - source}"
        if not movable(own, enemy, steps, int(self.over)) & man:
            owner = side if own >> (target - 1) & 1 else self.sides[1 - position.thrower]
            if owner == side:
                return f"{target} is occupied by {side}"
            return f"the man of {owner} on {target} is protected"
        if source not in position.legal_moves():
            return f"the first throw is played with the front man, on {max(position.men(FIRST))}"
        return None

    def format(self, position: SenetPosition, move: Move) -> str:
        """Write a throw or a legal move so that `parse` reads it again."""
        if position.throw == 0:
            return str(move)
        target = move + steps_of(position.throw)
        return f"{move}-off" if target >= END else f"{move}-{target}"

    def diagram(self, position: SenetPosition) -> str:
        """Draw the board: X is black, O is white, T is the trap, and dots are free squares."""
        board = ["."] * END
        board[TRAP_SQUARE - 1] = "T"
        for side, mark in ((FIRST, "X"), (SECOND, "O")):
            for square in position.men(side):
                board[square - 1] = mark
        rows = (range(1, 11), range(20, 10, -1), range(21, 31))
        lines = []
        for row in rows:
            cells = "  ".join(board[square - 1] for square in row)
            lines.append(f"{row[0]:2}  {cells}  {row[-1]}")
        mover = self.sides[position.thrower]
        if position.outcome() is not None:
            winner = self.sides[0 if not position.first else 1]
            lines.append(f"{winner} has won")
        elif position.throw:
            lines.append(f"{mover} (X) has" if position.thrower == FIRST else f"{mover} (O) has")
            steps = steps_of(position.throw)
            lines[-1] += f" thrown {position.throw}: {steps} square{'s' * (steps != 1)}"
        else:
            lines.append(f"{mover} ({'XO'[position.thrower]}) throws")
        return "\n".join(lines)

    def ending(self, game: Game[SenetPosition]) -> Outcome | None:
        """Return None: no ending of Senet depends on the history."""
        return None


def _masks(position: SenetPosition) -> tuple[int, int]:
    """Return the masks of the side to move and of its enemy."""
    if position.thrower == FIRST:
        return position.first, position.second
    return position.second, position.first


def _men(board: str) -> tuple[int, int]:
    if len(board) != END or set(board) - set("12."):
        raise InvalidText(f"set-up: the board must be {END} squares of 1, 2 and ., not {board!r}")
    masks = []
    for mark in "12":
        mask = sum(1 << index for index, cell in enumerate(board) if cell == mark)
        if mask & ~STANDING:
            raise InvalidText(f"set-up: no man can stand on {TRAP_SQUARE} or {END}")
        if board.count(mark) > MEN:
            raise InvalidText(f"set-up: side {mark} has more than {MEN} men")
        masks.append(mask)
    if masks == [0, 0]:
        raise InvalidText("set-up: both sides cannot have all men off")
    return masks[0], masks[1]


def make_rules(variant: str = "", size: int = 0) -> SenetRules:
    """Return the rules under variants joined by commas; raises InvalidText."""
    if size not in (0, END):
        raise InvalidText(f"senet has no sizes: the board has {END} squares")
    names = [name.strip() for name in variant.split(",")] if variant.strip() else []
    for name in names:
        if name not in VARIANTS:
            raise no_such_variant(name, VARIANTS)
    return SenetRules("pass" in names, "free-first" in names, "over" in names)


def perft(rules: SenetRules, setup: str, depth: int, style: str = "") -> int:
    """Count the sequences of `depth` throws and moves from a set-up; raises InvalidText."""
    if style:
        raise InvalidText(f"senet counts in one way only, not {style!r}")
    return rules.start(setup).perft(depth)


def explanation() -> str:
    """Return a short explanation of the rules."""
    return _EXPLANATION


_EXPLANATION: Final = f"""\
Senet is a race of two sides with five men each along {END} squares, in three rows of ten
(1-10 to the right, 11-20 to the left, 21-30 to the right). Black starts on 2, 4, 6, 8 and 10,
and begins. White starts on 1, 3, 5, 7 and 9. The first side to take all its men off wins.
- The die has five faces. A throw of 1 to 4 moves a man that many squares, and a 5 moves it six.
  After a 1, 4 or 5 the same player throws again. After a 2 or 3 the turn ends.
- The first throw of the game moves Black's front man, on 10.
- A man is protected if a man of its side is on the next or the previous square. A man that
  lands on an unprotected enemy exchanges places with it. A man cannot land on an own man or a
  protected enemy. Men may pass over each other.
- {TRAP_SQUARE} is the trap: a man that lands there goes back to {HOUSE_SQUARE}, or to the
  next free square after it.
- A throw to exactly {END} takes a man off. A man cannot use a longer throw.
- If a throw allows no move, the same player throws again.
Moves: 10-16 moves from square 10 to 16, 24-off takes the man on 24 off, and 26-27 moves into
the trap.
Variants: pass (a 2 or 3 without a move ends the turn), free-first (the first throw may move any
man), over (a throw beyond {END} also takes a man off).
"""
