"""The command `quintet verify`."""

import contextlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

import click

from tools.commands.options import json_option
from tools.journal.events import TOURNAMENT, TUNING, kind_of
from tools.journal.journal import Event, JournalError, read_journal
from tools.journal.reconstruction import reconstruct, unfinished
from tools.journal.verification import count_games, verify_match
from tools.match.report import format_results
from tools.tournament.reconstruction import reconstruct_tournament, verify_tournament
from tools.tournament.report import format_tournament
from tools.tournament.tuning.reconstruction import reconstruct_tuning, verify_tuning
from tools.tournament.tuning.report import format_values


@click.command()
@click.argument(
    "folder", type=click.Path(path_type=Path, exists=True, file_okay=False), metavar="DIR"
)
@json_option
@click.pass_context
def verify(context: click.Context, folder: Path, as_json: bool) -> None:
    """Replay every move of the match, tournament or tuning run in DIR, and recompute every figure.

    Everything is computed from the journal. Prints what is wrong, and the table.

    If the match is still running, or its last run was killed, its journal is verified up to its
    end.

    Exit status: 0 everything agrees, 1 something does not, 2 there is no journal to verify.
    """
    events = read_journal(folder)
    games, moves = count_games(events)
    why = unfinished(folder, events)
    findings = 0
    check = _CHECKS.get(kind_of(events), verify_match)
    for finding in check(folder, events, ended=not why):
        findings += 1
        event = {"event": "finding", "where": finding.where, "what": finding.what}
        click.echo(json.dumps(event) if as_json else f"{finding.where}: {finding.what}")
    if as_json:
        summary = {"event": "summary", "games": games, "moves": moves, "findings": findings}
        click.echo(json.dumps(summary | {"unfinished": why} | _figures(events)))
    else:
        for line in _table(events):
            click.echo(line)
        click.echo("")
        if why:
            click.echo(f"{why}; status.json was not verified")
        click.echo(
            f"{_counted(games, 'game')}, {_counted(moves, 'move')}: "
            + (_counted(findings, "finding") if findings else "no findings")
        )
    if findings:
        context.exit(1)


def _table(events: Sequence[Event]) -> Iterator[str]:
    """Yield the results as the journal has them, if it can be counted."""
    with contextlib.suppress(JournalError):
        if kind_of(events) == TOURNAMENT:
            cup = reconstruct_tournament(events)
            yield from format_tournament(cup, cup.status())
        elif kind_of(events) == TUNING:
            run = reconstruct_tuning(events)
            yield from format_values(run, run.status())
        else:
            state = reconstruct(events)
            yield from format_results(state, state.status())


def _figures(events: Sequence[Event]) -> dict[str, object]:
    """Return what the journal says of the engines, under the names that `status.json` has."""
    with contextlib.suppress(JournalError):
        if kind_of(events) == TOURNAMENT:
            fields = asdict(reconstruct_tournament(events).status())
        elif kind_of(events) == TUNING:
            fields = asdict(reconstruct_tuning(events).status())
        else:
            fields = asdict(reconstruct(events).status())
        return {key: fields[key] for key in _FIGURES if key in fields}
    return {}


_CHECKS: Final = {TOURNAMENT: verify_tournament, TUNING: verify_tuning}
_FIGURES: Final = (
    *("places", "withdrawn", "standings", "distinct", "waiting"),
    *("pairs", "learnt", "start", "values"),
    *("counts", "samples", "strength", "sprt"),
)


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
