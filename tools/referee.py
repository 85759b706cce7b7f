"""The referee of one game: asks, times, checks and tells; one function per way to lose."""

import hashlib
import math
import time
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from engines import registry
from engines.core.game import CHANCE, FIRST, Game, IllegalMove, InvalidText, Outcome, Rules, Side
from engines.core.timing import Clock, TimeControl
from protocols.client import Client, GtpClient, Left, Reply
from protocols.errors import EngineError, EngineExited, EngineRefused, EngineTimeout
from tools import go
from tools.adjudication import Adjudication, Judge, claim, known
from tools.count import AGREED, ArbiterFailed, Counting, capped, counted
from tools.engines import EngineSpec
from tools.record import Count, GameRecord, PlayedMove, Verdict
from tools.seat import CREW, QUICK, Crew, Seat, dismiss, last_words, soon
from tools.stall import Stalls
from tools.transcript import Transcript, transcript_path

LAG: Final = 0.1  # Seconds over the flag that are forgiven once: pipes and schedulers.
LAGS: Final = 10  # How many such lags a side is forgiven in one game.
LATE: Final = 2.0  # Seconds after the flag in which a move tells a slow engine from a hung one.
MOVE_TIMEOUT: Final = 60.0  # Seconds for a move without a clock.


@dataclass(frozen=True, slots=True)
class Opening:
    """Moves that are given, from a set-up if there is one."""

    name: str = ""
    moves: tuple[str, ...] = ()
    setup: str = ""


@dataclass(frozen=True, slots=True)
class GameSpec:
    """One game to play, all that it depends on; engines and controls in the order of moving."""

    game: str
    variant: str
    size: int
    engines: tuple[EngineSpec, EngineSpec]
    controls: tuple[TimeControl, TimeControl]
    number: int = 1
    pair: int = 0
    side: Side = 0
    attempt: int = 0
    seed: int = 0
    opening: Opening = field(default_factory=Opening)
    adjudication: Adjudication = field(default_factory=Adjudication)
    lag: float = LAG
    move_timeout: float = MOVE_TIMEOUT
    transcripts: str = ""  # The folder for them; empty is none.
    free_handicap: int = 0  # Of Go: stones that the engine of Black places.
    scoring: str = AGREED  # Of Go.
    arbiter: EngineSpec | None = None  # Of Go, for what the engines disagree about.

    def rules(self) -> Rules[Any]:
        """Return the referee's own rules; raises InvalidText."""
        return registry.rules(self.game, self.variant, self.size)

    @property
    def named_seed(self) -> int:
        """The number that `{seed}` stands for in an option, of ten digits at most.

        It follows from the game's seed and does not tell it: no engine shall know the dice.
        """
        return int.from_bytes(hashlib.sha256(str(self.seed).encode()).digest()[:4], "big") >> 1

    def engine_seed(self, side: Side) -> int:
        """Return the seed for an engine's own chance, of nine digits at most."""
        told = f"{self.seed} {self.number} {self.attempt} {side}"
        return int.from_bytes(hashlib.sha256(told.encode()).digest()[:4], "big") >> 3


class Forfeit(Exception):
    """A side loses by its own doing; says which, how and why."""

    def __init__(
        self, side: Side, verdict: Verdict, reason: str, *, offence: str = "", stderr: str = ""
    ) -> None:
        super().__init__(reason)
        self.side = side
        self.verdict = verdict
        self.reason = reason
        self.offence = offence
        self.stderr = stderr
        self.code: int | None = None


class Spoilt(Exception):
    """The game has no result: the referee's delay hid who was late, or its arbiter failed."""


class Adjudged(Exception):
    """The game ends by what was agreed for the match."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.reason)
        self.outcome = outcome


def play_game(spec: GameSpec, crew: Crew = CREW) -> GameRecord:
    """Play one game; however it ends, it is recorded.

    Raises InvalidText for what cannot be said in an engine's protocol, such as a depth in GTP.
    """
    seats = [crew.seat(engine) for engine in spec.engines]
    _listen(spec, seats)
    arbiter = crew.seat(spec.arbiter) if spec.arbiter is not None else None
    table = Table(spec, seats, arbiter=arbiter)
    started = datetime.now().astimezone().isoformat(timespec="seconds")
    try:
        outcome, verdict, fallen = _decide(table, seats)
        decided = verdict != Verdict.VOID and outcome.winner is not None
        for side, seat in enumerate(seats):
            seat.end_game(outcome.winner == side if decided else None)
    finally:
        table.close()
        for seat in seats:
            if seat.transcript is not None:
                seat.transcript.close()
                seat.listen(None)
    return GameRecord(
        game=spec.game,
        variant=table.game.rules.variant,
        size=spec.size,
        number=spec.number,
        pair=spec.pair,
        side=spec.side,
        attempt=spec.attempt,
        seed=spec.seed,
        players=(seats[0].player, seats[1].player),
        controls=spec.controls,
        started=started,
        setup=table.game.initial_setup,
        opening=len(spec.opening.moves),
        opening_name=spec.opening.name,
        moves=tuple(table.moves),
        outcome=outcome,
        verdict=verdict,
        offence=fallen.offence if fallen else "",
        code=fallen.code if fallen else None,
        stderr=last_words(fallen.stderr) if fallen else "",
        faults=(table.faults[0], table.faults[1]),
        count=table.count,
    )


def _decide(table: "Table", seats: list[Seat]) -> tuple[Outcome, Verdict, Forfeit | None]:
    """Play to the end, however it comes; end the programs that may not be asked again."""
    try:
        table.begin()
        while (outcome := table.outcome()) is None:
            table.move()
    except Adjudged as adjudged:
        return adjudged.outcome, Verdict.ADJUDICATION, None
    except Spoilt as spoilt:
        dismiss(seats)
        return Outcome(None, str(spoilt)), Verdict.VOID, None
    except Forfeit as forfeit:
        if forfeit.verdict == Verdict.STALL:
            seats[forfeit.side].dismiss(QUICK)
        elif forfeit.verdict in (Verdict.CRASH, Verdict.PROTOCOL):
            seats[forfeit.side].dismiss()
        return Outcome(1 - forfeit.side, forfeit.reason), forfeit.verdict, forfeit
    return outcome, Verdict.NATURAL, None


def _listen(spec: GameSpec, seats: list[Seat]) -> None:
    if spec.transcripts:
        folder = Path(spec.transcripts)
        for number, seat in enumerate(seats, 1):
            path = transcript_path(folder, spec.game, spec.number, spec.attempt, number)
            seat.listen(Transcript(path))


class Table:
    """The board between two engines: the referee's own game, its clocks, what was played."""

    def __init__(
        self,
        spec: GameSpec,
        seats: list[Seat],
        stalls: Stalls | None = None,
        arbiter: Seat | None = None,
    ) -> None:
        self.game = Game(spec.rules(), spec.opening.setup)
        self._outcome = self.game.outcome()  # After the last move: asked once, used often.
        self.moves: list[PlayedMove] = []
        self.faults = [0, 0]
        self.count: Count | None = None  # Go, once the game is counted.
        self._counting = Counting(seats, spec.scoring, arbiter)
        self._spec = spec
        self._seats = seats
        self._clocks = [Clock(control) for control in spec.controls]
        self._lags = [LAGS * spec.lag, LAGS * spec.lag]
        self._letters = tuple(side[0] for side in self.game.rules.sides)
        self._judge = Judge(spec.adjudication)
        self._claims: list[str] = ["", ""]
        self._stalls = stalls or Stalls()
        self._throws = 0

    def close(self) -> None:
        """Let go of what the system lent."""
        self._stalls.close()

    def outcome(self) -> Outcome | None:
        """Return how the game ended, None while it goes on; who counted a game of Go knows."""
        return self._outcome

    def spend(self, side: Side, seconds: float) -> None:
        """Let the clocks run as they did for a move that was played before."""
        clock = self._clocks[side]
        if clock.running:
            seconds = min(seconds, clock.available())
            clock.charge(seconds)
            self._clocks[1 - side].credit(seconds)

    def think(self) -> Reply:
        """Ask the side to move for its move, and make nothing of it."""
        return self._ask(self.game.turn)

    def begin(self) -> None:
        """Tell both engines that a game begins, and the opening's moves."""
        for side, seat in enumerate(self._seats):
            with _Blame(side):
                seat.sow(self._spec.named_seed, self._spec.engine_seed(side))
                self._greet(seat, self._spec.controls[side])
                if side == FIRST and self._spec.free_handicap:
                    self._place_handicap(seat.client())
        for text in self._spec.opening.moves:
            self._give(text)
        for side, seat in enumerate(self._seats):
            with _Blame(side):
                seat.client().settle(soon())

    def _greet(self, seat: Seat, control: TimeControl) -> None:
        spec = self._spec
        variant, position = spec.variant or "default", spec.opening.setup
        settings = dict[str, str]()
        if spec.game == go.NAME:
            variant, settings = go.settings(self.game)
            position = ""
        seat.client().new_game(
            soon(seat.spec.patience),
            variant=variant,
            position=position,
            settings=settings,
            control=control,
        )

    def _place_handicap(self, client: Client) -> None:
        """Let Black's engine choose its stones: the game begins behind them."""
        wanted = self._spec.free_handicap
        if not isinstance(client, GtpClient):
            raise EngineRefused("place_free_handicap", f"{client.protocol} has no handicap")
        placed = client.place_handicap(wanted, soon())
        try:
            setup = go.free_setup(self.game, placed, wanted)
        except InvalidText as error:
            reason = f"illegal handicap {_printable(' '.join(placed))}: {error}"
            raise Forfeit(FIRST, Verdict.PROTOCOL, reason) from error
        self.game = Game(self.game.rules, setup)

    def _give(self, text: str) -> None:
        """Play a move that no engine chose; raises InvalidText or IllegalMove."""
        mover = self.game.turn
        self.game.play(text)
        self._outcome = self.game.outcome()
        self.moves.append(PlayedMove(mover, text, 0.0, None, ""))
        for side, seat in enumerate(self._seats):
            with _Blame(side):
                if mover == CHANCE:
                    seat.client().note_throw(int(text))
                else:
                    seat.client().note(self._letters[mover], text)

    def move(self) -> None:
        """Let the dice fall, or ask whose turn it is for a move and see to all that follows."""
        side = self.game.turn
        if side == CHANCE:
            self._throws += 1
            thrown = registry.find(self._spec.game).load("throw")(self._spec.seed, self._throws)
            self._give(str(thrown))
            return
        reply = self._ask(side)
        self._charge(side, reply)
        if reply.move == "resign":
            raise Forfeit(side, Verdict.RESIGN, "resignation")
        if reply.pv or reply.score:
            self._check_announced(side, reply)
        self._replay(side, reply)
        ended = self._judge.judge(side, reply.score, len(self.moves))
        ended = ended or known(self._spec.adjudication, self.game)
        passed = reply.move == "pass" and go.is_over(self.game)
        self._outcome = None if passed else self.game.outcome()
        self._tell(side, reply.move, last=passed or bool(self._outcome or ended))
        if passed:
            self._outcome = self._count()
        if ended is not None and self._outcome is None:
            if self._spec.game == go.NAME and self._judge.is_too_long(len(self.moves)):
                ended = capped(ended, self._count())
            raise Adjudged(ended)
        if reply.expected and self._outcome is None and self._spec.engines[side].ponder:
            self._let_ponder(side, reply.expected)

    def _count(self) -> Outcome:
        try:
            self.count = self._counting.count(self.game)
        except ArbiterFailed as error:
            raise Spoilt(f"void: {error}") from error
        return counted(self.game, self.count)

    def _ask(self, side: Side) -> Reply:
        own = self._clocks[side]
        wait = own.available() + self._spec.lag + LATE if own.running else self._spec.move_timeout
        left, theirs = self._shown(side)
        client = self._seats[side].client()
        ponders = self._spec.engines[1 - side].ponder
        self._stalls.begin()
        asked = time.monotonic()
        try:
            if ponders:
                client.process.accompany(self._seats[1 - side].client().process)
            return client.genmove(self._letters[side], asked + wait, left, theirs)
        except EngineTimeout as error:
            raise self._stalled(side, time.monotonic() - asked, error) from error
        except EngineExited as error:
            raise _crashed(side, error) from error
        except (EngineError, EngineRefused) as error:
            raise _broken(side, error) from error
        except ValueError as error:  # The user asked for what the protocol cannot say.
            raise InvalidText(str(error)) from error
        finally:
            if ponders:
                client.process.accompany(None)

    def _shown(self, side: Side) -> tuple[Left | None, Left | None]:
        """Return what the clocks of a side and of its opponent show."""
        own, other = self._clocks[side], self._clocks[1 - side]
        return (
            Left._make(own.left()) if own.running else None,
            Left._make(other.left()) if other.running else None,
        )

    def _let_ponder(self, side: Side, expected: str) -> None:
        """Have an engine think on about the answer that it expects, if that is legal."""
        try:
            self.game.rules.parse(self.game.position, expected)
        except (InvalidText, IllegalMove):
            self.faults[side] += 1
            return
        with _Blame(side):
            self._seats[side].client().ponder(
                self._letters[side], expected, soon(), *self._shown(side)
            )

    def _charge(self, side: Side, reply: Reply) -> None:
        """Take the time off; a little too much is forgiven, and the referee's own delay."""
        clock = self._clocks[side]
        if not clock.running:
            return
        seconds = reply.seconds
        over = seconds - clock.available()
        if over > 0:
            if over > min(self._spec.lag, self._lags[side]):
                raise self._late(side, reply, over)
            self._lags[side] -= over
            seconds = clock.available()
        clock.charge(seconds)
        self._clocks[1 - side].credit(seconds)

    def _late(self, side: Side, reply: Reply, over: float) -> Exception:
        own = self._stalls.seconds()
        told = f"time: {_printable(reply.move)} came {over:.3f} s late, after {reply.seconds:.3f} s"
        if over <= own:
            return Spoilt(f"void: {told}; the referee itself was {_kept(own)}")
        return Forfeit(side, Verdict.TIME, told)

    def _stalled(self, side: Side, seconds: float, error: EngineError) -> Exception:
        own = self._stalls.seconds()
        if self._clocks[side].running and own >= LATE:
            return Spoilt(f"void: no move after {seconds:.3f} s; the referee was {_kept(own)}")
        reason = f"stall: {error} ({seconds:.1f} s)"
        return Forfeit(side, Verdict.STALL, reason, stderr=error.stderr)

    def _check_announced(self, side: Side, reply: Reply) -> None:
        """Count what is wrong with the line of play and the claim that came with a move."""
        if reply.pv and not self._is_playable(reply.pv):
            self.faults[side] += 1
        _, claimed = claim(reply.score)
        # A lost game may be won once the opponent errs; a forced win cannot be lost by its owner.
        if claimed == "loss" and self._claims[side] == "win":
            self.faults[side] += 1
        if claimed in ("win", "loss"):
            self._claims[side] = claimed

    def _is_playable(self, line: str) -> bool:
        rules, position = self.game.rules, self.game.position.copy()
        for text in line.split():
            if position.outcome() is not None or position.turn == CHANCE:
                break
            try:
                position.play(rules.parse(position, text))
            except (InvalidText, IllegalMove):
                return False
        return True

    def _replay(self, side: Side, reply: Reply) -> None:
        try:
            if not reply.move.isprintable():  # The opponent must be told it.
                raise InvalidText("no text")
            # Not `play`: that the game goes on is known already.
            self.game.push(self.game.rules.parse(self.game.position, reply.move))
        except (InvalidText, IllegalMove) as error:
            reason = f"illegal move {_printable(reply.move)}: {_plain(str(error), reply.move)}"
            verdict = Verdict.SUPERKO if go.is_superko(reason) else Verdict.ILLEGAL
            raise Forfeit(side, verdict, reason, offence=reply.move[:200]) from error
        clock = self._clocks[side]
        left = round(clock.left()[0], 6) if clock.running else None
        seconds = round(reply.seconds, 6)
        self.moves.append(PlayedMove(side, reply.move, seconds, left, _evaluation(reply)))

    def _tell(self, side: Side, move: str, *, last: bool) -> None:
        """Let the opponent know a move: with its next question, or at once if there is none."""
        if move == "win":  # A declaration is no move: it has ended the game.
            return
        other = 1 - side
        client = self._seats[other].client()
        client.note(self._letters[side], move)
        if not last:
            return
        try:
            client.settle(soon())
        except (EngineError, EngineRefused) as error:
            if move == "pass" and go.is_over(self.game):  # Who has finished loses no more.
                self._counting.lost[other] = str(error)
                self._seats[other].dismiss(QUICK)
                return
            raise _not_told(other, move, error) from error


class _Blame:
    """Turn what an engine does wrong outside its own turn into the forfeit of its side."""

    def __init__(self, side: Side) -> None:
        self._side = side

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, EngineTimeout):
            reason = f"stall: {error}"
            raise Forfeit(self._side, Verdict.STALL, reason, stderr=error.stderr) from error
        if isinstance(error, EngineExited):
            raise _crashed(self._side, error) from error
        if isinstance(error, (EngineError, EngineRefused)):
            raise _broken(self._side, error) from error
        if type(error) is ValueError:  # The user asked for what the protocol cannot say.
            raise InvalidText(str(error)) from error


def _not_told(side: Side, move: str, error: EngineError | EngineRefused) -> Forfeit:
    if isinstance(error, EngineTimeout):
        reason = f"stall: {error}, told {move}"
        return Forfeit(side, Verdict.STALL, reason, stderr=error.stderr)
    return _crashed(side, error) if isinstance(error, EngineExited) else _broken(side, error)


def _crashed(side: Side, error: EngineExited) -> Forfeit:
    forfeit = Forfeit(side, Verdict.CRASH, f"crash: {error}", stderr=error.stderr)
    forfeit.code = error.code
    return forfeit


def _broken(side: Side, error: EngineError | EngineRefused) -> Forfeit:
    stderr = error.stderr if isinstance(error, EngineError) else ""
    return Forfeit(side, Verdict.PROTOCOL, f"protocol: {error}", stderr=stderr)


def _evaluation(reply: Reply) -> str:
    words = [f"score {reply.score}"] if reply.score else []
    words += [f"depth {reply.depth}"] if reply.depth is not None else []
    words += [f"nodes {reply.nodes}"] if reply.nodes is not None else []
    words += [f"pv {reply.pv}"] if reply.pv else []
    return " ".join(words)


def _plain(text: str, move: str) -> str:
    return text.removeprefix(f"illegal move {move}: ")


def _kept(seconds: float) -> str:
    return "suspended" if math.isinf(seconds) else f"kept waiting {seconds:.3f} s of it"


def _printable(text: str) -> str:
    return repr(text[:40]) if not text.isprintable() or len(text) > 40 else text
