"""Distil the net from exact tables: `python -m engines.senet.distil POSITIONS FILE [TABLES]`."""

import sys
from array import array
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final

from engines.core import places
from engines.senet import shipped
from engines.senet.library import Library
from engines.senet.lookahead import Lookahead
from engines.senet.net import Net
from engines.senet.rules import MEN
from engines.senet.table import SHORT, Class, Table
from engines.senet.track import movable, moved, steps_of
from engines.senet.training import Trainer

Progress = Callable[[float, str], None]

SQUARES: Final = [square for square in range(1, 30) if square != 27]
_ROUND: Final = 1_000_000  # Positions between two looks at the progress.
_LESSON: Final = 2000  # Positions of one class at a time.
_FIRST_RATE: Final = 0.02
_LAST_RATE: Final = 0.0005
_EXPLORE: Final = 0.15  # The share of random moves.


def distil(
    tables: Path, positions: int, target: Path, seed: int = 0, progress: Progress | None = None
) -> float:
    """Teach the shipped net exact chances and write it to a file; return its last error.

    The error is the root mean square over the last round. Classes that `tables` does not hold are
    learned from the net's own lookahead of one throw; what it does hold under the default rules is
    enough. Raises ValueError if that is nothing at all.
    """
    library = Library(tables, passing=False, over=False)
    classes = [(own, enemy) for own in range(1, MEN + 1) for enemy in range(1, MEN + 1)]
    known = {each: library.table(each) for each in classes}
    if not any(known.values()):
        raise ValueError(f"{tables}: no tables of Senet under the default rules")
    net = Net(shipped.net_weights()).specialists()
    trainer = Trainer(net, Lookahead(net, Table([], SHORT), 0, 0), seed)
    lessons = _Lessons(trainer, classes, Random(seed))
    done = 0
    error = 0.0
    while done < positions:
        number = min(_ROUND, positions - done)
        squares, taught = 0.0, 0
        while taught < number:
            rate = _FIRST_RATE + (_LAST_RATE - _FIRST_RATE) * (done + taught) / positions
            each, owns, enemies = lessons.next(min(_LESSON, number - taught))
            table = known[each]
            if table is None:
                squares += trainer.foresee(owns, enemies, rate)
            else:
                squares += trainer.teach(table, owns, enemies, rate)
            taught += len(owns)
        done += number
        error = float((squares / number) ** 0.5)
        if progress is not None:
            progress(done / positions, f"error {error:.4f}")
    target.write_bytes(net.weights())
    return error


class _Lessons:
    """Positions of one class at a time: by turns from games, and random ones of a random class."""

    def __init__(self, trainer: Trainer, classes: list[Class], generator: Random) -> None:
        self._trainer = trainer
        self._classes = classes
        self._generator = generator
        self._played: dict[Class, tuple[array[int], array[int]]] = {}
        self._turn = 0

    def next(self, number: int) -> "tuple[Class, array[int], array[int]]":
        """Return a class, and the own and the enemy men of so many positions, or fewer."""
        self._turn += 1
        if self._turn & 1:
            each = self._generator.choice(self._classes)
            owns, enemies = _blank(number), _blank(number)
            self._trainer.scatter(*each, owns, enemies)
            return each, owns, enemies
        while True:
            for each, (owns, enemies) in self._played.items():
                if len(owns) >= number:
                    self._played[each] = owns[number:], enemies[number:]
                    return each, owns[:number], enemies[:number]
            self._play(10 * number)

    def _play(self, number: int) -> None:
        owns, enemies = _blank(number), _blank(number)
        self._trainer.wander(owns, enemies, _EXPLORE)
        for own, enemy in zip(owns, enemies, strict=True):
            each = own.bit_count(), enemy.bit_count()
            played = self._played.setdefault(each, (array("q"), array("q")))
            played[0].append(own)
            played[1].append(enemy)


def _blank(number: int) -> "array[int]":
    return array("q", bytes(8 * number))


def scatter(generator: Random, each: Class) -> tuple[int, int]:
    """Return the masks of so many men a side on random squares."""
    squares = generator.sample(SQUARES, sum(each))
    masks = [
        sum(1 << (square - 1) for square in part)
        for part in (squares[: each[0]], squares[each[0] :])
    ]
    return masks[0], masks[1]


def choices(own: int, enemy: int, throw: int) -> list[tuple[int, int, int]]:
    """List each move of a throw as the man's mask, and both sides' men after it, own side first."""
    men = movable(own, enemy, steps_of(throw), 0)
    found = []
    while men:
        man = men & -men
        men ^= man
        after = moved(own, enemy, man, steps_of(throw))
        found.append((man, after & 0x1FFFFFFF, after >> 32))
    return found


def main(words: list[str]) -> None:
    """Distil as the command line says, progress on stderr."""
    tables = Path(words[2]) if len(words) > 2 else places.tables()
    error = distil(
        tables,
        int(float(words[0])),
        Path(words[1]),
        progress=lambda done, text: print(f"{100 * done:5.1f} %  {text}", file=sys.stderr),
    )
    print(f"root mean square error {error:.5f}")


if __name__ == "__main__":
    main(sys.argv[1:])
