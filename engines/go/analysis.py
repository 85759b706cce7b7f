"""The analyze commands' words: what a client asks for, and the lines it gets."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from engines.core.game import InvalidText
from engines.go.player import parse_turn
from engines.go.rules import GoRules

if TYPE_CHECKING:
    from engines.go.history import Position
    from engines.go.search import Candidate, Findings

INTERVAL: Final = 0.5
_FLAGS: Final = (
    *("ownership", "ownershipStdev", "movesOwnership"),
    *("rootInfo", "pvVisits", "pvEdgeVisits"),
)
# CGOS writes ownership as one sign a point, from -1 to 1.
_SIGNS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+"


@dataclass(slots=True)
class Wish:
    """What an analyze command asked for."""

    turn: int
    interval: float = INTERVAL  # Seconds.
    least: int = 1
    most: int = 1000
    avoid: dict[tuple[int, int], int] = field(default_factory=dict)  # Depth by side and move.
    allow: dict[tuple[int, int], int] = field(default_factory=dict)
    flags: set[str] = field(default_factory=set)

    def limits(self, area: int) -> list[tuple[int, int, int]]:
        """List sides, their moves, and how many moves deep each of these may not be made."""
        found = dict(self.avoid)
        for side in {side for side, _ in self.allow}:
            depth = max(deep for (one, _), deep in self.allow.items() if one == side)
            for move in range(area + 1):
                if (side, move) not in self.allow:
                    found[side, move] = max(depth, found.get((side, move), 0))
        return [(side, move, depth) for (side, move), depth in sorted(found.items()) if depth]

    def banned(self, area: int) -> list[int]:
        """List the moves that may not be made at the root."""
        return [move for side, move, _ in self.limits(area) if side == self.turn]

    def deeper(self, area: int) -> list[tuple[int, int, int]]:
        """List what is forbidden below the root, as `limits` does."""
        return [limit for limit in self.limits(area) if limit[2] > 1]


def parse_wish(words: Sequence[str], turn: int, rules: GoRules) -> Wish:
    """Read `[colour] [interval] {key value}` in any order; raises InvalidText.

    `avoid` and `allow` take a colour, vertices and a depth: 1 binds the first move only. Unknown
    keys are skipped with their values.
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
            colour, vertices, depth = (left.pop(0) for _ in range(3))
            if not (depth.isascii() and depth.isdecimal()):
                raise InvalidText(f"{word} wants a depth, not {depth!r}")
            side = parse_turn(colour)
            limit = wish.avoid if word == "avoid" else wish.allow
            for vertex in filter(None, vertices.split(",")):
                key = side, rules.parse_move(vertex)
                limit[key] = max(int(depth[:6]), limit.get(key, 0))
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
    """Write one line as KataGo does: decimals, always with a point.

    `scoreStdev` is how far the leads found in the search lie apart; the network predicts none.
    """
    told = shown(found, wish, rules.width * rules.height)
    parts = []
    for order, one in enumerate(told):
        win = min(one.win, told[0].win)
        text = (
            f"info move {rules.format_vertex(one.move)} visits {one.visits} "
            f"edgeVisits {one.visits} utility {one.utility:.6f} winrate {win:.6f} "
            f"scoreMean {one.lead:.6f} scoreStdev {one.spread:.6f} scoreLead {one.lead:.6f} "
            f"scoreSelfplay {one.lead:.6f} prior {one.prior:.6f} lcb {_bound(one, win):.6f} "
            f"utilityLcb {one.bound:.6f} weight {one.visits}.0 order {order} pv {_line(one, rules)}"
        )
        for flag in ("pvVisits", "pvEdgeVisits"):
            if flag in wish.flags:
                text += f" {flag} " + " ".join(map(str, one.line_visits or (one.visits,)))
        if "movesOwnership" in wish.flags and one.ownership:
            text += f" movesOwnership {_numbers(one.ownership)}"
        parts.append(text)
    if "rootInfo" in wish.flags:
        parts.append(
            f"rootInfo visits {found.visits} utility {2 * found.win - 1:.6f} "
            f"winrate {found.win:.6f} scoreMean {found.lead:.6f} "
            f"scoreStdev {found.spread:.6f} scoreLead {found.lead:.6f} "
            f"scoreSelfplay {found.lead:.6f} weight {found.visits}.0"
        )
    if "ownership" in wish.flags:
        parts.append(f"ownership {_numbers(found.ownership)}")
    if "ownershipStdev" in wish.flags:
        parts.append(f"ownershipStdev {_numbers(found.ownership_spread)}")
    return " ".join(parts)


def format_cgos(found: "Findings", wish: Wish, rules: GoRules) -> str:
    """Write one line of JSON as CGOS wants it; a line of play begins behind its move."""
    told = shown(found, wish, rules.width * rules.height)
    moves = [
        {
            "move": rules.format_vertex(one.move),
            "winrate": round(min(one.win, told[0].win), 4),
            "score": round(one.lead, 2),
            "prior": round(one.prior, 4),
            "visits": one.visits,
            "pv": " ".join(rules.format_vertex(move) for move in one.line[1:]),
        }
        for one in told
    ]
    told_all = {
        "winrate": round(found.win, 4),
        "score": round(found.lead, 2),
        "visits": found.visits,
        "moves": moves,
        "ownership": "".join(_sign(value) for value in found.ownership),
    }
    return json.dumps(told_all, separators=(",", ":"))


FORMATS: Final = {"lz": format_lz, "kata": format_kata, "cgos": format_cgos}
"""How each dialect writes what a search knows."""


def format_raw(found: "Findings", position: "Position") -> str:
    """Write what the network says of one position as KataGo does, White's view throughout."""
    board = position.board
    sign = 1.0 if position.turn == 1 else -1.0
    win = found.win if position.turn == 1 else 1.0 - found.win
    chances = dict(found.policy)
    policy = [f"{chances[move]:.6f}" if move in chances else "NAN" for move in range(board.area)]
    owned = [f"{sign * value:.7f}" for value in found.ownership]
    lines = [
        "symmetry 0",
        f"whiteWin {win:.6f}",
        f"whiteLoss {1.0 - win:.6f}",
        "noResult 0.000000",
        f"whiteLead {sign * found.lead:.3f}",
        "policy",
        *_rows(policy, board.width),
        f"policyPass {chances.get(board.area, 0.0):.6f}",
        "whiteOwnership",
        *_rows(owned, board.width),
    ]
    return "\n".join(lines)


def _rows(texts: Sequence[str], width: int) -> list[str]:
    return [" ".join(texts[start : start + width]) for start in range(0, len(texts), width)]


def _numbers(values: Sequence[float]) -> str:
    return " ".join(f"{value:.4f}" for value in values)


def _sign(value: float) -> str:
    return _SIGNS[round(min(max((value + 1.0) / 2.0, 0.0), 1.0) * (len(_SIGNS) - 1))]


def _bound(one: "Candidate", win: float) -> float:
    return min(max(win - (one.utility - one.bound) / 2.0, 0.0), win)


def _line(one: "Candidate", rules: GoRules) -> str:
    return " ".join(rules.format_vertex(move) for move in one.line)
