"""The choices for a new game, and the terms and players that follow from them."""

import re
import secrets
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engines import registry
from engines.core import places
from engines.core.game import InvalidText
from engines.core.timing import TimeControl
from engines.go.rules.ruleset import RULE_SETS
from engines.go.rules.text import handicap_moves, parse_komi, star_points
from engines.shogi.rules.sfen import handicap_names
from protocols.ask.detect import GtpClient, UsiClient
from tools.play.filing import suffixes
from tools.play.levels import Level, level_names, levels_of, option_of
from tools.play.players import Player, PlayTerms, parse_player
from tools.play.texts import ENGLISH, say
from tools.records.go import go_rules
from tools.roster.engines import load_engines
from tools.roster.settings import KEYS
from tools.terms.go import setup_handicap

HANDICAP_KOMI: Final = 0.5
SIZES: Final = (19, 13, 9, 7)
MOST_STONES: Final = 20
"""The most stones that are hidden for nigiri."""

_VARIANTS: Final = {
    "go": tuple(RULE_SETS),
    "shogi": ("24-point", "try", "no-declaration"),
    "morris": ("no-draws", "no-flying", "double-removal"),
    "neutron": ("kraus",),
    "senet": ("pass", "free-first", "over"),
}
_COMBINED: Final = ("morris", "senet")  # Games whose variants can be combined.
_LEVEL: Final = re.compile(r"level(?:\s+|=)(\S+)", re.IGNORECASE)
_SETTING: Final = re.compile(rf"(?:name|time|{'|'.join(KEYS)})(?:\.[^=]+)?=")
_SPOKEN: Final = {GtpClient.protocol: "go", UsiClient.protocol: "shogi"}


def variant_names(game: str) -> tuple[str, ...]:
    """Return the names of the variants of a game; in Go, of the rule sets."""
    return _VARIANTS[game]


@dataclass(frozen=True, slots=True)
class Offer:
    """The choices for one game.

    `variants` are pairs of a name and its explanation. `combined` says whether several may be
    chosen. `handicaps` are by the size of the board as text, or by an empty text if it has one.
    """

    game: str
    title: str
    sides: tuple[str, str]
    sizes: tuple[int, ...]
    variants: tuple[tuple[str, str], ...]
    combined: bool
    handicaps: Mapping[str, tuple[str, ...]]
    levels: tuple[Level, ...]
    default_level: str
    has_nigiri: bool
    formats: tuple[str, ...]


def offers() -> tuple[Offer, ...]:
    """Return what can be chosen, for every game."""
    return tuple(offer_of(name) for name in registry.GAMES)


def offer_of(game: str) -> Offer:
    """Return what can be chosen for a game; raises InvalidText."""
    entry = registry.find(game)
    is_go = game == registry.GO
    handicaps: dict[str, tuple[str, ...]] = {}
    if is_go:
        for size in SIZES:
            most = len(star_points(size, size))
            handicaps[str(size)] = tuple(str(count) for count in range(2, most + 1))
    elif game == registry.SHOGI:
        handicaps[""] = handicap_names()
    names = level_names(game)
    return Offer(
        game,
        entry.title,
        registry.rules(game).sides,
        SIZES if is_go else (),
        tuple((name, ENGLISH[f"variant.{game}.{name}"]) for name in _VARIANTS[game]),
        game in _COMBINED,
        handicaps,
        levels_of(game),
        names[len(names) // 2],
        is_go,
        suffixes(game),
    )


def named_engines(game: str) -> list[str]:
    """List the engines of engines.toml that may play a game; raises InvalidText for mistakes."""
    described = load_engines(places.settings() / "engines.toml")
    return [
        name
        for name, spec in described.items()
        if (spec.game or _SPOKEN.get(spec.protocol or "", game)) == game
    ]


def make_terms(
    game: str,
    *,
    variant: str = "",
    size: int = 0,
    handicap: str = "",
    komi: str = "",
    time: str = "",
    thinking: str = "",
) -> PlayTerms:
    """Return the terms of a game; raises InvalidText.

    `time` is the clock of both sides; `thinking` limits an engine if there is none. The komi may
    have a decimal comma.
    """
    komi = komi.replace(",", ".")
    rules = registry.rules(game, variant, size)
    if game != registry.GO and komi:
        raise InvalidText(say("only.go"))
    control = TimeControl.parse(time) if time else TimeControl()
    given: dict[str, Any] = {}
    if thinking:
        given["thinking"] = TimeControl.parse(thinking)
    if game == registry.SHOGI and handicap and " " not in handicap:
        _refuse_unknown(handicap)
    setup = _go_setup(rules, handicap, komi) if game == registry.GO else handicap
    terms = PlayTerms(game, rules.variant, size, setup, (control, control), **given)
    rules.start(setup)  # Raises InvalidText for a handicap that does not exist.
    return terms


def _refuse_unknown(handicap: str) -> None:
    """Refuse a word that names no handicap; a position, which has spaces, is not looked at."""
    if handicap not in (names := handicap_names()):
        raise InvalidText(say("no.handicap.name", handicap=handicap, known=", ".join(names)))


def _go_setup(rules: Any, handicap: str, komi: str) -> str:
    known = go_rules(rules)
    if not handicap:
        points = parse_komi(komi) if komi else known.rules.komi
        return "" if points == known.rules.komi else f"komi={points:g}"
    if not (handicap.isascii() and handicap.isdecimal() and len(handicap) < 3):
        raise InvalidText(say("no.handicap", handicap=handicap))
    stones = handicap_moves(known.width, known.height, int(handicap))
    return setup_handicap(known, stones, parse_komi(komi) if komi else HANDICAP_KOMI)


def own_engine(game: str, level: str) -> Player:
    """Return our engine at a level; raises InvalidText."""
    entry = registry.find(game)
    words = (f"quintet-{game} --option {option_of(game, level)}", f"name={entry.title} {level}")
    return parse_player(words)


def player_of(game: str, words: Sequence[str]) -> Player:
    """Read a player: a level of our engine, or what `parse_player` reads; raises InvalidText.

    A level is `3`, `level 3` or `level=3`. Options of an engine's program need not be quoted.
    """
    text = " ".join(words)
    if text in level_names(game):
        return own_engine(game, text)
    if match := _LEVEL.fullmatch(text):
        return own_engine(game, match[1])
    return parse_player(_with_program(words))


def _with_program(words: Sequence[str]) -> Sequence[str]:
    """Join the words of a program with options, so that the settings follow as they should."""
    if len(words) < 2 or not words[1].startswith("-"):
        return words
    settings = next((at for at, word in enumerate(words) if _SETTING.match(word)), len(words))
    return (shlex.join(words[:settings]), *words[settings:])


def named_engine(game: str, name: str) -> Player:
    """Return an engine of engines.toml; raises InvalidText for any other text."""
    if name not in named_engines(game):
        raise InvalidText(say("no.named.engine", name=name))
    return parse_player((name,))


@dataclass(frozen=True, slots=True)
class Lot:
    """How the sides were drawn: whether the guesser moves first, and for nigiri the stones."""

    first: bool
    stones: int = 0


def draw_lot() -> Lot:
    """Throw in: draw who moves first."""
    return Lot(bool(secrets.randbelow(2)))


def nigiri(guess: str) -> Lot:
    """Hide some white stones; who guesses odd or even rightly plays Black. Raises InvalidText."""
    if guess not in ("odd", "even"):
        raise InvalidText(say("no.guess", guess=guess))
    stones = 1 + secrets.randbelow(MOST_STONES)
    return Lot((stones % 2 == 1) == (guess == "odd"), stones)
