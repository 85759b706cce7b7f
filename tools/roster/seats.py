"""Engines in use: started when they are needed, kept between games, replaced after a fault."""

import contextlib
import shlex
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Final

from protocols.ask.detect import Client, UsiClient, close_clients, start
from protocols.ask.engine import PATIENCE, EngineSpec
from protocols.child.process import GRACE, Process
from protocols.errors import (
    CannotSay,
    ConversationError,
    EngineError,
    EngineNonsense,
    EngineRefused,
    EngineTimeout,
)
from tools.records.game import Player
from tools.roster.cpu import cpu_seconds
from tools.roster.engines import place
from tools.roster.transcripts import Listener
from tools.roster.waiting import Waiting

SHORT_GRACE: Final = 1.0  # Seconds of grace for an engine that has just failed.
MOST_KEPT: Final = 6  # Programs that a pool keeps running; a tournament may have many more.
SEED: Final = "{seed}"  # In an option's value, this stands for the seed of the game.


class OptionsRefused(EngineRefused):
    """An engine refused some of its options; the text has a line for each."""

    def __init__(self, message: str) -> None:
        super().__init__("options", message)

    def __str__(self) -> str:
        return self.message


class Seat:
    """A place for one engine: its program is started when needed, and again after a fault."""

    def __init__(self, spec: EngineSpec) -> None:
        self.spec = spec
        self.player = Player(spec.label, "", "")
        self.starts = 0
        self.transcript: Listener | None = None
        self._client: Client | None = None
        self._takes_seed = False  # Whether we may set its option `seed`.
        self._cpu_before: float | None = 0.0  # Of the programs that have ended.
        self._cpu_seen = 0.0  # Of the running program, as last looked up.

    def client(self) -> Client:
        """Return the running engine, after starting it if necessary.

        Raises EngineError and EngineRefused.
        """
        if self._client is None:
            spec, deadline = self.spec, reply_deadline(self.spec.patience)
            client = self._client = start(self._launch, deadline, spec.protocol or "")
            self.player = Player(spec.label, client.name, client.version)
            if isinstance(client, UsiClient):
                client.movetime = spec.movetime
            if spec.ponder:
                client.allow_pondering(deadline)
            for command in spec.commands:
                client.tell(command, deadline)
            self._set(client, [pair for pair in spec.options if SEED not in pair[1]], deadline)
            self._takes_seed = not spec.names("seed") and client.draws(deadline)
        return self._client

    def set_seeds(self, seed: int, own: int | None = None) -> None:
        """Set the options that change from game to game; raises as `client` does.

        `seed` replaces `{seed}` in options. `own` is the seed of the engine's random choices; it is
        set only if the user has not chosen one.
        """
        client = self.client()
        if self._takes_seed and own is not None:
            client.set_option("seed", str(own), reply_deadline())
        seeded = [
            (name, value.replace(SEED, str(seed)))
            for name, value in self.spec.options
            if SEED in value
        ]
        self._set(client, seeded, reply_deadline())

    def _set(self, client: Client, options: Sequence[tuple[str, str]], deadline: float) -> None:
        """Set options; raises OptionsRefused, which names all that the engine refuses."""
        refused: list[str] = []
        for name, value in options:
            try:
                client.set_option(name, value, deadline)
            except (EngineRefused, CannotSay) as error:
                refused.append(f"{place(self.spec, 'options', name)}{self.spec.label}: {error}")
        if refused:
            raise OptionsRefused("\n".join(refused))

    def _launch(self) -> Process:
        self.starts += 1
        environment = dict(self.spec.environment)
        return Process(
            self.spec.command,
            name=self.spec.label,
            cwd=self.spec.folder,
            env=environment,
            trace=self.transcript,
        )

    def listen(self, transcript: Listener | None) -> None:
        """Write the dialogue to a transcript from now on; None ends that."""
        self.transcript = transcript
        if self._client is not None:
            self._client.process.trace = transcript

    def end_game(self, won: bool | None) -> None:
        """Tell the engine how the game ended; end it if it does not answer any more."""
        if self._client is not None:
            try:
                self._client.end_game(won, time.monotonic() + SHORT_GRACE)
            except EngineError:
                self.dismiss(SHORT_GRACE)

    def cpu_seconds(self) -> float | None:
        """Return the CPU time of all programs that were started here; None if it is not known."""
        if self._client is None or self._cpu_before is None:
            return self._cpu_before
        now = cpu_seconds(self._client.process.pid)
        if now is None:
            return None
        # A descendant that its parent did not wait for takes its time with it.
        self._cpu_seen = max(self._cpu_seen, now)
        return self._cpu_before + self._cpu_seen

    def release(self) -> Iterator[Client]:
        """Yield the running program, if any, and forget it; the next game starts a new one."""
        if self._client is not None:
            self._cpu_before = self.cpu_seconds()
            self._cpu_seen = 0.0
            yield self._client
            self._client = None

    def dismiss(self, grace: float = GRACE) -> None:
        """End the program; a program that has failed is never used again."""
        dismiss([self], grace)


def dismiss(seats: Iterable[Seat], grace: float = GRACE) -> None:
    """End several programs within one grace period."""
    close_clients([client for seat in seats for client in seat.release()], grace)


class EnginePool:
    """The engines of one process, kept for its next games."""

    def __init__(self) -> None:
        self._seats: dict[EngineSpec, Seat] = {}

    def seat(self, spec: EngineSpec) -> Seat:
        """Return the seat of an engine."""
        seat = self._seats.pop(spec) if spec in self._seats else Seat(spec)
        self._seats[spec] = seat  # The order is that of the last use.
        return seat

    def make_room(self, wanted: Collection[EngineSpec]) -> None:
        """End the programs used longest ago, so that only a few run beside the wanted ones."""
        others = [spec for spec in self._seats if spec not in wanted]
        surplus = others[: max(0, len(others) + len(wanted) - MOST_KEPT)]
        dismiss([self._seats.pop(spec) for spec in surplus])

    def meet(self, spec: EngineSpec, notice: Callable[[str], None] | None = None) -> Client:
        """Start an engine before the first game, with all its settings, and return its client.

        `notice` is called with a text if the engine is slow. Raises as `Seat.client` does.
        """
        seat = self.seat(spec)
        with Waiting(spec.label, spec.patience, notice) as waiting:
            seat.listen(waiting)
            try:
                seat.set_seeds(0)
                return seat.client()
            finally:
                seat.listen(None)

    def find_faults(
        self, specs: Sequence[EngineSpec], notice: Callable[[str], None] | None = None
    ) -> str:
        """Start engines before the first game; return their faults, one per line."""
        return "\n".join(filter(None, (self._fault(spec, notice) for spec in specs)))

    def _fault(self, spec: EngineSpec, notice: Callable[[str], None] | None) -> str:
        try:
            self.meet(spec, notice)
        except OptionsRefused as error:
            return str(error)
        except (EngineError, EngineRefused, CannotSay) as error:
            return describe_fault(spec, error)
        return ""

    def close(self) -> None:
        """End all programs within one grace period."""
        with contextlib.suppress(KeyboardInterrupt):
            dismiss(self._seats.values())
        self._seats.clear()


ENGINE_POOL: Final = EnginePool()
"""The pool of this process: its games follow one another and use the same engines."""


def describe_fault(spec: EngineSpec, error: ConversationError) -> str:
    """Say why an engine cannot be used, with what it wrote to stderr and what can be done."""
    text = str(error).removeprefix(f"{spec.label} ")  # Most errors begin with the name.
    lines = [f"{place(spec)}{spec.label}: {text}"]
    if isinstance(error, EngineError):
        lines += [f"  stderr: {line}" for line in last_stderr_lines(error.stderr).splitlines()]
    if isinstance(error, EngineTimeout | EngineNonsense):
        name = shlex.join(spec.command) if spec.origin is None else spec.origin[1]
        protocol = spec.protocol or "PROTOCOL"
        words = f"{shlex.quote(name)} --protocol {protocol}"
        lines.append(f"  to see the dialogue: quintet check {words}")
    return "\n".join(lines)


def reply_deadline(seconds: float = PATIENCE) -> float:
    """Return the deadline for any answer except a move."""
    return time.monotonic() + seconds


def last_stderr_lines(text: str) -> str:
    """Return the last lines that an engine wrote to stderr, without control characters."""
    lines = "\n".join([line for line in text.splitlines() if line.strip()][-3:])[-2000:]
    return "".join(each if each.isprintable() or each == "\n" else "?" for each in lines)
