"""What the referee must know of Go beside its rules: settings to tell, points in SGF, superko."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from engines import registry
from engines.core.game import FIRST, Game, InvalidText, Rules

NAME: Final = "go"
_LETTERS: Final = "abcdefghijklmnopqrstuvwxy"
_EVALUATION: Final = re.compile(r"score est ([01](?:\.\d+)?)(?: lead ([+-]?\d+(?:\.\d+)?))?\b")
_SUPERKO: Final = ": superko"
_KGS: Final = {
    "chinese": "chinese",
    "chinese-ogs": "chinese",
    "chinese-kgs": "chinese",
    "japanese": "japanese",
    "korean": "japanese",
    "aga": "aga",
    "new-zealand": "new_zealand",
}


def settings(game: Game[Any]) -> tuple[str, dict[str, str]]:
    """Return the rule set's name, and all that GTP's client can tell of a game's start.

    Raises InvalidText for a set-up that is no handicap: GTP has no words for it.
    """
    rules: Any = game.rules
    size = str(rules.width) if rules.width == rules.height else f"{rules.width}x{rules.height}"
    told = {"size": size, "komi": f"{game.position.komi:g}"}
    told |= {"rules": rules.rules.to_kata(), "kgs-rules": _KGS.get(rules.rules.name, "")}
    if stones := game.position.setup_stones():
        plain = setup_handicap(rules, [move for _, move in stones], game.position.komi)
        if any(colour != 1 for colour, _ in stones) or plain != rules.setup(_first(game)):
            raise InvalidText("a set-up other than a handicap cannot be told in GTP")
        told["handicap"] = " ".join(rules.format_vertex(move) for _, move in stones)
    return rules.rules.name, told


def _first(game: Game[Any]) -> Any:
    return game.rules.start(game.initial_setup)


def setup_handicap(rules: Any, stones: Sequence[int], komi: float) -> str:
    """Return the set-up of a game with handicap stones, in which White moves first."""
    position = rules.start()
    position.put([(1, move) for move in stones], 1)
    position.handicap = len(stones)
    position.komi = komi
    text: str = rules.setup(position)
    return text


def free_setup(game: Game[Any], points: Sequence[str], wanted: int) -> str:
    """Return the set-up with the handicap stones that an engine placed; raises InvalidText."""
    rules: Any = game.rules
    stones = [rules.parse_vertex(text) for text in points]
    if len(set(stones)) != len(stones) or not 2 <= len(stones) <= wanted:
        raise InvalidText(f"expected 2 to {wanted} different points")
    setup = setup_handicap(rules, stones, game.position.komi)
    rules.start(setup)  # It refuses a chain without a liberty.
    return setup


def rules_flags(rules: Any) -> list[str]:
    """Return the flags by which GNU Go is told a rule set; what it does anyway is left out."""
    flags = ["--chinese-rules"] if rules.scoring == "area" else ["--japanese-rules"]
    if rules.ko != "simple":
        flags.append(f"--{rules.ko}-superko")
    return [*flags, "--allow-suicide"] if rules.suicide else flags


def is_over(game: Game[Any]) -> bool:
    """Whether a game of Go ended by two passes; no other game does."""
    return game.rules.name == NAME and bool(game.position.passes >= 2)


def is_superko(reason: str) -> bool:
    """Whether a refusal of our rules was for repeating the board."""
    return reason.endswith(_SUPERKO)


def format_point(text: str, rules: Rules[Any]) -> str:
    """Turn a move of ours into SGF's: a pass is empty there."""
    go: Any = rules
    move = go.parse_move(text)
    if move == go.width * go.height:
        return ""
    y, x = divmod(move, go.width)
    return _LETTERS[x] + _LETTERS[y]


def parse_point(text: str, rules: Rules[Any]) -> str:
    """Turn SGF's move into ours; what is no point stays as it is, for the rules to refuse."""
    go: Any = rules
    if text == "" or (text == "tt" and max(go.width, go.height) <= 19):
        return "pass"
    if (
        len(text) != 2
        or text[0] not in _LETTERS[: go.width]
        or text[1] not in _LETTERS[: go.height]
    ):
        return text
    vertex: str = go.format_vertex(_LETTERS.index(text[1]) * go.width + _LETTERS.index(text[0]))
    return vertex


def opening_moves(nodes: Sequence[Mapping[str, Sequence[str]]], rules: Rules[Any]) -> list[str]:
    """Return the moves of a record as ours; raises InvalidText for one that is no mere opening."""
    root, go = nodes[0], cast(Any, rules)
    size = str(go.width) if go.width == go.height else f"{go.width}:{go.height}"
    if root.get("GM", ["1"])[0].strip() not in ("1", ""):
        raise InvalidText(f"not a game of Go: GM[{root['GM'][0]}]")
    if (told := root.get("SZ", ["19"])[0].strip()) != size:
        raise InvalidText(f"its board is SZ[{told}]; this match is on {size}")
    turn: int = go.start(root["QP"][0]).turn if "QP" in root else 0
    moves: list[str] = []
    for node in nodes:
        if "QP" not in root and any(key in node for key in ("AB", "AW", "AE")):
            raise InvalidText("stones are set up in it; an opening is moves (see --handicap)")
        for side, key in enumerate("BW"):
            if key in node:
                if side != (turn + len(moves)) % 2:
                    raise InvalidText(f"move {len(moves) + 1} is {go.sides[side]}'s out of turn")
                moves.append(parse_point(node[key][0], rules))
    return moves


def root_properties(variant: str, size: int, setup: str) -> dict[str, list[str]]:
    """Return what the root of a record in SGF says of board, komi, rules and stones set up."""
    rules = registry.rules(NAME, variant, size)
    go: Any = rules
    position = go.start(setup)
    width, height = go.width, go.height
    root = {
        "SZ": [str(width) if width == height else f"{width}:{height}"],
        "KM": [f"{position.komi:g}"],
        "RU": [go.rules.title],
        "QV": [go.rules.name],
    }
    if position.handicap:
        root["HA"] = [str(position.handicap)]
    stones = position.setup_stones()
    for key, colour in (("AB", 1), ("AW", 2)):
        if placed := [move for held, move in stones if held == colour]:
            root[key] = [format_point(go.format_vertex(move), rules) for move in placed]
    if stones:
        root["PL"] = ["BW"[position.turn]]
    return root


def evaluation_properties(evaluation: str, side: int) -> dict[str, list[str]]:
    """Return Black's chance in percent and lead in points, as Sabaki's graph wants them."""
    match = _EVALUATION.match(evaluation)
    if match is None:
        return {}
    share = float(match[1])
    told = {"SBKV": [f"{100 * (share if side == FIRST else 1 - share):.2f}"]}
    if match[2]:
        lead = float(match[2]) if side == FIRST else -float(match[2])
        told["SBKS"] = [f"{lead:.1f}"]
    return told


def result(reason: str) -> str:
    """Return SGF's result of a game that was counted, or ended in none."""
    return "Void" if reason == "no result" else reason
