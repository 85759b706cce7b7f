"""The engine behind USI: its options, the current game, the time for a move, and its reports."""

import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Protocol

from engines.core.game import InvalidText
from engines.shogi.play import evaluating
from engines.shogi.play.scores import ALL_METHODS, METHODS
from engines.shogi.play.search import BEST_LEVEL, Task, Thinker, Thought, declaring_points
from engines.shogi.rules.notation import DECLARED_DRAW, DECLARED_WIN, format_move, parse_move
from engines.shogi.rules.position import Position
from engines.shogi.rules.sfen import START, parse_sfen
from engines.shogi.rules.text import ShogiRules

_PLAIN_GO: Final = 1.0  # Seconds for a `go` without any limit.
_EXPECTED_MOVES: Final = 40
_RESERVE: Final = 0.3  # Seconds of a main time that are kept for delays to come.
_LEAST_PAUSE: Final = 0.15  # Seconds between reports; graphical programs cannot keep up with more.


class GoCommand(Protocol):
    """The parts of a `go` command that the player uses, as in protocols.serve.usi."""

    numbers: dict[str, int]
    infinite: bool
    searchmoves: list[str]
    mate_time: int | None


class SearchControl(Protocol):
    """The parts of a search's control that the player uses, as in protocols.serve.usi."""

    begun: float
    pondering: bool

    def stopped(self) -> bool:
        """Tell whether the search must end."""

    def info(self, text: str) -> None:
        """Write a line of information."""


@dataclass(slots=True)
class Settings:
    """The options in the form that the player uses; times are in seconds."""

    megabytes: int = 64
    threads: int = 1
    level: int = BEST_LEVEL
    lines: int = 1
    delay: float = 0.06
    resign: int = 5000
    most_moves: int = 0
    variant: str = ""
    ponder: bool = True
    weights: str = ""  # A network or a file of weights; empty for what is shipped.
    disabled: Sequence[str] = ()  # Names from scores.METHODS.


@dataclass(frozen=True, slots=True)
class Budget:
    """Seconds for a move: how many to aim at, and the limit; None means no limit."""

    wanted: float | None = None
    most: float | None = None


def budget(numbers: Mapping[str, int], turn: int, delay: float) -> Budget:
    """Return the time for one move of the side to move, given the numbers of a `go` command."""
    if "movetime" in numbers:
        most = max(numbers["movetime"] / 1000 - min(delay, 0.05), 0.01)
        return Budget(most, most)
    own = numbers.get("bw"[turn] + "time", 0) / 1000
    byoyomi = numbers.get("byoyomi", 0) / 1000
    increment = numbers.get("bw"[turn] + "inc", 0) / 1000
    timed = {"btime", "wtime", "byoyomi", "binc", "winc", "rtime"} & numbers.keys()
    if "rtime" in numbers:
        own = max(own, numbers["rtime"] / 1000)
    if not timed:
        limited = "depth" in numbers or numbers.get("nodes", 0) > 0
        return Budget() if limited else Budget(_PLAIN_GO, _PLAIN_GO)
    # The clocks that ShogiHome sends do not include the increment, which may be spent on this move.
    available = max(own, 0.0) + max(byoyomi, 0.0) + max(increment, 0.0)
    # The allowance for delays takes at most 40 % of a short time, so that time to think remains.
    most = available - min(delay, 0.4 * available)
    least = min(0.02, most)
    if byoyomi > 0 and own < byoyomi:
        return Budget(most, most)  # The rest of a period cannot be saved for later moves.
    own = max(own, 0.0)
    reserve = 0.0 if byoyomi > 0 else _RESERVE
    share = max(own - reserve, 0.0) / _EXPECTED_MOVES + 0.8 * increment + 0.8 * byoyomi
    if own < reserve:
        # Save a part of the increment until there is a reserve again.
        share = min(share, increment - (reserve - own) / 6)
    wanted = max(min(share, most), least)
    return Budget(wanted, max(min(most - reserve, 4 * wanted), wanted))


@dataclass(slots=True)
class Player:
    """Plays one game at a time and runs one search at a time."""

    settings: Settings = field(default_factory=Settings)
    _thinker: Thinker = field(default_factory=Thinker)
    _position: Position = field(default_factory=lambda: parse_sfen(START))
    _rules: ShogiRules = field(default_factory=ShogiRules)
    _reported: float = -1.0
    _weights: str = ""

    def configure(self, **values: int | float | str | bool | Sequence[str]) -> None:
        """Set options; the number of lines takes effect even during a search."""
        for name, value in values.items():
            setattr(self.settings, name, value)
        settings = self.settings
        if self._rules.variant != settings.variant:
            self._rules = ShogiRules(settings.variant)

    def prepare(self) -> None:
        """Allocate the memory that a search needs."""
        self._arrange()
        self._thinker.prepare()

    def _arrange(self, *, alone: bool = False) -> None:
        """Set up the search; `alone` keeps it to one thread, so that it can be repeated."""
        settings = self.settings
        methods = ALL_METHODS
        for name in settings.disabled:
            methods &= ~(1 << METHODS.index(name))
        threads = 1 if alone else settings.threads
        self._thinker.arrange(settings.megabytes, threads, settings.level, methods)
        if settings.weights != self._weights:
            # Not while a search runs, so only here; what earlier searches stored is worthless now.
            file = settings.weights
            self._thinker.evaluate_by(evaluating.load(Path(file)) if file else None)
            self._weights = file

    def complaint(self) -> str:
        """Return why the shipped network is not used, or an empty text."""
        return "" if self.settings.weights else evaluating.shipped().complaint

    def new_game(self) -> None:
        """Forget what earlier searches learned."""
        self._thinker.forget()

    def set_position(self, setup: str, moves: Sequence[str]) -> None:
        """Set up a position, which may be a mate problem, and make moves; raises InvalidText.

        If a move is illegal, the position before it remains set up.
        """
        position = parse_sfen(setup or START, tolerate="rule")
        self._position = position
        for number, text in enumerate(moves, start=1):
            if text in ("resign", "win"):
                break
            move = parse_move(text)
            if not position.allows(move):
                raise InvalidText(f"illegal move {text[:20]} at ply {number}")
            position.play(move)

    def any_move(self) -> str:
        """Return any legal move, or `resign` if there is none."""
        moves = self._position.legal_moves()
        return format_move(random.choice(moves)) if moves else "resign"

    def go(self, command: GoCommand, control: SearchControl) -> tuple[str, str]:
        """Search and return a move, `resign` or `win`, and the expected reply."""
        position = self._position
        declared = self._rules.declaration(position)
        if declared == DECLARED_WIN and not command.searchmoves:
            control.info("depth 0 score mate +")
            return "win", ""
        moves = self._named_moves(command)
        if not moves:
            control.info("depth 0 score mate -")
            return "resign", ""
        limited = command.numbers.keys() & {"depth", "nodes"}
        self._arrange(alone=bool(limited) or self.settings.level < BEST_LEVEL)
        self._reported = -1.0
        seconds = _Clock(command, control, position.turn, self.settings.delay)
        forced = len(moves) == 1

        def deepen(thought: Thought, changed: bool) -> bool:
            if command.infinite or control.pondering:
                return True
            if forced and seconds.bounded() and thought.depth >= 6:
                return False
            if thought.proved and seconds.bounded():
                return False
            if (
                thought.mate is not None
                and seconds.bounded()
                and thought.depth > 3 * abs(thought.mate)
            ):
                return False
            return not seconds.spent(1.4 if changed else 0.7)

        task = Task(
            position=position,
            stop=lambda: control.stopped() or seconds.over(),
            deepen=deepen,
            report=lambda current: self._report(current, control, last=False),
            lines=lambda: self.settings.lines,
            moves=moves,
            depth=max(command.numbers.get("depth", 100), 1),
            nodes=max(command.numbers.get("nodes", 0), 0),
            declaring=declaring_points(self.settings.variant),
            most_plies=self.settings.most_moves,
        )
        thoughts = self._research(task) if command.infinite else self._thinker.think(task)
        self._report(thoughts, control, last=True)
        best = thoughts[0]
        if declared == DECLARED_DRAW and best.score < 0 and not command.searchmoves:
            return "win", ""  # A draw by declaration is better than a lost game.
        if best.score <= -self.settings.resign and not command.infinite:
            return "resign", ""
        reply = format_move(best.line[1]) if len(best.line) > 1 else ""
        return format_move(best.line[0]), reply

    def _research(self, task: Task) -> Sequence[Thought]:
        """Search without a limit, and restart when the number of lines changes.

        The restarted search uses the transposition table. Without a restart, the change would take
        effect only after the current depth, which may take minutes.
        """
        while True:
            lines = self.settings.lines

            def stop(lines: int = lines) -> bool:
                return task.stop() or self.settings.lines != lines

            self._reported = -1.0
            thoughts = self._thinker.think(replace(task, stop=stop))
            if self.settings.lines == lines or task.stop():
                return thoughts

    def _named_moves(self, command: GoCommand) -> list[int]:
        moves = list(self._position.legal_moves())
        named = [move for move in moves if format_move(move) in command.searchmoves]
        return named or moves

    def _report(self, thoughts: Sequence[Thought], control: SearchControl, *, last: bool) -> None:
        """Report all lines of play, best first, with pauses except before the last report."""
        now = time.monotonic()
        if not last and now - self._reported < _LEAST_PAUSE:
            return
        self._reported = now
        several = len(thoughts) > 1
        for rank, thought in enumerate(thoughts, start=1):
            control.info(describe(thought, rank if several else 0))

    def mate(self, command: GoCommand, control: SearchControl) -> tuple[list[str], bool]:
        """Search for a mate; return its moves, and whether a mate is proved impossible."""
        from engines.shogi.play.mate.search import Solver

        begun = control.begun
        limit = None if command.mate_time is None else max(command.mate_time / 1000 - 0.05, 0.01)

        def over() -> bool:
            spent = time.monotonic() - begun
            return control.stopped() or (limit is not None and spent >= limit)

        self._thinker.release()  # USI_Hash limits both tables together: keep one at a time.
        moves, refuted = Solver(self.settings.megabytes).solve(self._position, over)
        return [format_move(move) for move in moves], refuted


class _Clock:
    """The time of one search, which starts again at a ponderhit."""

    def __init__(self, command: GoCommand, control: SearchControl, turn: int, delay: float) -> None:
        self._command = command
        self._control = control
        self._turn = turn
        self._delay = delay

    def _budget(self) -> Budget:
        if self._command.infinite or self._control.pondering:
            return Budget()
        return budget(self._command.numbers, self._turn, self._delay)

    def bounded(self) -> bool:
        """Tell whether the search has a time limit."""
        return self._budget().most is not None

    def over(self) -> bool:
        """Tell whether the time limit has passed."""
        most = self._budget().most
        return most is not None and time.monotonic() - self._control.begun >= most

    def spent(self, share: float) -> bool:
        """Tell whether so large a share of the time is spent that no further depth would finish."""
        limits = self._budget()
        if limits.wanted is None or limits.wanted == limits.most:
            return False
        return time.monotonic() - self._control.begun >= share * limits.wanted


def describe(thought: Thought, rank: int) -> str:
    """Return the text of a USI `info` line; rank 0 means that there is only one line of play."""
    milliseconds = int(thought.seconds * 1000)
    words = f"depth {thought.depth} seldepth {thought.reached}"
    if rank:
        words += f" multipv {rank}"
    score = f"cp {thought.score}" if thought.mate is None else f"mate {thought.mate}"
    words += f" score {score} nodes {thought.nodes}"
    if milliseconds:
        words += f" nps {thought.nodes * 1000 // milliseconds}"
    words += f" time {milliseconds} hashfull {thought.fullness}"
    return words + " pv " + " ".join(format_move(move) for move in thought.line)
