"""Asks an engine the problems of our own suites, in the engine's own protocol."""

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from engines import registry
from engines.core.game import CHANCE, Game, IllegalMove, InvalidText
from engines.core.timing import TimeControl
from protocols.client import Client, FramedClient, GtpClient, Reply, UsiClient
from protocols.errors import EngineError, EngineNonsense, EngineRefused
from tools import go
from tools.regress.exchange import Exchange
from tools.regress.gtp_setup import place
from tools.regress.result import Result, Scene, Status
from tools.regress.span import Opinion
from tools.regress.suite import Fault, Problem, expand
from tools.regress.translation import ANALYSES, NEVER
from tools.seat import SEED, Seat, last_words, soon

TIMEOUT: Final = 60.0  # Seconds for a question where nothing else is said.
MARGIN: Final = 10.0  # Seconds over the time that a clock allows.
_LEVELS: Final = {"gtp": "level", "line": "level", "usi": "SkillLevel"}
_ANSWERS: Final = {
    **dict.fromkeys(("go", "ponderhit", "stop"), "bestmove"),
    "isready": "readyok",
    "usi": "usiok",
}


class Unsupported(Exception):
    """A question that an engine cannot be asked; says why."""


class Examiner:
    """Asks one engine, which is started anew after a fault.

    `control` replaces the limits of all problems, `timeout` is for those that name none; without
    it a question may take as long as its clock allows, a minute at least.
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

    def examine(self, suite: str, problem: Problem | Fault) -> Result:
        """Ask a problem, as often as it wants, and judge the answers."""
        if isinstance(problem, Fault):
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
            told = last_words(error.stderr)
            message = f"{error}\nstderr: {told}" if told else str(error)
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
            told = f"{reply.move} ({reply.score})" if reply.score else reply.move
            result = replace(result, answer=told, scene=replace(scene, answer=reply.move))
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
                return _analysed(client, side, deadline)
            reply = client.genmove(side, deadline)
            if isinstance(client, UsiClient):
                _end_search(client, soon(self._seat.spec.patience))
            return reply
        except ValueError as error:
            raise Unsupported(str(error)) from error

    def _ready(self, problem: Problem, control: TimeControl) -> Client:
        """Return the engine with the problem's options set, and none of another problem's."""
        levels = (problem.level,) if problem.level else ()
        visits = problem.game == go.NAME and (control.visits or control.nodes) is not None
        settled = (problem.options, levels, visits)
        if self._settled not in (None, settled):
            self._seat.dismiss(1.0)
        client = self._seat.client()
        if self._starts != self._seat.starts:
            self._exchange.forget()  # Greetings are the same in every test.
        if self._settled == settled and self._starts == self._seat.starts:
            return client
        self._settled, self._starts = None, self._seat.starts
        _check_game(client, problem)
        deadline = soon(self._seat.spec.patience)
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
        """Tell the seed; an engine without one is asked all the same, unless it must vary.

        Where the engine's description says how, it is told so: an option of `{seed}`.
        """
        if any(SEED in value for _, value in self._seat.spec.options):
            self._seat.sow(seed)
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
        if problem.game == go.NAME:
            # The stones of a set-up are told one by one, behind this.
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
    """Say what is wrong with a reply; nothing when it is what was expected."""
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
    opinion = Opinion.parse(reply.score)
    told = f" (it said {reply.score!r})" if reply.score else ""
    if problem.score is not None and (fault := opinion.score_fault(problem.score)):
        return f"answered {move}: {fault}{told}"
    if problem.mate is not None and opinion.lacks_length(problem.mate):
        raise Unsupported(f"no length of a forced end was told{told}")
    if problem.mate is not None and (fault := opinion.mate_fault(problem.mate)):
        return f"answered {move}: {fault}{told}"
    return ""


def _check_game(client: Client, problem: Problem) -> None:
    expected = registry.find(problem.game).protocol
    if client.protocol != expected:
        told = f"{client.name} speaks {client.protocol}, {problem.game} is asked in {expected}"
        raise Unsupported(told)
    if isinstance(client, FramedClient) and client.known("game"):
        plays = client.command("game", soon())
        if plays != problem.game:
            raise Unsupported(f"{client.name} plays {plays}, not {problem.game}")


def time_for(problem: Problem, control: TimeControl | None, timeout: float | None) -> float:
    """Return the seconds that one question of a problem may take at most."""
    return problem.timeout or timeout or max(TIMEOUT, _allowed(control or problem.control))


def _end_search(client: UsiClient, deadline: float) -> None:
    """Have all that a search wrote; a second answer is this test's fault, not the next one's."""
    client.tell("isready", deadline)
    while (line := client.process.read_line(deadline).rstrip()) != "readyok":
        if line.startswith("bestmove"):
            told = f"{client.name} wrote {line[:80]!r} after it had answered"
            raise EngineNonsense(told, client.process.stderr)


def _allowed(control: TimeControl) -> float:
    """Return how long a move may take under a clock, and a margin; nothing without one."""
    if not control.kind:
        return 0.0
    return control.main + control.period * max(control.count, 1) + MARGIN


def _say(client: Client, line: str, deadline: float) -> None:
    """Send a line of a transcript as it is, and wait for its answer where there is one."""
    client.tell(line, deadline)
    if not isinstance(client, UsiClient) or line.startswith("go ponder"):
        return
    awaited = _ANSWERS.get(line.split(" ", 1)[0])
    while awaited and not client.process.read_line(deadline).startswith(awaited):
        pass


def _analysed(client: GtpClient, side: str, deadline: float) -> Reply:
    """Ask a Go engine for a move with its chance of winning; raises Unsupported, too."""
    command = next((name for name in ANALYSES if client.known(name)), "")
    if not command:
        raise Unsupported(f"{client.name} cannot tell a score with its move ({ANALYSES[0]})")
    begun = time.monotonic()
    lines = client.command(f"{command} {side} {NEVER}", deadline).splitlines()
    seconds = time.monotonic() - begun
    moves = [line.split() for line in lines if line.startswith("play ")]
    if not moves or len(moves[-1]) != 2:
        raise EngineRefused(command, "no line `play MOVE` in its answer")
    move = moves[-1][1]
    scores = [told for line in lines for told in _chances(line, move, command)]
    score = f"est {scores[-1]:.6g}" if scores else ""
    return Reply(move.lower() if move.lower() in ("pass", "resign") else move, seconds, score)


def _chances(line: str, move: str, command: str) -> Iterator[float]:
    """Yield what a line of analysis says of a move's chance."""
    for part in line.split("info ")[1:]:
        words = part.split()
        told = dict(zip(words[::2], words[1::2], strict=False))
        number = told.get("winrate", "").replace(".", "", 1)
        if told.get("move", "").upper() == move.upper() and number.isdecimal():
            scale = 10_000 if command.startswith("lz") else 1
            yield float(told["winrate"]) / scale
