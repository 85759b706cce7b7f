"""Converting records: shogi from format to format, SGF and other formats of Go into clean SGF."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from engines.core.charset import WrongMark
from engines.core.errors import QuintetError
from engines.core.game import InvalidText
from engines.core.sgf import parse_sgf
from engines.shogi.rules.records.csa import write_csa_games
from engines.shogi.rules.records.record import Record
from tools.records import reading
from tools.records.cleaning import clean_trees
from tools.records.losses import Loss, find_losses, same_game
from tools.records.reading import COLLECTIONS, READERS, TREES, WRITERS, read_bytes
from tools.records.shogi_sgf.reading import read_shogi
from tools.records.shogi_sgf.writing import write_shogi


class CannotConvert(QuintetError):
    """A record that cannot be converted as asked; the text names the file and the reason."""


SGF: Final = reading.SGF.removeprefix(".")
"""The format of SGF."""
_TREES: Final = {suffix.removeprefix("."): reader for suffix, reader in TREES.items()}
_VERSIONS: Final = {"csa2": "2.2", "csa3": "3.0"}
"""Versions of CSA that can be asked for; `csa` is the version that suits the record."""
_READERS: Final[Mapping[str, Callable[[bytes], list[Record]]]] = {
    suffix.removeprefix("."): reader for suffix, reader in READERS.items()
}
_WRITERS: Final[Mapping[str, Callable[[Record], bytes]]] = {
    suffix.removeprefix("."): writer for suffix, writer in WRITERS.items()
}
_COLLECTIONS: Final[Mapping[str, Callable[[Sequence[Record]], bytes]]] = {
    **{suffix.removeprefix("."): writer for suffix, writer in COLLECTIONS.items()},
    **{name: partial(write_csa_games, version=version) for name, version in _VERSIONS.items()},
}
READABLE: Final = (*_TREES, *_READERS)
"""The formats that can be read: the suffixes of their files, without the dot."""
WRITABLE: Final = (SGF, *_WRITERS, *_VERSIONS)
"""The formats that can be written."""
_TITLES: Final = {"kifu": "KIF", "ki2u": "KI2", "sfen": "USI", "csa2": "CSA 2.2", "csa3": "CSA"}


@dataclass(frozen=True, slots=True)
class Conversion:
    """A converted record, and what has to be said about it.

    There are several files if there are several games, and the format holds one.
    """

    files: Sequence[bytes]
    notices: Sequence[str] = ()  # Corrections and guesses.
    losses: Sequence[Loss] = ()

    def __repr__(self) -> str:
        """Show the sizes of the files instead of their contents."""
        sizes = ", ".join(f"<{len(file)} bytes>" for file in self.files)
        return (
            f"Conversion(files=[{sizes}], notices={self.notices!r}, losses={list(self.losses)!r})"
        )


def format_of(path: Path) -> str:
    """Return the format that a file's suffix tells; raises CannotConvert."""
    name = path.suffix.lower().removeprefix(".")
    if name not in READABLE:
        raise CannotConvert(
            f"{path}: the suffix of a file tells its format: expected "
            f"{', '.join(f'.{name}' for name in READABLE)}, not {path.suffix!r}"
        )
    return name


def targets_of(source: str) -> tuple[str, ...]:
    """Return the formats that a format can be converted into."""
    if source in _TREES and source != SGF:
        return (SGF,)
    return (SGF, *_WRITERS, *_VERSIONS) if source == SGF else (*_WRITERS, *_VERSIONS, SGF)


def target_format(target: Path, to: str) -> str:
    """Return the format that was asked for, or else that of the target's suffix, if it has one."""
    name = target.suffix.lower().removeprefix(".")
    return to or (f".{name}" if name in _VERSIONS else name)


def suffix_of(target: str) -> str:
    """Return the suffix of a format that is written."""
    return ".csa" if target in _VERSIONS else f".{target}"


def check_formats(source: str, target: str) -> None:
    """Raise CannotConvert if a format cannot be converted into another."""
    allowed = targets_of(source)
    if target not in allowed:
        if target in READABLE:
            reason = f".{source} cannot be written as .{target}"
        else:
            reason = f"no such format: {f'.{target}' if target else ''!r}"
        becomes = ", ".join(f".{name}" for name in allowed if name not in _VERSIONS)
        raise CannotConvert(f"{reason} (a .{source} becomes {becomes})")


def convert_data(data: bytes, source: str, target: str, charset: str = "") -> Conversion:
    """Convert a record from a format into another.

    `charset` is the character set of SGF or of another format of Go; without it, the set is
    detected. Raises CannotConvert and InvalidText.
    """
    check_formats(source, target)
    title = _TITLES.get(target, target.upper())
    losses: Counter[tuple[str, str]] = Counter()
    notices: Sequence[str] = ()
    if source in _TREES:
        file = _TREES[source](data, charset)
        if target == SGF:
            clean, notices = clean_trees(file)
            return Conversion([clean], notices)
        notices = file.notices
        records, left_out = read_shogi(file, title)
        losses.update({(loss.thing, loss.fate): loss.count for loss in left_out})
    elif charset:
        raise CannotConvert("--encoding is for records of Go and SGF")
    else:
        records = _READERS[source](data)
    if target == SGF:
        files = [write_shogi(records)]
    elif target in _COLLECTIONS:
        files = [_COLLECTIONS[target](records)]
    else:
        files = [_WRITERS[target](record) for record in records]
    try:
        copies = [copy for written in files for copy in _read_back(written, target)]
    except InvalidText as error:
        raise CannotConvert(f"it cannot be written as .{target}: {error}") from error
    for record, copy in zip(records, copies, strict=True):
        if not same_game(record, copy):
            reason = "the moves would not be the same"
            raise CannotConvert(f"it cannot be written as .{target}: {reason}")
        losses.update(
            {(loss.thing, loss.fate): loss.count for loss in find_losses(record, copy, title)}
        )
    return Conversion(files, notices, [Loss(thing, n, fate) for (thing, fate), n in losses.items()])


def _read_back(data: bytes, target: str) -> list[Record]:
    if target == SGF:
        return read_shogi(parse_sgf(data), "SGF")[0]
    return READERS[suffix_of(target)](data)


def convert_record(
    source: Path, target: Path, *, to: str = "", charset: str = "", overwrite: bool = False
) -> Conversion:
    """Convert the record in `source`, and write it to `target` or to numbered files beside it.

    The format is that of the target's suffix, or `to`. Raises CannotConvert and OSError.
    """
    if not overwrite:
        _refuse_existing([target])
    conversion = convert_file(source, target, to=to, charset=charset)
    write_conversion(conversion, target, overwrite=overwrite)
    return conversion


def convert_file(source: Path, target: Path, *, to: str = "", charset: str = "") -> Conversion:
    """Convert the record in `source`, and write nothing; raises CannotConvert and OSError."""
    kind, to = format_of(source), target_format(target, to)
    check_formats(kind, to)
    try:
        data = read_bytes(source)
    except InvalidText as error:
        raise CannotConvert(f"{source}: {error}") from error
    return convert_named(data, str(source), kind, to, charset)


def files_of(conversion: Conversion, target: Path) -> list[Path]:
    """Return the files that a conversion is written to: `target`, or `target-1`, `target-2` ..."""
    count = len(conversion.files)
    if count == 1:
        return [target]
    width = len(str(count))
    return [
        target.with_name(f"{target.stem}-{number:0{width}}{target.suffix}")
        for number in range(1, count + 1)
    ]


def write_conversion(conversion: Conversion, target: Path, *, overwrite: bool = False) -> None:
    """Write all files of a conversion; raises CannotConvert and OSError."""
    paths = files_of(conversion, target)
    if not overwrite:
        _refuse_existing(paths)
    for path, data in zip(paths, conversion.files, strict=True):
        path.write_bytes(data)


def _refuse_existing(paths: Sequence[Path]) -> None:
    for path in paths:
        if path.exists():
            raise CannotConvert(f"{path} is there already (--force)")


def convert_named(data: bytes, name: str, source: str, target: str, charset: str) -> Conversion:
    """Convert a record like `convert_data`; all errors are CannotConvert, and begin with `name`."""
    try:
        return convert_data(data, source, target, charset)
    except WrongMark as error:
        raise CannotConvert(f"{name}: {error} (--encoding NAME)") from error
    except InvalidText as error:
        raise CannotConvert(f"{name}: {error}") from error
    except CannotConvert as error:
        raise CannotConvert(f"{name}: {error}") from error
