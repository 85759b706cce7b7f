import pytest

from tests.tools.tournament.tournaments import cup, swiss
from tools.roster.seats import ENGINE_POOL
from tools.tournament.formats.plan import Format, Plan
from tools.tournament.rehearsal import (
    format_duration,
    format_schedule,
    format_time,
    measure_paces,
    planned_rounds,
)


def test_the_schedule_names_the_pairings_that_are_known() -> None:
    lines = list(format_schedule(cup(swiss(2), "good good good good good")))
    assert lines[1] == "round 1 of 2: 2 games of every pairing, all from the same openings"
    assert lines[2:] == ["  a - c", "  d - b", "  e has a bye"]


def test_openings_that_do_not_suffice_are_announced() -> None:
    assert list(format_schedule(cup(Plan(games=8))))[-1].startswith("there are only 3 openings")
    assert list(format_schedule(cup(openings=())))[-1].startswith("no openings")


@pytest.mark.parametrize(
    ("plan", "openings"),
    [
        (Plan(games=6), 3),
        (swiss(4), 4),
        (Plan(Format.KNOCKOUT, games=4, extra=1), 9),
        (Plan(Format.ADAPTIVE, games=50), 25),
    ],
)
def test_the_number_of_openings_is_known_before(plan: Plan, openings: int) -> None:
    assert planned_rounds(plan, 8) == openings


def test_the_time_follows_from_the_pace_of_each_engine() -> None:
    line = format_time(cup(Plan(games=4)), [1.0, 2.0, 0.0])
    # 12 games; an engine makes 12.5 moves in each, and a second per move is the mean.
    assert line.startswith("about 5 min with 1 job: 12 games of about 25 moves, a 1.000, b 2.000")


def test_a_clock_bounds_the_time() -> None:
    slow = format_time(cup(), [1000.0, 1000.0, 1000.0])
    assert slow.startswith("about 12 min with")  # 6 games with twice 60 seconds.


def test_a_few_moves_of_each_engine_are_measured() -> None:
    try:
        paces = measure_paces(cup(tempers="good good").terms)
    finally:
        ENGINE_POOL.close()
    assert len(paces) == 2
    assert all(0 <= pace < 5 for pace in paces)


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.1, "1 s"), (89, "89 s"), (600, "10 min"), (6000, "1 h 40 min")]
)
def test_durations_are_written_as_people_do(seconds: float, text: str) -> None:
    assert format_duration(seconds) == text
