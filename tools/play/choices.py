"""What a user can choose before a game: variants, sizes, handicaps, levels; and who begins."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from engines import registry
from engines.core.game import InvalidText
from engines.core.timing import TimeControl
from engines.go.rules.text import handicap_moves, parse_komi
from engines.shogi.rules.sfen import handicap_names
from tools.match.go_options import HANDICAP_KOMI
from tools.play.players import Player, PlayTerms
from tools.records.go import go_rules
from tools.terms import go

GAMES: Final = ("go", "shogi", "morris", "neutron", "senet")
"""The games in the order in which faces offer them."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A value with the words that explain it."""

    value: str
    words: str


VARIANTS: Final[Mapping[str, tuple[Choice, ...]]] = {
    "go": (
        Choice("chinese", "Chinese rules: area, komi 7.5"),
        Choice("japanese", "Japanese rules: territory, komi 6.5"),
        Choice("aga", "AGA rules: area, komi 7.5"),
        Choice("tromp-taylor", "Tromp-Taylor rules: area, all stones count as alive"),
    ),
    "shogi": (
        Choice("", "declaration with 27 points"),
        Choice("24-point", "declaration with 31 points, and a draw from 24"),
        Choice("try", "a king that reaches the square of the enemy's king wins"),
        Choice("no-declaration", "none of these"),
    ),
    "morris": (
        Choice("", "men fly when three are left; repetition and 100 quiet moves draw"),
        Choice("no-flying", "men never fly"),
        Choice("double-removal", "two mills by one move remove two men"),
        Choice("no-draws", "no draw by repetition or quiet moves"),
    ),
    "neutron": (
        Choice("", "a blocked neutron is a win for both"),
        Choice("kraus", "1978: whoever cannot move loses"),
    ),
    "senet": (
        Choice("", "a throw without a move is repeated"),
        Choice("pass", "a throw of 2 or 3 without a move ends the turn"),
        Choice("free-first", "the first throw may move any man"),
        Choice("over", "a man also leaves by a longer throw"),
    ),
}

SIZES: Final[Mapping[str, tuple[int, ...]]] = {"go": (19, 13, 9, 7)}

DEFAULT_SIZES: Final = {"go": 19}

_TEN: Final = tuple(str(number) for number in range(1, 11))

LEVELS: Final[Mapping[str, tuple[Choice, ...]]] = {
    "go": (
        Choice("1", "plays loosely; for the first games"),
        Choice("3", "beats level 2 in four of five games"),
        Choice("5", "about GNU Go's level 1"),
        Choice("7", "a little stronger than that: the network's first thought"),
        Choice("8", "looks a few moves ahead"),
        Choice("9", "loses to level 10 in nine of ten games"),
        Choice("10", "full strength, as far as the time reaches"),
    ),
    "shogi": (
        Choice("0", "a beginner that sees a mate in one"),
        Choice("4", "beats level 0 in two of three games"),
        Choice("8", "beats level 4 in six of seven games"),
        Choice("12", "beats level 8 in nearly all games"),
        Choice("16", "beats level 12 always"),
        Choice("20", "full strength"),
    ),
    "morris": (
        Choice("1", "a beginner: closes mills, and often overlooks yours"),
        Choice("3", "overlooks little that happens in one move"),
        Choice("5", "looks three moves ahead"),
        Choice("7", "looks five moves ahead"),
        Choice("8", "knows the end of the game"),
        Choice("10", "full strength; never loses with ten men or fewer"),
    ),
    "neutron": (
        Choice("random", "any legal move"),
        Choice("stubborn", "moves its men in turn, in a fixed direction"),
        Choice("1", "a beginner: every second turn is random"),
        Choice("3", "beats level 2 in seven of ten games"),
        Choice("5", "overlooks nothing in one turn"),
        Choice("7", "looks two turns ahead"),
        Choice("9", "looks four turns ahead"),
        Choice("10", "full strength; always wins as White"),
    ),
    "senet": (
        Choice("random", "any legal move"),
        Choice("greedy", "takes a man off, else captures, else runs"),
        Choice("1", "nearly random"),
        Choice("4", "a careless player"),
        Choice("7", "a fair player"),
        Choice("10", "full strength; beats greedy in two of three games"),
    ),
}
"""Some of the levels of our own engines, the weakest first, and what they are worth."""

_LEVEL_OPTIONS: Final = {"shogi": "SkillLevel"}
_NAMED: Final = {"neutron": ("random", "stubborn"), "senet": ("random", "greedy")}


def all_levels(game: str) -> tuple[str, ...]:
    """Return every level of our own engine of a game."""
    if game == registry.SHOGI:
        return tuple(str(number) for number in range(21))
    return (*_NAMED.get(game, ()), *_TEN)


def own_engine(game: str, level: str) -> Player:
    """Return our own engine at a level; raises InvalidText for an unknown level."""
    if level not in all_levels(game):
        known = ", ".join(all_levels(game))
        raise InvalidText(f"no such level of {game}: {level!r} (known: {known})")
    option = _LEVEL_OPTIONS.get(game, "level")
    return Player(f"quintet-{game} level {level}", (game, f"options.{option}={level}"))


def make_terms(
    game: str,
    *,
    variant: str = "",
    size: int = 0,
    komi: str = "",
    handicap: str = "",
    controls: tuple[TimeControl, TimeControl] = (TimeControl(), TimeControl()),
) -> PlayTerms:
    """Return the terms of a new game; raises InvalidText for what the game does not have.

    `handicap` is a number of stones in Go, and the name of a set-up in shogi.
    """
    terms = PlayTerms(game, variant, size or DEFAULT_SIZES.get(game, 0), "", controls)
    rules = terms.rules()
    if komi and game != registry.GO:
        raise InvalidText(f"komi is for Go; this is {game}")
    if game == registry.GO:
        return replace(terms, setup=_go_setup(terms, komi, handicap))
    if handicap and game != registry.SHOGI:
        raise InvalidText(f"a handicap is for Go and shogi; this is {game}")
    if handicap and handicap not in handicap_names():
        known = ", ".join(handicap_names())
        raise InvalidText(f"no such handicap: {handicap!r} (known: {known})")
    rules.start(handicap)
    return replace(terms, setup=handicap)


def _go_setup(terms: PlayTerms, komi_text: str, handicap: str) -> str:
    rules = go_rules(terms.rules())
    stones = handicap if handicap not in ("", "0") else ""
    komi = parse_komi(komi_text) if komi_text else HANDICAP_KOMI if stones else rules.rules.komi
    if not stones:
        return "" if komi == rules.rules.komi else f"komi={komi:g}"
    if not (stones.isascii() and stones.isdigit() and len(stones) < 3):
        raise InvalidText(f"handicap {handicap!r}: expected a number of stones")
    moves = handicap_moves(rules.width, rules.height, int(stones))
    return go.setup_handicap(rules, moves, komi)


@dataclass(frozen=True, slots=True)
class Lot:
    """How it was decided who begins: `mine` says whether the one who guessed does.

    In Go, `stones` is the number of white stones that were hidden, and `odd` the guess. In the
    other games, one man is thrown in the air, and `stones` is 0.
    """

    mine: bool
    stones: int = 0
    odd: bool = False


def nigiri(*, odd: bool) -> Lot:
    """Let one player hide up to twenty white stones, and the other guess odd or even."""
    stones = 1 + secrets.randbelow(20)
    return Lot((stones % 2 == 1) == odd, stones, odd)


def throw_in() -> Lot:
    """Throw one man of each colour in; the colour that comes up begins."""
    return Lot(bool(secrets.randbits(1)))
