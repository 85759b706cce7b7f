import pytest

from engines.core.timing import Clock, TimeControl
from engines.go.play.pace import DECIDED, LAG, OVERHEAD, allotted, spare, until


@pytest.mark.parametrize("area", [81, 169, 361])
@pytest.mark.parametrize(
    "control",
    [
        "600",
        "60",
        "5",
        "1",
        "0.3",
        "60+1",
        "0+0.2",
        "60+5x30",
        "0+1x1",
        "10+25/60",
        "0+5/10",
        "1/move",
    ],
)
def test_no_clock_runs_out_though_each_move_takes_longer_than_allotted(
    area: int, control: str
) -> None:
    clock = Clock(TimeControl.parse(control))
    for played in range(0, 2 * area, 2):
        seconds = allotted(clock, area, played)
        assert 0 < seconds < clock.available()
        if clock.available() < 2 * LAG:
            break  # From here on every move is made as fast as it can be.
        assert clock.charge(seconds + OVERHEAD + LAG / 2)


def test_a_clock_is_used_and_not_on_one_move() -> None:
    clock = Clock(TimeControl.parse("600"))
    spent = 0.0
    for played in range(0, 120, 2):
        seconds = allotted(clock, 361, played)
        assert seconds < 600 / 20
        spent += seconds
        clock.charge(seconds)
    assert 150 < spent < 500


def test_main_time_before_byoyomi_lasts_for_several_moves() -> None:
    clock = Clock(TimeControl.parse("60+5x30"))
    first = allotted(clock, 361, 0)
    assert 6 < first < 40
    clock.set_left(30.0, 5)
    assert 20 < allotted(clock, 361, 40) <= 30


def test_no_move_takes_longer_than_any_may() -> None:
    clock = Clock(TimeControl.parse("600+20"))
    assert allotted(clock, 361, 0) > 10
    assert 2.5 < allotted(clock, 361, 0, 3.0) < 3.0
    assert 0.0 < allotted(clock, 361, 0, 0.1) < 0.1


def test_a_canadian_period_is_shared_by_its_stones() -> None:
    clock = Clock(TimeControl.parse("0+10/60"))
    clock.set_left(60.0, 10)
    assert allotted(clock, 361, 0) == pytest.approx(6.0 - OVERHEAD)
    clock.set_left(3.0, 1)
    assert allotted(clock, 361, 0) == pytest.approx(3.0 - LAG - OVERHEAD)


def test_what_a_move_may_take_at_most_costs_no_period() -> None:
    assert spare(Clock(TimeControl())) == float("inf")
    assert spare(Clock(TimeControl.parse("60"))) == 60 - LAG
    clock = Clock(TimeControl.parse("0+5x30"))
    assert spare(clock) == 30 - LAG


def test_a_search_ends_once_it_is_decided_or_stopped() -> None:
    asked: list[float] = []

    def decided(share: float) -> bool:
        asked.append(share)
        return len(asked) > 2

    stop = until(lambda: False, decided, -1000.0, 2000.0 + DECIDED)
    assert [stop() for _ in range(2)] == [False, False]
    assert len(asked) == 1  # Not more often than every so many seconds.
    assert until(lambda: True, lambda share: False, 1e12, 1.0)()
