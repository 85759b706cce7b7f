"""What the referee must know of Go beside its rules: settings to tell, points in SGF, superko."""

from typing import Any, Final

from engines import registry
from engines.core.game import Game, Rules

NAME: Final = "go"
_LETTERS: Final = "abcdefghijklmnopqrstuvwxy"
_SUPERKO: Final = ": superko"


def settings(game: Game[Any]) -> tuple[str, dict[str, str]]:
    """Return the rule set's name, and size and komi as GTP's client wants them."""
    rules: Any = game.rules
    size = str(rules.width) if rules.width == rules.height else f"{rules.width}x{rules.height}"
    return rules.rules.name, {"size": size, "komi": f"{game.position.komi:g}"}


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


def root_properties(variant: str, size: int) -> dict[str, list[str]]:
    """Return what the root of a record in SGF says of board, komi and rules."""
    rules = registry.rules(NAME, variant, size)
    name, told = settings(Game(rules))
    go: Any = rules
    return {
        "SZ": [told["size"].replace("x", ":")],
        "KM": [told["komi"]],
        "RU": [go.rules.title],
        "QV": [name],
    }


def result(reason: str) -> str:
    """Return SGF's result of a game that was counted, or ended in none."""
    return "Void" if reason == "no result" else reason
