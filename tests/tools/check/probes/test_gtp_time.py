"""Probes of GTP's clocks and analysis find their faults."""

import pytest

from tests.tools.check import faults
from tests.tools.check.faults import Entry, Timed
from tests.tools.check.probing import (
    check_complete,
    check_entry,
    check_late,
    entries_of,
    on_linux,
    timed_of,
)
from tools.check.probes.gtp_time import TIME

pytestmark = on_linux


@pytest.mark.slow
@entries_of((TIME,), faults.GTP)
def test_faults_in_clocks_and_analysis_are_found(entry: Entry) -> None:
    check_entry("gtp", entry)


@pytest.mark.slow
@timed_of(TIME, *faults.GTP_TIMED)
def test_a_move_that_comes_late_is_found(timed: Timed) -> None:
    check_late("gtp", timed, "={id} E5\n\n")


def test_every_probe_has_its_fault() -> None:
    # The interrupt is put to the line protocol, which shares the code.
    check_complete((TIME,), faults.GTP, faults.GTP_TIMED, faults.WAITING)
