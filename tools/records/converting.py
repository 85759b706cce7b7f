"""Converting records: shogi from format to format, SGF into clean SGF."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from engines.core.charset import WrongMark
from engines.core.errors import QuintetError
from engines.core.game import InvalidText
from engines.shogi.rules.records.csa import write_csa_games
from engines.shogi.rules.records.record import Record
from tools.records.cleaning import SUFFIX, clean_sgf
from tools.records.losses import Loss, find_losses, same_game
from tools.records.reading import COLLECTIONS, READERS, WRITERS, read_bytes


class CannotConvert(QuintetError):
    """A record that cannot be converted as asked; the text names the file and the reason."""


_SGF: Final = SUFFIX.removeprefix(".")
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
READABLE: Final = (_SGF, *_READERS)
"""The formats that can be read: the suffixes of their files, without the dot."""
WRITABLE: Final = (_SGF, *_WRITERS, *_VERSIONS)
"""The formats that can be written."""
_TITLES: Final = {"kifu": "KIF", "ki2u": "KI2", "sfen": "USI", "csa2": "CSA 2.2", "csa3": "CSA"}


@dataclass(frozen=True, slots=True)
class Conversion:
    """A converted record, and what has to be said about it."""

    data: bytes
    notices: Sequence[str] = ()  # What was corrected or guessed.
    losses: Sequence[Loss] = ()


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
    return (_SGF,) if source == _SGF else (*_WRITERS, *_VERSIONS)


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

    `charset` is the character set of an SGF file; without it, the set is detected. Raises
    CannotConvert and InvalidText.
    """
    check_formats(source, target)
    if source == _SGF:
        clean, notices = clean_sgf(data, charset)
        return Conversion(clean, notices)
    if charset:
        raise CannotConvert("--encoding is for .sgf")
    records = _READERS[source](data)
    title = _TITLES.get(target, target.upper())
    losses: Counter[tuple[str, str]] = Counter()
    if target in _COLLECTIONS:
        written = _COLLECTIONS[target](records)
    else:
        written = _WRITERS[target](records[0])
        losses["game", f"left out: {title} holds one"] = len(records) - 1
    try:
        copies = READERS[suffix_of(target)](written)
    except InvalidText as error:
        raise CannotConvert(f"it cannot be written as .{target}: {error}") from error
    for record, copy in zip(records, copies, strict=False):
        if not same_game(record, copy):
            reason = "the moves would not be the same"
            raise CannotConvert(f"it cannot be written as .{target}: {reason}")
        losses.update(
            {(loss.thing, loss.fate): loss.count for loss in find_losses(record, copy, title)}
        )
    return Conversion(
        written, (), [Loss(thing, count, fate) for (thing, fate), count in losses.items() if count]
    )


def convert_record(
    source: Path, target: Path, *, to: str = "", charset: str = "", overwrite: bool = False
) -> Conversion:
    """Convert the record in `source`, and write it to `target`.

    The format is that of the target's suffix, or `to`. Raises CannotConvert and OSError.
    """
    kind, to = format_of(source), target_format(target, to)
    check_formats(kind, to)
    if target.exists() and not overwrite:
        raise CannotConvert(f"{target} is there already (--force)")
    try:
        data = read_bytes(source)
    except InvalidText as error:
        raise CannotConvert(f"{source}: {error}") from error
    conversion = convert_named(data, str(source), kind, to, charset)
    target.write_bytes(conversion.data)
    return conversion


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
