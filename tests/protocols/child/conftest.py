"""Fixtures of the tests of child processes."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from protocols.child.process import Process, close_all
from tests.protocols import fakes
from tests.protocols.child.deadlines import Start


@pytest.fixture(params=[False, True], ids=["poll", "threads"])
def start(request: pytest.FixtureRequest) -> Iterator[Start]:
    """Start fakes in the way under test, and see them all dead at the end."""
    started: list[Process] = []

    def begin(*words: str, cwd: Path | None = None, log: Path | None = None) -> Process:
        process = Process(
            fakes.command(*words),
            cwd=cwd,
            env={"QUINTET_TEST": "shown"},
            log=log,
            log_cap=1000,
            threads=request.param,
        )
        started.append(process)
        return process

    yield begin
    close_all(started, 0.0)


@pytest.fixture
def fifo(tmp_path: Path) -> Iterator[int]:
    """A FIFO whose end comes when everybody who opened it for writing is dead."""
    os.mkfifo(tmp_path / "fifo")
    descriptor = os.open(tmp_path / "fifo", os.O_RDONLY | os.O_NONBLOCK)
    yield descriptor
    os.close(descriptor)
