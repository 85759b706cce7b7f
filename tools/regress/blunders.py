"""Positions where an engine lost its advantage in a finished match, as problems of a suite."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from engines.core.game import CHANCE
from engines.core.timing import TimeControl
from tools.adjudication import share
from tools.engines import EngineSpec
from tools.journal import read_journal
from tools.match import last_seal, parse_game
from tools.record import GameRecord, PlayedMove
from tools.regress.examiner import Examiner
from tools.regress.result import Result, Status
from tools.regress.suite import Problem
from tools.replay import sealed_engine
from tools.seat import Seat

DROP: Final = 0.25  # Of the expected share of points, from one own move to the next.
_GREETINGS: Final = frozenset(
    ("protocol_version", "name", "version", "known_command", "list_commands", "usi", "quit")
)
_ENDS: Final = frozenset(("gameover", "evaluation"))
_LEAST: Final = 0.05  # Seconds for a move that took no time.


@dataclass(frozen=True, slots=True)
class Blunder:
    """A move after which its author thought worse of its chances; `number` is the engine's."""

    record: GameRecord
    ply: int  # From 1.
    before: float
    after: float
    number: int

    @property
    def side(self) -> int:
        """Who made it."""
        return self.record.moves[self.ply - 1].side


def find_blunders(folder: Path, drop: float = DROP) -> list[Blunder]:
    """Return the blunders in a match's journal, the worst first; raises JournalError."""
    found = [blunder for record in _games(folder) for blunder in _blunders(record, drop)]
    return sorted(found, key=lambda each: (each.after - each.before, each.record.number, each.ply))


def tells_scores(folder: Path) -> bool:
    """Tell whether any move of a match came with an opinion; raises JournalError."""
    moves = (move for record in _games(folder) for move in record.moves)
    return any(_share(move.evaluation) is not None for move in moves)


def _games(folder: Path) -> list[GameRecord]:
    """Return the games of a journal, the last attempt at each."""
    events = read_journal(folder)
    last_seal(events)  # It must be a match's.
    played = (parse_game(event) for event in events if event["event"] == "game")
    return list({record.number: record for record in played}.values())


def _blunders(record: GameRecord, drop: float) -> Iterator[Blunder]:
    """Compare what a side thinks at one of its moves and at its next.

    Where it says nothing any more, the other side's opinion, or the game's end, stands for it. Bad
    luck with the dice in between is no blunder.
    """
    for side in (0, 1):
        own = [at for at, move in enumerate(record.moves) if move.side == side]
        told = [_share(record.moves[at].evaluation) for at in own]
        for index, at in enumerate(own):
            before = told[index]
            following = own[index + 1] if index + 1 < len(own) else len(record.moves)
            if before is None or at < record.opening or _has_dice(record.moves[at:following]):
                continue
            after = told[index + 1] if index + 1 < len(own) else _result(record, side)
            if after is None:
                after = _reply(record, at, side)
            if after is not None and before - after >= drop:
                number = 1 if side == record.side else 2
                yield Blunder(record, at + 1, before, after, number)


def _has_dice(moves: Sequence[PlayedMove]) -> bool:
    return any(move.side == CHANCE for move in moves)


def _share(evaluation: str) -> float | None:
    _, found, rest = evaluation.partition("score ")
    words = rest.split()
    ends = [words.index(word) for word in ("depth", "nodes", "pv") if word in words]
    return share(" ".join(words[: min(ends, default=len(words))])) if found else None


def _reply(record: GameRecord, at: int, side: int) -> float | None:
    for move in record.moves[at + 1 :]:
        if move.side == 1 - side:
            seen = _share(move.evaluation)
            return None if seen is None else 1 - seen
    return None


def _result(record: GameRecord, side: int) -> float | None:
    return None if record.result == "void" else record.outcome.points(side)


def propose(blunder: Blunder) -> Problem:
    """Return the position before a blunder, which is forbidden there; the limit is the match's."""
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
    """Return the control without its clock, which stood somewhere else: as long as it took."""
    if control.depth or control.nodes or control.visits:
        return replace(control, kind="", main=0.0, period=0.0, count=0)
    return TimeControl.parse(f"{max(seconds, _LEAST):.2f}/move")


def said_before(folder: Path, blunder: Blunder, protocol: str) -> tuple[str, ...]:
    """Return what the engine heard before the question, by its transcript; empty without one.

    Its own moves are asked for again, and then those of the game are played.
    """
    record = blunder.record
    again = f"-{record.attempt + 1}" if record.attempt else ""
    name = f"{record.game}-{record.number:04}{again}-{blunder.side + 1}.log"
    try:
        text = (folder / "transcripts" / name).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ()
    sent = [line.split(" ", 2)[2] for line in text.splitlines() if _is_sent(line)]
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
    return ()  # The transcript ends before the question: it had reached its cap.


def _is_sent(line: str) -> bool:
    words = line.split(" ", 2)
    return len(words) == 3 and words[1] == ">"


def _repeat(command: str, move: str, protocol: str) -> list[str]:
    """Return commands that make an engine think as it did, and then play what it played."""
    if protocol == "usi":
        return [command]
    side = command.split()[1]
    if protocol == "line":
        return [f"reg_genmove {side}", f"play {side} {move}"]
    return [command, "undo", f"play {side} {move}"]


@dataclass(slots=True)
class Author:
    """Asks a match's own engines whether they blunder again, and what it takes."""

    folder: Path
    seal: Mapping[str, Any]

    def tried(
        self, blunders: Sequence[Blunder], note: Callable[[str], None]
    ) -> Iterator[tuple[Problem, str]]:
        """Yield each problem with what came of asking: alone, then after all that was said."""
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
        # The seed goes with the problem.
        return replace(spec, options=tuple(pair for pair in spec.options if pair[0] != "seed"))

    def _try(
        self, blunder: Blunder, seat: Seat, note: Callable[[str], None]
    ) -> tuple[Problem, str]:
        problem = propose(blunder)
        examiner = Examiner(seat)
        alone = examiner.examine("", problem)
        if _repeated(alone):
            return problem, "repeated at once"
        if alone.status is Status.ERROR:
            note(f"{problem.name}: {alone.message}")
            return problem, "not tried"
        replay = said_before(self.folder, blunder, seat.client().protocol)
        if replay:
            primed = replace(problem, replay=replay)
            seat.dismiss(1.0)
            if _repeated(examiner.examine("", primed)):
                return primed, "repeated with what it had been told before"
        return problem, f"not repeated (answered {alone.answer})"


def _repeated(result: Result) -> bool:
    return result.status is Status.FAILED
