import numpy as np
import pytest

from tools.statistics.bradley_terry import ELO, Floats, Tally, Terms, maximize


def tally(engines: int, *rows: tuple[int, int, float, float, float]) -> Tally:
    """Count games: who moves first, who second, and the first one's losses, draws and wins."""
    table = np.array(rows, dtype=float)
    places = table[:, :2].astype(np.intp)
    return Tally(places[:, 0], places[:, 1], table[:, 2:], engines)


def free(engines: int, *, advantage: bool = False) -> Terms:
    return Terms(np.full(engines, np.nan), advantage)


def by_points(shares: list[float]) -> Tally:
    """Return a round robin of a million games per pairing, in which each engine has its share."""
    count = len(shares)
    lead = (np.array(shares) - 0.5) * (count - 1) / count
    rows = [
        (
            one,
            other,
            5e5 - 1e6 * (lead[one] - lead[other]),
            0,
            5e5 + 1e6 * (lead[one] - lead[other]),
        )
        for one in range(count)
        for other in range(one + 1, count)
    ]
    return tally(count, *rows)


def test_three_quarters_and_nine_tenths_are_one_and_two_steps_as_ordo_prints() -> None:
    # A worked example of K. Laskos (talkchess.com, 2012), for which Ordo prints 190.1, 0, -190.1;
    # its scale has 202 Elo at 76 %, which is 0.4 % shorter than the exact 190.85.
    fit = maximize(tally(3, (0, 1, 7.5, 0, 22.5), (1, 2, 7.5, 0, 22.5), (0, 2, 3, 0, 27)), free(3))
    assert fit.ratings * ELO == pytest.approx([190.8485, 0, -190.8485], abs=1e-4)
    assert fit.ratings * ELO == pytest.approx([190.1, 0, -190.1], rel=5e-3)


def test_the_ratings_of_a_gauntlet_that_ordo_printed_come_out_again() -> None:
    # The list in the README of the chess engine Zevra: nine engines, 119 to 121 games a pairing,
    # which is not exactly the round robin that is assumed here.
    points = [813, 697, 617.5, 553.5, 540, 441.5, 424.5, 419, 324]
    played = [1072, 1083, 1073, 1071, 1074, 1070, 1074, 1071, 1072]
    printed = [259.1, 170.6, 124.0, 84.7, 74.8, 14.7, 2.5, 0, -63.9]
    fit = maximize(by_points([p / n for p, n in zip(points, played, strict=True)]), free(9))
    ratings = (fit.ratings - fit.ratings[7]) * ELO
    assert ratings == pytest.approx(printed, abs=3)


def test_the_chances_of_the_fit_give_everybody_its_points_and_its_draws() -> None:
    games = tally(3, (0, 1, 3, 4, 9), (1, 0, 5, 2, 4), (1, 2, 6, 7, 8), (2, 0, 11, 3, 2))
    fit = maximize(games, free(3, advantage=True))
    expected = fit.chances * games.counts.sum(axis=1)[:, None]
    surplus = (games.counts - expected) @ np.array([0.0, 0.5, 1.0])
    for place in range(3):
        own = surplus[games.first == place].sum() - surplus[games.second == place].sum()
        assert own == pytest.approx(0, abs=1e-6)
    assert surplus.sum() == pytest.approx(0, abs=1e-6)
    assert (games.counts - expected)[:, 1].sum() == pytest.approx(0, abs=1e-3)


def test_davidsons_model_gives_the_share_of_draws_between_equals() -> None:
    fit = maximize(tally(2, (0, 1, 10, 30, 10), (1, 0, 10, 30, 10)), free(2))
    assert fit.drawn == pytest.approx(0.6, abs=1e-5)
    assert fit.ratings == pytest.approx([0, 0])


def test_a_small_difference_is_worth_the_elo_of_its_score_despite_draws() -> None:
    fit = maximize(tally(2, (0, 1, 480_000, 1_000_000, 520_000)), free(2))
    score = 1_020_000 / 2_000_000
    exact = 400 * np.log10(score / (1 - score))
    assert (fit.ratings[0] - fit.ratings[1]) * ELO == pytest.approx(exact, rel=1e-3)


@pytest.mark.parametrize("drawn", [0.0, 7.0])
def test_scores_and_information_are_the_derivatives_of_the_likelihood(drawn: float) -> None:
    games = tally(3, (0, 1, 3, drawn, 9), (1, 0, 5, 2 * drawn, 4), (1, 2, 6, drawn, 8))
    fit = maximize(games, free(3, advantage=True))
    scores = fit.scores()
    assert np.einsum("co,coi->i", games.counts, scores) == pytest.approx(0, abs=1e-3)
    weights = fit.chances * games.counts.sum(axis=1)[:, None]
    assert np.einsum("co,coi,coj->ij", weights, scores, scores) == pytest.approx(
        fit.information, abs=2e-4
    )
    # Information is the curvature: the likelihood of a rating held beside its place falls by it.
    inverse = np.linalg.pinv(fit.information, rcond=1e-9)
    contrast = np.zeros(len(inverse))
    contrast[0], contrast[1] = 1, -1
    deviation = np.sqrt(contrast @ inverse @ contrast)
    lost = fit.likelihood - _held(games, fit.ratings[0] - fit.ratings[1] + 0.1 * deviation)
    assert lost == pytest.approx(0.1**2 / 2, rel=0.05)


def _held(games: Tally, ahead: float) -> float:
    return maximize(games, Terms(np.array([ahead, 0.0, np.nan]), advantage=True)).likelihood


def test_fixed_ratings_stay_and_the_others_are_measured_from_them() -> None:
    fixed: Floats = np.array([5.0, np.nan])
    fit = maximize(tally(2, (0, 1, 25, 0, 75), (1, 0, 75, 0, 25)), Terms(fixed, advantage=True))
    assert fit.ratings == pytest.approx([5, 5 - np.log(3)])
    assert fit.advantage == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("results", [(0, 5, 5), (1, 9, 0), (0, 0, 1), (0, 1, 0)])
def test_a_handful_of_games_always_has_a_finite_fit(results: tuple[int, int, int]) -> None:
    fit = maximize(tally(2, (0, 1, *results), (1, 0, 0, 1, 0)), free(2, advantage=True))
    assert np.isfinite(fit.ratings).all()
    assert np.isfinite(fit.information).all()


def test_results_without_a_maximum_leave_no_information_and_no_infinity() -> None:
    fit = maximize(tally(2, (0, 1, 0, 0, 10)), free(2))
    assert np.isfinite(fit.ratings).all()
    assert np.linalg.eigvalsh(fit.information).max() < 1e-6
