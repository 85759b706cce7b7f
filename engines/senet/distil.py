"""Distil the net from exact tables: `python -m engines.senet.distil POSITIONS FILE [TABLES]`."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Final

from engines.core import places
from engines.senet import shipped
from engines.senet.library import Library
from engines.senet.net import Net
from engines.senet.rules import MEN
from engines.senet.table import Class
from engines.senet.track import movable, moved, steps_of, throws_again

Progress = Callable[[float, str], None]

START: Final = (0x2AA, 0x155)  # Men of the first and of the second player.
SQUARES: Final = [square for square in range(1, 30) if square != 27]
_ROUND: Final = 100_000  # Positions between two looks at the progress.
_FIRST_RATE: Final = 0.006
_LAST_RATE: Final = 0.0002
_EXPLORE: Final = 0.15  # The share of random moves.


def distil(
    tables: Path, positions: int, target: Path, seed: int = 0, progress: Progress | None = None
) -> float:
    """Teach the shipped net exact chances and write it to a file; return its last error.

    The error is the root mean square over the last round. Classes that `tables` does not hold are
    left out; what it does hold under the default rules is enough. Raises ValueError if that is
    nothing at all.
    """
    library = Library(tables, passing=False, over=False)
    known = [
        (own, enemy)
        for own in range(1, MEN + 1)
        for enemy in range(1, MEN + 1)
        if library.chance(*scatter(Random(0), (own, enemy))) is not None
    ]
    if not known:
        raise ValueError(f"{tables}: no tables of Senet under the default rules")
    net = Net(shipped.net_weights())
    generator = Random(seed)
    games = _games(net, library, generator)
    done = 0
    error = 0.0
    while done < positions:
        number = min(_ROUND, positions - done)
        rate = _FIRST_RATE + (_LAST_RATE - _FIRST_RATE) * done / positions
        squares, learned = 0.0, 0
        for index in range(number):
            own, enemy = next(games) if index & 1 else scatter(generator, generator.choice(known))
            chance = library.chance(own, enemy)
            if chance is not None:
                squares += net.learn(own, enemy, chance, rate) ** 2
                learned += 1
        done += number
        error = (squares / learned) ** 0.5
        if progress is not None:
            progress(done / positions, f"error {error:.4f}")
    target.write_bytes(net.weights())
    return error


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


def _games(net: Net, library: Library, generator: Random) -> Iterator[tuple[int, int]]:
    """Yield the positions of games of the net against itself that the library knows."""
    while True:
        own, enemy = START
        yielded = 0
        while own and enemy:
            if library.chance(own, enemy) is not None:
                yielded += 1
                yield own, enemy
            throw = generator.randint(1, 5)
            moves = choices(own, enemy, throw)
            again = throws_again(throw) or not moves
            if moves:
                if generator.random() < _EXPLORE:
                    _, own, enemy = generator.choice(moves)
                else:
                    _, own, enemy = max(
                        moves, key=lambda move: _worth(net, move[1], move[2], throw)
                    )
            if not again:
                own, enemy = enemy, own
        if not yielded:  # The end of a game is nearly always known.
            yield scatter(generator, (1, 1))


def _worth(net: Net, own: int, enemy: int, throw: int) -> float:
    if own == 0:
        return 1.0
    return net.evaluate(own, enemy) if throws_again(throw) else 1.0 - net.evaluate(enemy, own)


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
