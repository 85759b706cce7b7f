"""The referee of one game, and a match of several between two engines."""

import time
from collections.abc import Generator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from engines import registry
from engines.core.game import Game, IllegalMove, InvalidText, Outcome, Rules, Side
from engines.core.timing import Clock, TimeControl
from protocols.client import Client, Left, Reply, close_clients, start
from protocols.errors import EngineError, EngineExited, EngineRefused, EngineTimeout
from protocols.process import Process
from tools.engines import EngineSpec
from tools.record import GameRecord, PlayedMove, Player, Verdict

LAG: Final = 0.1  # Seconds a move that no engine is charged for: pipes and schedulers.
PATIENCE: Final = 60.0  # Seconds for a move without a clock, and for whatever is no move.


@dataclass(frozen=True, slots=True)
class MatchSpec:
    """What is played: the game, by whom, how often, with how much time."""

    game: str
    variant: str
    size: int
    engines: tuple[EngineSpec, EngineSpec]
    games: int
    control: TimeControl

    def rules(self) -> Rules[Any]:
        """Return the referee's own rules; raises InvalidText."""
        return registry.rules(self.game, self.variant, self.size)


class Forfeit(Exception):
    """A side loses by its own doing; says which, how and why."""

    def __init__(self, side: Side, verdict: Verdict, reason: str) -> None:
        super().__init__(reason)
        self.side = side
        self.verdict = verdict
        self.reason = reason


class Seat:
    """An engine of the match: its program is started when it is needed, anew after a fault."""

    def __init__(self, spec: EngineSpec) -> None:
        self.spec = spec
        self.player = Player(spec.label, "", "")
        self._client: Client | None = None

    def client(self) -> Client:
        """Return the running engine, starting it if need be; raises EngineError."""
        if self._client is None:
            spec, deadline = self.spec, _soon()
            client = start(self._launch, deadline, spec.protocol or "")
            self._client = client
            self.player = Player(spec.label, client.name, client.version)
            for name, value in spec.options:
                client.set_option(name, value, deadline)
        return self._client

    def _launch(self) -> Process:
        environment = dict(self.spec.environment)
        return Process(self.spec.command, cwd=self.spec.folder, env=environment)

    def dismiss(self) -> None:
        """End the program: one that failed is never asked again."""
        dismiss([self])


def dismiss(seats: list["Seat"]) -> None:
    """End several programs with one grace period."""
    close_clients([seat._client for seat in seats if seat._client is not None])
    for seat in seats:
        seat._client = None


def play_match(spec: MatchSpec) -> Generator[GameRecord, None, None]:
    """Play the games one after another, colours alternating; close to end the engines.

    Raises EngineError when an engine cannot be started before the first game, and InvalidText
    for what cannot be said in an engine's protocol, such as a depth in GTP.
    """
    seats = [Seat(engine) for engine in spec.engines]
    try:
        for seat in seats:
            seat.client()
        for number in range(spec.games):
            order = seats if number % 2 == 0 else seats[::-1]
            yield play_game(spec, number + 1, order)
    finally:
        dismiss(seats)


def play_game(spec: MatchSpec, number: int, seats: list[Seat]) -> GameRecord:
    """Play one game; `seats` are in the order of moving. However it ends, it is recorded."""
    table = _Table(spec, seats)
    started = datetime.now().astimezone().isoformat(timespec="seconds")
    verdict = Verdict.NATURAL
    try:
        table.begin()
        while (outcome := table.game.outcome()) is None:
            table.move()
    except Forfeit as forfeit:
        outcome = Outcome(1 - forfeit.side, forfeit.reason)
        verdict = forfeit.verdict
        if verdict in (Verdict.TIME, Verdict.CRASH, Verdict.PROTOCOL):
            seats[forfeit.side].dismiss()
    return GameRecord(
        game=spec.game,
        variant=table.game.rules.variant,
        number=number,
        players=(seats[0].player, seats[1].player),
        control=spec.control,
        started=started,
        moves=tuple(table.moves),
        outcome=outcome,
        verdict=verdict,
    )


class _Table:
    """The board between two engines: the referee's own game, its clocks, what was played."""

    def __init__(self, spec: MatchSpec, seats: list[Seat]) -> None:
        self.game = Game(spec.rules())
        self.moves: list[PlayedMove] = []
        self._spec = spec
        self._seats = seats
        self._clocks = (Clock(spec.control), Clock(spec.control))
        self._letters = tuple(side[0] for side in self.game.rules.sides)

    def begin(self) -> None:
        """Tell both engines that a game begins."""
        for side, seat in enumerate(self._seats):
            with _Blame(side):
                deadline, client = _soon(), seat.client()
                client.new_game(
                    deadline, variant=self._spec.variant or "default", control=self._spec.control
                )

    def move(self) -> None:
        """Ask whose turn it is for a move, charge the clock, check it, tell the opponent."""
        side = self.game.turn
        clock = self._clocks[side]
        reply = self._ask(side)
        if not clock.charge(max(0.0, reply.seconds - LAG)):
            raise Forfeit(side, Verdict.TIME, f"time: {reply.seconds:.3f} s for {reply.move}")
        self._clocks[1 - side].credit(reply.seconds)
        if reply.move == "resign":
            raise Forfeit(side, Verdict.RESIGN, "resignation")
        try:
            self.game.play(reply.move)
        except (InvalidText, IllegalMove) as error:
            reason = f"illegal move {_printable(reply.move)}: {error}"
            raise Forfeit(side, Verdict.ILLEGAL, reason) from error
        left = clock.left()[0] if clock.running else None
        self.moves.append(PlayedMove(side, reply.move, reply.seconds, left, _evaluation(reply)))
        with _Blame(1 - side):
            opponent = self._seats[1 - side].client()
            opponent.play(self._letters[side], reply.move, _soon())

    def _ask(self, side: Side) -> Reply:
        own, other = self._clocks[side], self._clocks[1 - side]
        wait = own.available() + LAG if own.running else PATIENCE
        lefts = (Left(*own.left()), Left(*other.left())) if own.running else (None, None)
        with _Blame(side):
            client = self._seats[side].client()
            return client.genmove(self._letters[side], time.monotonic() + wait, *lefts)


class _Blame:
    """Turn what an engine does wrong into the forfeit of its side."""

    def __init__(self, side: Side) -> None:
        self._side = side

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, EngineTimeout):
            raise Forfeit(self._side, Verdict.TIME, f"time: {error}") from error
        if isinstance(error, EngineExited):
            raise Forfeit(self._side, Verdict.CRASH, f"crash: {error}") from error
        if isinstance(error, (EngineError, EngineRefused)):
            raise Forfeit(self._side, Verdict.PROTOCOL, f"protocol: {error}") from error
        if isinstance(error, ValueError):  # The user asked for what the protocol cannot say.
            raise InvalidText(str(error)) from error


def _soon() -> float:
    return time.monotonic() + PATIENCE


def _evaluation(reply: Reply) -> str:
    words = [f"score {reply.score}"] if reply.score else []
    words += [f"depth {reply.depth}"] if reply.depth is not None else []
    words += [f"nodes {reply.nodes}"] if reply.nodes is not None else []
    words += [f"pv {reply.pv}"] if reply.pv else []
    return " ".join(words)


def _printable(text: str) -> str:
    return repr(text[:40]) if not text.isprintable() or len(text) > 40 else text
