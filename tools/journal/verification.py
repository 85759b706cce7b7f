"""Verifying that the journal, records and status of a match agree with the rules and the games."""

import json
import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, NamedTuple

from engines import registry
from engines.core.game import CHANCE, Game, IllegalMove, InvalidText, Outcome
from engines.core.timing import Clock
from tools.journal.disputes import DISPUTES, format_disputes
from tools.journal.events import last_seal, parse_game
from tools.journal.journal import NAME, Event, JournalError, damaged
from tools.journal.reconstruction import follow, initial_state
from tools.journal.state import GamesState
from tools.records.filing import SHOGI_FORMATS, record_name, write_record
from tools.records.game import GameRecord, Verdict
from tools.terms import go
from tools.terms.adjudication import Adjudication, Adjudicator, table_outcome
from tools.terms.scoring import capped, counted

# Fields of a status that older files may lack.
_YOUNGER: Final = ("changes", "standings", "distinct", "samples", "waiting", "strength")
_DECIDED: Final = ("sprt", "missing", "counts")  # Fields that depend on the end of a test.
_PRECISION: Final = 1e-3  # Of an estimate, which another machine may round differently.
_ROUNDING: Final = 1e-4  # Seconds: every move of a game may be off by half a microsecond.


class Finding(NamedTuple):
    """Something that is wrong: where, and what."""

    where: str
    what: str


def count_games(events: Sequence[Event]) -> tuple[int, int]:
    """Return the numbers of games and moves in a journal, throws of dice not included."""
    games = [event for event in events if event["event"] == "game"]
    return len(games), sum(_count_moves(event.get("moves")) for event in games)


def _count_moves(moves: object) -> int:
    """Count what looks like a move; what does not is a finding of `parse_game`."""
    if not isinstance(moves, list):
        return 0
    return sum(isinstance(move, list) and move[:1] != [CHANCE] for move in moves)


def verify_match(folder: Path, events: Sequence[Event], *, ended: bool = True) -> Iterator[Finding]:
    """Yield what is wrong; raises JournalError if the journal cannot be understood.

    Unless the last run has `ended`, the status and the other files that are written after the
    journal's last game are not verified.
    """
    state = initial_state(last_seal(list(events)), events[0])
    yield from verify_contest(folder, events, state, ended=ended)


Check = Callable[[Event], Iterator[Finding]]
"""Yields what is wrong with an event, before the state takes it in."""


def verify_contest(
    folder: Path,
    events: Sequence[Event],
    state: GamesState,
    *,
    ended: bool,
    check: Check = lambda event: iter(()),
) -> Iterator[Finding]:
    """Yield what is wrong with a match or tournament; `state` is that before its first event."""
    seal = last_seal(list(events))
    formats = [event["records"] for event in events if "records" in event]
    games = [event for event in events if event["event"] == "game"]
    for number, event in enumerate(events, 1):
        try:
            yield from check(event)
            follow(state, event)
            seal = event.get("seal", seal)
            if event["event"] != "game":
                continue
            record = parse_game(event)
        except JournalError as error:
            raise damaged(folder / NAME, number, str(error)) from error
        where = f"game {record.number}" + (
            f", attempt {record.attempt + 1}" if record.attempt else ""
        )
        for what in verify_game(record, seal):
            yield Finding(where, what)
        if event["result"] != record.result:
            yield Finding(where, f"its result is given as {event['result']}, not {record.result}")
        try:
            state.count(record)
        except ValueError as error:
            yield Finding(where, str(error))
            continue
        if event is games[-1] and not ended:
            continue
        for what in _verify_record(folder, record, *formats[-1:]):
            yield Finding(where, what)
    if ended:
        yield from _verify_disputes(folder, state)
        yield from _verify_status(folder, state)


def verify_game(record: GameRecord, seal: Mapping[str, Any]) -> Iterator[str]:
    """Yield where a game contradicts the rules, the clocks or the seal."""
    if record.number != 2 * record.pair + record.side + 1:
        yield f"it cannot be number {record.number} of pair {record.pair}"
    for side, player in enumerate(record.players):
        label = seal.get(f"engine{record.engine(side) + 1}.label")
        if player.label != label:
            yield f"its players are not those of the match: {player.label}, where {label} played"
    try:
        rules = registry.rules(record.game, record.variant, record.size)
        game = Game(rules, record.setup)
    except InvalidText as error:
        yield str(error)
        return
    adjudicator = Adjudicator(Adjudication(**seal["adjudication"]))
    adjudged = None
    throws = 0
    for ply, move in enumerate(record.moves, 1):
        if adjudged is not None:
            yield f"move {ply} comes after {adjudged.reason}"
        if game.turn != move.side:
            yield f"move {ply} is not its side's turn"
        if move.side == CHANCE and ply > record.opening:
            throws += 1
            expected = registry.find(record.game).load("throw")(record.seed, throws)
            if move.text != str(expected):
                yield f"move {ply}: the seed throws {expected}, not {move.text}"
        try:
            game.play(move.text)
        except (InvalidText, IllegalMove) as error:
            yield f"move {ply}: {error}"
            return
        if ply > record.opening and move.side != CHANCE:
            adjudged = adjudicator.judge(move.side, move.evaluation.score, ply)
            adjudged = adjudged or table_outcome(adjudicator.rule, game)
    if adjudged is not None and record.count is not None:
        adjudged = capped(adjudged, Outcome(record.outcome.winner, record.count.result))
    yield from _verify_end(record, game)
    if (record.verdict == Verdict.ADJUDICATION) != (adjudged is not None and not game.outcome()):
        yield f"by its moves it is {'not ' if adjudged is None else ''}adjudicated"
    elif record.verdict == Verdict.ADJUDICATION and adjudged != record.outcome:
        yield f"its adjudication is {record.outcome}, not {adjudged}"
    if record.late and record.verdict != Verdict.TIME:
        yield f"it has a late move, and ended by {record.verdict}"
    yield from _verify_clocks(record)


def _verify_end(record: GameRecord, game: Game[Any]) -> Iterator[str]:
    if record.count is not None:
        yield from _verify_count(record, game)
        return
    outcome = game.outcome()
    if record.verdict == Verdict.NATURAL:
        if outcome is None:
            yield "its moves do not end it"
        elif outcome != record.outcome:
            yield f"by its moves it ends with {outcome}, not with {record.outcome}"
        return
    if record.verdict in (Verdict.ILLEGAL, Verdict.SUPERKO):
        try:
            game.play(record.offence)
        except (InvalidText, IllegalMove):
            if record.outcome.winner != 1 - game.turn:
                yield "the offence was not its loser's move"
        else:
            yield f"{record.offence} is legal"


def _verify_count(record: GameRecord, game: Game[Any]) -> Iterator[str]:
    """Count again, from the claims of the engines or from the dead stones that were named."""
    count = record.count
    assert count is not None
    try:
        outcome = counted(game, count)
    except InvalidText as error:
        yield f"its count is impossible: {error}"
        return
    if outcome.reason != count.result:
        yield f"it is counted as {outcome.reason}, not {count.result}"
    if record.verdict == Verdict.NATURAL:
        if not go.is_over(game):
            yield "its moves do not end it"
        elif outcome != record.outcome:
            yield f"by its count it ends with {outcome}, not with {record.outcome}"
    elif record.verdict != Verdict.ADJUDICATION:
        yield f"it ended by {record.verdict} and was counted"
    elif record.outcome.winner != outcome.winner:
        yield f"by its count it ends with {outcome}, not with {record.outcome}"


def _verify_clocks(record: GameRecord) -> Iterator[str]:
    clocks = [Clock(control) for control in record.controls]
    for ply, move in record.replay_clocks(clocks):
        left = clocks[move.side].left()[0]
        if move.left is None or abs(move.left - left) > _ROUNDING:
            yield f"move {ply}: the clock shows {left:.3f} s, not {move.left}"
            return


def _verify_record(
    folder: Path, record: GameRecord, shogi_format: str = SHOGI_FORMATS[0]
) -> Iterator[str]:
    path = folder / record_name(record, shogi_format)
    sides = registry.rules(record.game, record.variant, record.size).sides
    try:
        if path.read_bytes() != write_record(record, sides, shogi_format):
            yield f"{path.name} is not its record"
    except OSError as error:
        yield f"{path.name}: {error.strerror}"


def _verify_disputes(folder: Path, state: GamesState) -> Iterator[Finding]:
    path = folder / DISPUTES
    try:
        written = path.read_bytes() if path.exists() else b""
    except OSError as error:
        yield Finding(path.name, str(error.strerror))
        return
    if written != format_disputes(state.disputed):
        yield Finding(path.name, "is not what the games say")


def _verify_status(folder: Path, state: GamesState) -> Iterator[Finding]:
    path = folder / "status.json"
    try:
        written = json.loads(path.read_text(encoding="utf-8"))
        state.failure = written.get("failure", "")
        status = asdict(state.status(interrupted=written["interrupted"]))
    except OSError as error:
        yield Finding(path.name, str(error.strerror))
        return
    except (ValueError, KeyError, TypeError) as error:
        yield Finding(path.name, f"cannot be read: {error!r}")
        return
    del status["events"], status["running"]  # They belong to the moment of writing.
    for key, value in json.loads(json.dumps(status)).items():
        # Older files have fewer fields, and did not count losses on time among the anomalies.
        old = "running" not in written
        if old and (key in _YOUNGER or (key in ("status", "why") and state.verdicts[Verdict.TIME])):
            continue
        if old and state.sample.test is not None:
            # In older files equal pairs, counted every time, may have decided the test.
            if key in _DECIDED and state.sample.results != state.sample.distinct:
                continue
            if key == "sprt":
                value = {name: value[name] for name in ("state", "llr")}
        estimated = key in ("strength", "sprt")
        if not (_is_close if estimated else operator.eq)(written.get(key), value):
            message = f"{key} is {written.get(key)!r}; the games say {value!r}"
            yield Finding(path.name, message)


def _is_close(written: object, value: object) -> bool:
    """Whether two estimates agree: their numbers nearly, and everything else exactly."""
    if isinstance(written, dict) and isinstance(value, dict):
        return written.keys() == value.keys() and all(
            _is_close(written[key], value[key]) for key in value
        )
    if isinstance(written, float) and isinstance(value, float):
        return math.isclose(written, value, rel_tol=_PRECISION, abs_tol=_PRECISION)
    return written == value
