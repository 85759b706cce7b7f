"""What `quintet match` says while it plays: for a person, and for a program."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Protocol

import click

from engines import registry
from engines.core.game import CHANCE, FIRST, SECOND
from tools.dispute import DISPUTES
from tools.match import Match
from tools.record import GameRecord, Verdict
from tools.referee import GameSpec
from tools.sample import Fate
from tools.statistics import estimate


class Report(Protocol):
    """Is told of a match's course."""

    def begin(self, match: Match) -> None:
        """The match begins, or goes on."""

    def start(self, spec: GameSpec) -> None:
        """A game begins."""

    def game(self, match: Match, record: GameRecord, fate: Fate) -> None:
        """A game has ended and is in the journal."""

    def summary(self, match: Match, status: Mapping[str, Any]) -> None:
        """The match ends, or stops."""

    def close(self) -> None:
        """Nothing more is said, whatever happened."""


def strength(match: Match) -> str:
    """Return score and Elo of the first engine with its error, by the counted sample."""
    results = match.sample.results
    if not results.samples:
        return ""
    found = estimate(results)
    return f"elo {found.elo:+.1f} ± {found.elo_error:.1f}, LOS {found.los:.1%}"


def course(match: Match) -> str:
    """Return how far the test has come, nothing without one."""
    verdict, test = match.sample.verdict, match.sample.test
    if verdict is None or test is None:
        return ""
    return f"LLR {verdict.llr:.3f} [{test.lower:.3f}, {test.upper:.3f}] {verdict.state}"


class Lines:
    """The match for a person: a line per game, then a table."""

    def begin(self, match: Match) -> None:
        """Say what is played."""
        spec = match.spec
        variant = f" ({spec.variant})" if spec.variant else ""
        first, second = (engine.label for engine in spec.engines)
        times = " and ".join(dict.fromkeys(str(control) for control in spec.controls))
        again = f", {len(match.records)} played before" if match.records else ""
        click.echo(
            f"{registry.find(spec.game).title}{variant}: {first} against {second}, "
            f"{spec.games} games{again}, {times}, records in {match.journal.folder}",
            err=True,
        )

    def start(self, spec: GameSpec) -> None:
        """Say nothing: the line comes when the game is over."""

    def game(self, match: Match, record: GameRecord, fate: Fate) -> None:
        """Say how a game ended."""
        seconds = sum(move.seconds for move in record.moves)
        told = record.outcome.reason if record.verdict == Verdict.NATURAL else record.told
        who = " - ".join(player.label for player in record.players)
        if record.count is not None:
            told += f" ({record.count.method}{', disputed' if record.count.disputed else ''})"
        throws = sum(move.side == CHANCE for move in record.moves)
        played = f"{len(record.moves) - throws} moves"
        if throws:
            played += f" and {throws} throws"
        late = "  (not counted)" if fate is Fate.LATE else ""
        self.say(
            f"{record.number:4}/{match.spec.games}  {who}  {record.result}  {told}, "
            f"{played}, {seconds:.1f} s  {match.record_path(record).name}{late}"
        )
        for told in record.stderr.splitlines():
            self.say(f"      stderr: {told}")
        if told := course(match):
            self.say(f"      {told}, {strength(match)}")

    def say(self, line: str) -> None:
        """Write a line while the match goes on."""
        click.echo(line)

    def summary(self, match: Match, status: Mapping[str, Any]) -> None:
        """Draw the table."""
        standings = match.table()
        width = max(len(standing.label) for standing in standings)
        head = "games  won  drawn  lost  score  moving first  forfeits  s/move"
        click.echo(f"\n{'engine':{width}}  {head}")
        for each in standings:
            share = f"{100 * each.points / each.games:.1f} %" if each.games else "-"
            first = f"{each.points_first:g}/{each.games_first}"
            pace = f"{each.seconds / each.moves:.3f}" if each.moves else "-"
            click.echo(
                f"{each.label:{width}}  {each.games:5}  {each.wins:3}  {each.draws:5}  "
                f"{each.losses:4}  {share:>7}  {first:>10}  {each.forfeits:8}  {pace:>6}"
            )
        kinds = Counter(record.ending for record in match.records.values())
        ends = ", ".join(f"{number} {name}" for name, number in kinds.most_common())
        for told in (ends, strength(match), course(match)):
            if told:
                click.echo(told)
        if status["scored"]:
            told = ", ".join(f"{number} by {name}" for name, number in status["scored"].items())
            disputed = f"; {status['disputed']} disputed: {DISPUTES}" if status["disputed"] else ""
            click.echo(f"scored: {told}{disputed}")
        for label, number in status["faults"].items():
            click.echo(f"{label}: {number} faulty lines of play or claims")
        told = "; ".join([status["status"], *status["why"]])
        if status["interrupted"] and (missing := status["missing"]):
            games = "1 game is" if missing == 1 else f"{missing} games are"
            told = (
                f"interrupted, {games} missing: the same line with --out {match.journal.folder} "
                f"goes on; so far {told}"
            )
        click.echo(f"\n{told}\nrecords: {match.journal.folder}")

    def close(self) -> None:
        """Leave the terminal as it was."""


class JsonLines:
    """The match for a program: one JSON object a line."""

    def begin(self, match: Match) -> None:
        """Say what is played."""
        spec = match.spec
        self._tell(
            "begin",
            game=spec.game,
            variant=spec.variant,
            engines=[engine.label for engine in spec.engines],
            games=spec.games,
            played=len(match.records),
            times=[str(control) for control in spec.controls],
            seed=spec.seed,
            out=str(match.journal.folder),
        )

    def start(self, spec: GameSpec) -> None:
        """Say which game begins."""
        players = [engine.label for engine in spec.engines]
        self._tell("start", number=spec.number, attempt=spec.attempt, players=players)

    def game(self, match: Match, record: GameRecord, fate: Fate) -> None:
        """Say how a game ended."""
        outcome, sides = record.outcome, match.sides
        self._tell(
            "game",
            number=record.number,
            attempt=record.attempt,
            players=[player.label for player in record.players],
            result=record.result,
            winner=None if outcome.winner is None else sides[outcome.winner],
            verdict=str(record.verdict),
            reason=outcome.reason,
            scored=None if record.count is None else asdict(record.count),
            moves=sum(move.side != CHANCE for move in record.moves),
            plies=len(record.moves),
            fate=str(fate),
            record=str(match.record_path(record)),
        )

    def summary(self, match: Match, status: Mapping[str, Any]) -> None:
        """Say all that the games say."""
        results = match.sample.results
        found = asdict(estimate(results)) if results.samples else None
        tally = match.sample.counted
        self._tell(
            "summary",
            standings=[asdict(each) for each in match.table()],
            strength=found,
            sides={
                name: list(tally.by_side(side).counts)
                for side, name in zip((FIRST, SECOND), match.sides, strict=True)
            },
            endings={name: list(tally.by_ending(name).counts) for name in tally.endings},
            **status,
            out=str(match.journal.folder),
        )

    def close(self) -> None:
        """Nothing is to be done."""

    @staticmethod
    def _tell(event: str, **told: Any) -> None:
        click.echo(json.dumps({"event": event, **told}))
