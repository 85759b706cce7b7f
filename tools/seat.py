"""The engines at a table: started when needed, kept between games, never after a fault."""

import contextlib
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from protocols.client import Client, UsiClient, close_clients, start
from protocols.errors import EngineError, EngineRefused
from protocols.process import GRACE, Process
from tools.engines import PATIENCE, EngineSpec, place
from tools.record import Player
from tools.transcript import Listener

QUICK: Final = 1.0  # Seconds of grace for an engine that has just failed.
SEED: Final = "{seed}"  # In an option's value: the seed of the game, told before each.


class OptionsRefused(EngineRefused):
    """An engine's no to some of its options, a line each."""

    def __init__(self, told: str) -> None:
        super().__init__("options", told)

    def __str__(self) -> str:
        return self.message


class Seat:
    """An engine of the match: its program is started when it is needed, anew after a fault."""

    def __init__(self, spec: EngineSpec) -> None:
        self.spec = spec
        self.player = Player(spec.label, "", "")
        self.starts = 0
        self.transcript: Listener | None = None
        self._client: Client | None = None
        self._sown = False  # Whether its option `seed` is ours to set.

    def client(self) -> Client:
        """Return the running engine, starting it if need be; raises EngineError, EngineRefused."""
        if self._client is None:
            spec, deadline = self.spec, soon(self.spec.patience)
            client = self._client = start(self._launch, deadline, spec.protocol or "")
            self.player = Player(spec.label, client.name, client.version)
            if isinstance(client, UsiClient):
                client.movetime = spec.movetime
            if spec.ponder:
                client.allow_pondering(deadline)
            for command in spec.commands:
                client.tell(command, deadline)
            self._set(client, [pair for pair in spec.options if SEED not in pair[1]], deadline)
            self._sown = not spec.names("seed") and client.draws(deadline)
        return self._client

    def sow(self, seed: int, own: int | None = None) -> None:
        """Tell the options that change from game to game; raises as `client` does.

        `seed` is the game's, `own` is for an engine whose user left its chance to chance.
        """
        client = self.client()
        if self._sown and own is not None:
            client.set_option("seed", str(own), soon())
        sown = [
            (name, value.replace(SEED, str(seed)))
            for name, value in self.spec.options
            if SEED in value
        ]
        self._set(client, sown, soon())

    def _set(self, client: Client, options: Sequence[tuple[str, str]], deadline: float) -> None:
        """Set options; raises OptionsRefused with all that the engine refuses."""
        refused: list[str] = []
        for name, value in options:
            try:
                client.set_option(name, value, deadline)
            except (EngineRefused, ValueError) as error:
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
        """Have all that is said from now on written down, or no longer."""
        self.transcript = transcript
        if self._client is not None:
            self._client.process.trace = transcript

    def end_game(self, won: bool | None) -> None:
        """Tell the engine, if it still runs, how the game ended; one that is gone is replaced."""
        if self._client is not None:
            try:
                self._client.end_game(won, time.monotonic() + QUICK)
            except EngineError:
                self.dismiss(QUICK)

    def release(self) -> Iterator[Client]:
        """Give up the program, if there is one: the next game gets a fresh one."""
        if self._client is not None:
            yield self._client
            self._client = None

    def dismiss(self, grace: float = GRACE) -> None:
        """End the program: one that failed is never asked again."""
        dismiss([self], grace)


def dismiss(seats: Iterable[Seat], grace: float = GRACE) -> None:
    """End several programs with one grace period."""
    close_clients([client for seat in seats for client in seat.release()], grace)


class Crew:
    """The engines of one process that plays games, whatever the games are."""

    def __init__(self) -> None:
        self._seats: dict[EngineSpec, Seat] = {}

    def seat(self, spec: EngineSpec) -> Seat:
        """Return the seat of an engine."""
        if spec not in self._seats:
            self._seats[spec] = Seat(spec)
        return self._seats[spec]

    def fault(self, specs: Sequence[EngineSpec]) -> str:
        """Start engines ahead of the first game; return what is wrong with them, or nothing."""
        faults = []
        for spec in specs:
            where = f"{place(spec)}{spec.label}"
            try:
                self.seat(spec).sow(0)
            except OptionsRefused as error:
                faults.append(str(error))
            except EngineError as error:
                faults.append(f"{where}: {_with_last_words(error)}")
            except (EngineRefused, ValueError) as error:
                faults.append(f"{where}: {error}")
        return "\n".join(faults)

    def close(self) -> None:
        """End all programs with one grace period."""
        with contextlib.suppress(KeyboardInterrupt):
            dismiss(self._seats.values())
        self._seats.clear()


CREW: Final = Crew()
"""This process's own: games follow one another in it, and their engines stay."""


def soon(seconds: float = PATIENCE) -> float:
    """Return the deadline for whatever is no move."""
    return time.monotonic() + seconds


def last_words(text: str) -> str:
    """Return the last lines that an engine wrote to stderr, fit for a terminal."""
    told = "\n".join([line for line in text.splitlines() if line.strip()][-3:])[-2000:]
    return "".join(each if each.isprintable() or each == "\n" else "?" for each in told)


def _with_last_words(error: EngineError) -> str:
    told = last_words(error.stderr).splitlines()
    return "\n".join([str(error), *(f"  stderr: {line}" for line in told)])
