"""Find positions in which a short search errs and a long one does not.

Usage: `python -m engines.shogi.workshop.tactics --help`.

The candidates are positions of labelled games after which the score of the next search differed. A
position is kept if a search of `SHORT` nodes chooses a move that a search of `LONG` nodes values by
at least `GAIN` less than its own choice, and if a search of five times as many nodes agrees with
the latter. The positions are written as a suite for `quintet regress`.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path
from typing import Final

import click

from engines.shogi.play.search import Task, Thinker, Thought
from engines.shogi.rules.notation import format_move
from engines.shogi.rules.position import Position
from engines.shogi.rules.sfen import format_sfen
from engines.shogi.workshop.label import LAST, RECORD, position_of

SHORT: Final = 2_000
LONG: Final = 200_000
GAIN: Final = 200  # Hundredths of a pawn.
_DECIDED: Final = 1_500  # The move found must not merely lose or win more slowly.
_TURN, _FLAGS, _VALUE = 83, 84, 85  # Fields of a record.


@dataclass(frozen=True, slots=True)
class Tactic:
    """A position, the move that a long search chooses, and the one that a short search does."""

    sfen: str
    best: str
    error: str
    gain: int  # How much worse the error is, in hundredths of a pawn.


def candidates(labels: Path, swing: int = GAIN) -> list[bytes]:
    """List the labels of positions whose score was denied by the search of the next position."""
    raw = labels.read_bytes()
    records = [
        raw[at : at + RECORD.size] for at in range(0, len(raw) - RECORD.size + 1, RECORD.size)
    ]
    found = []
    for record, following in pairwise(records):
        here, there = RECORD.unpack(record), RECORD.unpack(following)
        if here[_FLAGS] & LAST or here[_TURN] == there[_TURN]:
            continue
        if here[_VALUE] + there[_VALUE] >= swing and abs(here[_VALUE]) < _DECIDED:
            found.append(record)
    return found


def examine(thinker: Thinker, position: Position) -> Tactic | None:
    """Return the tactic in a position, or None if the searches do not agree that there is one."""

    def think(nodes: int, *moves: int) -> Thought:
        thinker.forget()
        return thinker.think(Task(position, lambda: False, nodes=nodes, moves=moves))[0]

    short, long = think(SHORT).line[0], think(LONG)
    if short == long.line[0] or abs(long.score) > _DECIDED:
        return None
    gain = long.score - think(LONG, short).score
    if gain < GAIN or think(5 * LONG).line[0] != long.line[0]:
        return None
    return Tactic(format_sfen(position), format_move(long.line[0]), format_move(short), gain)


def collect(labels: Path, seed: int) -> Iterator[Tactic]:
    """Yield the tactics among the positions of a file of labels, in random order."""
    thinker = Thinker(64)
    records = candidates(labels)
    random.Random(seed).shuffle(records)
    for record in records:
        if tactic := examine(thinker, position_of(record)):
            yield tactic


def suite(tactics: list[Tactic]) -> str:
    """Write tactics as a suite for `quintet regress`."""
    lines = [
        f"# Positions in which a search of {SHORT} nodes errs, and one of {LONG} does not.",
        "game: shogi",
        "limit: nodes=20000",
    ]
    for number, tactic in enumerate(tactics, start=1):
        lines += [
            "",
            f"test {number}: {tactic.error} loses {tactic.gain}",
            f"position: {tactic.sfen}",
            f"accept: {tactic.best}",
        ]
    return "\n".join(lines) + "\n"


@click.command()
@click.argument("labels", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("out", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--count", "number", type=click.IntRange(1), default=60, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
def main(labels: Path, out: Path, number: int, seed: int) -> None:
    """Write COUNT tactics among the positions of LABELS to the suite OUT."""
    tactics = []
    for tactic in islice(collect(labels, seed), number):
        tactics.append(tactic)
        click.echo(f"{len(tactics)}: {tactic.best} gains {tactic.gain}", err=True)
    out.write_text(suite(tactics), encoding="ascii")


if __name__ == "__main__":
    main()
