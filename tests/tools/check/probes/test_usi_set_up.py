"""Probes of USI before a search find their faults."""

import pytest

from tests.tools.check import faults
from tests.tools.check.faults import Entry
from tests.tools.check.probing import HASTE, check_complete, check_entry, entries_of, on_linux
from tools.check.probes.usi_set_up import SET_UP

pytestmark = on_linux


@pytest.mark.slow
@entries_of((SET_UP,), faults.USI)
def test_faults_before_a_search_are_found(entry: Entry) -> None:
    check_entry("usi", entry)


@entries_of((SET_UP,), faults.USI_WAITING)
def test_an_answer_that_never_comes_is_found(entry: Entry) -> None:
    check_entry("usi", entry, HASTE)


def test_every_probe_has_its_fault() -> None:
    check_complete((SET_UP,), faults.USI, faults.USI_WAITING)
