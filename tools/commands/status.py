"""The command `quintet status`."""

import json
from pathlib import Path

import click

from engines import registry
from engines.core.game import InvalidText
from tools.commands.options import json_option
from tools.journal.journal import JournalError
from tools.journal.reconstruction import MatchView, view_match
from tools.match.report import (
    format_games,
    format_heading,
    format_missing,
    format_results,
    summary_fields,
)


@click.command()
@click.argument(
    "folder", type=click.Path(path_type=Path, exists=True, file_okay=False), metavar="DIR"
)
@json_option
def status(folder: Path, as_json: bool) -> None:
    """Print how the match in DIR stands, whether it is still running or not.

    Everything is computed from its journal; nothing in DIR is changed. Exit status: 0 done, 2 there
    is no match.
    """
    view = view_match(folder)
    try:
        if as_json:
            click.echo(json.dumps(_event(view)))
        else:
            for line in _describe(view):
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
