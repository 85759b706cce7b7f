import pytest

from engines.core.timing import TimeControl
from tools.play.clocks import PlayClocks


def clocks(control: str) -> tuple[PlayClocks, list[float]]:
    moment = [50.0]
    both = TimeControl.parse(control)
    return PlayClocks((both, both), lambda: moment[0]), moment


@pytest.mark.parametrize(
    ("control", "after", "left"),
    [
        ("60", 20, (40, 0)),
        ("60+5", 20, (40, 0)),
        ("10+3x30", 9, (1, 0)),
        ("10+3x30", 15, (25, 3)),
        ("10+3x30", 75, (25, 1)),
        ("10+3x30", 500, (0, 1)),
        ("10+5/30", 9, (1, 0)),
        ("10+5/30", 15, (25, 5)),
        ("30/move", 12, (18, 0)),
        ("60h", 12, (48, 0)),
    ],
)
def test_the_running_clock_shows_the_time_that_is_left(
    control: str, after: float, left: tuple[float, int]
) -> None:
    pair, moment = clocks(control)
    pair.start(0)
    moment[0] += after
    assert pair.left(0) == left
    assert pair.elapsed() == after


def test_a_move_within_the_lag_is_forgiven_and_a_later_one_is_not() -> None:
    pair, _ = clocks("10")
    assert pair.charge(0, 10.1, lag=0.25)
    assert pair.left(0) == (0, 0)
    pair, _ = clocks("10")
    assert not pair.charge(0, 10.3, lag=0.25)


def test_the_flag_falls_after_the_main_time_and_all_periods() -> None:
    pair, moment = clocks("10+3x30")
    assert pair.flag_in() == float("inf")
    pair.start(1)
    moment[0] += 40
    assert pair.flag_in() == 60
