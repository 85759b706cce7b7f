"""The analyze commands' words: what a client asks for, and the lines it gets."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from engines.core.game import InvalidText
from engines.go.player import parse_turn
from engines.go.rules import GoRules

if TYPE_CHECKING:
    from engines.go.search import Candidate, Findings

INTERVAL: Final = 0.5
_FLAGS: Final = ("ownership", "rootInfo", "pvVisits")


@dataclass(slots=True)
class Wish:
    """What an analyze command asked for."""

    turn: int
    interval: float = INTERVAL  # Seconds.
    least: int = 1
    most: int = 1000
    avoid: set[int] = field(default_factory=set)
    allow: set[int] = field(default_factory=set)
    flags: set[str] = field(default_factory=set)

    def banned(self, area: int) -> list[int]:
        """List the moves that may not be looked at."""
        if not self.allow:
            return sorted(self.avoid)
        return [move for move in range(area + 1) if move not in self.allow or move in self.avoid]


def parse_wish(words: Sequence[str], turn: int, rules: GoRules) -> Wish:
    """Read `[colour] [interval] {key value}` in any order; raises InvalidText.

    `avoid` and `allow` take a colour, vertices and a depth; they bind the colour that moves.
    Unknown keys are skipped with their values.
    """
    wish = Wish(turn)
    left = list(words)
    while left:
        word = left.pop(0)
        if word.lower() in ("b", "w", "black", "white"):
            wish.turn = parse_turn(word)
        elif _is_number(word):
            wish.interval = float(word) / 100.0
        elif word in ("avoid", "allow"):
            if len(left) < 3:
                raise InvalidText(f"{word} wants a colour, vertices and a depth")
            colour, vertices, _ = (left.pop(0) for _ in range(3))
            moves = {rules.parse_move(vertex) for vertex in vertices.split(",") if vertex}
            if parse_turn(colour) == wish.turn:
                (wish.avoid if word == "avoid" else wish.allow).update(moves)
        elif left:
            value = left.pop(0)
            if word == "interval" and _is_number(value):
                wish.interval = float(value) / 100.0
            elif word == "minmoves" and value.isdecimal():
                wish.least = int(value)
            elif word == "maxmoves" and value.isdecimal():
                wish.most = max(1, int(value))
            elif word in _FLAGS and value.lower() == "true":
                wish.flags.add(word)
    return wish


def _is_number(word: str) -> bool:
    return word.isascii() and word.replace(".", "", 1).isdecimal()


def shown(found: "Findings", wish: Wish, area: int) -> "list[Candidate]":
    """Choose which candidates are told, at least one of them no pass.

    Clients take the highest chance told for the position's: nobody gets more than the best.
    """
    told = [one for one in found.candidates if one.visits > 0 or one is found.candidates[0]]
    told = told[: max(wish.most, wish.least)]
    return sorted(told, key=lambda one: one.move == area and one is not told[0])


def format_lz(found: "Findings", wish: Wish, rules: GoRules) -> str:
    """Write one line as Leela Zero does: whole numbers, ten thousandths."""
    told = shown(found, wish, rules.width * rules.height)
    parts = []
    for order, one in enumerate(told):
        win = min(one.win, told[0].win)
        parts.append(
            f"info move {rules.format_vertex(one.move)} visits {one.visits} "
            f"winrate {round(10000 * win)} prior {round(10000 * one.prior)} "
            f"lcb {round(10000 * _bound(one, win))} order {order} pv {_line(one, rules)}"
        )
    return " ".join(parts)


def format_kata(found: "Findings", wish: Wish, rules: GoRules) -> str:
    """Write one line as KataGo does: decimals, always with a point."""
    told = shown(found, wish, rules.width * rules.height)
    parts = []
    for order, one in enumerate(told):
        win = min(one.win, told[0].win)
        text = (
            f"info move {rules.format_vertex(one.move)} visits {one.visits} "
            f"edgeVisits {one.visits} utility {one.utility:.6f} winrate {win:.6f} "
            f"scoreMean {one.lead:.6f} scoreStdev {_spread(rules):.6f} scoreLead {one.lead:.6f} "
            f"scoreSelfplay {one.lead:.6f} prior {one.prior:.6f} lcb {_bound(one, win):.6f} "
            f"utilityLcb {one.bound:.6f} weight {one.visits}.0 order {order} pv {_line(one, rules)}"
        )
        if "pvVisits" in wish.flags:
            text += " pvVisits " + " ".join(map(str, one.line_visits or (one.visits,)))
        parts.append(text)
    if "rootInfo" in wish.flags:
        parts.append(
            f"rootInfo visits {found.visits} utility {2 * found.win - 1:.6f} "
            f"winrate {found.win:.6f} scoreMean {found.lead:.6f} "
            f"scoreStdev {_spread(rules):.6f} scoreLead {found.lead:.6f}"
        )
    if "ownership" in wish.flags:
        parts.append("ownership " + " ".join(f"{value:.4f}" for value in found.ownership))
    return " ".join(parts)


def _bound(one: "Candidate", win: float) -> float:
    return min(max(win - (one.utility - one.bound) / 2.0, 0.0), win)


def _spread(rules: GoRules) -> float:
    # The network tells no deviation, and q5Go shows no score without one: a guess by size.
    return float(0.5 * (rules.width * rules.height) ** 0.5)


def _line(one: "Candidate", rules: GoRules) -> str:
    return " ".join(rules.format_vertex(move) for move in one.line)
