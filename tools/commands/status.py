"""The command `quintet status`."""

import json
from pathlib import Path

import click

from engines import registry
from engines.core.game import InvalidText
from tools.commands.options import json_option
from tools.journal.events import TOURNAMENT, TUNING, kind_of
from tools.journal.journal import JournalError, read_journal
from tools.journal.reconstruction import MatchView, view_match
from tools.match.report import (
    format_games,
    format_heading,
    format_missing,
    format_results,
    summary_fields,
)
from tools.tournament.reconstruction import TournamentView, view_tournament
from tools.tournament.report import format_plan, format_tournament, status_fields
from tools.tournament.tuning.reconstruction import TuningView, view_tuning
from tools.tournament.tuning.report import format_outcome, format_tuning
from tools.tournament.tuning.report import status_fields as tuning_fields


@click.command()
@click.argument(
    "folder", type=click.Path(path_type=Path, exists=True, file_okay=False), metavar="DIR"
)
@json_option
def status(folder: Path, as_json: bool) -> None:
    """Print how the match, tournament or tuning run in DIR stands, running or not.

    Everything is computed from its journal; nothing in DIR is changed. Exit status: 0 done, 2 there
    is no match.
    """
    try:
        kind = kind_of(read_journal(folder))
        if kind == TOURNAMENT:
            cup = view_tournament(folder)
            event, lines = _tournament_event(cup), describe_tournament(cup)
        elif kind == TUNING:
            run = view_tuning(folder)
            event, lines = _tuning_event(run), describe_tuning(run)
        else:
            view = view_match(folder)
            event, lines = _event(view), _describe(view)
        for line in [json.dumps(event)] if as_json else lines:
            click.echo(line)
    except (KeyError, InvalidText) as error:
        raise JournalError(f"the seal of {folder} cannot be understood: {error!r}") from error


def _event(view: MatchView) -> dict[str, object]:
    seal = view.seal
    sides = registry.rules(seal["game"], seal["variant"], seal.get("size", 0)).sides
    return {
        "event": "summary",
        "game": seal["game"],
        "variant": seal["variant"],
        "engines": list(view.state.labels),
        "times": _times(view),
        "phase": view.phase,
        "planned": None if view.until_decided else view.state.games,
        **summary_fields(view.state, sides, view.status, view.folder),
    }


def _tournament_event(view: TournamentView) -> dict[str, object]:
    seal = view.seal
    return {
        "event": "summary",
        "game": seal["game"],
        "variant": seal["variant"],
        "engines": list(view.state.labels),
        "times": [seal[f"engine{number + 1}.time"] for number in range(len(view.state.labels))],
        "phase": view.phase,
        "planned": view.status.games + view.status.missing,
        "jobs": view.state.jobs,
        **status_fields(view.state, view.status, view.folder),
    }


def describe_tournament(view: TournamentView) -> list[str]:
    """Return how a tournament stands, as lines for a person."""
    seal, state, found = view.seal, view.state, view.status
    heading = format_plan(seal["game"], seal["variant"], state.plan, len(state.labels))
    missing = f", {format_missing(found.missing, until_decided=False)}" if found.missing else ""
    return [
        f"{heading}, records in {view.folder}",
        f"{_PHASES[view.phase]}: {found.games} played, round {found.round}{missing}",
        "",
        *format_tournament(state, found),
        "",
        "; ".join([found.status, *found.why]),
    ]


def _tuning_event(view: TuningView) -> dict[str, object]:
    seal = view.seal
    return {
        "event": "summary",
        "game": seal["game"],
        "variant": seal["variant"],
        "engines": list(view.state.labels),
        "times": [seal["engine1.time"], seal["engine2.time"]],
        "phase": view.phase,
        "planned": 2 * view.status.pairs,
        **tuning_fields(view.state, view.status, view.folder),
    }


def describe_tuning(view: TuningView) -> list[str]:
    """Return how a tuning run stands, as lines for a person."""
    seal, found = view.seal, view.status
    heading = format_tuning(seal["game"], seal["variant"], view.state, seal["engine1.time"])
    missing = f", {format_missing(found.missing, until_decided=False)}" if found.missing else ""
    return [
        f"{heading}, records in {view.folder}",
        f"{_PHASES[view.phase]}: {found.games} games played{missing}",
        "",
        *format_outcome(view.state, found),
        "",
        "; ".join([found.status, *found.why]),
    ]


def _times(view: MatchView) -> list[str]:
    return [view.seal["engine1.time"], view.seal["engine2.time"]]


def _describe(view: MatchView) -> list[str]:
    seal, state, found = view.seal, view.state, view.status
    games = format_games(state.games, until_decided=view.until_decided)
    heading = format_heading(seal["game"], seal["variant"], state.labels, _times(view), games)
    return [
        f"{heading}, records in {view.folder}",
        f"{_PHASES[view.phase]}: {found.games} played{_rest(view)}",
        "",
        *format_results(state, found),
        "",
        "; ".join([found.status, *found.why]),
    ]


_PHASES = {
    "running": "running",
    "killed": "not running, the last run was killed",
    "failed": "not running, the last run failed",
    "interrupted": "not running, interrupted",
    "stopped": "not running",
    "finished": "finished",
}


def _rest(view: MatchView) -> str:
    missing = view.status.missing
    if not missing:
        return ""
    return f", {format_missing(missing, until_decided=view.until_decided)}"
