"""Asking an engine from a script: start it, and end it whatever happens."""

import contextlib
import time
from collections.abc import Iterator, Sequence

from protocols.ask.contract import Client
from protocols.ask.detect import start
from protocols.ask.engine import EngineSpec
from protocols.child.process import Process


def within(seconds: float) -> float:
    """Return the deadline that is so many seconds away, as every method of a client wants it."""
    return time.monotonic() + seconds


@contextlib.contextmanager
def connect(engine: EngineSpec | Sequence[str]) -> Iterator[Client]:
    """Start an engine, and yield a client that has greeted it and set its options.

    The engine is a command as a list of arguments, or a description, such as
    `tools.roster.engines.resolve` returns for a name. Its protocol is detected if the description
    does not say it. It is ended when the block is left. Raises EngineError if the engine cannot be
    started or fails, and EngineRefused if it refuses an option.
    """
    spec = engine if isinstance(engine, EngineSpec) else EngineSpec(engine[0], tuple(engine))

    def launch() -> Process:
        return Process(spec.command, name=spec.label, cwd=spec.folder, env=dict(spec.environment))

    client = start(launch, within(spec.patience), spec.protocol or "")
    try:
        for name, value in spec.options:
            client.set_option(name, value, within(spec.patience))
        for command in spec.commands:
            client.tell(command, within(spec.patience))
        yield client
    finally:
        client.close()
