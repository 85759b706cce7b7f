import json
import math
import os
import random
from collections import Counter
from dataclasses import dataclass
from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.core.game import InvalidText
from tools.statistics.estimates import estimate
from tools.statistics.likelihood import Model
from tools.statistics.results import Results
from tools.statistics.scale import NELO_PER_T, expected_score
from tools.statistics.sprt import Sprt, State, figures, format_sprt, parse_model, parse_sprt

RUNS = int(os.environ.get("QUINTET_SPRT_RUNS", "100"))
"""Simulated tests per hypothesis; 10 000 take about ten minutes."""

EMPTY = Results((0, 0, 0, 0, 0))


@pytest.mark.parametrize(
    ("alpha", "beta", "lower", "upper"),
    [
        (0.05, 0.05, -2.944439, 2.944439),
        (0.05, 0.10, -2.251292, 2.890372),
        (0.01, 0.01, -4.595120, 4.595120),
    ],
)
def test_bounds_follow_from_the_risks(
    alpha: float, beta: float, lower: float, upper: float
) -> None:
    test = Sprt(0, 5, alpha, beta)
    assert (test.lower, test.upper) == pytest.approx((lower, upper), abs=1e-6)


@pytest.mark.parametrize(
    ("elo1", "most"), [(5, 420_000), (2, 2_700_000), (20, 27_000), (200, 1000)]
)
def test_hardly_any_test_takes_more_games_than_its_bound(elo1: float, most: int) -> None:
    test = Sprt(0, elo1)
    assert test.most_games() == most
    level = Results((50, 100, 200, 100, 50))  # Its ratio of likelihoods is nearly 0.
    mean = test.expected_games(elo1 / 2, level)
    assert mean is not None
    assert most >= 9 * mean


@pytest.mark.parametrize(
    ("sample", "test", "state"),
    [
        ((46, 496, 1073, 640, 79), Sprt(0, 3, 0.05, 0.1), State.H1),
        ((46, 496, 1073, 640, 79), Sprt(0, 3, 0.0499, 0.1), State.CONTINUE),
        ((223, 9863, 21279, 10037, 246), Sprt(0.5, 2.5, model=Model.LOGISTIC), State.H0),
        ((10, 20, 30, 25, 15), Sprt(0, 5), State.CONTINUE),
    ],
)
def test_a_ratio_that_reaches_a_bound_decides(
    sample: tuple[int, ...], test: Sprt, state: State
) -> None:
    assert test.judge(Results(sample)).state is state


@pytest.mark.parametrize(
    ("kinds", "model", "samples"),
    [
        (3, Model.NORMALIZED, 400),
        (3, Model.LOGISTIC, 400),
        (5, Model.NORMALIZED, 200),
        (5, Model.LOGISTIC, 207),  # A pair won twice is one sample: 200 reach 2.8575.
    ],
)
def test_nothing_but_wins_or_losses_reaches_a_verdict(
    kinds: int, model: Model, samples: int
) -> None:
    test = Sprt(0, 5, model=model, paired=kinds == 5)
    wins = Results((0,) * (kinds - 1) + (samples,))
    losses = Results((samples,) + (0,) * (kinds - 1))
    assert test.judge(wins).state is State.H1
    assert test.judge(losses).state is State.H0


def test_nothing_but_draws_speaks_for_no_difference() -> None:
    test = Sprt(0, 5, model=Model.LOGISTIC)
    ratios = [test.judge(Results((0, 0, pairs, 0, 0))).llr for pairs in (1, 10, 100, 1000)]
    assert ratios == sorted(ratios, reverse=True)
    assert test.judge(Results((0, 0, 1000, 0, 0))).state is State.H0


def test_draws_alone_say_little_where_noise_is_the_yardstick() -> None:
    verdict = Sprt(0, 5).judge(Results((0, 0, 1000, 0, 0)))
    assert verdict.state is State.CONTINUE
    assert -1 < verdict.llr < 0


@given(st.floats(0.4, 0.4999999), st.sampled_from(Model), st.booleans())
def test_no_games_never_decide(risk: float, model: Model, paired: bool) -> None:
    test = Sprt(0, 200, risk, risk, model, paired)
    assert test.judge(Results((0,) * (5 if paired else 3))).state is State.CONTINUE


def test_games_are_not_taken_for_pairs() -> None:
    with pytest.raises(ValueError, match="pairs"):
        Sprt(0, 5).judge(Results((1, 2, 3)))
    with pytest.raises(ValueError, match="pairs"):
        Sprt(0, 5, paired=False).judge(EMPTY)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("elo0=0,elo1=231.63", "elo1=231.63 is out of range.*within 231.624 of 0"),
        ("elo0=-231.63,elo1=0", "elo0=-231.63 is out of range"),
        ("elo0=0,elo1=1200,model=logistic", "elo1=1200 is out of range"),
        ("elo0=5,elo1=0", "elo0 must be below elo1, not 5 and 0"),
        ("elo0=5,elo1=5", "elo0 must be below elo1"),
        ("elo0=0,elo1=0.001", r"too close: the test could take 1e\+12 games"),
        ("elo0=0,elo1=nan", "elo1 must be a number, not nan"),
        ("elo0=-inf,elo1=5", "elo0 must be a number, not -inf"),
        ("elo0=0,elo1=5,alpha=0", "alpha must lie between 0 and 0.5, not 0"),
        ("elo0=0,elo1=5,alpha=0.5", "alpha must lie between 0 and 0.5, not 0.5"),
        ("elo0=0,elo1=5,beta=-1", "beta must lie between 0 and 0.5, not -1"),
        ("elo0=0,elo1=5,beta=nan", "beta must lie between 0 and 0.5, not nan"),
        ("elo0=0", "elo1 is missing"),
        ("elo1=5,alpha=0.1", "elo0 is missing"),
        ("", "expected KEY=VALUE"),
        ("elo0=0,elo1", "expected KEY=VALUE.*not 'elo1'"),
        ("elo0=zero,elo1=5", "elo0 must be a number, not 'zero'"),
        ("elo0=0,elo0=1,elo1=5", "elo0 is given twice"),
        ("elo0=0,elo1=5,model=logistic,model=logistic", "model is given twice"),
        ("elo0=0,elo1=5,model=bayesian", "no such model: 'bayesian' .known: logistic, normalized"),
        ("elo0=0,elo1=5,gamma=1", "no such setting of a test: 'gamma' .known: elo0, elo1"),
        ("elo0=0,elo1=5,paired=0", "no such setting of a test: 'paired'"),
    ],
)
def test_a_test_without_sense_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(InvalidText, match=reason):
        parse_sprt(text)


def test_the_limit_of_bounds_depends_on_what_is_counted() -> None:
    assert parse_sprt("elo0=0,elo1=340.4", paired=False).elo1 == 340.4
    with pytest.raises(InvalidText, match=r"with games.*within 340.416"):
        parse_sprt("elo0=0,elo1=340.42", paired=False)


def test_a_test_is_read_with_its_defaults() -> None:
    assert parse_sprt("elo0=0,elo1=5") == Sprt(0, 5, 0.05, 0.05, Model.NORMALIZED)
    assert parse_sprt(" elo1=2.5 , elo0=-.5, beta=0.1,model=logistic,alpha=1e-2") == Sprt(
        -0.5, 2.5, 0.01, 0.1, Model.LOGISTIC
    )


@given(
    st.floats(-200, 0),
    st.floats(0.1, 200),
    st.floats(0.001, 0.4),
    st.floats(0.001, 0.4),
    st.sampled_from(Model),
)
def test_a_test_is_read_as_it_is_written(
    elo0: float, elo1: float, alpha: float, beta: float, model: Model
) -> None:
    test = Sprt(elo0, elo1, alpha, beta, model)
    assert parse_sprt(format_sprt(test)) == test


def test_models_are_read_by_name() -> None:
    assert [parse_model(model.value) for model in Model] == list(Model)


def test_the_estimate_after_a_test_is_median_unbiased() -> None:
    unbiased = Sprt(0.764, 3.439).unbiased(Results((39, 2226, 31451, 2412, 40)))
    assert unbiased is not None
    assert (unbiased.elo, unbiased.low, unbiased.high) == pytest.approx(
        (0.865160, 0.168271, 1.540583), abs=1e-6
    )


def test_the_estimate_after_a_test_takes_back_the_luck_that_ended_it() -> None:
    results = Results((46, 496, 1073, 640, 79))
    unbiased = Sprt(0, 3, 0.05, 0.1).unbiased(results)
    assert unbiased is not None
    plain = estimate(results).elo
    assert plain is not None
    assert unbiased.low is not None
    assert unbiased.high is not None
    assert unbiased.low < unbiased.elo < plain < unbiased.high


def test_a_course_that_bounds_no_difference_says_so() -> None:
    swept = Sprt(0, 30).unbiased(Results((0, 0, 1, 2, 24)))
    assert swept is not None
    assert swept.low is not None
    assert swept.high is None
    assert swept.figures()["high"] is None


@settings(max_examples=20)
@given(st.lists(st.integers(1, 300), min_size=5, max_size=5), st.sampled_from(Model))
def test_the_estimate_after_a_test_changes_sign_with_the_engines(
    sample: list[int], model: Model
) -> None:
    one = Sprt(-5, 8, 0.05, 0.1, model).unbiased(Results(tuple(sample)))
    other = Sprt(-8, 5, 0.1, 0.05, model).unbiased(Results(tuple(sample[::-1])))
    assert one is not None
    assert other is not None
    assert one.elo == pytest.approx(-other.elo, abs=1e-5)
    for mine, theirs, sign in ((one.low, other.high, 1), (one.high, other.low, -1)):
        if mine is None or theirs is None:
            assert mine is theirs
        else:
            assert mine == pytest.approx(-theirs, abs=1e-5)
            assert sign * mine <= sign * one.elo


def test_samples_without_noise_have_no_such_estimate() -> None:
    assert Sprt(0, 5).unbiased(Results((0, 0, 7, 0, 0))) is None


def test_the_expected_games_of_a_normalized_test_need_no_sample() -> None:
    test = Sprt(0, 5)
    waits = [test.expected_games(elo, EMPTY) for elo in (0.0, 2.5, 5.0)]
    log19 = math.log(19)
    even = log19 * log19 * (NELO_PER_T / 5) ** 2
    sure = 0.9 * log19 * 2 * (NELO_PER_T / 5) ** 2
    assert waits == pytest.approx([sure, even, sure], rel=1e-3)


def test_the_expected_games_of_a_logistic_test_need_the_noise() -> None:
    test = Sprt(0, 5, model=Model.LOGISTIC)
    assert test.expected_games(0, EMPTY) is None
    noisy = test.expected_games(0, Results((30, 0, 0, 0, 30)))
    calm = test.expected_games(0, Results((0, 30, 0, 30, 0)))
    assert noisy is not None
    assert calm is not None
    assert noisy > 2 * calm


def test_nothing_is_expected_of_a_decided_test() -> None:
    test = Sprt(0, 3, 0.05, 0.1)
    assert test.expected_games(0, Results((46, 496, 1073, 640, 79))) == 0


@given(st.lists(st.integers(0, 1000), min_size=5, max_size=5), st.sampled_from(Model))
@settings(max_examples=30)
def test_figures_are_proper_json(sample: list[int], model: Model) -> None:
    text = json.dumps(figures(Sprt(0, 5, model=model), Results(tuple(sample))), allow_nan=False)
    assert {"llr", "lower", "upper", "state", "elo", "elo_error", "nelo", "nelo_error", "los"} <= {
        *json.loads(text)
    }


@dataclass(frozen=True)
class Truth:
    """Shares of outcomes whose strength is exactly known."""

    shares: tuple[float, ...]

    @classmethod
    def of(cls, test: Sprt, difference: float) -> "Truth":
        """Tilt balanced shares until they have the difference, by bisection."""
        base = (0.04, 0.22, 0.48, 0.22, 0.04) if test.paired else (0.25, 0.5, 0.25)
        low, high = -5.0, 5.0
        while high - low > 1e-12:
            tilt = (low + high) / 2
            raw = [share * math.exp(tilt * rank) for rank, share in enumerate(base)]
            truth = cls(tuple(share / sum(raw) for share in raw))
            if truth.strength(test.model) < difference:
                low = tilt
            else:
                high = tilt
        return truth

    def strength(self, model: Model) -> float:
        best = len(self.shares) - 1
        mean = sum(share * rank for rank, share in enumerate(self.shares)) / best
        if model is Model.LOGISTIC:
            return 400 * math.log10(mean / (1 - mean))
        variance = sum(share * (rank / best - mean) ** 2 for rank, share in enumerate(self.shares))
        return (mean - 0.5) / math.sqrt(variance * (2 if best == 4 else 1)) * NELO_PER_T


def run(test: Sprt, truth: Truth, seed: str) -> tuple[State, int]:
    """Draw samples until the test is decided; return the verdict and the number of games."""
    drawn = random.Random(seed)
    kinds, cumulated = range(len(truth.shares)), list(accumulate(truth.shares))
    counts = [0] * len(truth.shares)
    while True:
        for kind in drawn.choices(kinds, cum_weights=cumulated, k=50):
            counts[kind] += 1
            results = Results(tuple(counts))
            state = test.judge(results).state
            if state is not State.CONTINUE:
                return state, results.games


@pytest.mark.slow
@pytest.mark.parametrize(
    "test",
    [
        Sprt(0, 60, 0.1, 0.05),
        Sprt(0, 60, 0.1, 0.05, Model.LOGISTIC),
        Sprt(-35, 35, 0.05, 0.1, paired=False),
        Sprt(-35, 35, 0.05, 0.1, Model.LOGISTIC, paired=False),
    ],
    ids=format_sprt,
)
def test_simulated_tests_err_at_their_nominal_rates(test: Sprt) -> None:
    for difference, wrong, risk in (
        (test.elo0, State.H1, test.alpha),
        (test.elo1, State.H0, test.beta),
    ):
        truth = Truth.of(test, difference)
        ends = [run(test, truth, f"{difference} {number}") for number in range(RUNS)]
        errors = Counter(state for state, _ in ends)[wrong] / RUNS
        deviation = math.sqrt(risk * (1 - risk) / RUNS)
        # Each test oversteps its bound a little, so its errors are rather rarer than allowed.
        assert 0.6 * risk - 3 * deviation < errors < risk + 3 * deviation
        assert errors > 0
        if test.model is Model.NORMALIZED:
            empty = Results((0,) * (5 if test.paired else 3))
            expected = test.expected_games(difference, empty)
            mean = sum(games for _, games in ends) / RUNS
            assert mean == pytest.approx(expected, rel=0.1 + 3 / math.sqrt(RUNS))


def test_the_simulated_truth_is_what_it_says() -> None:
    assert Truth.of(Sprt(0, 5), 20).strength(Model.NORMALIZED) == pytest.approx(20)
    games = Truth.of(Sprt(0, 5, model=Model.LOGISTIC, paired=False), 20).shares
    assert games[1] / 2 + games[2] == pytest.approx(expected_score(20))
