"""Files of solved classes, and the fingerprint of the rules that they were solved under."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from engines.core import storage
from engines.core.storage import Stored, TableError, Values
from engines.senet.rules.position import SenetPosition
from engines.senet.tables.table import FLOAT, SHORT, entries

__all__ = ["Stored", "TableError", "fingerprint", "load", "load_values", "path_of", "save"]

_GAME: Final = "Senet"
_SAMPLES: Final = (
    ((2, 4, 6, 8, 10), (1, 3, 5, 7, 9)),
    ((15, 16, 26), (17, 18, 21, 23)),
    ((25, 28, 29), (20, 22, 24)),
)


def fingerprint(passing: bool, over: bool) -> str:
    """Return a digest of the behaviour of the rules, which changes when a rule changes."""
    counts = []
    for own, enemy in _SAMPLES:
        masks = [sum(1 << (square - 1) for square in men) for men in (own, enemy)]
        position = SenetPosition(masks[0], masks[1], 0, 0, 0, int(passing), int(over))
        counts += [position.perft(depth) for depth in range(1, 7)]
    return hashlib.sha256(f"{passing:d}{over:d} {counts}".encode()).hexdigest()[:16]


def path_of(directory: Path, passing: bool, over: bool, own: int, enemy: int) -> Path:
    """Return the file of a class under a variant."""
    variant = "pass-" * passing + "over-" * over
    return directory / f"senet-{variant}{own}-{enemy}.table"


def save(path: Path, values: Values, header: Mapping[str, Any]) -> None:
    """Write a file, which appears under its name only when it is complete."""
    storage.save(path, _GAME, values, header)


def load(path: Path, rules: str, own: int, enemy: int, *, checked: bool) -> Stored:
    """Map the file of a class; raises TableError for another game, class or rules, or damage."""
    stored = load_values(path, rules, entries(own, enemy), checked=checked)
    # A class and its mirror have the same size. Older files do not say which one they hold.
    holds = stored.header.get("class", [own, enemy])
    if holds != [own, enemy]:
        raise TableError(f"{path}: expected the class {own}-{enemy}, not {holds}")
    return stored


def load_values(path: Path, rules: str, number: int, *, checked: bool) -> Stored:
    """Map a file of `number` values; raises TableError as `load` does."""
    return storage.load(path, _GAME, rules, FLOAT + SHORT, number, checked=checked)
