import time

import pytest

from engines.core.solving import Checkpoints, share_of


def test_the_progress_of_a_part_fills_its_share() -> None:
    reports: list[tuple[float, str]] = []
    part = share_of(lambda done, text: reports.append((done, text)), 0.25, 0.5)
    part(0.0, "begins")
    part(0.5, "goes on")
    part(1.0, "ends")
    assert reports == [(0.25, "begins"), (0.5, "goes on"), (0.75, "ends")]


def test_a_checkpoint_is_saved_after_each_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    saved: list[float] = []
    checkpoints = Checkpoints(10.0)
    for now in (1005.0, 1011.0, 1015.0, 1021.5):
        clock[0] = now
        checkpoints.save_if_due(lambda: saved.extend(clock))
    assert saved == [1011.0, 1021.5]


def test_slow_checkpoints_are_rare(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    checkpoints = Checkpoints(10.0)
    count = 0

    def save() -> None:
        nonlocal count
        count += 1
        clock[0] += 5.0

    for _ in range(200):
        clock[0] += 1.0
        checkpoints.save_if_due(save)
    assert count == 2  # After 11 seconds, and again a hundred seconds later: 20 times the cost.
