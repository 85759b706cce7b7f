"""The engine behind USI: options, the game so far, the time for a move, what is said of it."""

import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from engines.core.game import InvalidText
from engines.shogi.notation import DECLARED_DRAW, DECLARED_WIN, format_move, parse_move
from engines.shogi.position import Position
from engines.shogi.rules import ShogiRules
from engines.shogi.sfen import START, parse_sfen
from engines.shogi.thinking import BEST_LEVEL, Task, Thinker, Thought, declaring_points

_PLAIN_GO: Final = 1.0  # Seconds where a bare `go` names no limit.
_EXPECTED_MOVES: Final = 40
_MOST_INFO: Final = 0.15  # Seconds between two reports at least; graphical programs choke on more.


class Order(Protocol):
    """What the player reads of an order; protocols.usi has it."""

    numbers: dict[str, int]
    infinite: bool
    searchmoves: list[str]
    mate_time: int | None


class Watch(Protocol):
    """What the player asks while it searches; protocols.usi has it."""

    begun: float
    pondering: bool

    def stopped(self) -> bool:
        """Tell whether the search must end."""

    def info(self, text: str) -> None:
        """Write a line of information."""


@dataclass(slots=True)
class Settings:
    """The options as the player uses them; times in seconds."""

    megabytes: int = 64
    threads: int = 1
    level: int = BEST_LEVEL
    lines: int = 1
    delay: float = 0.2
    resign: int = 99999
    most_moves: int = 0
    variant: str = ""
    ponder: bool = True


@dataclass(frozen=True, slots=True)
class Budget:
    """Seconds for a move: what it should cost, and what it may; None is no limit."""

    wanted: float | None = None
    most: float | None = None


def budget(numbers: Mapping[str, int], turn: int, delay: float) -> Budget:
    """Turn the times of an order into seconds for one move of the side to move."""
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
    # ShogiHome's clocks leave the increment out: it may be spent on this very move.
    available = max(own, 0.0) + max(byoyomi, 0.0) + max(increment, 0.0)
    # Of a short time a delay may take no more than 40 %, or no time to think is left.
    most = available - min(delay, 0.4 * available)
    least = min(0.02, most)
    if byoyomi > 0 and own < byoyomi:
        return Budget(most, most)  # What is left of a period cannot be saved.
    share = max(own, 0.0) / _EXPECTED_MOVES + 0.8 * increment + 0.8 * byoyomi
    wanted = max(min(share, most), least)
    return Budget(wanted, min(most, 4 * wanted))


@dataclass(slots=True)
class Player:
    """One game at a time, one search at a time."""

    settings: Settings = field(default_factory=Settings)
    _thinker: Thinker = field(default_factory=Thinker)
    _position: Position = field(default_factory=lambda: parse_sfen(START))
    _rules: ShogiRules = field(default_factory=ShogiRules)
    _told: float = -1.0

    def configure(self, **values: int | float | str | bool) -> None:
        """Take new values of settings; the number of lines counts even during a search."""
        for name, value in values.items():
            setattr(self.settings, name, value)
        settings = self.settings
        if self._rules.variant != settings.variant:
            self._rules = ShogiRules(settings.variant)

    def prepare(self) -> None:
        """Take the memory that a search needs."""
        self._arrange()
        self._thinker.prepare()

    def _arrange(self) -> None:
        settings = self.settings
        self._thinker.arrange(settings.megabytes, settings.threads, settings.level)

    def new_game(self) -> None:
        """Forget what earlier searches learned."""
        self._thinker.forget()

    def set_position(self, setup: str, moves: Sequence[str]) -> None:
        """Set up a position, problems included, and make moves; raises InvalidText.

        After a move that is not legal the position before it stands.
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
        """Return some legal move, or `resign`."""
        moves = self._position.legal_moves()
        return format_move(random.choice(moves)) if moves else "resign"

    def go(self, order: Order, watch: Watch) -> tuple[str, str]:
        """Search and return a move, `resign` or `win`, and the expected reply."""
        position = self._position
        declared = self._rules.declaration(position)
        if declared == DECLARED_WIN and not order.searchmoves:
            watch.info("depth 0 score mate +")
            return "win", ""
        moves = self._named_moves(order)
        if not moves:
            watch.info("depth 0 score mate -")
            return "resign", ""
        self._arrange()
        self._told = -1.0
        seconds = _Clock(order, watch, position.turn, self.settings.delay)
        forced = len(moves) == 1

        def deepen(thought: Thought, changed: bool) -> bool:
            if order.infinite or watch.pondering:
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
            stop=lambda: watch.stopped() or seconds.over(),
            deepen=deepen,
            report=lambda found: self._report(found, watch, last=False),
            lines=lambda: self.settings.lines,
            moves=moves,
            depth=max(order.numbers.get("depth", 100), 1),
            nodes=max(order.numbers.get("nodes", 0), 0),
            declaring=declaring_points(self.settings.variant),
            most_plies=self.settings.most_moves,
        )
        thoughts = self._research(task) if order.infinite else self._thinker.think(task)
        self._report(thoughts, watch, last=True)
        best = thoughts[0]
        if declared == DECLARED_DRAW and best.score < 0 and not order.searchmoves:
            return "win", ""  # A draw by declaration is better than what is coming.
        if best.score <= -self.settings.resign and not order.infinite:
            return "resign", ""
        reply = format_move(best.line[1]) if len(best.line) > 1 else ""
        return format_move(best.line[0]), reply

    def _research(self, task: Task) -> Sequence[Thought]:
        """Think without end; begin anew, with what the table knows, for another number of lines.

        To end the depth that is reached, or to search new lines as deep, would take minutes.
        """
        while True:
            lines = self.settings.lines

            def stop(lines: int = lines) -> bool:
                return task.stop() or self.settings.lines != lines

            self._told = -1.0
            thoughts = self._thinker.think(replace(task, stop=stop))
            if self.settings.lines == lines or task.stop():
                return thoughts

    def _named_moves(self, order: Order) -> list[int]:
        moves = list(self._position.legal_moves())
        named = [move for move in moves if format_move(move) in order.searchmoves]
        return named or moves

    def _report(self, thoughts: Sequence[Thought], watch: Watch, *, last: bool) -> None:
        """Write all lines of play, the best first; not too often, and always the last."""
        now = time.monotonic()
        if not last and now - self._told < _MOST_INFO:
            return
        self._told = now
        several = len(thoughts) > 1
        for rank, thought in enumerate(thoughts, start=1):
            watch.info(describe(thought, rank if several else 0))

    def mate(self, order: Order, watch: Watch) -> tuple[list[str], bool]:
        """Search for a mate; return its moves, and whether it is proved that there is none."""
        from engines.shogi.mate import Solver

        begun = watch.begun
        limit = None if order.mate_time is None else max(order.mate_time / 1000 - 0.05, 0.01)

        def over() -> bool:
            spent = time.monotonic() - begun
            return watch.stopped() or (limit is not None and spent >= limit)

        self._thinker.release()  # One table at a time: USI_Hash is for both.
        moves, refuted = Solver(self.settings.megabytes).solve(self._position, over)
        return [format_move(move) for move in moves], refuted


class _Clock:
    """The time of one search, which begins anew at a ponderhit."""

    def __init__(self, order: Order, watch: Watch, turn: int, delay: float) -> None:
        self._order = order
        self._watch = watch
        self._turn = turn
        self._delay = delay

    def _budget(self) -> Budget:
        if self._order.infinite or self._watch.pondering:
            return Budget()
        return budget(self._order.numbers, self._turn, self._delay)

    def bounded(self) -> bool:
        """Whether time ends the search."""
        return self._budget().most is not None

    def over(self) -> bool:
        """Whether all time is spent."""
        most = self._budget().most
        return most is not None and time.monotonic() - self._watch.begun >= most

    def spent(self, share: float) -> bool:
        """Whether a share of the wanted time is spent, so that another depth would not end."""
        limits = self._budget()
        if limits.wanted is None or limits.wanted == limits.most:
            return False
        return time.monotonic() - self._watch.begun >= share * limits.wanted


def describe(thought: Thought, rank: int) -> str:
    """Write a line of information as USI has it; rank 0 is the only line."""
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
