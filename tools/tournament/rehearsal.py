"""The dry run of a tournament: its schedule, and how long it will take by a few moves of each."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from engines import registry
from engines.core.game import FIRST
from engines.core.timing import TimeControl
from tools.match.options import with_openings
from tools.match.preflight import ask_game, check_engines
from tools.match.referee import play_game
from tools.roster.seats import ENGINE_POOL
from tools.terms.spec import MatchSpec
from tools.tournament.cluster import ALL_WORKERS
from tools.tournament.formats.pairing import next_round
from tools.tournament.formats.plan import Format, Plan, planned_games
from tools.tournament.formats.rounds import History, Round
from tools.tournament.options import TournamentOptions, tournament_spec
from tools.tournament.report import format_plan
from tools.tournament.tournament import TournamentSpec

_TRIAL: Final = 4  # Moves of each engine in a trial, by which its pace is measured.
_PLIES: Final = {"go": 0.75, "shogi": 120, "morris": 70, "neutron": 25, "senet": 150}
"""The usual number of moves of a game; in Go, per point of the board."""


def print_schedule(
    options: TournamentOptions, print_line: Callable[[str], None], note: Callable[[str], None]
) -> None:
    """Print the schedule and the time that it will take; start the engines, but play no game.

    Raises QuintetError for whatever would keep the tournament from beginning.
    """
    try:
        spec = tournament_spec(options, partial(ask_game, pool=ENGINE_POOL, notice=note))
        terms, notices = with_openings(spec.terms, options, options.seed or 0)
        spec = replace(spec, terms=terms)
        check_engines(terms, ENGINE_POOL, note, movetime=options.movetime)
        for line in (*notices, *format_schedule(spec)):
            print_line(line)
        print_line(format_time(spec, measure_paces(terms)))
    finally:
        ENGINE_POOL.close()


def format_schedule(spec: TournamentSpec) -> Iterator[str]:
    """Yield the rounds as far as they are known before the first game."""
    terms, plan = spec.terms, spec.plan
    labels = [engine.label for engine in terms.engines]
    yield format_plan(terms.game, terms.variant, plan, len(labels))
    history = History(len(labels))
    first = next_round(plan, history)
    if first is None:
        return
    round_ = history.make_round(first)
    rounds = {
        Format.ROUND_ROBIN: f"each of {plan.games // 2} rounds: 2 games of every pairing",
        Format.GAUNTLET: f"each of {plan.games // 2} rounds: 2 games of every pairing",
        Format.SWISS: f"round 1 of {plan.rounds}: {plan.games} games of every pairing",
        Format.KNOCKOUT: f"stage 1: {plan.games} games of every pairing",
        Format.LADDER: f"each of {plan.games // 2} rounds: 2 games of every pairing",
        Format.ADAPTIVE: "round 1: 2 games of every pairing; later rounds are one pairing each",
    }
    yield f"{rounds[plan.format]}, all from the same openings"
    yield from _format_round(round_, labels)
    kinds = len(terms.openings)
    if kinds == 0:
        yield "no openings: engines that make no random choices will repeat their games"
    elif planned_rounds(plan, len(labels)) > kinds:
        yield f"there are only {kinds} openings: they will be used again"


def _format_round(round_: Round, labels: list[str]) -> Iterator[str]:
    for one, other in round_.pairings:
        yield f"  {labels[one]} - {labels[other]}"
    for engine in round_.byes:
        yield f"  {labels[engine]} has a bye"


def planned_rounds(plan: Plan, engines: int) -> int:
    """Return how many openings a tournament will use, at most."""
    match plan.format:
        case Format.ROUND_ROBIN | Format.GAUNTLET | Format.LADDER:
            return plan.games // 2
        case Format.SWISS:
            return plan.rounds * (plan.games // 2)
        case Format.KNOCKOUT:
            stages = (engines - 1).bit_length()
            return stages * (plan.games // 2 + plan.extra)
        case Format.ADAPTIVE:
            return plan.games // 2


def measure_paces(terms: MatchSpec) -> list[float]:
    """Return the seconds that each engine needs for a move, by a few moves against the next one."""
    paces = []
    for number in range(len(terms.engines)):
        opponent = (number + 1) % len(terms.engines)
        trial = terms.game_spec(0, FIRST, 0, opponents=(number, opponent))
        length = len(trial.opening.moves)
        rule = replace(terms.adjudication, most_plies=length + 2 * _TRIAL)
        record = play_game(replace(trial, adjudication=rule, transcripts=""))
        own = [move.seconds for move in record.moves[length:] if move.side == FIRST]
        paces.append(sum(own) / len(own) if own else 0.0)
    return paces


def format_time(spec: TournamentSpec, paces: list[float]) -> str:
    """Return how long a tournament will take, if its games have the usual length."""
    terms = spec.terms
    plies = _usual_plies(terms)
    seconds = sum(
        _seconds(control, pace, plies / 2)
        for control, pace in zip(terms.controls, paces, strict=True)
    )
    # Each game has two engines; every engine is taken to play as many games as the others.
    games = planned_games(spec.plan, len(terms.engines))
    workers = 1 if spec.jobs == ALL_WORKERS else spec.jobs
    total = games * 2 * seconds / len(terms.engines) / workers
    most = "at most " if spec.plan.format is Format.ADAPTIVE else ""
    jobs = "1 job" if workers == 1 else f"{workers} jobs"
    return (
        f"about {most}{format_duration(total)} with {jobs}: {games} games of about {plies:.0f} "
        f"moves, {', '.join(_format_paces(terms, paces))} s per move"
    )


def _format_paces(terms: MatchSpec, paces: list[float]) -> Iterator[str]:
    for engine, pace in zip(terms.engines, paces, strict=True):
        yield f"{engine.label} {pace:.3f}"


def _usual_plies(terms: MatchSpec) -> float:
    usual = _PLIES[terms.game]
    if terms.game == registry.GO:
        size = terms.size or 19
        usual *= size * size
    most = terms.adjudication.most_plies
    return min(usual, most) if most else usual


def _seconds(control: TimeControl, pace: float, moves: float) -> float:
    """Return how long an engine thinks in a game: as measured, but no longer than it may."""
    if not control.kind:
        return moves * pace
    periods = moves / control.count if control.kind == "canadian" else moves
    return min(moves * pace, control.main + control.period * periods)


def format_duration(seconds: float) -> str:
    """Return `45 s`, `12 min`, `3 h 20 min`."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
