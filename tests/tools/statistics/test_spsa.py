import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tools.statistics.scale import expected_score
from tools.statistics.spsa import Parameter, Spsa, TuningError, Value, usual_rate

DRAWS = 0.2
PARAMETERS = (
    Parameter("exploration", 1.1, 0.2, 3.0, 0.2),
    Parameter("margin", 50, 0, 200, 12, whole=True),
)
BEST = (1.6, 90)


def elo_lost(values: Sequence[Value]) -> float:
    """The strength of a synthetic engine: 100 Elo lie in one value, 60 in the other."""
    one, other = values
    return 100 * ((one - BEST[0]) / 0.5) ** 2 + 60 * ((other - BEST[1]) / 40) ** 2


def lead(plus: float, minus: float, chance: random.Random) -> int:
    """Play a pair of games between engines that lose so many Elo; return wins less losses."""
    won = expected_score(minus - plus)
    games = [0 if chance.random() < DRAWS else 1 if chance.random() < won else -1 for _ in "ab"]
    return sum(games)


def tuned(pairs: int, seed: int, strength: Callable[[Sequence[Value]], float] = elo_lost) -> Spsa:
    chance = random.Random(seed)
    run = Spsa(PARAMETERS, pairs, seed)
    for pair in range(pairs):
        trial = run.trial(pair)
        run.learn(pair, lead(strength(trial.plus), strength(trial.minus), chance))
    return run


@pytest.mark.slow
@pytest.mark.parametrize(("pairs", "left"), [(500, 30.0), (2000, 6.0), (8000, 3.0)])
def test_the_optimum_of_a_synthetic_engine_is_found(pairs: int, left: float) -> None:
    runs = [tuned(pairs, seed) for seed in range(8)]
    lost = [elo_lost(run.values) for run in runs]
    assert elo_lost([p.start for p in PARAMETERS]) == pytest.approx(160)
    assert sum(lost) / len(lost) < left  # Elo, of 160 at the start.


def test_values_that_do_not_matter_stay_near_their_start_in_the_mean() -> None:
    runs = [tuned(1000, seed, lambda values: 0.0) for seed in range(40)]
    mean = sum(run.values[0] for run in runs) / len(runs)
    assert mean == pytest.approx(1.1, abs=0.15)


def test_steps_and_gains_are_those_of_fishtest() -> None:
    # c = c_end n^gamma; a = r_end c_end^2 (A + n)^alpha; c_k = c / k^gamma;
    # R_k = a / (A + k)^alpha / c_k^2; each pair moves a value by R_k c_k (wins - losses).
    parameter = Parameter("x", 10.0, 0.0, 20.0, 0.5, 0.002)
    run = Spsa([parameter], 30_000, 1)
    c = 0.5 * 30_000**0.101
    a = 0.002 * 0.5**2 * (3000 + 30_000) ** 0.602
    for k in (1, 2, 100, 30_000):
        step = c / k**0.101
        assert run.step(parameter, k - 1) == pytest.approx(step)
        assert run.gain(parameter, k - 1) == pytest.approx(a / (3000 + k) ** 0.602 / step)
    assert run.step(parameter, 29_999) == pytest.approx(0.5)


def test_both_players_are_moved_by_the_same_step_in_opposite_directions() -> None:
    run = Spsa(PARAMETERS, 100, 5)
    for pair in range(20):
        trial = run.trial(pair)
        step = run.step(PARAMETERS[0], pair)
        assert abs(trial.plus[0] - 1.1) == pytest.approx(step)
        assert trial.plus[0] + trial.minus[0] == pytest.approx(2.2)
        assert isinstance(trial.plus[1], int)
        assert isinstance(trial.minus[1], int)


def test_whole_values_are_rounded_by_lot_so_that_they_are_right_in_the_mean() -> None:
    parameter = Parameter("x", 5, 0, 10, 0.3, whole=True)
    trials = [Spsa([parameter], 100, seed).trial(0) for seed in range(4000)]
    assert {value for trial in trials for value in trial.plus} == {4, 5, 6}
    apart = sum(abs(trial.plus[0] - trial.minus[0]) for trial in trials) / len(trials)
    assert apart == pytest.approx(2 * Spsa([parameter], 100, 0).step(parameter, 0), abs=0.03)


def test_values_never_leave_their_bounds() -> None:
    parameter = Parameter("x", 1.0, 0.5, 1.2, 0.4, 0.05)
    run = Spsa([parameter], 200, 2)
    for pair in range(200):
        trial = run.trial(pair)
        assert all(0.5 <= value <= 1.2 for value in (*trial.plus, *trial.minus))
        run.learn(pair, 2 if trial.plus[0] > trial.minus[0] else -2)
    assert run.settled() == {"x": 1.2}


def test_a_trial_depends_only_on_the_seed_the_pair_and_what_was_learnt() -> None:
    one, other = Spsa(PARAMETERS, 50, 9), Spsa(PARAMETERS, 50, 9)
    assert [one.trial(pair) for pair in range(9)] == [other.trial(pair) for pair in range(9)]
    assert one.trial(3) != Spsa(PARAMETERS, 50, 10).trial(3)
    one.learn(0, 1)
    assert one.trial(3) != other.trial(3)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"low": 3.0}, "low 3 is not below high 3"),
        ({"start": 4.0}, "start 4 is not between low 0 and high 3"),
        ({"step": 0.0}, "step 0, expected more than 0 and at most 3"),
        ({"step": 9.0}, "step 9, expected more than 0 and at most 3"),
        ({"rate": -1.0}, "rate -1, expected more than 0"),
        ({"start": float("nan")}, "expected finite numbers"),
        ({"whole": True, "start": 1.5}, "must be whole"),
    ],
)
def test_impossible_parameters_are_refused(change: dict[str, Any], why: str) -> None:
    good: dict[str, Any] = {"start": 1.0, "low": 0.0, "high": 3.0, "step": 0.5}
    with pytest.raises(TuningError, match=f"x: .*{why}"):
        Parameter("x", **{**good, **change})


def test_a_run_needs_parameters_and_pairs() -> None:
    with pytest.raises(TuningError, match="at least one parameter"):
        Spsa([], 10, 1)
    with pytest.raises(TuningError, match="at least one pair"):
        Spsa(PARAMETERS, 0, 1)


def test_the_usual_rate_suits_the_length_of_the_run() -> None:
    assert usual_rate(100) == 0.05
    assert usual_rate(2000) == 0.01
    assert usual_rate(100_000) == 0.002
