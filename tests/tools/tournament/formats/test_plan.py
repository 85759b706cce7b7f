import pytest

from engines.core.game import InvalidText
from tools.tournament.formats.plan import Format, Plan, check_plan, default_games


@pytest.mark.parametrize(
    ("plan", "engines", "message"),
    [
        (Plan(), 1, "expected at least two engines, not 1"),
        (Plan(games=3), 3, "--games 3: expected an even number"),
        (Plan(Format.SWISS), 4, "--rounds 0: expected at least 1"),
        (Plan(Format.GAUNTLET, challengers=3), 3, "--challengers 3: expected 1 to 2 of 3 engines"),
        (Plan(Format.ADAPTIVE, certainty=0.5), 3, "--certainty 0.5: expected a number between"),
    ],
)
def test_a_plan_that_cannot_be_played_is_refused(plan: Plan, engines: int, message: str) -> None:
    with pytest.raises(InvalidText, match=message):
        check_plan(plan, engines)


def test_a_good_plan_is_accepted() -> None:
    check_plan(Plan(Format.SWISS, rounds=3), 5)
    assert default_games(Format.ADAPTIVE, 5) == 100
    assert default_games(Format.SWISS, 5) == 2
