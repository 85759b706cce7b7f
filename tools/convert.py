"""The command `quintet convert`."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import click

from engines.core.charset import WrongMark
from engines.core.game import InvalidText
from engines.shogi.csa import read_csa, write_csa
from engines.shogi.ki2 import read_ki2
from engines.shogi.kif import read_kif, write_kif
from engines.shogi.record import Record, RecordError, lines_of
from tools.cleaning import SUFFIX, clean_file
from tools.failure import CouldNotRun


def _read_usi(data: bytes) -> Record:
    told = [(number, text) for number, text in lines_of(data) if text.strip()]
    if len(told) > 1:
        raise RecordError(told[1][0], "a second line, and a game in USI has one")
    number, text = told[0] if told else (1, "")
    return Record.from_usi(text, line=number)


READERS: Final[Mapping[str, Callable[[bytes], Record]]] = {
    ".kif": read_kif,
    ".kifu": read_kif,
    ".ki2": read_ki2,
    ".csa": read_csa,
    ".usi": _read_usi,
    ".sfen": _read_usi,
}
WRITERS: Final[Mapping[str, Callable[[Record], bytes]]] = {
    ".kif": write_kif,
    ".kifu": lambda record: write_kif(record, "utf-8"),
    ".csa": write_csa,
    ".usi": lambda record: f"{record.usi()}\n".encode(),
    ".sfen": lambda record: f"{record.usi()}\n".encode(),
}


def read_record(path: Path) -> Record:
    """Read a record of shogi by its file's suffix; raises InvalidText and OSError."""
    suffix = path.suffix.lower()
    if suffix not in READERS:
        raise InvalidText(f"no such format: {path.suffix!r} (known: {', '.join(READERS)})")
    return READERS[suffix](path.read_bytes())


@click.command()
@click.argument(
    "source", type=click.Path(path_type=Path, exists=True, dir_okay=False), metavar="FILE"
)
@click.argument("target", type=click.Path(path_type=Path, dir_okay=False), metavar="TARGET")
@click.option("--force", is_flag=True, help="Overwrite TARGET.")
@click.option(
    "--encoding", metavar="NAME", default="", help="Character set of an SGF file, if known better."
)
def convert(source: Path, target: Path, force: bool, encoding: str) -> None:
    """Write the record in FILE to TARGET, in the format of its suffix.

    Shogi: read are .kif, .kifu, .ki2, .csa, .usi and .sfen; written are all of them but .ki2. What
    a format cannot hold is lost: USI keeps the moves of the main line alone.

    An .sgf of any game becomes a clean .sgf: FF[4], UTF-8, all variations. Its character set is the
    one it names if that fits, else UTF-8, else it is guessed among Shift_JIS, EUC-KR, GB18030,
    Big5 and Western by which characters come out, and that is said.
    """
    suffixes = (SUFFIX,) if source.suffix.lower() == SUFFIX else tuple(WRITERS)
    if source.suffix.lower() not in (SUFFIX, *READERS):
        raise CouldNotRun(
            f"{source}: what it is written in is told by its suffix: expected {SUFFIX}, "
            f"{', '.join(READERS)}, not {source.suffix!r}"
        )
    if target.suffix.lower() not in suffixes:
        if target.suffix.lower() in (SUFFIX, *READERS):
            told = f"{source.suffix} cannot be written as {target.suffix}"
        else:
            told = f"no such format: {target.suffix!r}"
        raise CouldNotRun(f"{told} (a {source.suffix} becomes {', '.join(suffixes)})")
    if target.exists() and not force:
        raise CouldNotRun(f"{target} is there already (--force)")
    try:
        if suffixes == (SUFFIX,):
            for notice in clean_file(source, target, encoding):
                click.echo(f"{source}: {notice}", err=True)
            return
        if encoding:
            raise CouldNotRun("--encoding is for .sgf")
        target.write_bytes(WRITERS[target.suffix.lower()](read_record(source)))
    except WrongMark as error:
        raise CouldNotRun(f"{source}: {error} (--encoding NAME)") from error
    except InvalidText as error:
        raise CouldNotRun(f"{source}: {error}") from error
    except OSError as error:
        raise CouldNotRun(f"{error.filename}: {error.strerror}") from error
