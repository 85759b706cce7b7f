"""Go in SGF: points, the properties of the root, evaluations for Sabaki's graph, results."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engines import registry
from engines.core.game import FIRST, InvalidText, Rules
from engines.go.rules.text import GoRules
from protocols.ask.score import Score

_LETTERS: Final = "abcdefghijklmnopqrstuvwxy"


def go_rules(rules: Rules[Any]) -> GoRules:
    """Return the rules of a game that is known to be Go, with their own type."""
    if not isinstance(rules, GoRules):
        raise TypeError(f"expected the rules of Go, not of {rules.name}")
    return rules


def format_point(text: str, rules: GoRules) -> str:
    """Turn a move such as `D4` into a point of SGF; a pass is an empty text there."""
    move = rules.parse_move(text)
    if move == rules.width * rules.height:
        return ""
    y, x = divmod(move, rules.width)
    return _LETTERS[x] + _LETTERS[y]


def parse_point(text: str, rules: GoRules) -> str:
    """Turn a point of SGF into a move such as `D4`.

    Any other text is returned as it is; the rules refuse it.
    """
    if text == "" or (text == "tt" and max(rules.width, rules.height) <= 19):
        return "pass"
    if (
        len(text) != 2
        or text[0] not in _LETTERS[: rules.width]
        or text[1] not in _LETTERS[: rules.height]
    ):
        return text
    return rules.format_vertex(_LETTERS.index(text[1]) * rules.width + _LETTERS.index(text[0]))


def opening_moves(nodes: Sequence[Mapping[str, Sequence[str]]], rules: GoRules) -> list[str]:
    """Return the moves of a record; raises InvalidText for a record that is not an opening."""
    root = nodes[0]
    size = str(rules.width) if rules.width == rules.height else f"{rules.width}:{rules.height}"
    if root.get("GM", ["1"])[0].strip() not in ("1", ""):
        raise InvalidText(f"not a game of Go: GM[{root['GM'][0]}]")
    if (board_size := root.get("SZ", ["19"])[0].strip()) != size:
        raise InvalidText(f"its board is SZ[{board_size}]; this match is on {size}")
    turn = rules.start(root["QP"][0]).turn if "QP" in root else 0
    moves: list[str] = []
    for node in nodes:
        if "QP" not in root and any(key in node for key in ("AB", "AW", "AE")):
            raise InvalidText("stones are set up in it; an opening is moves (see --handicap)")
        for side, key in enumerate("BW"):
            if key in node:
                if side != (turn + len(moves)) % 2:
                    raise InvalidText(f"move {len(moves) + 1} is {rules.sides[side]}'s out of turn")
                moves.append(parse_point(node[key][0], rules))
    return moves


def root_properties(variant: str, size: int, setup: str) -> dict[str, list[str]]:
    """Return the properties of the root for the board, komi, rules and stones of a set-up."""
    rules = go_rules(registry.rules(registry.GO, variant, size))
    position = rules.start(setup)
    width, height = rules.width, rules.height
    root = {
        "SZ": [str(width) if width == height else f"{width}:{height}"],
        "KM": [f"{position.komi:g}"],
        "RU": [rules.rules.title],
        "QV": [rules.rules.name],
    }
    if position.handicap:
        root["HA"] = [str(position.handicap)]
    stones = position.setup_stones()
    for key, colour in (("AB", 1), ("AW", 2)):
        if placed := [move for held, move in stones if held == colour]:
            root[key] = [format_point(rules.format_vertex(move), rules) for move in placed]
    if stones:
        root["PL"] = ["BW"[position.turn]]
    return root


def evaluation_properties(score: Score | None, side: int) -> dict[str, list[str]]:
    """Return Black's chance in percent and lead in points, for Sabaki's graph."""
    if score is None or score.chance is None:
        return {}
    chance = score.chance if side == FIRST else 1 - score.chance
    properties = {"SBKV": [f"{100 * chance:.2f}"]}
    if score.lead is not None:
        properties["SBKS"] = [f"{score.lead if side == FIRST else -score.lead:.1f}"]
    return properties


def result(reason: str) -> str:
    """Return the result in SGF of a game that was counted, or ended without a result."""
    return "Void" if reason == "no result" else reason
