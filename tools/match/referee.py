"""The referee of one game: it asks both engines for moves, times, checks and records them."""

import math
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from engines import registry
from engines.core.errors import QuintetError
from engines.core.game import CHANCE, FIRST, SECOND, Game, IllegalMove, InvalidText, Outcome, Side
from engines.core.timing import Clock, TimeControl
from protocols.ask.detect import Client, ClockTime, GtpClient, Reply
from protocols.ask.engine import ALWAYS
from protocols.ask.score import End, Evaluation
from protocols.errors import CannotSay, EngineError, EngineExited, EngineRefused, EngineTimeout
from tools.match.counting import ArbiterFailed, Counting
from tools.match.delays import DelayMeter
from tools.match.forfeits import Forfeit, ForfeitOnError, broken, crashed, not_received, printable
from tools.match.gauges import Gauge, show
from tools.records.game import Count, GameRecord, PlayedMove, Verdict
from tools.roster.seats import (
    ENGINE_POOL,
    SHORT_GRACE,
    EnginePool,
    Seat,
    dismiss,
    last_stderr_lines,
    reply_deadline,
)
from tools.roster.transcripts import Transcript, transcript_path
from tools.terms import go
from tools.terms.adjudication import Adjudicator, table_outcome
from tools.terms.scoring import capped, counted
from tools.terms.spec import GameSpec

LAG_BUDGET: Final = 10  # In one game, an overrun of so many times the lag is tolerated.
LATE: Final = 2.0  # Seconds that a move may come after the flag; later, the engine has hung.


class VoidGame(QuintetError):
    """The game has no result: the referee itself was delayed, or its arbiter failed."""


class Adjudicated(Exception):
    """The game ends by an adjudication rule of the match."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.reason)
        self.outcome = outcome


def play_game(spec: GameSpec, pool: EnginePool = ENGINE_POOL) -> GameRecord:
    """Play one game and return its record, however the game ends.

    Raises InvalidText for a setting that an engine's protocol cannot express, such as a depth in
    GTP.
    """
    pool.make_room({*spec.engines, *([spec.arbiter] if spec.arbiter else [])})
    seats = [pool.seat(engine) for engine in spec.engines]
    _listen(spec, seats)
    arbiter = pool.seat(spec.arbiter) if spec.arbiter is not None else None
    game = RefereedGame(spec, seats, arbiter=arbiter)
    started = datetime.now().astimezone().isoformat(timespec="seconds")
    try:
        outcome, verdict, forfeit = _decide(game, seats)
        decided = verdict != Verdict.VOID and outcome.winner is not None
        for side, seat in enumerate(seats):
            seat.end_game(outcome.winner == side if decided else None)
        dismiss([seat for seat in seats if seat.spec.restart == ALWAYS])
    finally:
        for seat in seats:
            if seat.transcript is not None:
                seat.transcript.close()
                seat.listen(None)
    return GameRecord(
        game=spec.game,
        variant=game.game.rules.variant,
        size=spec.size,
        number=spec.number,
        pair=spec.pair,
        engines=spec.opponents,
        round=spec.round,
        side=spec.side,
        attempt=spec.attempt,
        seed=spec.seed,
        players=(seats[0].player, seats[1].player),
        controls=spec.controls,
        started=started,
        setup=game.game.initial_setup,
        opening=len(spec.opening.moves),
        opening_name=spec.opening.name,
        moves=tuple(game.moves),
        outcome=outcome,
        verdict=verdict,
        offence=forfeit.offence if forfeit else "",
        late=round(forfeit.late, 6) if forfeit else 0.0,
        code=forfeit.code if forfeit else None,
        stderr=last_stderr_lines(forfeit.stderr) if forfeit else "",
        faults=(game.faults[0], game.faults[1]),
        count=game.count,
        cpu=game.cpu(),
    )


def _decide(game: "RefereedGame", seats: list[Seat]) -> tuple[Outcome, Verdict, Forfeit | None]:
    """Play to the end, and end the programs that must not be used again."""
    try:
        game.begin()
        while (outcome := game.outcome()) is None:
            game.move()
    except Adjudicated as adjudicated:
        return adjudicated.outcome, Verdict.ADJUDICATION, None
    except VoidGame as void:
        dismiss(seats)
        return Outcome(None, str(void)), Verdict.VOID, None
    except Forfeit as forfeit:
        if forfeit.verdict == Verdict.STALL:
            seats[forfeit.side].dismiss(SHORT_GRACE)
        elif forfeit.verdict in (Verdict.CRASH, Verdict.PROTOCOL):
            seats[forfeit.side].dismiss()
        return Outcome(1 - forfeit.side, forfeit.reason), forfeit.verdict, forfeit
    return outcome, Verdict.NATURAL, None


def start_game(
    seat: Seat, game: Game[Any], variant: str, control: TimeControl, *, position: str = ""
) -> None:
    """Tell an engine that a game begins: its variant, its set-up or its settings, its clock."""
    variant, settings = variant or "default", dict[str, str]()
    if game.rules.name == registry.GO:
        variant, settings = go.settings(game)
        position = ""
    seat.client().new_game(
        reply_deadline(seat.spec.patience),
        variant=variant,
        position=position,
        settings=settings,
        control=control,
    )


def _listen(spec: GameSpec, seats: list[Seat]) -> None:
    if spec.transcripts:
        folder = Path(spec.transcripts)
        for number, seat in enumerate(seats, 1):
            path = transcript_path(folder, spec.game, spec.number, spec.attempt, number)
            seat.listen(Transcript(path))


class RefereedGame:
    """A game in progress: the referee's own board and clocks, and the moves of both engines."""

    def __init__(
        self,
        spec: GameSpec,
        seats: list[Seat],
        delays: DelayMeter | None = None,
        arbiter: Seat | None = None,
    ) -> None:
        self.game = Game(spec.rules(), spec.opening.setup)
        self._outcome = self.game.outcome()  # Computed once per move, and used several times.
        self.moves: list[PlayedMove] = []
        self.faults = [0, 0]
        self.count: Count | None = None  # Go, once the game is counted.
        self._counting = Counting(seats, spec.scoring, arbiter, spec.score_timeout)
        self._spec = spec
        self._seats = seats
        self._clocks = [Clock(control) for control in spec.controls]
        self._lags = [spec.lag if each.lag is None else each.lag for each in spec.engines]
        self._lag_left = [LAG_BUDGET * lag for lag in self._lags]
        self._letters = tuple(side[0] for side in self.game.rules.sides)
        self._adjudicator = Adjudicator(spec.adjudication)
        self._claims: list[End | None] = [None, None]
        self._delays = delays or DelayMeter()
        self._asked = 0.0
        self._unasked = [True, True]
        self._starts = [0, 0]  # Of both programs, before this game.
        self._handicap_due = bool(spec.free_handicap)
        self._throws = 0
        self._cpu_before: list[float | None] = [None, None]

    def cpu(self) -> tuple[float | None, float | None]:
        """Return the CPU time of each engine since the game began, if it is known."""
        first, second = (
            None
            if before is None or (now := seat.cpu_seconds()) is None
            else round(now - before, 6)
            for seat, before in zip(self._seats, self._cpu_before, strict=True)
        )
        return first, second

    def outcome(self) -> Outcome | None:
        """Return how the game ended, None while it goes on.

        In Go, this is the result of counting, which the rules alone do not know.
        """
        return self._outcome

    def spend(self, side: Side, seconds: float) -> None:
        """Charge the clocks for a move that was played earlier."""
        clock = self._clocks[side]
        if clock.running:
            seconds = min(seconds, clock.available())
            clock.charge(seconds)
            self._clocks[1 - side].credit(seconds)

    def think(self) -> Reply:
        """Ask the side to move for its move, and do not play it."""
        return self._ask(self.game.turn)

    def begin(self) -> None:
        """Send both engines the start of the game and the moves of the opening."""
        self._starts = [seat.starts for seat in self._seats]
        for side in (FIRST, SECOND):
            with ForfeitOnError(side):
                self._or_revived(side, self._introduce)
        self._cpu_before = [seat.cpu_seconds() for seat in self._seats]
        for text in self._spec.opening.moves:
            self._play_given(text)
        for side in (FIRST, SECOND):
            with ForfeitOnError(side):
                self._or_revived(side, self._settle)

    def _introduce(self, side: Side) -> None:
        seat = self._seats[side]
        seat.set_seeds(self._spec.named_seed, self._spec.engine_seed(side))
        spec = self._spec
        start_game(seat, self.game, spec.variant, spec.controls[side], position=spec.opening.setup)
        if side == FIRST and self._handicap_due:
            self._place_handicap(seat.client())
            self._handicap_due = False

    def _settle(self, side: Side) -> None:
        self._seats[side].client().settle(reply_deadline())

    def _or_revived(self, side: Side, work: Callable[[Side], None]) -> None:
        """Do some work before the first question; if the engine has died, revive it and settle."""
        try:
            work(side)
        except EngineExited:
            if not self._revive(side):
                raise
            self._settle(side)

    def _revive(self, side: Side) -> bool:
        """Start an engine again that has ended between two games, and send it this game.

        Returns False for an engine that was started for this game: it is at fault.
        """
        seat = self._seats[side]
        if seat.starts > self._starts[side]:
            return False
        seat.dismiss(SHORT_GRACE)
        self._introduce(side)
        for move in self.moves:
            self._note(seat, move.side, move.text)
        return True

    def _place_handicap(self, client: Client) -> None:
        """Let Black's engine place its handicap stones; the game begins after them."""
        wanted = self._spec.free_handicap
        if not isinstance(client, GtpClient):
            raise EngineRefused("place_free_handicap", f"{client.protocol} has no handicap")
        placed = client.place_handicap(wanted, reply_deadline())
        try:
            setup = go.free_setup(self.game, placed, wanted)
        except InvalidText as error:
            reason = f"illegal handicap {printable(' '.join(placed))}: {error}"
            raise Forfeit(FIRST, Verdict.PROTOCOL, reason) from error
        self.game = Game(self.game.rules, setup)

    def _play_given(self, text: str) -> None:
        """Play a move that no engine chose; raises InvalidText or IllegalMove."""
        mover = self.game.turn
        self.game.play(text)
        self._outcome = self.game.outcome()
        self.moves.append(PlayedMove(mover, text, 0.0, None))
        for side, seat in enumerate(self._seats):
            with ForfeitOnError(side):
                self._note(seat, mover, text)

    def _note(self, seat: Seat, mover: Side, text: str) -> None:
        if mover == CHANCE:
            seat.client().note_throw(int(text))
        else:
            seat.client().note(self._letters[mover], text)

    def move(self) -> None:
        """Throw the dice, or ask the side to move for its move and play it."""
        side = self.game.turn
        if side == CHANCE:
            self._throws += 1
            thrown = registry.find(self._spec.game).load("throw")(self._spec.seed, self._throws)
            self._play_given(str(thrown))
            return
        reply = self._ask(side)
        self._charge(side, reply)
        if reply.move == "resign":
            raise Forfeit(side, Verdict.RESIGN, "resignation")
        if reply.evaluation:
            self._check_announced(side, reply.evaluation)
        move = self._play_reply(side, reply)
        ended = self._adjudicator.judge(side, reply.evaluation.score, len(self.moves))
        ended = ended or table_outcome(self._spec.adjudication, self.game)
        passed = move == "pass" and go.is_over(self.game)
        self._outcome = None if passed else self.game.outcome()
        self._send(side, move, last=passed or bool(self._outcome or ended))
        if passed:
            self._outcome = self._count()
        if ended is not None and self._outcome is None:
            if self._spec.game == registry.GO and self._adjudicator.is_too_long(len(self.moves)):
                ended = capped(ended, self._count())
            raise Adjudicated(ended)
        if reply.expected and self._outcome is None and self._spec.engines[side].ponder:
            self._let_ponder(side, reply.expected)

    def _count(self) -> Outcome:
        try:
            self.count = self._counting.count(self.game)
        except ArbiterFailed as error:
            raise VoidGame(f"void: {error}") from error
        return counted(self.game, self.count)

    def _ask(self, side: Side) -> Reply:
        first, self._unasked[side] = self._unasked[side], False
        try:
            return self._ask_once(side)
        except EngineExited as error:
            # It ended after the game before, and only the first question shows it.
            if first and self._seats[side].client().process.unheard:
                with ForfeitOnError(side):
                    if self._revive(side):
                        self._settle(side)
                        return self._ask(side)
            raise crashed(side, error) from error

    def _ask_once(self, side: Side) -> Reply:
        own = self._clocks[side]
        wait = own.available() + self._lags[side] + LATE if own.running else self._spec.move_timeout
        left, theirs = self._clock_times(side)
        client = self._seats[side].client()
        ponders = self._spec.engines[1 - side].ponder
        self._asked = asked = time.monotonic()
        if self._spec.gauge is not None:
            clocks = (left, theirs) if side == FIRST else (theirs, left)
            first, second = (clock and clock.seconds for clock in clocks)
            show(self._spec.gauge, Gauge(len(self.moves), side, (first, second), asked))
        deadline = asked + wait
        # Without a clock, an engine has hung when its time is over: it is blamed as after a flag.
        flag = asked + own.available() if own.running else deadline - LATE
        self._delays.begin(max(flag, asked))
        client.process.set_alarm(flag, self._notice_flag)
        try:
            if ponders:
                client.process.accompany(self._seats[1 - side].client().process)
            return client.genmove(self._letters[side], deadline, left, theirs)
        except EngineTimeout as error:
            raise self._stall(side, time.monotonic() - asked, error) from error
        except EngineExited:
            raise
        except (EngineError, EngineRefused) as error:
            raise broken(side, error) from error
        except CannotSay as error:
            raise InvalidText(str(error)) from error
        finally:
            client.process.set_alarm(math.inf, None)
            if ponders:
                client.process.accompany(None)

    def _notice_flag(self) -> None:
        self._delays.notice(time.monotonic())

    def _clock_times(self, side: Side) -> tuple[ClockTime | None, ClockTime | None]:
        """Return what the clocks of a side and of its opponent show."""
        own, other = self._clocks[side], self._clocks[1 - side]
        return (
            ClockTime._make(own.left()) if own.running else None,
            ClockTime._make(other.left()) if other.running else None,
        )

    def _let_ponder(self, side: Side, expected: str) -> None:
        """Let an engine ponder on the reply that it expects, if that is legal."""
        try:
            self.game.rules.parse(self.game.position, expected)
        except (InvalidText, IllegalMove):
            self.faults[side] += 1
            return
        with ForfeitOnError(side):
            self._seats[side].client().ponder(
                self._letters[side], expected, reply_deadline(), *self._clock_times(side)
            )

    def _charge(self, side: Side, reply: Reply) -> None:
        """Charge the clock; a small overrun is tolerated, a larger one ends the game."""
        clock = self._clocks[side]
        if not clock.running:
            return
        seconds = reply.seconds
        over = seconds - clock.available()
        if over > 0:
            forgiven = min(self._lags[side], self._lag_left[side])
            self._lag_left[side] -= over if over <= forgiven else self._late(side, reply, forgiven)
            seconds = clock.available()
        clock.charge(seconds)
        self._clocks[1 - side].credit(seconds)

    def _late(self, side: Side, reply: Reply, forgiven: float) -> float:
        """Return how late the engine itself was, if that is tolerated; otherwise end the game.

        If the referee was awake when the flag fell, the game is never void: the engine has used up
        its time, and the part of the overrun that the referee's own delay does not explain is its
        own.
        """
        over = reply.seconds - self._clocks[side].available()
        read = self._asked + reply.seconds
        missed = min(over, self._delays.at_flag(read))
        late = max(0.0, over - missed - self._delays.at_end(reply.looked, read))
        message = (
            f"time: {printable(reply.move)} came {over:.3f} s late, after {reply.seconds:.3f} s"
        )
        if late > forgiven:
            forfeit = Forfeit(side, Verdict.TIME, message)
            forfeit.late = reply.seconds
            raise forfeit
        if missed > self._lags[side]:
            raise VoidGame(
                f"void: {message}; the referee itself saw only {missed:.3f} s after the flag "
                "whether there was a move"
            )
        return late

    def _stall(self, side: Side, seconds: float, error: EngineError) -> Exception:
        own = self._delays.without_answer(
            self._seats[side].client().process.looked, time.monotonic()
        )
        if own >= LATE:
            return VoidGame(
                f"void: no move after {seconds:.3f} s; the referee itself was kept waiting for "
                f"{own:.3f} s after the flag"
            )
        reason = f"stall: {error} ({seconds:.1f} s)"
        return Forfeit(side, Verdict.STALL, reason, stderr=error.stderr)

    def _check_announced(self, side: Side, evaluation: Evaluation) -> None:
        """Count the faults in the line of play and in the claim that came with a move."""
        if evaluation.line and not self._is_playable(evaluation.line):
            self.faults[side] += 1
        claimed = None if evaluation.score is None else evaluation.score.end
        # A lost game may be won after a mistake of the opponent; a forced win cannot be lost.
        if claimed is End.LOSS and self._claims[side] is End.WIN:
            self.faults[side] += 1
        if claimed in (End.WIN, End.LOSS):
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

    def _play_reply(self, side: Side, reply: Reply) -> str:
        """Play a move, and return it in the spelling of our own rules.

        Only this spelling is recorded and sent to the opponent, which may accept no other.
        """
        rules, position = self.game.rules, self.game.position
        try:
            # Letters such as the long s become ASCII letters when they are made capitals.
            if not (reply.move.isascii() and reply.move.isprintable()):
                raise InvalidText("it is not ASCII text")
            move = rules.parse(position, reply.move)
            text = reply.move if reply.move == "win" else rules.format(position, move)
            self.game.push(move)  # `play` would check once more that the game is not over.
        except (InvalidText, IllegalMove) as error:
            reason = (
                f"illegal move {printable(reply.move)}: {_without_prefix(str(error), reply.move)}"
            )
            verdict = Verdict.SUPERKO if go.is_superko(reason) else Verdict.ILLEGAL
            raise Forfeit(side, verdict, reason, offence=reply.move[:200]) from error
        clock = self._clocks[side]
        left = round(clock.left()[0], 6) if clock.running else None
        seconds = round(reply.seconds, 6)
        self.moves.append(PlayedMove(side, text, seconds, left, reply.evaluation))
        return text

    def _send(self, side: Side, move: str, *, last: bool) -> None:
        """Send a move to the opponent: with its next question, or now if there is none."""
        if move == "win":  # A declaration is not a move: it has ended the game.
            return
        other = 1 - side
        client = self._seats[other].client()
        client.note(self._letters[side], move)
        if not last:
            return
        try:
            client.settle(reply_deadline())
        except (EngineError, EngineRefused) as error:
            if move == "pass" and go.is_over(self.game):  # Its game is finished and cannot be lost.
                self._counting.lost[other] = str(error)
                self._seats[other].dismiss(SHORT_GRACE)
                return
            raise not_received(other, move, error) from error


def _without_prefix(text: str, move: str) -> str:
    return text.removeprefix(f"illegal move {move}: ")
