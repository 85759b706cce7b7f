"""Send a .tst file to an engine, command by command, and judge the answers."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engines.core.game import InvalidText
from protocols.ask.detect import FramedClient
from protocols.errors import CannotSay, EngineError, EngineRefused
from tools.regress.examiner import TIMEOUT
from tools.regress.result import Result, Status
from tools.regress.tst.parsing import Step
from tools.regress.tst.pattern import Dialect, Matcher
from tools.regress.tst.shadow import Shadow
from tools.regress.tst.translation import GENERATED, MOVES, RESETS, WHOLE, Unknown, translate
from tools.roster.exchange import Exchange
from tools.roster.seats import last_stderr_lines, reply_deadline

if TYPE_CHECKING:
    from tools.regress.work import EngineWorker

GAME: Final = "go"
_SHOWN: Final = 200  # Characters of an answer in a message.


@dataclass(frozen=True, slots=True)
class Script:
    """A .tst file; one engine runs it from beginning to end, because commands change its board."""

    suite: str
    path: Path
    steps: Sequence[Step]
    dialect: Dialect = Dialect.STRICT
    ignore_case: bool = False

    @property
    def games(self) -> Sequence[str]:
        """Only Go."""
        return (GAME,)

    @property
    def tests(self) -> int:
        """The number of results it will have."""
        return sum(step.is_test or bool(step.fault) for step in self.steps)

    def run(self, worker: "EngineWorker") -> Iterator[Result]:
        """Send each command; yield the results of the tests."""
        reading = Reading(self, worker)
        try:
            for step in self.steps:
                if step.is_test or step.fault:
                    yield reading.examine(step)
                else:
                    reading.prepare(step)
        finally:
            reading.close()


class Reading:
    """The progress of one script: the engine, and the commands that a fresh engine would need."""

    def __init__(self, script: Script, worker: "EngineWorker") -> None:
        self._script = script
        self._seat = worker.seat(GAME)
        self._settings = worker.settings
        self._timeout = worker.settings.timeout or TIMEOUT
        self._matcher = Matcher(script.dialect, ignore_case=script.ignore_case)
        self._shadow = Shadow(script.path.parent) if worker.settings.scenes else None
        # The commands that the board depends on, and those that outlive a board.
        self._history: list[Step] = []
        self._fresh = True  # The engine has not received them yet.
        self._lost = ""  # Why the board of the engine is not what the script expects.
        self._unable = False  # The reason is a command that the engine does not know.
        self._exchange = Exchange()
        self._seat.dismiss(1.0)

    def close(self) -> None:
        """End the engine, which has received commands of this script."""
        self._matcher.close()
        self._seat.listen(None)
        self._seat.dismiss(1.0)

    def prepare(self, step: Step) -> None:
        """Send a command that is no test, and keep it for an engine that has to be restarted."""
        self._remember(step)
        if not self._fresh and not self._lost:
            self._set_up([step])

    def _remember(self, step: Step) -> None:
        if step.name in RESETS:
            self._lost, self._unable = "", False
            gone = (*MOVES, *RESETS) if step.name in WHOLE else (*MOVES, "clear_board")
            self._history = [earlier for earlier in self._history if earlier.name not in gone]
        self._history.append(step)
        if self._shadow is not None:
            self._shadow.follow(step)

    def _set_up(self, steps: Sequence[Step]) -> None:
        """Send commands; if one fails, no test is asked until the next new board."""
        try:
            client = self._client()
            for step in steps:
                commands = translate(client, step, self._script.path.parent)
                deadline = time.monotonic() + self._timeout
                for reply in client.ask(commands, deadline) if commands else ():
                    if not isinstance(reply, str) and self._script.dialect is Dialect.STRICT:
                        self._lost = _refusal(step, reply)
                        return
        except Unknown as error:
            self._lost, self._unable = str(error), True
        except InvalidText as error:
            self._lost = str(error)
        except EngineError as error:
            self._lost = f"in the set-up, {self._bury(error)}"

    def _client(self) -> FramedClient:
        """Return the engine; raises EngineError, and Unknown if the engine does not speak GTP."""
        client = self._seat.client()
        if not isinstance(client, FramedClient):
            raise Unknown(f"{client.name} speaks {client.protocol}, the suite is GTP")
        return client

    def _ready(self) -> None:
        """Return the engine, after it has received all commands up to here."""
        if not self._fresh or self._lost:
            return
        self._fresh = False
        self._seat.listen(self._exchange)
        try:
            client = self._client()
            self._exchange.forget()  # The greeting is the same in every test.
            if self._settings.control is not None:
                client.new_game(
                    reply_deadline(self._seat.spec.patience), control=self._settings.control
                )
        except (Unknown, CannotSay) as error:
            self._lost, self._unable = str(error), True
        except EngineRefused as error:
            self._lost = str(error)
        except EngineError as error:
            self._lost = self._bury(error)
        else:
            self._set_up(self._history)

    def examine(self, step: Step) -> Result:
        """Send a command that is a test, and return its result."""
        if step.name in RESETS:
            self._lost, self._unable = "", False
        if not step.fault:
            self._ready()
        begun = time.monotonic()
        result = self._test(step)
        if result.status is Status.UNSUPPORTED and not self._lost:
            self._spoil(step, result.message, unable=True)
        seconds = time.monotonic() - begun
        scene = None
        if self._shadow is not None:
            scene = self._shadow.scene(step, result.answer)
        if step.name in (*RESETS, *MOVES) and result.status is not Status.UNSUPPORTED:
            self._remember(step)
        exchange, self._exchange = self._exchange.lines(), Exchange()
        if not self._fresh:
            self._seat.listen(self._exchange)
        return replace(result, seconds=seconds, exchange=exchange, scene=scene)

    def _test(self, step: Step) -> Result:
        expectation = step.expectation
        result = Result(
            self._script.suite,
            step.number,
            step.line,
            Status.ERROR,
            known=expectation is not None and expectation.fails,
            command=step.text,
            required=_required(step),
        )
        if step.fault:
            return replace(result, message=f"this test cannot be judged: {step.fault}")
        if self._lost:
            status = Status.UNSUPPORTED if self._unable else Status.ERROR
            return replace(result, status=status, message=self._lost)
        try:
            answer = self._ask(step)
        except Unknown as error:
            return replace(result, status=Status.UNSUPPORTED, message=str(error))
        except InvalidText as error:
            self._spoil(step, str(error))
            return replace(result, message=str(error))
        except EngineError as error:
            return replace(result, message=self._bury(error))
        if not isinstance(answer, str) and self._script.dialect is Dialect.STRICT:
            self._spoil(step, _refusal(step, answer))
        return self._judge(step, result, answer)

    def _spoil(self, step: Step, why: str, *, unable: bool = False) -> None:
        """Ask no more tests on this board, because a test that should have changed it failed."""
        if step.name in (*RESETS, *MOVES):
            self._lost, self._unable = why, unable

    def _ask(self, step: Step) -> str | EngineRefused:
        """Return the answer to a test; a move that should not have been played is taken back."""
        client = self._client()
        commands = translate(client, step, self._script.path.parent)
        deadline = time.monotonic() + self._timeout
        replies = client.ask(commands, deadline)
        if step.name in GENERATED and commands[0].split()[0] != step.name:
            replies = [_move(replies[0])]
            self._take_back(client, replies[0], deadline)
        refused = [reply for reply in replies if not isinstance(reply, str)]
        return refused[0] if refused else replies[-1]

    def _take_back(self, client: FramedClient, reply: str | EngineRefused, deadline: float) -> None:
        if not isinstance(reply, str) or reply.strip().lower() == "resign":
            return
        if client.known("undo") and isinstance(client.ask(["undo"], deadline)[0], str):
            return
        board = [step for step in self._history if step.name in (*RESETS, *MOVES)]
        if not board or board[0].name not in RESETS:
            client.ask(["clear_board"], deadline)
        self._set_up(board)

    def _judge(self, step: Step, result: Result, answer: str | EngineRefused) -> Result:
        dialect, expectation = self._script.dialect, step.expectation
        refused = not isinstance(answer, str)
        text = answer if isinstance(answer, str) else answer.message
        result = replace(result, answer=text)
        if expectation is not None and expectation.ignored:
            return replace(result, status=Status.IGNORED)
        if dialect is Dialect.GNUGO and (expectation is None or not text):
            message = "an empty answer, which regress.awk does not see" if expectation else ""
            return replace(result, status=Status.IGNORED, message=message or "no pattern")
        if refused and dialect is not Dialect.GNUGO:
            # GoGui prints this failure, but does not count it in its exit status.
            known = result.known or (expectation is None and dialect is Dialect.GOGUI)
            message = f"refused: {_short(text)}"
            return replace(result, status=Status.FAILED, known=known, message=message)
        if expectation is None:
            return replace(result, status=Status.PASSED)
        try:
            if self._matcher.matches(expectation, text):
                return replace(result, status=Status.PASSED)
        except TimeoutError as error:
            return replace(result, message=str(error))
        message = f"expected {_required(step)}, got {_short(text)}"
        return replace(result, status=Status.FAILED, message=message)

    def _bury(self, error: EngineError) -> str:
        """End a failed engine; return what happened to it."""
        self._seat.listen(None)
        self._seat.dismiss(1.0)
        self._fresh = True
        stderr = last_stderr_lines(error.stderr)
        return f"{error}\nstderr: {stderr}" if stderr else str(error)


def _move(reply: str | EngineRefused) -> str | EngineRefused:
    """Return the move that was played, without the analysis before it."""
    if not isinstance(reply, str):
        return reply
    played = [line for line in reply.splitlines() if line.startswith("play ")]
    return played[-1].removeprefix("play ").strip() if played else reply


def _refusal(step: Step, reply: EngineRefused) -> str:
    return f"line {step.line}, {step.text}: refused, {reply.message}"


def _required(step: Step) -> str:
    if step.expectation is None:
        return ""
    return f"{'!' if step.expectation.negated else ''}{step.expectation.text}"


def _short(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...")
