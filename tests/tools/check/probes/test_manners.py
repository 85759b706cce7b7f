"""Probes of any program find bad manners."""

from pathlib import Path

import pytest

from tests.tools.check import faults
from tests.tools.check.faults import Entry
from tests.tools.check.probing import (
    HASTE,
    PATIENCE,
    check_complete,
    check_entry,
    entries_of,
    on_linux,
)
from tools.check.probes.manners import LEAVING, MANNERS

pytestmark = on_linux


@pytest.mark.slow
@entries_of((MANNERS, LEAVING), faults.MANNERS)
def test_bad_manners_are_found(entry: Entry, tmp_path: Path) -> None:
    rules = tuple(
        tuple(word.replace("{folder}", str(tmp_path)) for word in rule) for rule in entry[2]
    )
    check_entry("line", (entry[0], entry[1], rules), PATIENCE)


@pytest.mark.slow
@entries_of((MANNERS, LEAVING), faults.WAITING)
def test_who_does_not_answer_or_leave_is_found(entry: Entry) -> None:
    check_entry("line", entry, HASTE)


def test_every_probe_has_its_fault() -> None:
    check_complete((MANNERS, LEAVING), faults.MANNERS, faults.WAITING, faults.LINE, faults.USI)
