"""The command `quintet verify`."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from engines.core.game import CHANCE
from tools.failure import CouldNotRun
from tools.journal import Event, JournalError, read_journal
from tools.verification import Finding, unfinished, verify_match


@click.command()
@click.argument(
    "folder", type=click.Path(path_type=Path, exists=True, file_okay=False), metavar="DIR"
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def verify(folder: Path, as_json: bool) -> None:
    """Replay every move of the match in DIR and recompute every figure from its journal.

    Of a match that is still running, or whose last run was killed, it verifies what is there.

    Exit status: 0 all is as it says, 1 something is not, 2 there is no journal to verify.
    """
    try:
        events = read_journal(folder)
        findings, games, moves = [], 0, 0
        for event in events:
            if event["event"] == "game":
                games += 1
                moves += sum(1 for move in _moves(event) if move[:1] != [CHANCE])
        why = unfinished(folder, events)
        for finding in _told(verify_match(folder, events, ended=not why), as_json):
            findings.append(finding)
    except JournalError as error:
        raise CouldNotRun(str(error)) from error
    if as_json:
        told = {"event": "summary", "games": games, "moves": moves, "findings": len(findings)}
        told |= {"unfinished": why}
        click.echo(json.dumps(told))
    else:
        if why:
            click.echo(f"{why}: status.json is older than the journal, or not there yet")
        click.echo(f"{games} games, {moves} moves: {len(findings) or 'no'} findings")
    if findings:
        raise SystemExit(1)


def _moves(event: Event) -> list[list[Any]]:
    """Return an event's moves as far as they are such: what is not is told by `parse_game`."""
    moves = event.get("moves")
    return [each for each in moves if isinstance(each, list)] if isinstance(moves, list) else []


def _told(findings: Iterator[Finding], as_json: bool) -> Iterator[Finding]:
    for finding in findings:
        where = finding.where
        told = json.dumps({"event": "finding", "where": where, "what": finding.what})
        click.echo(told if as_json else f"{where}: {finding.what}")
        yield finding
