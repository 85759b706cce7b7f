import os
from pathlib import Path

import pytest

from tools.match.gauges import SLOTS, Gauge, Gauges, read, show


def test_a_gauge_is_read_as_it_was_shown_until_the_end() -> None:
    gauges = Gauges()
    place, other = gauges.assign(), gauges.assign()
    assert place is not None
    assert other is not None
    assert read(place) is None
    gauge = Gauge(3, 1, (12.5, None), 7.0)
    show(place, gauge)
    assert (read(place), read(other)) == (gauge, None)
    gauges.close()
    assert not os.path.exists(place[0])
    assert read(place) is None
    show(place, gauge)  # A game that still runs is not disturbed.
    assert gauges.assign() is None


def test_only_the_clock_of_the_side_to_move_runs() -> None:
    gauge = Gauge(0, 0, (5.0, 6.0), 100.0)
    assert [gauge.clock_at(side, 102.0) for side in (0, 1)] == [3.0, 6.0]
    assert gauge.clock_at(0, 200.0) == 0.0


def test_places_are_used_again_and_may_run_out() -> None:
    gauges = Gauges()
    try:
        places = [gauges.assign() for _ in range(SLOTS)]
        assert gauges.assign() is None
        gauges.release(None)
        assert places[5] is not None
        show(places[5], Gauge(1, 0, (None, None), 0.0))
        gauges.release(places[5])
        assert gauges.assign() == places[5]
        assert read(places[5]) is None
    finally:
        gauges.close()


def test_without_a_place_for_the_file_games_have_no_gauge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    gauges = Gauges()
    assert gauges.assign() is None
    gauges.close()
