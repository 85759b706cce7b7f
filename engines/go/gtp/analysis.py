"""The analyze commands: parsing their arguments, and formatting their lines of output."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from engines.core.game import InvalidText
from engines.go.play.player import parse_turn
from engines.go.rules.text import GoRules

if TYPE_CHECKING:
    from engines.go.play.search import Candidate, Findings
    from engines.go.rules.history import Position

INTERVAL: Final = 0.5
_FLAGS: Final = (
    *("ownership", "ownershipStdev", "movesOwnership"),
    *("rootInfo", "pvVisits", "pvEdgeVisits"),
)
# CGOS writes ownership as one sign a point, from -1 to 1.
_SIGNS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+"


@dataclass(slots=True)
class AnalysisRequest:
    """The arguments of an analyze command."""

    turn: int
    interval: float = INTERVAL  # Seconds.
    least: int = 1
    most: int = 1000
    avoid: dict[tuple[int, int], int] = field(default_factory=dict)  # Depths by side and move.
    allow: dict[tuple[int, int], int] = field(default_factory=dict)
    flags: set[str] = field(default_factory=set)

    def limits(self, area: int) -> list[tuple[int, int, int]]:
        """List sides, their moves, and the depth within which each is forbidden."""
        depths = dict(self.avoid)
        for side in {side for side, _ in self.allow}:
            depth = max(deep for (one, _), deep in self.allow.items() if one == side)
            for move in range(area + 1):
                if (side, move) not in self.allow:
                    depths[side, move] = max(depth, depths.get((side, move), 0))
        return [(side, move, depth) for (side, move), depth in sorted(depths.items()) if depth]

    def banned(self, area: int) -> list[int]:
        """List the moves that are forbidden at the root."""
        return [move for side, move, _ in self.limits(area) if side == self.turn]

    def deeper(self, area: int) -> list[tuple[int, int, int]]:
        """List the moves that are also forbidden below the root, as `limits` does."""
        return [limit for limit in self.limits(area) if limit[2] > 1]


def parse_analysis(words: Sequence[str], turn: int, rules: GoRules) -> AnalysisRequest:
    """Parse `[colour] [interval] {key value}` in any order; raises InvalidText.

    `avoid` and `allow` take a colour, vertices and a depth: depth 1 concerns the first move only.
    Unknown keys are skipped with their values.
    """
    wanted = AnalysisRequest(turn)
    left = list(words)
    while left:
        word = left.pop(0)
        if word.lower() in ("b", "w", "black", "white"):
            wanted.turn = parse_turn(word)
        elif _is_number(word):
            wanted.interval = float(word) / 100.0
        elif word in ("avoid", "allow"):
            if len(left) < 3:
                raise InvalidText(f"{word} wants a colour, vertices and a depth")
            colour, vertices, depth = (left.pop(0) for _ in range(3))
            if not (depth.isascii() and depth.isdecimal()):
                raise InvalidText(f"{word} wants a depth, not {depth!r}")
            side = parse_turn(colour)
            limit = wanted.avoid if word == "avoid" else wanted.allow
            for vertex in filter(None, vertices.split(",")):
                key = side, rules.parse_move(vertex)
                limit[key] = max(int(depth[:6]), limit.get(key, 0))
        elif left:
            value = left.pop(0)
            if word == "interval" and _is_number(value):
                wanted.interval = float(value) / 100.0
            elif word == "minmoves" and value.isdecimal():
                wanted.least = int(value)
            elif word == "maxmoves" and value.isdecimal():
                wanted.most = max(1, int(value))
            elif word in _FLAGS and value.lower() == "true":
                wanted.flags.add(word)
    return wanted


def _is_number(word: str) -> bool:
    return word.isascii() and word.replace(".", "", 1).isdecimal()


def shown(findings: "Findings", wanted: AnalysisRequest, area: int) -> "list[Candidate]":
    """Return the candidates to report, with a pass after all others unless it is the best.

    Clients take the highest chance of any move for that of the position, so the formats below give
    no move a higher chance than the best one.
    """
    reported = [
        one for one in findings.candidates if one.visits > 0 or one is findings.candidates[0]
    ]
    reported = reported[: max(wanted.most, wanted.least)]
    return sorted(reported, key=lambda one: one.move == area and one is not reported[0])


def format_lz(findings: "Findings", wanted: AnalysisRequest, rules: GoRules) -> str:
    """Format one line as Leela Zero does: whole numbers, in ten thousandths."""
    reported = shown(findings, wanted, rules.width * rules.height)
    parts = []
    for order, one in enumerate(reported):
        win = min(one.win, reported[0].win)
        parts.append(
            f"info move {rules.format_vertex(one.move)} visits {one.visits} "
            f"winrate {round(10000 * win)} prior {round(10000 * one.prior)} "
            f"lcb {round(10000 * _bound(one, win))} order {order} pv {_line(one, rules)}"
        )
    return " ".join(parts)


def format_kata(findings: "Findings", wanted: AnalysisRequest, rules: GoRules) -> str:
    """Format one line as KataGo does: decimal numbers, always with a point.

    `scoreStdev` is the standard deviation of the leads in the search; the network predicts none.
    """
    reported = shown(findings, wanted, rules.width * rules.height)
    parts = []
    for order, one in enumerate(reported):
        win = min(one.win, reported[0].win)
        text = (
            f"info move {rules.format_vertex(one.move)} visits {one.visits} "
            f"edgeVisits {one.visits} utility {one.utility:.6f} winrate {win:.6f} "
            f"scoreMean {one.lead:.6f} scoreStdev {one.spread:.6f} scoreLead {one.lead:.6f} "
            f"scoreSelfplay {one.lead:.6f} prior {one.prior:.6f} lcb {_bound(one, win):.6f} "
            f"utilityLcb {one.bound:.6f} weight {one.visits}.0 order {order} pv {_line(one, rules)}"
        )
        for flag in ("pvVisits", "pvEdgeVisits"):
            if flag in wanted.flags:
                text += f" {flag} " + " ".join(map(str, one.line_visits or (one.visits,)))
        if "movesOwnership" in wanted.flags and one.ownership:
            text += f" movesOwnership {_numbers(one.ownership)}"
        parts.append(text)
    if "rootInfo" in wanted.flags:
        parts.append(
            f"rootInfo visits {findings.visits} utility {2 * findings.win - 1:.6f} "
            f"winrate {findings.win:.6f} scoreMean {findings.lead:.6f} "
            f"scoreStdev {findings.spread:.6f} scoreLead {findings.lead:.6f} "
            f"scoreSelfplay {findings.lead:.6f} weight {findings.visits}.0"
        )
    if "ownership" in wanted.flags:
        parts.append(f"ownership {_numbers(findings.ownership)}")
    if "ownershipStdev" in wanted.flags:
        parts.append(f"ownershipStdev {_numbers(findings.ownership_spread)}")
    return " ".join(parts)


def format_cgos(findings: "Findings", wanted: AnalysisRequest, rules: GoRules) -> str:
    """Format one line of JSON for CGOS; each line of play begins after its first move."""
    reported = shown(findings, wanted, rules.width * rules.height)
    moves = [
        {
            "move": rules.format_vertex(one.move),
            "winrate": round(min(one.win, reported[0].win), 4),
            "score": round(one.lead, 2),
            "prior": round(one.prior, 4),
            "visits": one.visits,
            "pv": " ".join(rules.format_vertex(move) for move in one.line[1:]),
        }
        for one in reported
    ]
    analysis = {
        "winrate": round(findings.win, 4),
        "score": round(findings.lead, 2),
        "visits": findings.visits,
        "moves": moves,
        "ownership": "".join(_sign(value) for value in findings.ownership),
    }
    return json.dumps(analysis, separators=(",", ":"))


FORMATS: Final = {"lz": format_lz, "kata": format_kata, "cgos": format_cgos}
"""The formats of the findings of a search, by the prefix of the command."""


def format_raw(findings: "Findings", position: "Position") -> str:
    """Format the network's output for a position as KataGo does, from White's point of view."""
    board = position.board
    sign = 1.0 if position.turn == 1 else -1.0
    win = findings.win if position.turn == 1 else 1.0 - findings.win
    chances = dict(findings.policy)
    policy = [f"{chances[move]:.6f}" if move in chances else "NAN" for move in range(board.area)]
    owned = [f"{sign * value:.7f}" for value in findings.ownership]
    lines = [
        "symmetry 0",
        f"whiteWin {win:.6f}",
        f"whiteLoss {1.0 - win:.6f}",
        "noResult 0.000000",
        f"whiteLead {sign * findings.lead:.3f}",
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
