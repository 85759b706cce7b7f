"""The rules as the referee uses them: set-ups, moves as text, repetition and declarations."""

import re
from typing import Final

from engines.core.game import (
    Game,
    IllegalMove,
    InvalidText,
    Outcome,
    Rules,
    no_such_variant,
)
from engines.shogi.rules import geometry
from engines.shogi.rules.geometry import KING, PAWN
from engines.shogi.rules.notation import (
    DECLARED_DRAW,
    DECLARED_WIN,
    HAND_ORDER,
    LETTERS,
    dropped,
    format_man,
    format_move,
    format_square,
    is_declaration,
    origin,
    parse_move,
    promotes,
    target,
)
from engines.shogi.rules.position import Position
from engines.shogi.rules.sfen import START, format_sfen, handicap_names, handicap_sfen, parse_sfen

VARIANTS: Final = ("24-point", "try", "no-declaration")
"""The variants; they differ in how a king that entered the far ranks may win."""

_TRY_SQUARES: Final = (36, 44)  # 5a for Black, 5i for White.
_EXPLANATION: Final = """\
The board has nine by nine squares, each side has twenty men, and Black moves first. A captured man
changes sides: in a later move, its new owner may drop it, unpromoted, on an empty square from which
it can move. Men may promote when they move into, within or out of the three ranks farthest from
their side, and must promote where they could never move again.
It is forbidden to have two unpromoted pawns on one file, to give mate by dropping a pawn, and to
leave the king in check. A side without a legal move loses.
The fourth occurrence of a position is a draw, but a side that gave check with all its moves since
the first occurrence loses.
Declaration (27 points, the default): the side to move may declare a win if it is not in check and
has its king and at least ten more men in the three farthest ranks. It wins with 28 points as Black
or 27 as White. Rooks and bishops count 5 points and other men 1, in hand or in those ranks. The
declaration is the move `win`; a false declaration loses.
Variant 24-point: 31 points win, and 24 to 30 draw. Variant try: a king that reaches 5a (Black) or
5i (White) wins. Variant no-declaration: none of these.
Handicaps are named set-ups, in which White moves first: {handicaps}.
"""


class ShogiRules:
    """The rules of shogi under one variant; `tolerate` is passed to `parse_sfen`."""

    name = "shogi"
    sides = ("black", "white")

    def __init__(self, variant: str = "", *, tolerate: str = "") -> None:
        if variant and variant not in VARIANTS:
            raise no_such_variant(variant, VARIANTS)
        self.variant = variant
        self._tolerate = tolerate

    def start(self, setup: str = "") -> Position:
        """Set up the start position, an SFEN or a named handicap; raises InvalidText."""
        setup = setup.strip() or START
        if setup in handicap_names():
            setup = handicap_sfen(setup)
        return parse_sfen(setup, tolerate=self._tolerate)

    def setup(self, position: Position) -> str:
        """Format a position as SFEN."""
        return format_sfen(position)

    def parse(self, position: Position, text: str) -> int:
        """Parse a legal move or the declaration `win`; raises InvalidText or IllegalMove."""
        if text == "win":
            return self._declare(position)
        move = parse_move(text)
        if move in position.legal_moves():
            return move
        raise IllegalMove(f"illegal move {text}: {why_illegal(position, move)}")

    def format(self, position: Position, move: int) -> str:
        """Format a legal move."""
        return format_move(move)

    def diagram(self, position: Position) -> str:
        """Draw the position for a terminal, with men as in SFEN."""
        lines = [f"white in hand: {_describe_hand(position, 1)}"]
        lines.append("  " + "".join(f"  {file}" for file in range(9, 0, -1)))
        for rank in range(9):
            men = (position.man_at(file * 9 + rank) for file in range(8, -1, -1))
            row = "".join(f"{format_man(man) if man else '.':>3}" for man in men)
            lines.append(f"{'abcdefghi'[rank]} {row}")
        lines.append(f"black in hand: {_describe_hand(position, 0)}")
        if (ended := position.outcome()) is None:
            lines.append(f"{self.sides[position.turn]} to move")
        else:
            lines.append("draw" if ended.winner is None else f"{self.sides[ended.winner]} has won")
        return "\n".join(lines)

    def ending(self, game: Game[Position]) -> Outcome | None:
        """Return the outcome by a fourth occurrence of the position or by a try, or None."""
        position = game.position
        mover = position.turn ^ 1
        if self.variant == "try" and game.moves:
            move = game.moves[-1]
            if is_try(position, move, mover):
                return Outcome(mover, "try")
        plies = game.occurrences()
        if len(plies) < 4:
            return None
        moves = (plies[-1] - plies[-4]) // 2
        for back, side in ((0, mover), (1, mover ^ 1)):
            if position.checks_in_row(back) >= moves:
                return Outcome(side ^ 1, "perpetual check")
        return Outcome(None, "repetition")

    def declaration(self, position: Position) -> int:
        """Return what a declaration would be now: DECLARED_WIN, DECLARED_DRAW, or 0 if false."""
        if self.variant in ("try", "no-declaration"):
            return 0
        points = position.declaration_points()
        if self.variant == "24-point":
            if points >= 31:
                return DECLARED_WIN
            return DECLARED_DRAW if points >= 24 else 0
        return DECLARED_WIN if points >= 28 - position.turn else 0

    def _declare(self, position: Position) -> int:
        if move := self.declaration(position):
            return move
        if self.variant in ("try", "no-declaration"):
            raise IllegalMove(f"false declaration: there is none under {self.variant}")
        points = position.declaration_points()
        if points < 0:
            reason = (
                "the side must not be in check, "
                "and its king and ten more men must be in the three farthest ranks"
            )
        else:
            needed = 24 if self.variant else 28 - position.turn
            reason = f"{points} points, and it needs {needed}"
        raise IllegalMove(f"false declaration: {reason}")


def is_try(position: Position, move: int, mover: int) -> bool:
    """Tell whether the last move brought its king to the try square."""
    square = _TRY_SQUARES[mover]
    return (
        not is_declaration(move)
        and target(move) == square
        and position.king_square(mover) == square
    )


def why_illegal(position: Position, move: int) -> str:
    """Return why a well-formed move is not legal."""
    us = position.turn
    to = target(move)
    taken = position.man_at(to)
    if position.outcome() is not None:
        return "the game is over"
    if kind := dropped(move):
        if not position.held(us, kind):
            return f"no {LETTERS[kind]} in hand"
        if taken:
            return f"{format_square(to)} is occupied"
        if geometry.dead_squares(kind, us) >> to & 1:
            return "the man could never move again"
        if kind == PAWN and any(
            position.man_at(to // 9 * 9 + rank) == PAWN | us << 4 for rank in range(9)
        ):
            return "a second pawn on the file"
        if not position.leaves_check(move):
            return "a pawn drop must not mate"
        return "the king would be in check"
    start = origin(move)
    man = position.man_at(start)
    if not man:
        return f"{format_square(start)} is empty"
    if man >> 4 != us:
        return f"the man on {format_square(start)} is the opponent's"
    if taken and taken >> 4 == us:
        return f"a man of the same side is on {format_square(to)}"
    if not position.reaches(start, to):
        return f"{format_man(man)} does not move that way"
    if taken & 15 == KING:
        return "a king is never taken"
    kind = man & 15
    zone = geometry.ranks_set(0, 2) if us == 0 else geometry.ranks_set(6, 8)
    if promotes(move) and (kind > 6 or not (zone >> start & 1 or zone >> to & 1)):
        return "the man cannot promote here"
    if not promotes(move) and geometry.dead_squares(kind, us) >> to & 1:
        return "the man must promote"
    return "the king would be in check"


def _describe_hand(position: Position, side: int) -> str:
    held = ((LETTERS[kind], position.held(side, kind)) for kind in HAND_ORDER)
    return " ".join(f"{letter}{count}" for letter, count in held if count) or "-"


def make_rules(variant: str = "", size: int = 0) -> ShogiRules:
    """Return the rules of a variant; raises InvalidText."""
    if size not in (0, 9):
        raise InvalidText(f"shogi is played on 9 by 9 squares, not {size}")
    return ShogiRules(variant)


def explanation() -> str:
    """Return a short explanation of the rules."""
    return _EXPLANATION.format(handicaps=", ".join(handicap_names()))


def fold(rules: ShogiRules, position: Position) -> str:
    """Return a text that is the same for a position and its mirror image."""
    board, turn, hands, _ = rules.setup(position).split()
    rows = [re.findall(r"\+?.", row) for row in board.split("/")]
    mirrored = "/".join("".join(reversed(row)) for row in rows)
    return f"{min(board, mirrored)} {turn} {hands}"


def perft(rules: Rules[Position], setup: str, depth: int, style: str = "") -> int:
    """Count the sequences of `depth` legal moves; there are no styles."""
    if style:
        raise InvalidText(f"shogi has no perft style {style!r}")
    return rules.start(setup).perft(depth)
