"""Converting many files: which file becomes which, and what became of them all."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from engines.core.errors import QuintetError
from tools.records.converting import (
    READABLE,
    SGF,
    CannotConvert,
    Conversion,
    convert_file,
    files_of,
    suffix_of,
    targets_of,
    write_conversion,
)

_SHOGI: Final = re.compile(rb"\bGM\s*\[\s*8\s*\]|\bQG\s*\[shogi\]")
_HEAD: Final = 1 << 16  # Bytes, in which the root of an SGF stands.


@dataclass(frozen=True, slots=True)
class Task:
    """A file to convert, and the file to write."""

    source: Path
    target: Path


@dataclass(slots=True)
class Plan:
    """The files to be converted, and how many files of folders are skipped, by suffix."""

    tasks: list[Task] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class Report:
    """The results of a conversion of many files; the losses are added up."""

    to: str
    out: Path
    skipped: Counter[str]
    converted: int = 0
    written: int = 0
    failed: int = 0
    losses: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, conversion: Conversion) -> None:
        """Count a file that was converted."""
        self.converted += 1
        self.written += len(conversion.files)
        for loss in conversion.losses:
            # The reason differs from file to file; only the format matters here.
            self.losses[loss.thing, loss.fate.partition(":")[0]] += loss.count

    def lines(self) -> Iterator[str]:
        """Yield the lines of the report."""
        more = f", as {self.written} files" if self.written > self.converted else ""
        yield f"{_count(self.converted, 'file')} converted to {self.to} in {self.out}{more}"
        if self.failed:
            yield f"{_count(self.failed, 'file')} not converted"
        if self.skipped:
            kinds = ", ".join(f"{count} {kind}" for kind, count in self.skipped.most_common())
            yield (
                f"{_count(self.skipped.total(), 'file')} skipped, because their format, or the "
                f"game in them, cannot become {self.to}: {kinds}"
            )
        for (thing, fate), count in self.losses.items():
            yield f"{_count(count, thing)} {fate}"


def make_plan(sources: Sequence[Path], out: Path, to: str) -> Plan:
    """Find the files to convert; a folder stands for all files in it that can become `to`.

    The files of a folder keep their places below it. Raises CannotConvert for a file or folder that
    does not exist.
    """
    plan = Plan()
    for source in sources:
        if source.is_dir():
            _add_folder(plan, source, out, to)
        elif source.exists():
            plan.tasks.append(Task(source, out / f"{source.stem}{suffix_of(to)}"))
        else:
            raise CannotConvert(f"{source}: no such file or folder")
    return plan


def _add_folder(plan: Plan, folder: Path, out: Path, to: str) -> None:
    written = out.resolve()
    for path in sorted(folder.rglob("*")):
        inside = folder.resolve() != written and path.resolve().is_relative_to(written)
        if not path.is_file() or inside:
            continue
        name = path.suffix.lower().removeprefix(".")
        if name in READABLE and to in targets_of(name) and _may_hold(path, name, to):
            target = (out / path.relative_to(folder)).with_suffix(suffix_of(to))
            plan.tasks.append(Task(path, target))
        else:
            plan.skipped[path.suffix.lower() or "without a suffix"] += 1


def _may_hold(path: Path, source: str, target: str) -> bool:
    """Tell whether a file may hold a game that a format can hold: most SGF is not of shogi."""
    if source != SGF or target == SGF:
        return True
    with path.open("rb") as file:
        return _SHOGI.search(file.read(_HEAD)) is not None


def run_plan(
    plan: Plan, to: str, *, charset: str = "", overwrite: bool = False
) -> Iterator[tuple[Task, Conversion | str]]:
    """Convert file after file, and yield what became of each: a conversion, or an error."""
    written: dict[Path, Path] = {}
    for task in plan.tasks:
        try:
            _refuse_written(task, [task.target], written)
            conversion = convert_file(task.source, task.target, to=to, charset=charset)
            paths = files_of(conversion, task.target)
            _refuse_written(task, paths, written)
            task.target.parent.mkdir(parents=True, exist_ok=True)
            write_conversion(conversion, task.target, overwrite=overwrite)
        except QuintetError as error:
            yield task, str(error)
        except OSError as error:
            yield task, f"{error.filename or task.source}: {error.strerror}"
        else:
            written.update(dict.fromkeys(paths, task.source))
            yield task, conversion


def _refuse_written(task: Task, paths: Sequence[Path], written: Mapping[Path, Path]) -> None:
    for path in paths:
        if (earlier := written.get(path)) is not None:
            raise CannotConvert(f"{task.source}: {path} is written from {earlier}")


def _count(count: int, thing: str) -> str:
    return f"{count} {thing}{'s' if count != 1 else ''}"
