from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from engines.go.workshop.dataset import Batch
from engines.go.workshop.lessons import Curriculum, Helper, Lessons, exams
from tests.engines.go.workshop.test_dataset import GAMES, write

POSITIONS = sum(len(game) for game in GAMES)


def curriculum(data: Path, **teachers: float) -> Curriculum:
    shares = {name.replace("_", "-"): share for name, share in teachers.items()}
    return Curriculum(data, {5: 1.0}, shares, {5: 8})


def is_same(one: Batch, other: Batch) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in one.__slots__)


def test_the_batch_of_a_step_is_always_the_same(tmp_path: Path) -> None:
    write(tmp_path / "b10-5x5-000.npz")
    lessons = Lessons(curriculum(tmp_path, b10=1))
    assert is_same(lessons.draw(7), Lessons(curriculum(tmp_path, b10=1)).draw(7))
    assert not is_same(lessons.draw(7), lessons.draw(8))


def test_a_second_process_prepares_the_same_batches(tmp_path: Path) -> None:
    write(tmp_path / "b10-5x5-000.npz")
    lessons = Lessons(curriculum(tmp_path, b10=1))
    with Helper(curriculum(tmp_path, b10=1)) as helper:
        assert len(helper) == len(lessons)
        for step, batch in enumerate(islice(helper.batches(5), 4), 5):
            assert is_same(batch, lessons.draw(step))


def test_a_second_process_that_ended_is_an_error(tmp_path: Path) -> None:
    write(tmp_path / "b10-5x5-000.npz")
    with Helper(curriculum(tmp_path, b10=1)) as helper:
        assert len(helper)
        batches = helper.batches(0)
        next(batches)
        helper.__exit__(None, None, None)
        with pytest.raises((OSError, ValueError)):
            list(islice(batches, 9))


def test_teachers_are_told_apart_by_the_names_of_the_files(tmp_path: Path) -> None:
    write(tmp_path / "b10-5x5-000.npz")
    write(tmp_path / "b6-5x5-sampled-b-000.npz", rules=(1, 1))
    whole = Lessons(curriculum(tmp_path, b10=1, b6_sampled=1))
    assert len(whole) == 2 * len(Lessons(curriculum(tmp_path, b10=1)))
    only = Lessons(curriculum(tmp_path, b10=0, b6_sampled=1))
    assert all(only.draw(step).scalars[:, 1].all() for step in range(4))
    assert len(Lessons(curriculum(tmp_path, b6=1))) == 0


def test_the_best_teachers_examine_and_never_on_what_was_taught(tmp_path: Path) -> None:
    write(tmp_path / "b10-5x5-000.npz", rules=(0, 0))
    write(tmp_path / "b6-5x5-000.npz", rules=(1, 1))
    chosen = curriculum(tmp_path, b10=1, b6=1)
    held_out = exams(chosen)
    count = sum(len(labels) for labels in held_out.values())
    assert not any(labels.territory.any() for labels in held_out.values())
    assert len(Lessons(chosen)) == 2 * (POSITIONS - count)
