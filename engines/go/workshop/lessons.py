"""The batches of a training run: which files, board sizes and teachers they come from.

The batch of a step depends only on the options and the number of the step, so that a run that was
interrupted continues with the same batches. They can be prepared in a second process: `Helper`.
"""

import pickle
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

import numpy as np

from engines.go.workshop.dataset import Batch, Labels, join, load

# Shares of the batches by board size, and by teacher: the files `b6-19x19-sampled-000.npz` are
# those of the teacher `b6-sampled`.
SIZES: Final = {7: 0.05, 9: 0.36, 13: 0.20, 19: 0.39}
TEACHERS: Final = {
    "b10": 0.4,
    "b10-sampled": 0.25,
    "b6": 0.1,
    "b6-sampled": 0.25,
    "own-sampled": 0.4,  # Our own games, labelled by `label`.
}
BATCH: Final = {7: 256, 9: 256, 13: 128, 19: 96}
EXAMINERS: Final = ("b10", "b10-sampled")  # The teachers whose labels the examinations use.


@dataclass(frozen=True, slots=True)
class Curriculum:
    """The files, board sizes and teachers that batches are drawn from, with their shares."""

    data: Path
    sizes: Mapping[int, float]
    teachers: Mapping[str, float]
    batch: Mapping[int, int]


class Lessons:
    """The positions of a curriculum that are not held out."""

    def __init__(self, curriculum: Curriculum) -> None:
        self._batch = curriculum.batch
        self._labels: dict[int, list[Labels]] = {}
        self._shares: dict[int, list[float]] = {}
        for (size, teacher), labels in sorted(_read(curriculum, held_out=False).items()):
            if len(labels):
                self._labels.setdefault(size, []).append(labels)
                self._shares.setdefault(size, []).append(curriculum.teachers[teacher])
        self._sizes = {size: curriculum.sizes[size] for size in sorted(self._labels)}

    def __len__(self) -> int:
        return sum(len(labels) for several in self._labels.values() for labels in several)

    def draw(self, step: int) -> Batch:
        """Draw the batch of a step: positions of one size by one teacher."""
        source = np.random.default_rng([1, step])
        size = int(source.choice(list(self._sizes), p=_normal(list(self._sizes.values()))))
        shares = self._shares[size]
        labels = self._labels[size][int(source.choice(len(shares), p=_normal(shares)))]
        rows = source.integers(len(labels), size=self._batch[size])
        return labels.batch(rows, source.permutation(8))

    def batches(self, step: int) -> Iterator[Batch]:
        """Draw the batches from a step on, without end."""
        while True:
            yield self.draw(step)
            step += 1


def exams(curriculum: Curriculum) -> dict[int, Labels]:
    """Load the held-out positions by board size: those of the best teachers, if there are any."""
    found = {key: one for key, one in _read(curriculum, held_out=True).items() if len(one)}
    result = {}
    for size in sorted({size for size, _ in found}):
        several = {teacher: one for (each, teacher), one in found.items() if each == size}
        best = [one for teacher, one in several.items() if teacher in EXAMINERS]
        result[size] = join(best or list(several.values()))
    return result


def _read(curriculum: Curriculum, *, held_out: bool) -> dict[tuple[int, str], Labels]:
    """Read the files of a folder by board size and teacher, unless their share is 0."""
    parts: dict[tuple[int, str], list[Labels]] = {}
    for path in sorted(curriculum.data.glob("*.npz")):
        words = path.stem.split("-")
        teacher = f"{words[0]}-sampled" if "sampled" in words else words[0]
        if not curriculum.teachers.get(teacher):
            continue
        labels = load(path, held_out=held_out)
        if curriculum.sizes.get(labels.size):
            parts.setdefault((labels.size, teacher), []).append(labels)
    return {key: join(several) for key, several in parts.items()}


def _normal(shares: list[float]) -> list[float]:
    total = sum(shares)
    return [share / total for share in shares]


class Helper:
    """A second process that prepares batches ahead; it ends when this process does."""

    def __init__(self, curriculum: Curriculum) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", __name__], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._send(curriculum)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def __len__(self) -> int:
        """Return the number of positions; waits until they are read."""
        count = self._receive()
        if not isinstance(count, int):
            raise TypeError("the number of positions is expected")
        return count

    def batches(self, step: int) -> Iterator[Batch]:
        """Return the batches from a step on, without end."""
        self._send(step)
        while True:
            batch = self._receive()
            if not isinstance(batch, Batch):
                raise TypeError("a batch is expected")
            yield batch

    def _send(self, value: object) -> None:
        if self._process.stdin is not None:
            pickle.dump(value, self._process.stdin)
            self._process.stdin.flush()

    def _receive(self) -> object:
        if self._process.stdout is None:
            raise OSError("the second process has no output")
        try:
            return pickle.load(self._process.stdout)
        except EOFError as error:
            raise OSError("the second process, which prepares batches, has ended") from error


def _serve() -> None:
    """Send the number of positions, and then batches, until the other process ends."""
    source, target = sys.stdin.buffer, sys.stdout.buffer
    try:
        lessons = Lessons(pickle.load(source))
        pickle.dump(len(lessons), target)
        target.flush()
        if len(lessons):
            for batch in lessons.batches(pickle.load(source)):
                pickle.dump(batch, target, protocol=pickle.HIGHEST_PROTOCOL)
                target.flush()
    except (BrokenPipeError, EOFError, KeyboardInterrupt):
        sys.exit(0)


if __name__ == "__main__":
    _serve()
