"""Find positions of a match where an engine lost its advantage, and turn them into problems."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from engines.core.game import CHANCE
from engines.core.timing import TimeControl
from protocols.ask.engine import EngineSpec
from protocols.ask.rehearsal import EVALUATIONS
from protocols.ask.score import Evaluation
from tools.journal.events import last_seal, parse_game
from tools.journal.journal import read_journal
from tools.records.game import GameRecord, PlayedMove
from tools.regress.examiner import Examiner
from tools.regress.result import Result, Status
from tools.regress.suites.suite import Problem
from tools.roster.seats import Seat
from tools.roster.transcripts import read_transcript, transcript_path
from tools.terms.seal import sealed_engine

DROP: Final = 0.25  # Loss of expected points from one move of an engine to its next one.
_GREETINGS: Final = frozenset(
    ("protocol_version", "name", "version", "known_command", "list_commands", "usi", "quit")
)
_ENDS: Final = frozenset(("gameover", *EVALUATIONS))
_LEAST: Final = 0.05  # The least number of seconds that is proposed as a limit.


@dataclass(frozen=True, slots=True)
class Blunder:
    """A move after which the engine thought worse of its chances; `number` is the engine's."""

    record: GameRecord
    ply: int  # Counted from 1.
    before: float
    after: float
    number: int

    @property
    def side(self) -> int:
        """The side that moved."""
        return self.record.moves[self.ply - 1].side


def find_blunders(folder: Path, drop: float = DROP) -> list[Blunder]:
    """Return the blunders in a match's journal, the worst first; raises JournalError."""
    blunders = [blunder for record in _games(folder) for blunder in _blunders(record, drop)]
    return sorted(
        blunders, key=lambda each: (each.after - each.before, each.record.number, each.ply)
    )


def tells_scores(folder: Path) -> bool:
    """Return whether any move of a match came with a score; raises JournalError."""
    moves = (move for record in _games(folder) for move in record.moves)
    return any(_share(move.evaluation) is not None for move in moves)


def _games(folder: Path) -> list[GameRecord]:
    """Return the games of a journal; of a game that was repeated, the last attempt."""
    events = read_journal(folder)
    last_seal(events)  # Raises JournalError unless the journal is that of a match.
    played = (parse_game(event) for event in events if event["event"] == "game")
    return list({record.number: record for record in played}.values())


def _blunders(record: GameRecord, drop: float) -> Iterator[Blunder]:
    """Compare the scores of a side at one of its moves and at its next move.

    If the second score is missing, the result of the game or the opponent's score is used instead.
    A loss after a throw of dice may be bad luck and is not counted.
    """
    for side in (0, 1):
        own = [at for at, move in enumerate(record.moves) if move.side == side]
        shares = [_share(record.moves[at].evaluation) for at in own]
        for index, at in enumerate(own):
            before = shares[index]
            following = own[index + 1] if index + 1 < len(own) else len(record.moves)
            if before is None or at < record.opening or _has_dice(record.moves[at:following]):
                continue
            after = shares[index + 1] if index + 1 < len(own) else _result(record, side)
            if after is None:
                after = _reply(record, at, side)
            if after is not None and before - after >= drop:
                number = record.engine(side) + 1
                yield Blunder(record, at + 1, before, after, number)


def _has_dice(moves: Sequence[PlayedMove]) -> bool:
    return any(move.side == CHANCE for move in moves)


def _share(evaluation: Evaluation) -> float | None:
    return None if evaluation.score is None else evaluation.score.share


def _reply(record: GameRecord, at: int, side: int) -> float | None:
    for move in record.moves[at + 1 :]:
        if move.side == 1 - side:
            seen = _share(move.evaluation)
            return None if seen is None else 1 - seen
    return None


def _result(record: GameRecord, side: int) -> float | None:
    return None if record.result == "void" else record.outcome.points(side)


def propose(blunder: Blunder) -> Problem:
    """Return a problem: the position before a blunder, where the blunder is a wrong answer."""
    record = blunder.record
    move = record.moves[blunder.ply - 1]
    player = record.players[blunder.side]
    return Problem(
        f"{record.game}-{record.number}-{blunder.ply}",
        title=f"{player.label} expected {blunder.before:.2f}, then {blunder.after:.2f}",
        game=record.game,
        variant=record.variant,
        size=str(record.size or ""),
        setup=record.setup,
        moves=tuple(each.text for each in record.moves[: blunder.ply - 1]),
        control=_limits(record.controls[blunder.side], move.seconds),
        seed=record.seed,
        forbid=(move.text,),
    )


def _limits(control: TimeControl, seconds: float) -> TimeControl:
    """Return the limits of a control; instead of a clock, the time that the move took."""
    if control.depth or control.nodes or control.visits:
        return replace(control, kind="", main=0.0, period=0.0, count=0)
    return TimeControl.parse(f"{max(seconds, _LEAST):.2f}/move")


def earlier_commands(folder: Path, blunder: Blunder, protocol: str) -> tuple[str, ...]:
    """Return the commands that the engine got before its blunder, from the transcript.

    The engine is asked for its own moves again, but the moves of the game are played. Empty if
    there is no transcript, or if it ends too early.
    """
    record = blunder.record
    path = transcript_path(
        folder / "transcripts", record.game, record.number, record.attempt, blunder.side + 1
    )
    try:
        sent = [text for mark, text in read_transcript(path) if mark == ">"]
    except OSError:
        return ()
    played = record.moves[record.opening : blunder.ply]
    own = [move.text for move in played if move.side == blunder.side]
    lines: list[str] = []
    for line in sent:
        command = line if protocol == "usi" else line.partition(" ")[2]
        word = command.split(" ", 1)[0]
        if word in _GREETINGS or word in _ENDS:
            continue
        question = word == "go" and protocol == "usi" and not command.startswith("go ponder")
        if not question and word != "genmove":
            lines.append(command)
            continue
        if len(own) == 1:
            return tuple(lines)
        lines += _repeat(command, own.pop(0), protocol)
    return ()  # The transcript ends before the question, because it had reached its greatest size.


def _repeat(command: str, move: str, protocol: str) -> list[str]:
    """Return commands that let an engine think as before, and then play the move of the game."""
    if protocol == "usi":
        return [command]
    side = command.split()[1]
    if protocol == "line":
        return [f"reg_genmove {side}", f"play {side} {move}"]
    return [command, "undo", f"play {side} {move}"]


def propose_problems(
    folder: Path, drop: float, note: Callable[[str], None], *, ask_again: bool = True
) -> list[Problem]:
    """Return problems from the blunders of a match, the worst first.

    With `ask_again` each problem is given to the engine that made the blunder, and the title of
    the problem says whether the engine repeated it. `note` is called with warnings. Raises
    JournalError and EngineError.
    """
    blunders = find_blunders(folder, drop)
    if not blunders and not tells_scores(folder):
        note("no engine of this match gave scores with its moves")
    if not ask_again:
        return [propose(blunder) for blunder in blunders]
    retrial = Retrial(folder, last_seal(read_journal(folder)))
    return [
        replace(problem, title=f"{problem.title}, {outcome}")
        for problem, outcome in retrial.outcomes(blunders, note)
    ]


@dataclass(slots=True)
class Retrial:
    """Asks the engines of a match again, to see whether they repeat their blunders."""

    folder: Path
    seal: Mapping[str, Any]

    def outcomes(
        self, blunders: Sequence[Blunder], note: Callable[[str], None]
    ) -> Iterator[tuple[Problem, str]]:
        """Yield each problem with its outcome: asked alone, then after the commands of the game."""
        seats: dict[int, Seat] = {}
        try:
            for blunder in blunders:
                seat = seats.setdefault(blunder.number, Seat(self._engine(blunder.number)))
                yield self._try(blunder, seat, note)
        finally:
            for seat in seats.values():
                seat.dismiss(1.0)

    def _engine(self, number: int) -> EngineSpec:
        spec = sealed_engine(self.seal, number)
        # The problem has the seed.
        return replace(spec, options=tuple(pair for pair in spec.options if pair[0] != "seed"))

    def _try(
        self, blunder: Blunder, seat: Seat, note: Callable[[str], None]
    ) -> tuple[Problem, str]:
        problem = propose(blunder)
        examiner = Examiner(seat)
        alone = examiner.examine("", problem)
        if _repeated(alone):
            return problem, "repeated when asked alone"
        if alone.status is Status.ERROR:
            note(f"{problem.name}: {alone.message}")
            return problem, "not tried"
        replay = earlier_commands(self.folder, blunder, seat.client().protocol)
        if replay:
            primed = replace(problem, replay=replay)
            seat.dismiss(1.0)
            if _repeated(examiner.examine("", primed)):
                return primed, "repeated after the commands of the game"
        return problem, f"not repeated (answered {alone.answer})"


def _repeated(result: Result) -> bool:
    return result.status is Status.FAILED
