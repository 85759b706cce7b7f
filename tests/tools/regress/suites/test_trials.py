import pytest

from engines.core.game import InvalidText
from tools.regress.suites.trials import Trials, below, bounds, least


def test_k_of_n_is_decided_as_soon_as_the_rest_cannot_change_it() -> None:
    trials = Trials.parse("8 of 10")
    assert trials.verdict(7, 2) is None
    assert trials.verdict(8, 0) is True
    assert trials.verdict(0, 3) is False


def test_a_rate_needs_the_fewest_hits_that_do_not_contradict_it() -> None:
    trials = Trials.parse("20 at 0.8 confidence 0.95")
    assert below(20, trials.needed, 0.8) >= 0.05 > below(20, trials.needed - 1, 0.8)
    assert Trials.parse("20 at 0.8") == trials
    assert Trials.parse("20 at 0.8 confidence 0.5").needed > trials.needed
    assert Trials.parse("5 at 1").needed == 5


@pytest.mark.parametrize(
    ("right", "asked", "low", "high"),
    [
        (0, 10, 0.0, 0.3085),
        (8, 10, 0.4439, 0.9748),
        (10, 10, 0.6915, 1.0),
        (50, 100, 0.3983, 0.6017),
    ],
)
def test_bounds_are_those_of_clopper_and_pearson(
    right: int, asked: int, low: float, high: float
) -> None:
    assert list(bounds(right, asked, 0.95)) == pytest.approx([low, high], abs=1e-4)


def test_the_chance_of_few_hits_is_the_binomial_sum() -> None:
    assert below(4, 1, 0.5) == pytest.approx(5 / 16)
    assert below(4, 4, 0.5) == pytest.approx(1)
    assert below(3, 2, 1.0) == 0
    assert below(3, 0, 0.0) == 1
    assert least(3, 0.01, 0.95) == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "8",
        "8 of",
        "0 of 3",
        "4 of 3",
        "8 of 100000",
        "5 at 2",
        "5 at 0",
        "5 at .5 confidence 1",
    ],
)
def test_other_words_are_refused(text: str) -> None:
    with pytest.raises(InvalidText, match="tries: expected"):
        Trials.parse(text)
