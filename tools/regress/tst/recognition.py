"""Recognize the suites of GNU Go, whose runner reads patterns in a way of its own."""

import contextlib
import re
from pathlib import Path
from typing import Final, NamedTuple

from tools.regress.tst.pattern import Dialect

RUNNER: Final = "regress.awk"  # GNU Go's runner lies in the folder of its suites.
_OWN: Final = (
    *("analyze_semeai", "attack_either", "break_in", "combination_attack", "combination_defend"),
    *("defend_both", "disconnect", "dragon_status", "eval_eye", "owl_attack", "owl_defend"),
    *("owl_does_attack", "owl_does_defend", "owl_substantial", "owl_threaten_attack"),
    *("owl_threaten_defend", "same_dragon", "semeai_move", "unconditional_status"),
)
_TEST: Final = re.compile(rf"^\s*\d+\s+({'|'.join(_OWN)})\b", re.MULTILINE)


class Recognized(NamedTuple):
    """The dialect of a suite, and why it was chosen; empty for our own dialect."""

    dialect: Dialect
    why: str = ""


def recognize(path: Path) -> Recognized:
    """Return the dialect of a suite by what only GNU Go's suites have.

    That is its runner in the same folder, or a test that asks for a command of GNU Go alone. A file
    that cannot be read is left to the reader of suites.
    """
    if (path.parent / RUNNER).is_file():
        return Recognized(Dialect.GNUGO, f"beside {RUNNER}")
    with contextlib.suppress(OSError):
        if match := _TEST.search(path.read_bytes().decode("utf-8", "replace")):
            return Recognized(Dialect.GNUGO, f"tests of {match[1]}, a command of GNU Go alone")
    return Recognized(Dialect.STRICT)
