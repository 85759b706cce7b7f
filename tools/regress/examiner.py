"""Ask an engine the problems of our own suites, in the protocol of the engine."""

import time
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from engines import registry
from engines.core.game import CHANCE, Game, IllegalMove, InvalidText
from engines.core.timing import TimeControl
from protocols.ask.analysis import analyse_move
from protocols.ask.detect import Client, GtpClient, Reply, UsiClient
from protocols.errors import CannotSay, EngineError, EngineNonsense, EngineRefused
from tools.boards.scene import Scene
from tools.regress.result import Result, Status
from tools.regress.suites.span import lacks_length, mate_fault, score_fault
from tools.regress.suites.suite import InvalidTest, Problem, expand
from tools.roster.abilities import check_game
from tools.roster.exchange import Exchange
from tools.roster.gtp_setup import place
from tools.roster.seats import SEED, Seat, last_stderr_lines, reply_deadline
from tools.terms import go

TIMEOUT: Final = 60.0  # Seconds for a question if nothing else is specified.
MARGIN: Final = 10.0  # Seconds beyond the time that a clock allows.
_RESIGN: Final = "ResignValue"
_NEVER: Final = "99999"  # An engine that is asked for a move answers with one in a lost game too.
_LEVELS: Final = {"gtp": "level", "line": "level", "usi": "SkillLevel"}
_ANSWERS: Final = {
    **dict.fromkeys(("go", "ponderhit", "stop"), "bestmove"),
    "isready": "readyok",
    "usi": "usiok",
}


class Unsupported(Exception):
    """The engine cannot be asked this question; the text says why."""


class Examiner:
    """Asks one engine, and starts it again after a fault.

    `control` replaces the limits of all problems. `timeout` is for problems that name none;
    without it, a question may take as long as its clock allows, but at least a minute.
    """

    def __init__(
        self, seat: Seat, control: TimeControl | None = None, timeout: float | None = None
    ) -> None:
        self._seat = seat
        self._control = control
        self._timeout = timeout
        self._settled: tuple[object, ...] | None = None
        self._starts = seat.starts
        self._exchange = Exchange()

    def examine(self, suite: str, problem: Problem | InvalidTest) -> Result:
        """Ask a problem as often as it requires, and judge the answers."""
        if isinstance(problem, InvalidTest):
            message = f"this test cannot be asked: {problem.message}"
            return Result(suite, problem.name, problem.line, Status.ERROR, message=message)
        result = Result(
            suite,
            problem.name,
            problem.line,
            Status.PASSED,
            known=bool(problem.fails),
            title=problem.title,
            required=problem.required,
        )
        exchange = self._exchange = Exchange()
        self._seat.listen(exchange)
        begun = time.monotonic()
        try:
            result = self._ask(problem, result)
        except Unsupported as error:
            result = replace(result, status=Status.UNSUPPORTED, message=str(error))
        except EngineRefused as error:
            result = replace(result, status=Status.ERROR, message=str(error))
        except EngineError as error:
            stderr = last_stderr_lines(error.stderr)
            message = f"{error}\nstderr: {stderr}" if stderr else str(error)
            result = replace(result, status=Status.ERROR, message=message)
            self._seat.dismiss(1.0)
        finally:
            self._seat.listen(None)
        if problem.ignore and result.status in (Status.PASSED, Status.FAILED):
            result = replace(result, status=Status.IGNORED)
        if problem.fails and result.status == Status.FAILED:
            result = replace(result, message=f"{result.message} (known: {problem.fails})")
        seconds = time.monotonic() - begun
        return replace(result, seconds=seconds, exchange=exchange.lines())

    def _ask(self, problem: Problem, result: Result) -> Result:
        game = problem.start()
        accept, forbid = expand(game, problem.accept), expand(game, problem.forbid)
        scene = Scene(
            problem.game,
            problem.variant,
            problem.size,
            game.rules.setup(game.position),
            game.rules.sides[game.turn],
            accept,
            forbid,
        )
        right = wrong = 0
        first_wrong = ""
        trials = problem.trials
        while (verdict := trials.verdict(right, wrong)) is None:
            seed = None if problem.seed is None else problem.seed + right + wrong
            reply = self._reply(problem, game.copy(), seed)
            fault = judge(problem, game, reply, accept, forbid)
            if fault:
                wrong += 1
                first_wrong = first_wrong or fault
            else:
                right += 1
            score = reply.evaluation.score
            answer = reply.move if score is None else f"{reply.move} ({score})"
            result = replace(result, answer=answer, scene=replace(scene, answer=reply.move))
        message = first_wrong
        if trials.count > 1:
            shown = trials.describe(right, right + wrong)
            message = f"{shown}; {first_wrong}" if first_wrong else shown
        status = Status.PASSED if verdict else Status.FAILED
        return replace(result, status=status, message=message)

    def _reply(self, problem: Problem, game: Game[Any], seed: int | None) -> Reply:
        control = self._control or problem.control
        client = self._ready(problem, control)
        deadline = time.monotonic() + time_for(problem, self._control, self._timeout)
        if seed is not None:
            self._sow(client, seed, deadline, needed=problem.trials.count > 1)
        try:
            self._begin(client, problem, control, deadline)
            side = game.rules.sides[game.turn][0]
            for line in problem.replay:
                _say(client, line, deadline)
            if isinstance(client, GtpClient) and (problem.score or problem.mate):
                return analyse_move(client, side, deadline)
            reply = client.genmove(side, deadline)
            if isinstance(client, UsiClient):
                _end_search(client, reply_deadline(self._seat.spec.patience))
            return reply
        except CannotSay as error:
            raise Unsupported(str(error)) from error

    def _ready(self, problem: Problem, control: TimeControl) -> Client:
        """Return the engine with the options of this problem, and with none of another problem."""
        levels = (problem.level,) if problem.level else ()
        visits = problem.game == registry.GO and (control.visits or control.nodes) is not None
        settled = (problem.options, levels, visits)
        if self._settled not in (None, settled):
            self._seat.dismiss(1.0)
        client = self._seat.client()
        if self._starts != self._seat.starts:
            self._exchange.forget()  # The greeting is the same in every test.
        if self._settled == settled and self._starts == self._seat.starts:
            return client
        self._settled, self._starts = None, self._seat.starts
        try:
            check_game(client, problem.game)
        except CannotSay as error:
            raise Unsupported(str(error)) from error
        deadline = reply_deadline(self._seat.spec.patience)
        if isinstance(client, UsiClient) and _RESIGN not in dict(self._seat.spec.options):
            with suppress(EngineRefused):  # Not every engine has the option.
                client.set_option(_RESIGN, _NEVER, deadline)
        try:
            if problem.level:
                client.set_option(_LEVELS[client.protocol], problem.level, deadline)
            for name, value in problem.options:
                client.set_option(name, value, deadline)
        except EngineRefused as error:
            raise Unsupported(str(error)) from error
        self._settled = settled
        return client

    def _sow(self, client: Client, seed: int, deadline: float, *, needed: bool) -> None:
        """Set the seed; raises Unsupported if the seed must vary and the engine has none.

        If an option in the engine's description contains `{seed}`, the seed is set by that option.
        """
        if any(SEED in value for _, value in self._seat.spec.options):
            self._seat.set_seeds(seed)
            return
        name = "Seed" if client.protocol == "usi" else "seed"
        try:
            client.set_option(name, str(seed), deadline)
        except EngineRefused:
            if needed and client.protocol == "line":
                raise

    def _begin(
        self, client: Client, problem: Problem, control: TimeControl, deadline: float
    ) -> None:
        game = Game(problem.start().rules, problem.setup)
        variant, settings, position = problem.variant or "default", dict[str, str](), problem.setup
        letters = [side[0] for side in game.rules.sides]
        if problem.game == registry.GO:
            # The stones of a set-up are sent one by one after this.
            variant, settings = go.settings(Game(game.rules))
            settings["komi"] = f"{problem.start().position.komi:g}"
            position = ""
        elif problem.setup:
            position = game.rules.setup(game.position)
        client.new_game(
            deadline, variant=variant, position=position, settings=settings, control=control
        )
        if isinstance(client, GtpClient) and problem.setup:
            place(client, game, deadline)
        for text in problem.moves:
            if game.turn == CHANCE:
                client.roll(int(text), deadline)
            else:
                client.play(letters[game.turn], text, deadline)
            game.play(text)


def judge(
    problem: Problem,
    game: Game[Any],
    reply: Reply,
    accept: tuple[str, ...],
    forbid: tuple[str, ...],
) -> str:
    """Return what is wrong with a reply; empty if the reply is as expected."""
    move = reply.move
    if move != "resign":
        try:
            parsed = game.rules.parse(game.position, move)
        except (InvalidText, IllegalMove) as error:
            return f"answered {move[:80]!r}: {error}"
        move = move if move == "win" else game.rules.format(game.position, parsed)
    if accept and move not in accept:
        return f"answered {move}, expected {' or '.join(problem.accept)}"
    if move in forbid:
        return f"answered {move}, which is forbidden"
    score = reply.evaluation.score
    score_note = "" if score is None else f" (it said '{score}')"
    if problem.score is not None and (fault := score_fault(score, problem.score)):
        return f"answered {move}: {fault}{score_note}"
    if problem.mate is not None and lacks_length(score, problem.mate):
        raise Unsupported(f"the engine gave no length of the forced end{score_note}")
    if problem.mate is not None and (fault := mate_fault(score, problem.mate)):
        return f"answered {move}: {fault}{score_note}"
    return ""


def time_for(problem: Problem, control: TimeControl | None, timeout: float | None) -> float:
    """Return how many seconds one question of a problem may take at most."""
    return problem.timeout or timeout or max(TIMEOUT, _allowed(control or problem.control))


def _end_search(client: UsiClient, deadline: float) -> None:
    """Read the rest of a search's output, so that a second answer is this test's fault."""
    client.tell("isready", deadline)
    while (line := client.process.read_line(deadline).rstrip()) != "readyok":
        if line.startswith("bestmove"):
            message = f"{client.name} wrote {line[:80]!r} after it had answered"
            raise EngineNonsense(message, client.process.stderr)


def _allowed(control: TimeControl) -> float:
    """Return how long a move may take under a clock, plus a margin; 0 without a clock."""
    if not control.kind:
        return 0.0
    return control.main + control.period * max(control.count, 1) + MARGIN


def _say(client: Client, line: str, deadline: float) -> None:
    """Send a line of a transcript as it is, and wait for its answer if it has one."""
    client.tell(line, deadline)
    if not isinstance(client, UsiClient) or line.startswith("go ponder"):
        return
    awaited = _ANSWERS.get(line.split(" ", 1)[0])
    while awaited and not client.process.read_line(deadline).startswith(awaited):
        pass
