"""The work on one game: its positions in their order, valued by an engine that may fail."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from engines import registry
from engines.core.game import CHANCE, Game
from engines.core.timing import TimeControl
from protocols.ask.engine import EngineSpec
from protocols.errors import EngineError
from tools.annotate.planning import AnnotateOptions, CannotAnnotate
from tools.annotate.valuing import Value, Valuer
from tools.records.game import PlayedMove
from tools.records.recorded import RecordedGame
from tools.roster.engines import resolve
from tools.roster.seats import EnginePool, Seat, describe_fault

_FAILURES: Final = 3  # Positions in a row that an engine fails at, each of them twice.


@dataclass(slots=True)
class AnnotatedFile:
    """A record that is under way; `left` is the number of its games that are not valued yet."""

    source: Path
    target: Path
    data: bytes = b""
    key: str = ""  # The same for the same content.
    games: list[RecordedGame] = field(default_factory=list)
    values: list[dict[str, Value]] = field(default_factory=list)
    left: int = 0
    failed: bool = False


@dataclass(frozen=True, slots=True)
class GameTask:
    """A game to value, and the values that are known already."""

    file: AnnotatedFile
    number: int
    known: Mapping[str, Value]

    @property
    def game(self) -> RecordedGame:
        """The game."""
        return self.file.games[self.number]


class Worker:
    """The engines of one worker, which are kept from game to game.

    `notice` is called with a text if an engine is slow to start.
    """

    def __init__(
        self,
        engine: EngineSpec | None,
        control: TimeControl,
        options: AnnotateOptions,
        notice: Callable[[str], None],
    ) -> None:
        self._engine = engine
        self._control = control
        self._options = options
        self._notice = notice
        self._pool = EnginePool()
        self._valuers: dict[EngineSpec, Valuer] = {}

    def values(self, task: GameTask) -> Iterator[tuple[str, Value, bool]]:
        """Yield the name and the value of each position, and whether the engine was asked.

        Raises CannotAnnotate if the engine does not start, or fails again and again, and
        EngineRefused, CannotSay and InvalidText if it cannot be asked about this game.
        """
        seat, valuer = self._seat(task.game.game)
        found: dict[str, Value] = {}
        failures = 0
        for name, game, moves in _positions(task.game, self._options):
            known = task.known.get(name) or _chosen(name, moves, found)
            value = found[name] = known or _value_twice(seat, valuer, game, moves)
            failures = failures + 1 if value.fault and known is None else 0
            if failures >= _FAILURES:
                reason = f"{_FAILURES} positions in a row failed: {value.fault}"
                raise CannotAnnotate(f"{seat.spec.label}: {reason}")
            yield name, value, known is None

    def close(self) -> None:
        """End the engines."""
        self._pool.close()

    def _seat(self, game: str) -> tuple[Seat, Valuer]:
        spec = self._engine or resolve(game)
        if self._options.patience is not None:
            spec = replace(spec, patience=self._options.patience)
        if spec not in self._valuers:
            if faults := self._pool.find_faults([spec], self._notice):
                raise CannotAnnotate(faults)
            seat = self._pool.seat(spec)
            self._valuers[spec] = Valuer(seat, self._control, self._options.timeout)
        return self._pool.seat(spec), self._valuers[spec]


def _positions(
    recorded: RecordedGame, options: AnnotateOptions
) -> Iterator[tuple[str, Game[Any], Sequence[PlayedMove]]]:
    """Yield the positions that have to be valued, with their names and the moves before them.

    In a game with dice, the position after a move is followed by a throw. It is valued by itself,
    as the mean over the throws.
    """
    game = Game(registry.rules(recorded.game, recorded.variant, recorded.size), recorded.setup)
    number = 0
    for at, move in enumerate((*recorded.moves, None)):
        before = recorded.moves[:at]
        if move is None or move.side != CHANCE:
            wanted = options.first - 1 <= number <= options.last
            if wanted and (game.outcome() is not None or game.turn != CHANCE):
                yield str(number), game, before
        if move is None:
            return
        game.push(game.rules.parse(game.position, move.text))
        if move.side == CHANCE:
            continue
        number += 1
        after_dice = game.outcome() is None and game.turn == CHANCE
        if after_dice and options.first <= number <= options.last:
            yield f"{number}+", game, recorded.moves[: at + 1]


def _chosen(key: str, moves: Sequence[PlayedMove], found: Mapping[str, Value]) -> Value | None:
    """Return the value before a throw, if the engine chose the move: that of the move."""
    if not key.endswith("+"):
        return None
    before = found.get(str(int(key[:-1]) - 1))
    if before is None or before.best != moves[-1].text:
        return None
    return replace(before, best="")


def _value_twice(seat: Seat, valuer: Valuer, game: Game[Any], moves: Sequence[PlayedMove]) -> Value:
    """Value a position; an engine that fails is started again and asked once more."""
    try:
        return valuer.value(game, moves)
    except EngineError:
        seat.dismiss(1.0)
    try:
        return valuer.value(game, moves)
    except EngineError as error:
        fault = describe_fault(seat.spec, error)
        seat.dismiss(1.0)
        return Value(0, fault=" ".join(fault.split()))
