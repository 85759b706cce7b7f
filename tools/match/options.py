"""The options of a match as its user gives them, and the match that they describe."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from engines import registry
from engines.core.game import InvalidText
from engines.core.timing import TimeControl
from protocols.ask.engine import EngineSpec
from tools.match.go_options import go_terms, refuse_go_options
from tools.records.filing import SHOGI_FORMATS
from tools.roster.sides import Side, read_side, split_sides, told_apart
from tools.statistics.sprt import format_sprt, parse_sprt
from tools.terms.adjudication import Adjudication, check_tables, parse_adjudication
from tools.terms.openings import BUILTIN, Opening, builtin_openings, load_openings
from tools.terms.spec import LAG, MOVE_TIMEOUT, SET_ASIDE, MatchSpec, check_openings

DEFAULT_TIME: Final = "60+1"
_DEFAULT_GAMES: Final = 2  # Without a sequential test.


@dataclass(frozen=True, slots=True)
class MatchOptions:
    """The options of `quintet match`; None or an empty text stands for an option not given.

    The texts are those of the command line: `engines` are one or two names or command lines, each
    followed by its settings, `times` one or two time controls.
    """

    engines: tuple[str, ...]
    game: str | None = None
    size: int | None = None
    variant: str = ""
    protocol: str | None = None
    games: int | None = None
    times: tuple[str, ...] = ()
    openings: Path | None = None
    order: str | None = None
    plies: int | None = None
    movetime: bool = False
    ponder: str | None = None  # first, second or both.
    seed: int | None = None
    komi: str | None = None
    handicap: str | None = None
    scoring: str | None = None
    arbiter: str | None = None
    score_timeout: float | None = None
    sprt: str = ""
    resign: str = ""
    draw: str = ""
    mate: str = ""
    exact: str = ""
    tables: bool = False
    max_plies: int = 0
    lag: float = LAG
    move_timeout: float = MOVE_TIMEOUT
    patience: float | None = None
    set_aside: int = SET_ASIDE
    jobs: int = 1
    pin: bool = True
    out: Path | None = None
    accept_changes: bool = False
    force: bool = False
    shogi_format: str | None = None
    transcript: bool = False


Asker = Callable[[EngineSpec], str]
"""Starts an engine and returns the name of its game, or an empty text."""


def match_spec(options: MatchOptions, ask: Asker | None = None) -> MatchSpec:
    """Return the match that options describe, still without seed and openings.

    If neither the options nor our knowledge of the engines name the game, `ask` returns the game of
    an engine. Raises InvalidText, also for options that would have no effect.
    """
    if len(options.times) > 2:
        raise InvalidText(f"--time: expected one or two, not {len(options.times)}")
    times = options.times or (DEFAULT_TIME,)
    options = _with_game_apart(options)
    one, other = _sides(options)
    controls = (
        one.time or TimeControl.parse(times[0]),
        other.time or TimeControl.parse(times[-1]),
    )
    test = parse_sprt(options.sprt) if options.sprt else None
    spec = terms_spec(options, told_apart(one, other), controls, ask)
    return replace(
        spec,
        games=options.games or (_DEFAULT_GAMES if test is None else test.most_games()),
        until_decided=test is not None and options.games is None,
        sprt="" if test is None else format_sprt(test),
    )


def terms_spec(
    options: MatchOptions,
    engines: tuple[EngineSpec, ...],
    controls: tuple[TimeControl, ...],
    ask: Asker | None,
) -> MatchSpec:
    """Return the terms on which any number of engines play; raises InvalidText."""
    if options.openings is None:
        for name, value in (("order", options.order), ("plies", options.plies)):
            if value is not None:
                raise InvalidText(f"--{name} is about openings; expected --openings with it")
    game = _game(options.game, engines, ask)
    spec = MatchSpec(
        game=game,
        variant=options.variant,
        size=options.size or 0,
        engines=engines,
        games=0,
        controls=controls,
        adjudication=_adjudication(options),
        lag=options.lag,
        move_timeout=options.move_timeout,
        set_aside=options.set_aside,
        shogi_format=options.shogi_format or SHOGI_FORMATS[0],
    )
    if options.shogi_format is not None and game != registry.SHOGI:
        raise InvalidText(f"--records is for shogi; {game} is recorded in SGF")
    if options.tables:
        check_tables(game)
    spec.rules()  # Raises InvalidText for a variant or size that the game does not have.
    if game != registry.GO:
        refuse_go_options(
            game,
            scoring=options.scoring,
            arbiter=options.arbiter,
            score_timeout=options.score_timeout,
            komi=options.komi,
            handicap=options.handicap,
        )
        return spec
    return go_terms(
        spec,
        komi=options.komi,
        handicap=options.handicap,
        scoring=options.scoring,
        arbiter=options.arbiter,
        score_timeout=options.score_timeout,
        has_openings=options.openings is not None,
    )


def with_openings(spec: MatchSpec, options: MatchOptions, seed: int) -> tuple[MatchSpec, list[str]]:
    """Return the match with its seed and its openings, and notices about openings left out.

    Raises InvalidText for openings that cannot be played.
    """
    openings: tuple[Opening, ...] = ()
    notices: list[str] = []
    if options.openings is not None:
        path = options.openings
        if str(path) == BUILTIN:
            path = builtin_openings(spec.rules())
        openings, notices = load_openings(
            path,
            spec.rules(),
            plies=options.plies or 0,
            order=options.order or "sequential",
            seed=seed,
        )
    spec = replace(spec, seed=seed, openings=openings)
    check_openings(spec)
    return spec, notices


def _with_game_apart(options: MatchOptions) -> MatchOptions:
    """Take the name of a game before two engines for the option `game`.

    Before one engine it is our own engine of the game.
    """
    words = options.engines
    if len(split_sides(words)) != 3 or words[0] not in registry.GAMES:
        return options
    return replace(options, game=named_game(options.game, words[0]), engines=words[1:])


def named_game(option: str | None, word: str) -> str:
    """Return the game of the first word of a command line; raises InvalidText for another one."""
    if option not in (None, word):
        raise InvalidText(f"--game {option} and {word} contradict each other")
    return word


def _sides(options: MatchOptions) -> tuple[Side, Side]:
    words = options.engines
    sides = split_sides(words)
    if not 1 <= len(sides) <= 2:
        hint = ""
        if len(sides) == 3 and words[0].isalpha():  # The first is probably meant as a game.
            known = ", ".join(registry.GAMES)
            hint = f"; no such game: {words[0]!r} (known: {known})"
        raise InvalidText(f"expected one or two engines, not {len(sides)}{hint}")
    first, second = (
        with_options(options, read_side(*side, options.protocol), place)
        for side, place in ((sides[0], "first"), (sides[-1], "second"))
    )
    return first, second


def with_options(options: MatchOptions, side: Side, place: str = "") -> Side:
    """Return a side with the options that concern every engine, or the one in its place."""
    engine = side.engine
    own_patience = any(word.startswith("patience=") for word in side.words)
    patience = engine.patience if own_patience else options.patience
    engine = replace(
        engine,
        ponder=engine.ponder or options.ponder in (place, "both"),
        movetime=engine.movetime or options.movetime,
        patience=engine.patience if patience is None else patience,
    )
    return replace(side, engine=engine)


def _adjudication(options: MatchOptions) -> Adjudication:
    parsed = parse_adjudication(
        options.resign, options.draw, options.max_plies, options.mate, options.exact
    )
    return replace(parsed, tables=options.tables)


def _game(game: str | None, engines: Sequence[EngineSpec], ask: Asker | None) -> str:
    named = {name for name in (game, *(engine.game for engine in engines)) if name is not None}
    if not named and ask is not None:
        named = {name for engine in dict.fromkeys(engines) if (name := ask(engine))}
    if not named:
        neither = "neither engine says" if len(engines) == 2 else "none of the engines says"
        raise InvalidText(f"which game? {neither}; give --game")
    if len(named) > 1:
        raise InvalidText(f"the engines play different games: {', '.join(sorted(named))}")
    return named.pop()
