"""Probes of a game over GTP find their faults."""

import pytest

from tests.tools.check import faults
from tests.tools.check.faults import Entry
from tests.tools.check.probing import check_complete, check_entry, entries_of, on_linux
from tools.check.probes.gtp_game import GAME

pytestmark = on_linux


@pytest.mark.slow
@entries_of((GAME,), faults.GTP)
def test_faults_in_a_game_are_found(entry: Entry) -> None:
    check_entry("gtp", entry)


def test_every_probe_has_its_fault() -> None:
    check_complete((GAME,), faults.GTP)
