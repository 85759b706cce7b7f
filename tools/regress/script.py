"""Says a .tst file to an engine, command by command, and judges what it answers."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engines.core.game import InvalidText
from protocols.client import FramedClient
from protocols.errors import EngineError, EngineRefused
from tools.regress.examiner import TIMEOUT
from tools.regress.exchange import Exchange
from tools.regress.pattern import Dialect, Matcher
from tools.regress.result import Result, Status
from tools.regress.shadow import Shadow
from tools.regress.translation import GENERATED, MOVES, RESETS, WHOLE, Unknown, translate
from tools.regress.tst import Step
from tools.seat import last_words, soon

if TYPE_CHECKING:
    from tools.regress.work import Station

GAME: Final = "go"
_SHOWN: Final = 200  # Characters of an answer in a message.


@dataclass(frozen=True, slots=True)
class Script:
    """A .tst file; the engine is started once for it, and what it says stays on the board."""

    suite: str
    path: Path
    steps: Sequence[Step]
    dialect: Dialect = Dialect.STRICT
    ignore_case: bool = False

    @property
    def games(self) -> Sequence[str]:
        """Go alone."""
        return (GAME,)

    @property
    def tests(self) -> int:
        """How many results it will have."""
        return sum(step.is_test or bool(step.fault) for step in self.steps)

    def run(self, station: "Station") -> Iterator[Result]:
        """Say each command; yield what became of the tests."""
        reading = Reading(self, station)
        try:
            for step in self.steps:
                if step.is_test or step.fault:
                    yield reading.examine(step)
                else:
                    reading.prepare(step)
        finally:
            reading.close()


class Reading:
    """The course of one script: the engine, and what it takes to bring a fresh one this far."""

    def __init__(self, script: Script, station: "Station") -> None:
        self._script = script
        self._seat = station.seat(GAME)
        self._settings = station.settings
        self._timeout = station.settings.timeout or TIMEOUT
        self._matcher = Matcher(script.dialect, ignore_case=script.ignore_case)
        self._shadow = Shadow(script.path.parent) if station.settings.scenes else None
        self._said: list[Step] = []  # What the board depends on, and what outlives a board.
        self._fresh = True  # The engine has not heard it yet.
        self._lost = ""  # Why the engine's board is not what the script thinks.
        self._unable = False  # The reason is a command that it does not know.
        self._exchange = Exchange()
        self._seat.dismiss(1.0)

    def close(self) -> None:
        """Leave no engine behind that has heard this script."""
        self._matcher.close()
        self._seat.listen(None)
        self._seat.dismiss(1.0)

    def prepare(self, step: Step) -> None:
        """Say a command that is no test; a fresh engine hears it later."""
        self._remember(step)
        if not self._fresh and not self._lost:
            self._set_up([step])

    def _remember(self, step: Step) -> None:
        if step.name in RESETS:
            self._lost, self._unable = "", False
            gone = (*MOVES, *RESETS) if step.name in WHOLE else (*MOVES, "clear_board")
            self._said = [said for said in self._said if said.name not in gone]
        self._said.append(step)
        if self._shadow is not None:
            self._shadow.follow(step)

    def _set_up(self, steps: Sequence[Step]) -> None:
        """Say commands; where one cannot be done, tests are not asked until the next board."""
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
        """Return the engine; raises EngineError, and Unknown for one without GTP's frames."""
        client = self._seat.client()
        if not isinstance(client, FramedClient):
            raise Unknown(f"{client.name} speaks {client.protocol}, the suite is GTP")
        return client

    def _ready(self) -> None:
        """Have an engine that has heard all that it must have heard."""
        if not self._fresh or self._lost:
            return
        self._fresh = False
        self._seat.listen(self._exchange)
        try:
            client = self._client()
            self._exchange.forget()  # Greetings are the same in every test.
            if self._settings.control is not None:
                client.new_game(soon(self._seat.spec.patience), control=self._settings.control)
        except (Unknown, ValueError) as error:
            self._lost, self._unable = str(error), True
        except EngineRefused as error:
            self._lost = str(error)
        except EngineError as error:
            self._lost = self._bury(error)
        else:
            self._set_up(self._said)

    def examine(self, step: Step) -> Result:
        """Say a command that is a test; return what became of it."""
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
        """Ask no more of a board that a test should have set up and did not."""
        if step.name in (*RESETS, *MOVES):
            self._lost, self._unable = why, unable

    def _ask(self, step: Step) -> str | EngineRefused:
        """Return the answer to a test; a move that was only to be named is taken back."""
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
        board = [said for said in self._said if said.name in (*RESETS, *MOVES)]
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
            told = "an empty answer, which regress.awk does not see" if expectation else ""
            return replace(result, status=Status.IGNORED, message=told or "no pattern")
        if refused and dialect is not Dialect.GNUGO:
            # GoGui prints such a failure; without a pattern its exit status passes over it.
            known = result.known or (expectation is None and dialect is Dialect.GOGUI)
            told = f"refused: {_short(text)}"
            return replace(result, status=Status.FAILED, known=known, message=told)
        if expectation is None:
            return replace(result, status=Status.PASSED)
        try:
            if self._matcher.matches(expectation, text):
                return replace(result, status=Status.PASSED)
        except TimeoutError as error:
            return replace(result, message=str(error))
        told = f"expected {_required(step)}, got {_short(text)}"
        return replace(result, status=Status.FAILED, message=told)

    def _bury(self, error: EngineError) -> str:
        """Let a failed engine go; return what happened to it."""
        self._seat.listen(None)
        self._seat.dismiss(1.0)
        self._fresh = True
        told = last_words(error.stderr)
        return f"{error}\nstderr: {told}" if told else str(error)


def _move(reply: str | EngineRefused) -> str | EngineRefused:
    """Return the move that was played, without the analysis in front of it."""
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
