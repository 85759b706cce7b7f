import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.core.game import InvalidText
from engines.core.timing import Clock, TimeControl

FORMS = ["600", "600+5", "0+5", "600+5x30", "600+25/300", "1/move", "60h", "depth=8", "0.5+0.25"]


@pytest.mark.parametrize(
    "text",
    [
        *FORMS,
        "600+5,visits=200",
        "1/move,depth=3,nodes=5",
        "nodes=1,visits=2",
        "0.00001/move",
        "1000000000+0.000001",
    ],
)
def test_a_time_control_is_written_as_it_was_read(text: str) -> None:
    assert str(TimeControl.parse(text)) == text


def test_no_increment_is_sudden_death() -> None:
    assert TimeControl.parse("600+0") == TimeControl.parse("600")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "expected 600"),
        ("fast", "expected 600"),
        ("-5", "expected 600"),
        ("600,5", "expected 600"),
        ("600+", "expected 600"),
        ("600+5x", "expected 600"),
        ("600++5", "expected 600"),
        ("1e3", "expected 600"),
        ("nan", "expected 600"),
        ("9" * 400, "too large"),
        ("1000000001", "at most 1000000000"),
        ("600+1000000001x30", "at most 1000000000"),
        ("0.0000000001/move", "no time at all"),
        ("nodes=1000000000000001", "nodes must be at most 1000000000000000"),
        ("nodes=" + "9" * 5000, "nodes must be at most"),
        ("nodes=000", "above 0"),
        ("0", "no time at all"),
        ("0/move", "no time at all"),
        ("0+5x0", "a period needs time and a count"),
        ("0+0x5", "a period needs time and a count"),
        ("0+0/5", "a period needs time and a count"),
        ("plies=3", "no such limit: 'plies'"),
        ("depth=0", "whole number above 0"),
        ("depth=-1", "whole number above 0"),
        ("depth=x", "whole number above 0"),
        ("depth=²", "whole number above 0"),
        ("depth=2,depth=3", "given twice"),
    ],
)
def test_a_wrong_time_control_says_why(text: str, reason: str) -> None:
    with pytest.raises(InvalidText, match=reason):
        TimeControl.parse(text)


def test_limits_take_visits_for_nodes() -> None:
    limits = TimeControl.parse("600,depth=3,visits=7").limits()
    assert (limits.seconds, limits.depth, limits.nodes) == (None, 3, 7)
    assert limits.bounded


def charged(text: str, *moves: float) -> tuple[Clock, list[bool]]:
    clock = Clock(TimeControl.parse(text))
    return clock, [clock.charge(seconds) for seconds in moves]


@pytest.mark.parametrize(
    ("text", "moves", "main", "periods"),
    [
        ("10", [3, 7], 0.0, 0),
        ("10+2", [3, 3], 8.0, 0),
        ("10+3x5", [8, 6], 0.0, 3),
        ("10+3x5", [10, 5], 0.0, 3),
        ("10+3x5", [10, 5.5], 0.0, 2),
        ("10+3x5", [24], 0.0, 1),
        ("10+3x5", [10, 10.5, 4], 0.0, 1),
        ("5/move", [5, 5, 4.9], 5.0, 0),
        ("10h", [4], 6.0, 0),
        ("10+3/6", [10], 0.0, 3),
        ("10+3/6", [11], 0.0, 2),
        ("10+3/6", [9, 2, 2, 2], 0.0, 3),
    ],
)
def test_a_clock_in_time(text: str, moves: list[float], main: float, periods: int) -> None:
    clock, kept = charged(text, *moves)
    assert all(kept)
    assert clock.main == pytest.approx(main)
    assert clock.periods == periods


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("10", [3, 7.01]),
        ("10+2", [12, 0.1]),
        ("10+2", [10.1]),
        ("10+3x5", [25.1]),
        ("10+3x5", [10, 10.5, 10.5]),
        ("5/move", [5, 5.01]),
        ("10h", [10.01]),
        ("10+3/6", [16.1]),
        ("10+3/6", [11, 2, 3.1]),
        ("0+1/6", [6.1]),
    ],
)
def test_a_flag_falls_at_the_last_move(text: str, moves: list[float]) -> None:
    kept = charged(text, *moves)[1]
    # 10+2 after a move of 12 seconds: that flag fell already.
    assert False in kept
    assert kept[-1] is False


def test_a_canadian_period_begins_again_after_its_stones() -> None:
    clock, kept = charged("0+2/10", 9.0, 1.0, 9.0, 1.0)
    assert all(kept)
    assert (clock.period, clock.periods) == (10, 2)


def test_an_hourglass_gets_what_the_opponent_used() -> None:
    clock, _ = charged("10h", 4.0)
    clock.credit(5.0)
    assert clock.available() == pytest.approx(11.0)


def test_credit_changes_no_other_clock() -> None:
    clock, _ = charged("10", 4.0)
    clock.credit(5.0)
    assert clock.available() == pytest.approx(6.0)


def test_without_a_clock_time_never_runs_out() -> None:
    clock, kept = charged("depth=3", 1e6)
    assert kept == [True]
    assert not clock.running
    assert clock.available() == float("inf")


def test_time_left_within_a_byoyomi_period() -> None:
    clock = Clock(TimeControl.parse("600+3x30"))
    clock.set_left(12.0, 2)
    assert clock.available() == pytest.approx(42.0)


def test_time_left_within_a_canadian_period() -> None:
    clock = Clock(TimeControl.parse("600+25/300"))
    clock.set_left(100.0, 4)
    assert clock.available() == pytest.approx(100.0)
    assert clock.allotment(50) == pytest.approx(25.0)


def test_a_canadian_period_of_which_no_second_is_left_is_no_fresh_one() -> None:
    clock = Clock(TimeControl.parse("0+25/300"))
    clock.set_left(0.0, 3)
    assert clock.allotment(50) < 0.001
    # Overdue by our own count, without news since: the next period is shared by its stones.
    assert not clock.charge(1.0)
    assert clock.allotment(50) == pytest.approx(12.0)


def test_time_left_of_the_main_time() -> None:
    clock = Clock(TimeControl.parse("600+25/300"))
    clock.set_left(100.0)
    assert clock.available() == pytest.approx(400.0)


@given(
    form=st.sampled_from([form for form in FORMS if not form.startswith("depth")]),
    moves=st.integers(1, 200),
    used=st.lists(st.floats(0.0, 1.0), max_size=60),
)
def test_the_allotment_never_lets_the_flag_fall(form: str, moves: int, used: list[float]) -> None:
    clock = Clock(TimeControl.parse(form))
    for fraction in used:
        if clock.available() < 0.002:
            break
        seconds = clock.allotment(moves)
        assert 0 < seconds <= clock.available()
        assert clock.charge(seconds * fraction)


@pytest.mark.parametrize("form", ["60", "60+1", "60+5x3", "60+5/30", "1/move", "60h"])
def test_thirty_moves_are_made_in_time_with_a_lag(form: str) -> None:
    clock = Clock(TimeControl.parse(form))
    for move in range(30):
        assert clock.charge(clock.allotment(30 - move) + 0.02)


def test_a_period_of_byoyomi_is_used_in_full() -> None:
    clock = Clock(TimeControl.parse("0+1x10"))
    assert clock.allotment(30) == pytest.approx(9.95)


@given(
    form=st.sampled_from([form for form in FORMS if not form.startswith("depth")]),
    used=st.lists(st.floats(0.0, 200.0), max_size=30),
)
def test_an_engine_that_receives_the_time_left_agrees_with_the_referee(
    form: str, used: list[float]
) -> None:
    referee, engine = Clock(TimeControl.parse(form)), Clock(TimeControl.parse(form))
    for seconds in used:
        if not referee.charge(min(seconds, referee.available())):
            break
        engine.set_left(*referee.left())
        assert engine.available() == pytest.approx(referee.available())
