"""Whether a match's journal, records and status say what the rules and the games say."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from engines import registry
from engines.core.game import CHANCE, Game, IllegalMove, InvalidText, Outcome
from engines.core.timing import Clock
from tools import go
from tools.adjudication import Adjudication, Judge, known
from tools.count import capped, counted
from tools.course import Course
from tools.dispute import DISPUTES, format_disputes
from tools.filing import SHOGI_FORMATS, record_name, write_record
from tools.journal import Event, JournalError, is_in_use
from tools.match import last_seal, parse_game
from tools.record import GameRecord, PlayedMove, Verdict
from tools.spec import ASIDE

_ROUNDING: Final = 1e-4  # Seconds: every move of a game may be off by half a microsecond.


class Finding(NamedTuple):
    """Something that is not as it should be: where, and what."""

    where: str
    what: str


def unfinished(folder: Path, events: Sequence[Event]) -> str:
    """Return why a journal goes on behind its status, nothing where the last run ended."""
    if is_in_use(folder):
        return "the match is still running"
    try:
        told = json.loads((folder / "status.json").read_bytes())
        older = told["events"] < len(events)
    except FileNotFoundError:
        older = True
    except (OSError, ValueError, KeyError, TypeError):
        older = False  # What is wrong with it is a finding.
    return "the last run was killed" if older else ""


def verify_match(folder: Path, events: Sequence[Event], *, ended: bool = True) -> Iterator[Finding]:
    """Yield what is wrong; raises JournalError where the journal cannot be understood.

    Unless the last run has `ended`, nothing is asked of the status and of what else is written
    after the journal's last game.
    """
    seal = last_seal(list(events))
    course = _course(seal, events[0])
    formats = [event["records"] for event in events if "records" in event]
    games = [event for event in events if event["event"] == "game"]
    for event in events:
        if event["event"] in ("match", "resume"):
            course.games = event["games"]
            seal = event.get("seal", seal)
        if event["event"] == "resume":
            course.go_on()
            course.note_changes(event.get("changed", ()))
        if event["event"] != "game":
            continue
        record = parse_game(event)
        where = f"game {record.number}" + (
            f", attempt {record.attempt + 1}" if record.attempt else ""
        )
        for what in verify_game(record, seal):
            yield Finding(where, what)
        if event["result"] != record.result:
            yield Finding(where, f"its result says {event['result']}, not {record.result}")
        try:
            course.count(record)
        except ValueError as error:
            yield Finding(where, str(error))
            continue
        if event is games[-1] and not ended:
            continue
        for what in _verify_record(folder, record, *formats[-1:]):
            yield Finding(where, what)
    if ended:
        yield from _verify_disputes(folder, course)
        yield from _verify_status(folder, course)


def _course(seal: Mapping[str, Any], first: Event) -> Course:
    try:
        labels = (seal["engine1.label"], seal["engine2.label"])
        return Course(labels, first["games"], seal["sprt"], seal.get("set-aside", ASIDE))
    except (KeyError, ValueError) as error:
        raise JournalError(f"the journal's first event cannot be understood: {error!r}") from error


def verify_game(record: GameRecord, seal: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the rules, the clocks and the seal say against a game."""
    if record.number != 2 * record.pair + record.side + 1:
        yield f"it cannot be number {record.number} of pair {record.pair}"
    labels = [seal["engine1.label"], seal["engine2.label"]]
    if [player.label for player in record.players] != (labels if not record.side else labels[::-1]):
        yield "its players are not those of the match"
    try:
        rules = registry.rules(record.game, record.variant, record.size)
        game = Game(rules, record.setup)
    except InvalidText as error:
        yield str(error)
        return
    judge = Judge(Adjudication(**seal["adjudication"]))
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
            adjudged = judge.judge(move.side, _score(move), ply) or known(judge.rule, game)
    if adjudged is not None and record.count is not None:
        adjudged = capped(adjudged, Outcome(record.outcome.winner, record.count.result))
    yield from _verify_end(record, game)
    if (record.verdict == Verdict.ADJUDICATION) != (adjudged is not None and not game.outcome()):
        yield f"by its moves it is {'not ' if adjudged is None else ''}adjudicated"
    elif record.verdict == Verdict.ADJUDICATION and adjudged != record.outcome:
        yield f"its adjudication is {record.outcome}, not {adjudged}"
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
    """Count again, from what the engines said or from the dead stones that were named."""
    count = record.count
    assert count is not None
    try:
        outcome = counted(game, count)
    except InvalidText as error:
        yield f"it cannot be counted so: {error}"
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
    for ply, move in enumerate(record.moves, 1):
        if ply <= record.opening or move.side == CHANCE or not clocks[move.side].running:
            continue
        clock = clocks[move.side]
        seconds = min(move.seconds, clock.available())
        clock.charge(seconds)
        clocks[1 - move.side].credit(seconds)
        left = clock.left()[0]
        if move.left is None or abs(move.left - left) > _ROUNDING:
            yield f"move {ply}: the clock shows {left:.3f} s, not {move.left}"
            return


def _score(move: PlayedMove) -> str:
    """Return the score within a move's evaluation."""
    if not move.evaluation.startswith("score "):
        return ""
    score = move.evaluation.removeprefix("score ")
    for word in (" depth ", " nodes ", " pv "):
        score = score.partition(word)[0]
    return score


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


def _verify_disputes(folder: Path, course: Course) -> Iterator[Finding]:
    path = folder / DISPUTES
    try:
        told = path.read_bytes() if path.exists() else b""
    except OSError as error:
        yield Finding(path.name, str(error.strerror))
        return
    if told != format_disputes(course.disputed):
        yield Finding(path.name, "is not what the games say")


def _verify_status(folder: Path, course: Course) -> Iterator[Finding]:
    path = folder / "status.json"
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        course.failure = told.get("failure", "")
        found = course.status(interrupted=told["interrupted"])
    except OSError as error:
        yield Finding(path.name, str(error.strerror))
        return
    except (ValueError, KeyError, TypeError) as error:
        yield Finding(path.name, f"cannot be read: {error!r}")
        return
    for key, value in json.loads(json.dumps(found)).items():
        if told.get(key, []) != value:  # Older ones have no `changes`.
            yield Finding(path.name, f"{key} is {told.get(key)!r}; the games say {value!r}")
