"""The plan of a run: its options, its files, and the engine that it asks."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engines import registry
from engines.core.errors import QuintetError
from engines.core.game import InvalidText, Side
from engines.core.timing import TimeControl
from protocols.ask.engine import EngineSpec
from tools.annotate.writing import target_suffix
from tools.records.diagrams import KNOWN
from tools.roster.sides import read_side

DEFAULT_TIME: Final = "1/move"
DEFAULT_VARIATIONS: Final = 5
LAST: Final = 10**9
_MARK: Final = ".annotated"


class CannotAnnotate(QuintetError):
    """The run is not possible; the text says why."""


@dataclass(frozen=True, slots=True)
class AnnotateOptions:
    """The options of a run; without an engine, our own engine for each game is asked."""

    engine: str | None = None
    settings: Sequence[str] = ()  # KEY=VALUE, as after an engine of a match.
    protocol: str | None = None
    control: str | None = None
    jobs: int = 1
    out: Path | None = None
    first: int = 1
    last: int = LAST
    side: str | None = None
    thresholds: str = "5,10,20"
    variations: int = DEFAULT_VARIATIONS  # Moves of each; 0 for none.
    jsonl: Path | None = None
    force: bool = False
    timeout: float | None = None
    patience: float | None = None


def plan_files(paths: Sequence[Path], out: Path | None) -> list[tuple[Path, Path]]:
    """Return each record with the file to write; raises CannotAnnotate for a missing path.

    A folder stands for all records in it, which keep their places below `out`.
    """
    found = []
    for path in paths:
        if path.is_dir():
            written = out.resolve() if out is not None else None
            for each in sorted(path.rglob("*")):
                ours = written is not None and each.resolve().is_relative_to(written)
                ours = ours or each.stem.endswith(_MARK)
                if each.suffix.lower() in KNOWN and each.is_file() and not ours:
                    found.append((each, _target(each, out, each.relative_to(path))))
        elif path.exists():
            found.append((path, _target(path, out, Path(path.name))))
        else:
            raise CannotAnnotate(f"{path}: no such file or folder")
    return found


def _target(source: Path, out: Path | None, place: Path) -> Path:
    suffix = target_suffix(source.suffix.lower())
    if out is None:
        return source.with_name(f"{source.stem}{_MARK}{suffix}")
    return (out / place).with_suffix(suffix)


def side_of(name: str | None, game: str) -> Side | None:
    """Return the side whose moves are judged, or None for both; raises CannotAnnotate."""
    sides = registry.rules(game).sides
    if name is None:
        return None
    if name not in sides:
        raise CannotAnnotate(f"no such side: {name} (known: {' and '.join(sides)})")
    return sides.index(name)


def check_options(options: AnnotateOptions) -> None:
    """Raise CannotAnnotate for options that would value nothing, or have no effect."""
    if options.first > options.last:
        raise CannotAnnotate(
            f"--from {options.first} --to {options.last}: no move is from the one up to the other"
        )
    if options.engine is None and options.protocol is not None:
        raise CannotAnnotate("--protocol: it needs --engine")


def read_engine(options: AnnotateOptions) -> tuple[EngineSpec | None, TimeControl]:
    """Return the engine and the limit of each move; raises InvalidText."""
    engine, control = None, None
    if options.engine is not None:
        side = read_side(options.engine, options.settings, options.protocol)
        engine, control = side.engine, side.time
    elif options.settings:
        raise InvalidText("--set: it needs --engine")
    if options.control is not None or control is None:
        control = TimeControl.parse(options.control or DEFAULT_TIME)
    if control.kind not in ("", "move"):
        raise InvalidText(
            f"--time {control}: expected a limit for each move, such as 1/move, nodes=1000, "
            "visits=200 or depth=8"
        )
    return engine, control
