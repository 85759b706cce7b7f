"""Go for a referee, beyond the rules: settings to send to engines, and handicaps."""

from collections.abc import Sequence
from typing import Any, Final

from engines import registry
from engines.core.game import Game, InvalidText, Move
from engines.go.rules.history import Position
from engines.go.rules.ruleset import RuleSet
from engines.go.rules.text import GoRules
from tools.records.go import go_rules

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
"""Names of rule sets in the command `kgs-rules`."""


def settings(game: Game[Position]) -> tuple[str, dict[str, str]]:
    """Return the rule set's name, and all that a GTP client can send about a game's start.

    Raises InvalidText for a set-up other than a handicap: GTP has no command for it.
    """
    rules = go_rules(game.rules)
    size = str(rules.width) if rules.width == rules.height else f"{rules.width}x{rules.height}"
    values = {"size": size, "komi": f"{game.position.komi:g}"}
    values |= {"rules": rules.rules.to_kata(), "kgs-rules": _KGS.get(rules.rules.name, "")}
    if stones := game.position.setup_stones():
        plain = setup_handicap(rules, [move for _, move in stones], game.position.komi)
        start = rules.start(game.initial_setup)
        if any(colour != 1 for colour, _ in stones) or plain != rules.setup(start):
            raise InvalidText("a set-up other than a handicap cannot be sent in GTP")
        values["handicap"] = " ".join(rules.format_vertex(move) for _, move in stones)
    return rules.rules.name, values


def setup_handicap(rules: GoRules, stones: Sequence[Move], komi: float) -> str:
    """Return the set-up of a game with handicap stones, in which White moves first."""
    position = rules.start()
    position.put([(1, move) for move in stones], 1)
    position.handicap = len(stones)
    position.komi = komi
    return rules.setup(position)


def free_setup(game: Game[Position], points: Sequence[str], wanted: int) -> str:
    """Return the set-up with the handicap stones that an engine placed; raises InvalidText."""
    rules = go_rules(game.rules)
    stones = [rules.parse_vertex(text) for text in points]
    if len(set(stones)) != len(stones) or not 2 <= len(stones) <= wanted:
        raise InvalidText(f"expected 2 to {wanted} different points")
    setup = setup_handicap(rules, stones, game.position.komi)
    rules.start(setup)  # Refuses a chain without a liberty.
    return setup


def gnugo_flags(rules: RuleSet) -> list[str]:
    """Return the flags that make GNU Go play by a rule set, without those that are its default."""
    flags = ["--chinese-rules"] if rules.scoring == "area" else ["--japanese-rules"]
    if rules.ko != "simple":
        flags.append(f"--{rules.ko}-superko")
    return [*flags, "--allow-suicide"] if rules.suicide else flags


def is_over(game: Game[Any]) -> bool:
    """Whether this is a game of Go that ended by two passes."""
    return game.rules.name == registry.GO and bool(game.position.passes >= 2)


def is_superko(reason: str) -> bool:
    """Whether our rules refused a move because it repeats the board."""
    return reason.endswith(_SUPERKO)
