"""The options of a tournament as its user gives them, and the tournament that they describe."""

from dataclasses import dataclass, replace
from pathlib import Path

from engines import registry
from engines.core.game import InvalidText
from engines.core.timing import TimeControl
from tools.match.options import (
    DEFAULT_TIME,
    Asker,
    MatchOptions,
    named_game,
    terms_spec,
    with_options,
)
from tools.roster.sides import Side, all_told_apart, read_side, split_sides
from tools.tournament.cluster import parse_address
from tools.tournament.formats.plan import (
    DEFAULT_CERTAINTY,
    Format,
    Plan,
    check_plan,
    default_games,
    swiss_rounds,
)
from tools.tournament.tournament import TournamentSpec


@dataclass(frozen=True, slots=True)
class TournamentOptions(MatchOptions):
    """The options of `quintet tournament`; None or an empty text stands for one not given.

    `sides` are the engines of a file; those of the command line are `engines`, as in a match.
    """

    format: str | None = None
    rounds: int | None = None
    challengers: int | None = None
    extra: int | None = None
    certainty: float | None = None
    sides: tuple[Side, ...] = ()
    dask: str = ""


def tournament_spec(options: TournamentOptions, ask: Asker | None = None) -> TournamentSpec:
    """Return the tournament that options describe, still without seed and openings.

    `ask` starts an engine to learn its game. Raises InvalidText, also for options that would have
    no effect.
    """
    if options.dask:
        parse_address(options.dask)
    game, sides = _game_and_sides(options)
    format_ = Format(options.format or Format.ROUND_ROBIN)
    plan = _plan(options, format_, len(sides))
    check_plan(plan, len(sides))
    if len(options.times) > 1:
        raise InvalidText(
            f"--time: expected one, not {len(options.times)}; an engine may have its own: time=TC"
        )
    usual = TimeControl.parse((options.times or (DEFAULT_TIME,))[0])
    controls = tuple(side.time or usual for side in sides)
    sides = [with_options(options, side) for side in sides]
    terms = terms_spec(replace(options, game=game), all_told_apart(sides), controls, ask)
    return TournamentSpec(replace(terms, games=plan.games), plan, options.jobs)


def _game_and_sides(options: TournamentOptions) -> tuple[str | None, list[Side]]:
    """Return the game, which may be the first word of the command line, and the engines."""
    words, game = options.engines, options.game
    if words[:1] and words[0] in registry.GAMES and len(words) > 1:
        game, words = named_game(game, words[0]), words[1:]
    sides = [read_side(*side, options.protocol) for side in split_sides(words)]
    return game, [*options.sides, *sides]


def _plan(options: TournamentOptions, format_: Format, engines: int) -> Plan:
    _refuse(options, format_)
    plan = Plan(format_, options.games or default_games(format_, engines))
    if format_ is Format.SWISS:
        rounds = swiss_rounds(engines) if options.rounds is None else options.rounds
        return replace(plan, rounds=rounds)
    return replace(
        plan,
        challengers=plan.challengers if options.challengers is None else options.challengers,
        extra=plan.extra if options.extra is None else options.extra,
        certainty=DEFAULT_CERTAINTY if options.certainty is None else options.certainty,
    )


def _refuse(options: TournamentOptions, format_: Format) -> None:
    """Raise InvalidText for a number that the format does not have."""
    belongs = {
        "rounds": Format.SWISS,
        "challengers": Format.GAUNTLET,
        "extra": Format.KNOCKOUT,
        "certainty": Format.ADAPTIVE,
    }
    for name, owner in belongs.items():
        if getattr(options, name) is not None and format_ is not owner:
            raise InvalidText(f"--{name} is for the format {owner}; this is {format_}")


def folder_of(path: Path) -> Path:
    """Return the folder of the tournament that a file describes: beside it, with its name."""
    return path.with_suffix("")
