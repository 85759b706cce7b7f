"""Probes of searches in USI find their faults."""

import pytest

from tests.tools.check import faults
from tests.tools.check.faults import Entry, Timed
from tests.tools.check.probing import (
    HASTE,
    check_complete,
    check_entry,
    check_late,
    entries_of,
    on_linux,
    timed_of,
)
from tools.check.probes.usi_search import SEARCH

pytestmark = on_linux


@pytest.mark.slow
@entries_of((SEARCH,), faults.USI)
def test_faults_in_searches_are_found(entry: Entry) -> None:
    check_entry("usi", entry)


@entries_of((SEARCH,), faults.USI_WAITING)
def test_an_answer_that_never_comes_is_found(entry: Entry) -> None:
    check_entry("usi", entry, HASTE)


@pytest.mark.slow
@timed_of(SEARCH, *faults.USI_TIMED)
def test_a_move_that_comes_late_is_found(timed: Timed) -> None:
    # In the last probe, White is to move.
    side = "3c3d" if timed in faults.USI_TIMED[3:] else "7g7f"
    check_late("usi", timed, f"bestmove {side}\n")


def test_every_probe_has_its_fault() -> None:
    check_complete((SEARCH,), faults.USI, faults.USI_WAITING, faults.USI_TIMED)
