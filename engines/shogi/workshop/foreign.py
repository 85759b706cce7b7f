"""Label the positions of recorded games with their results: `python -m ... --help`.

An evaluation that was taught by games of its own kind should also be right about others. These
labels have no scores: they are for measuring (`workshop/examine.py`, and `--foreign` of
`workshop/train.py`), never for teaching.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click

from engines.core.game import InvalidText
from engines.shogi.rules.records.csa import read_csa
from engines.shogi.rules.records.kif import read_kif
from engines.shogi.rules.records.record import Ending, Record
from engines.shogi.rules.sfen import parse_sfen
from engines.shogi.workshop.label import Label

_READERS: Final = {".kif": read_kif, ".kifu": read_kif, ".csa": read_csa}
_LOST: Final = (  # By the side to move.
    Ending.RESIGN,
    Ending.MATE,
    Ending.TIMEOUT,
    Ending.FOUL_LOSS,
    Ending.FOUL_ACTION,
)
_WON: Final = (Ending.FOUL_WIN, Ending.DECLARATION, Ending.TRY)
_DRAWN: Final = (Ending.REPETITION, Ending.IMPASSE, Ending.DRAW, Ending.MAX_MOVES)


def points(record: Record) -> float | None:
    """Return Black's points in a game; None if the record does not tell."""
    # At the end of the record.
    turn = parse_sfen(record.start).turn ^ (len(moves_of(record)) & 1)
    ending = record.ending()
    if ending in _DRAWN:
        return 0.5
    if ending in _LOST:
        return float(turn == 1)
    if ending in _WON:
        return float(turn == 0)
    return None


def moves_of(record: Record) -> list[int]:
    """Return the legal moves of the main line."""
    return [node.move for node in record.main_line() if node.move and not node.foul]


def read_records(paths: Sequence[Path]) -> Iterator[Record]:
    """Read KIF and CSA files, also those in folders; a broken one ends the program."""
    for path in paths:
        for file in _files(path):
            try:
                yield _READERS[file.suffix](file.read_bytes())
            except InvalidText as error:
                raise click.ClickException(f"{file}: {error}") from error


def labels(record: Record, first: int) -> Iterator[Label]:
    """Yield the positions of a game from a ply on; quiet ones are marked as such."""
    position = parse_sfen(record.start)
    for ply, move in enumerate(moves_of(record)):
        if ply >= first:
            yield Label.of(position, move, 0, min(ply, 500))
        position.play(move)


@click.command()
@click.argument("records", type=click.Path(path_type=Path, exists=True), nargs=-1, required=True)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The file to write.")
@click.option("--first", default=16, show_default=True, help="The ply of the first label.")
def main(records: Sequence[Path], out: Path, first: int) -> None:
    """Label the positions of RECORDS (KIF or CSA; folders are searched) with the results."""
    games = left_out = 0
    with out.open("wb") as target:
        for record in read_records(records):
            result, found = points(record), list(labels(record, first))
            if result is None or not found:
                left_out += 1
                continue
            games += 1
            for label in found:
                target.write(label.pack(result, last=label is found[-1]))
    click.echo(f"{games} games in {out}, {left_out} left out that are short or have no result")


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    return sorted(file for file in path.rglob("*") if file.suffix in _READERS)


if __name__ == "__main__":
    main()
