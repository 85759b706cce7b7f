"""Probes of GTP's frames find their faults."""

import pytest

from tests.tools.check import faults
from tests.tools.check.faults import Entry
from tests.tools.check.probing import check_complete, check_entry, entries_of, on_linux
from tools.check.probes.frames import FRAMES

pytestmark = on_linux


@pytest.mark.slow
@entries_of((FRAMES,), faults.FRAMES, faults.LINE)
def test_faults_in_the_frames_are_found(entry: Entry) -> None:
    check_entry("line", entry)


def test_every_probe_has_its_fault() -> None:
    check_complete((FRAMES,), faults.FRAMES, faults.LINE, faults.WAITING)
