"""Find the suites of a run in files and folders, and cut them into pieces and shards."""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from engines.core.game import InvalidText
from tools.regress.suites.nextmove import SUFFIX as JSON
from tools.regress.suites.nextmove import read_problems
from tools.regress.suites.suite import SUFFIX, InvalidTest, Problem, read_suite
from tools.regress.tst.parsing import SUFFIX as TST
from tools.regress.tst.parsing import read_tst
from tools.regress.tst.pattern import Dialect
from tools.regress.tst.recognition import Recognized, recognize
from tools.regress.tst.script import Script
from tools.regress.work import Piece, Problems, Unread

_IN_FOLDERS: Final = (SUFFIX, TST)  # A folder may contain other .json files.
_SUFFIXES: Final = (*_IN_FOLDERS, JSON)


def find_suites(paths: Sequence[Path]) -> Mapping[str, Path]:
    """Return the files of suites by the names that reports and baselines use for them.

    A folder stands for all suites in it. Raises InvalidText for a path that is no suite.
    """
    return {_name(file): file for file in dict.fromkeys(_files(paths))}


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    if not paths:
        raise InvalidText("no suite is named")
    for path in paths:
        if path.is_dir():
            files = sorted(file for file in path.rglob("*") if file.suffix.lower() in _IN_FOLDERS)
            if not files:
                raise InvalidText(f"{path}: no suites in it ({', '.join(_IN_FOLDERS)})")
            yield from files
        elif path.suffix.lower() not in _SUFFIXES:
            raise InvalidText(f"{path}: no suite (expected {', '.join(_SUFFIXES)})")
        else:
            yield path


def _name(file: Path) -> str:
    """Name a file relative to the working directory, in the same spelling on every system."""
    with contextlib.suppress(ValueError):
        file = file.resolve().relative_to(Path.cwd())
    return file.as_posix().encode("utf-8", "replace").decode()


def choose_dialects(
    files: Mapping[str, Path], dialect: Dialect | None
) -> tuple[Mapping[str, Dialect], list[str]]:
    """Return the dialect of each .tst file, and a line for each reason why it is not ours.

    Without a `dialect`, that of each file is recognized.
    """
    chosen = {}
    reasons: dict[str, list[str]] = {}
    for name, file in files.items():
        if file.suffix.lower() == TST:
            found = Recognized(dialect) if dialect is not None else recognize(file)
            chosen[name] = found.dialect
            if found.why:
                reasons.setdefault(found.why, []).append(name)
    return chosen, [
        f"{names[0] if len(names) == 1 else f'{len(names)} suites'} ({why}): patterns are read as "
        "GNU Go's regress.awk reads them; --dialect strict reads them as we do"
        for why, names in reasons.items()
    ]


def read_pieces(
    files: Mapping[str, Path], dialects: Mapping[str, Dialect], *, ignore_case: bool
) -> list[Piece]:
    """Read all suites; raises InvalidText if none of them can be read.

    A suite that cannot be read becomes a piece that reports the error, and the others run.
    """
    pieces: list[Piece] = []
    faults = []
    for name, file in files.items():
        try:
            if file.suffix.lower() == TST:
                dialect = dialects.get(name, Dialect.STRICT)
                pieces.append(Script(name, file, read_tst(file, dialect), dialect, ignore_case))
            else:
                pieces += Problems(name, read_file(file)).parts()
        except InvalidText as error:
            faults.append(str(error))
            pieces.append(Unread(name, faults[-1].removeprefix(f"{file}: ")))
    if len(faults) == len(files):
        raise InvalidText("\n".join(faults))
    return pieces


def read_file(file: Path) -> Sequence[Problem | InvalidTest]:
    """Read a suite of problems, in our own format or in ShogiHome's; raises InvalidText."""
    return read_problems(file) if file.suffix.lower() == JSON else read_suite(file)


def take_shard(pieces: Sequence[Piece], text: str | None) -> list[Piece]:
    """Return the Kth of N parts with about the same number of tests, where `text` is `K/N`."""
    if not text:
        return list(pieces)
    which, slash, count = text.partition("/")
    if not (slash and which.isdecimal() and count.isdecimal() and 1 <= int(which) <= int(count)):
        raise InvalidText(f"--shard: expected K/N, such as 1/4, not {text!r}")
    loads = [0] * int(count)
    chosen = []
    order = sorted(range(len(pieces)), key=lambda number: -pieces[number].tests)
    for number in order:
        part = loads.index(min(loads))
        loads[part] += pieces[number].tests
        if part == int(which) - 1:
            chosen.append(number)
    return [pieces[number] for number in sorted(chosen)]
