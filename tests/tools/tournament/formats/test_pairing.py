import pytest

from tests.tools.tournament.formats.playing import play_all
from tools.tournament.formats.pairing import least_numbers
from tools.tournament.formats.plan import Format, Plan


@pytest.mark.parametrize(
    ("plan", "least"),
    [
        (Plan(games=6), {"games": 6}),
        (Plan(Format.GAUNTLET, games=4), {"games": 4}),
        (Plan(Format.LADDER, games=4), {"games": 4}),
        (Plan(Format.ADAPTIVE, games=8, certainty=0.999), {"games": 8}),
        (Plan(Format.SWISS, games=4, rounds=2), {"rounds": 2}),
        (Plan(Format.KNOCKOUT, games=4), {}),
    ],
)
def test_no_number_can_be_less_than_what_is_drawn(plan: Plan, least: dict[str, int]) -> None:
    assert least_numbers(plan, play_all(plan, 4)) == least
