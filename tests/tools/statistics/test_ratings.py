import time
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from tools.statistics.bradley_terry import ELO, Floats
from tools.statistics.estimates import Estimate, estimate
from tools.statistics.pairings import RatedGame
from tools.statistics.ratings import Rating, RatingError, RatingList, rate
from tools.statistics.results import Results

NAMES = [f"engine {number}" for number in range(20)]


def played(*matches: tuple[int, int, int, int, int]) -> list[RatedGame]:
    """Play matches in pairs: two engines, and the wins, draws and losses of the first named."""
    games: list[RatedGame] = []
    for one, other, *counts in matches:
        results = [
            points for points, n in zip((1.0, 0.5, 0.0), counts, strict=True) for _ in range(n)
        ]
        for number, points in enumerate(results):
            pair = len(games) // 2
            if number % 2 == 0:
                games.append(RatedGame(one, other, points, pair))
            else:
                games.append(RatedGame(other, one, 1 - points, pair))
    return games


def simulate(
    strengths: Sequence[float] | Floats,
    pairs: int,
    random: np.random.Generator,
    *,
    advantage: float = 0.0,
    draws: float = 0.0,
    openings: float = 0.0,
) -> list[RatedGame]:
    """Play pairs by Davidson's model; `openings` is how much they favour the first mover."""
    games = []
    for pair in range(pairs):
        one, other = random.choice(len(strengths), 2, replace=False)
        favour = advantage + random.normal(0, openings)
        for first, second in ((one, other), (other, one)):
            difference = strengths[first] - strengths[second] + favour
            weights = np.array([np.exp(-difference / 2), draws, np.exp(difference / 2)])
            points = float(random.choice(3, p=weights / weights.sum())) / 2
            games.append(RatedGame(int(first), int(second), points, pair))
    return games


def elos(ratings: RatingList) -> list[float]:
    return [rating.elo for rating in ratings.ratings if rating.elo is not None]


def test_ratings_without_draws_and_advantage_are_those_of_choix() -> None:
    choix = pytest.importorskip("choix", reason="needs choix from PyPI")
    for seed in range(5):
        random = np.random.default_rng(seed)
        games = simulate(random.normal(0, 1, 8), 300, random)
        ratings = rate(NAMES[:8], games, advantage=False)
        won = [
            (game.first, game.second) if game.points else (game.second, game.first)
            for game in games
        ]
        expected = choix.ilsr_pairwise(8, won, tol=1e-12)
        assert np.array(elos(ratings)) / ELO == pytest.approx(expected, abs=1e-6)


def test_twenty_engines_and_ten_thousand_games_take_less_than_a_second() -> None:
    random = np.random.default_rng(1)
    strengths = random.normal(0, 1, 20)
    games = simulate(strengths, 5000, random, advantage=0.2, draws=1.0, openings=0.5)
    begun = time.process_time()
    ratings = rate(NAMES, games)
    assert ratings.superiority(0, 1) is not None
    assert time.process_time() - begun < 1
    assert np.corrcoef(elos(ratings), strengths)[0, 1] > 0.98


@pytest.mark.slow
@pytest.mark.parametrize("openings", [0.0, 2.0])
def test_nineteen_of_twenty_intervals_hold_the_truth(openings: float) -> None:
    """Also where openings decide games, so that the games of a pair depend on each other."""
    random = np.random.default_rng(7)
    strengths = [-0.6, -0.2, 0.1, 0.7]
    many = simulate(strengths, 20_000, random, advantage=0.3, draws=1.0, openings=openings)
    truth = elos(rate(NAMES[:4], many))
    held = 0
    for _ in range(60):
        some = simulate(strengths, 80, random, advantage=0.3, draws=1.0, openings=openings)
        ratings = rate(NAMES[:4], some).ratings
        for rating, true in zip(ratings, truth, strict=True):
            assert rating.low is not None
            assert rating.high is not None
            held += rating.low <= true <= rating.high
    assert 0.9 <= held / 240 <= 0.995


def test_openings_that_decide_games_make_intervals_narrower_not_wider() -> None:
    even = played((0, 1, 100, 0, 100))  # Both games of a pair to the same engine.
    split = [RatedGame(0, 1, 1.0, pair) for pair in range(100)]
    split += [RatedGame(1, 0, 1.0, pair) for pair in range(100)]
    wide, narrow = (rate(NAMES[:2], games, advantage=False).ratings[0] for games in (even, split))
    assert wide.elo == pytest.approx(0, abs=1e-6)
    assert narrow.elo == pytest.approx(0, abs=1e-6)
    assert wide.error is not None
    assert narrow.error is not None
    assert 0 < narrow.error < wide.error / 3


def test_two_engines_are_rated_as_a_match_estimates_them() -> None:
    counts = (4, 8, 20, 15, 13)
    kinds = ((0.0, 0.0), (0.5, 0.0), (0.5, 0.5), (1.0, 0.5), (1.0, 1.0))
    rows = [points for points, count in zip(kinds, counts, strict=True) for _ in range(count)]
    games = [
        game
        for pair, (one, other) in enumerate(rows)
        for game in (RatedGame(0, 1, one, pair), RatedGame(1, 0, 1 - other, pair))
    ]
    ratings = rate(NAMES[:2], games)
    match = estimate(Results(counts))
    found = ratings.difference(0, 1)
    assert found is not None
    assert match.elo is not None
    assert match.elo_error is not None
    assert found[0] == pytest.approx(match.elo, rel=0.03)
    assert 1.96 * found[1] == pytest.approx(match.elo_error, rel=0.1)
    assert ratings.superiority(0, 1) == pytest.approx(match.los, abs=0.002)


def as_match(games: Sequence[RatedGame]) -> Estimate:
    """Return what a match says of these games, all between the first engine and the second."""
    points = Counter[int]()
    for game in games:
        points[game.pair] += int(2 * (game.points if game.first == 0 else 1 - game.points))
    counts = Counter(points.values())
    return estimate(Results(tuple(counts[kind] for kind in range(5))))


@pytest.mark.parametrize(
    "counts",
    [
        (9, 1, 0),
        (90, 10, 0),
        (9000, 998, 2),
        (0, 10, 0),
        (0, 2, 0),
        (0, 3, 1),
        (1, 1, 0),
        (1, 0, 1),
        (2, 4, 0),
        (4, 1, 1),
        (1, 0, 9),
        (8, 1, 1),
        (20, 60, 20),
        (33, 2, 7),
    ],
)
def test_two_engines_have_the_figures_of_their_match(counts: tuple[int, int, int]) -> None:
    games = played((0, 1, *counts))
    match, ratings = as_match(games), rate(NAMES[:2], games)
    difference, deviation = ratings.difference(0, 1) or (0, 0)
    assert match.elo is not None
    assert difference == pytest.approx(match.elo, rel=0.1, abs=1e-6)
    assert 1.96 * deviation == pytest.approx(match.elo_error, rel=1e-3)
    assert ratings.superiority(0, 1) == pytest.approx(match.los)
    assert ratings.superiority(1, 0) == pytest.approx(1 - match.los)
    assert match.elo_low is not None
    assert match.elo_high is not None
    below, above = match.elo - match.elo_low, match.elo_high - match.elo
    free, other = map(distances, ratings.ratings)
    assert free == pytest.approx((below / 2, above / 2), rel=1e-3)
    assert other == pytest.approx((above / 2, below / 2), rel=1e-3)
    anchored = rate(NAMES[:2], games, anchors={"engine 1": 1000}).ratings[0]
    assert distances(anchored) == pytest.approx((below, above), rel=1e-3)
    assert anchored.elo == pytest.approx(1000 + difference, abs=0.01)


def distances(rating: Rating) -> tuple[float, float]:
    """Return how far the ends of an interval are from its rating."""
    assert rating.elo is not None
    assert rating.low is not None
    assert rating.high is not None
    return rating.elo - rating.low, rating.high - rating.elo


def test_an_unfinished_pair_narrows_the_interval_as_far_as_its_game_tells() -> None:
    games = played((0, 1, 12, 4, 8))
    whole = rate(NAMES[:2], games).difference(0, 1) or (0, 0)
    more = rate(NAMES[:2], [*games, RatedGame(0, 1, 0.5, 99)]).difference(0, 1) or (0, 0)
    assert more[1] / whole[1] == pytest.approx((24 / 25) ** 0.5)


def test_no_chain_of_games_is_judged_more_surely_than_its_weakest_pairing() -> None:
    """Where nothing else connects two engines, other games cannot narrow their interval."""
    drawn = played((0, 1, 0, 10, 0))
    alone = rate(NAMES[:2], drawn).difference(0, 1) or (0, 0)
    chain = rate(NAMES[:3], played((0, 1, 0, 10, 0), (1, 2, 60, 80, 60)))
    assert (chain.difference(0, 1) or (0, 0))[1] == pytest.approx(alone[1], rel=0.02)
    assert (chain.difference(0, 2) or (0, 0))[1] > alone[1]
    ring = rate(NAMES[:3], played((0, 1, 0, 10, 0), (1, 2, 60, 80, 60), (0, 2, 60, 80, 60)))
    assert (ring.difference(0, 1) or (0, 0))[1] < alone[1] / 2


def test_draws_without_a_loss_do_not_bring_unequal_engines_together() -> None:
    ratings = rate(NAMES[:2], played((0, 1, 9, 1, 0)))
    assert ratings.drawn == pytest.approx(0.1)
    assert ratings.notes[-1] == (
        "the games do not determine the share of draws between equals, so it is taken as that of "
        "all games, 10.0 %"
    )
    assert (ratings.superiority(0, 1) or 0) > 0.975
    three = rate(NAMES[:3], played((0, 1, 9, 1, 0), (1, 2, 9, 1, 0)))
    assert elos(three) == pytest.approx([531, 0, -531], abs=5)
    told = rate(NAMES[:3], played((0, 1, 9, 1, 0), (1, 2, 30, 40, 20)))
    assert not any("do not determine the share" in note for note in told.notes)


def test_the_advantage_of_the_first_move_is_found_and_taken_out() -> None:
    random = np.random.default_rng(3)
    games = simulate([0.0, 0.0, 0.0], 3000, random, advantage=0.5)
    advantage = rate(NAMES[:3], games).advantage
    assert advantage is not None
    assert advantage.elo == pytest.approx(0.5 * ELO, abs=advantage.error)
    assert 5 < advantage.error < 12
    one_sided = [RatedGame(0, 1, 1.0, k) for k in range(60)] + [
        RatedGame(0, 1, 0.0, k) for k in range(40)
    ]
    ratings = rate(NAMES[:2], one_sided)
    assert ratings.advantage is None
    assert "cannot tell the advantage of the first move" in ratings.notes[0]


def test_anchors_fix_the_scale_and_carry_no_error() -> None:
    games = played((0, 1, 50, 30, 20), (1, 2, 40, 20, 20), (2, 3, 30, 10, 30))
    free = rate(NAMES[:4], games)
    held = rate(NAMES[:4], games, anchors={"engine 1": 2000})
    assert held.ratings[1].elo == pytest.approx(2000)
    assert held.ratings[1].anchored
    assert held.ratings[1].error == 0
    shifts = np.array(elos(held)) - np.array(elos(free))
    assert shifts == pytest.approx(shifts[0], abs=1e-4)
    difference, deviation = held.difference(0, 1) or (0, 0)
    assert held.ratings[0].error == pytest.approx(1.959964 * deviation)
    assert held.ratings[0].elo == pytest.approx(2000 + difference)
    two = rate(NAMES[:4], games, anchors={"engine 0": 2100, "engine 3": 1900})
    assert [round(elo) for elo in elos(two)][::3] == [2100, 1900]
    assert 1900 < elos(two)[1] < 2100


def test_an_engine_that_won_everything_has_a_lower_bound_and_no_number() -> None:
    ratings = rate(NAMES[:3], played((0, 1, 10, 0, 0), (1, 2, 6, 2, 4)))
    first, second, third = ratings.ratings
    assert (first.elo, first.high, first.error) == (None, None, None)
    assert first.low is not None
    assert second.elo is not None
    assert third.elo is not None
    assert first.low > second.elo
    more = rate(NAMES[:3], played((0, 1, 40, 0, 0), (1, 2, 6, 2, 4))).ratings[0]
    assert more.low is not None
    assert more.low > first.low + 100
    assert 0.98 < (ratings.superiority(0, 1) or 0) < 1
    assert ratings.superiority(1, 0) == pytest.approx(1 - (ratings.superiority(0, 1) or 0))
    assert np.isnan(ratings.covariance[0]).all()
    assert ratings.ranked() == [0, 1, 2]


def test_a_loser_of_all_games_has_an_upper_bound() -> None:
    rating = rate(NAMES[:3], played((0, 1, 6, 2, 4), (1, 2, 10, 0, 0))).ratings[2]
    assert rating.elo is None
    assert rating.low is None
    assert rating.high is not None
    assert rating.high < 0


@pytest.mark.parametrize("pairs", [2, 10, 50])
def test_a_clean_sweep_is_judged_as_a_match_judges_it(pairs: int) -> None:
    ratings = rate(NAMES[:2], played((0, 1, 2 * pairs, 0, 0)))
    # Clopper and Pearson: a score of which so many wins have a chance of 2.5 %.
    score = 0.025 ** (1 / pairs)
    assert ratings.ratings[1].high == pytest.approx(400 * np.log10(1 / score - 1), abs=0.1)
    assert ratings.superiority(0, 1) == pytest.approx(1 - 0.5**pairs)
    assert ratings.superiority(1, 0) == pytest.approx(0.5**pairs)
    match = estimate(Results((0, 0, 0, 0, pairs)))
    assert ratings.superiority(0, 1) == pytest.approx(match.los, abs=1e-3)
    assert match.elo_low is not None
    assert ratings.ratings[1].high == pytest.approx(-match.elo_low, abs=2)
    assert "measured from engine 0" in ratings.notes[-1]


def test_engines_that_no_games_connect_are_not_compared() -> None:
    ratings = rate(NAMES[:5], played((0, 1, 6, 2, 4), (2, 3, 30, 5, 10)))
    assert [rating.component for rating in ratings.ratings] == [1, 1, 0, 0, 2]
    assert ratings.components == 3
    assert ratings.superiority(0, 2) is None
    assert ratings.difference(0, 2) is None
    assert sum(elos(ratings)[:2]) == pytest.approx(0, abs=1e-6)
    assert ratings.ratings[4].elo is None
    assert (ratings.ratings[4].low, ratings.ratings[4].high) == (None, None)
    assert ratings.ranked() == [2, 3, 0, 1, 4]
    joined = rate(
        NAMES[:4],
        played((0, 1, 6, 2, 4), (2, 3, 30, 5, 10)),
        anchors={"engine 0": 0, "engine 2": 100},
    )
    assert joined.components == 1
    assert joined.superiority(3, 1) is not None


def test_a_prior_gives_everyone_a_number_and_is_reported() -> None:
    ratings = rate(NAMES[:2], played((0, 1, 10, 0, 0)), prior=2)
    assert elos(ratings) == pytest.approx([208.3, -208.3], abs=0.1)  # 11 of 12 games.
    assert ratings.prior == 2
    assert ratings.games == 10


def test_draws_alone_make_equal_engines_and_say_what_was_assumed() -> None:
    ratings = rate(NAMES[:2], played((0, 1, 0, 12, 0)))
    assert elos(ratings) == pytest.approx([0, 0], abs=1e-6)
    assert ratings.drawn == pytest.approx(12 / 13)
    assert "one decided game is assumed" in ratings.notes[0]
    assert ratings.ratings[0].error is not None
    assert ratings.ratings[0].error > 0


def test_no_games_give_no_figures() -> None:
    assert rate([], []).ratings == ()
    ratings = rate(NAMES[:2], [])
    assert elos(ratings) == []
    assert ratings.superiority(0, 1) is None


@pytest.mark.parametrize(
    ("anchors", "prior", "games", "message"),
    [
        ({"gnugo": 1800.0}, 0.0, [], "no engine to anchor: 'gnugo'"),
        ({"engine 0": float("nan")}, 0.0, [], "no rating in Elo"),
        ({}, -1.0, [], "a prior is a number of games"),
        ({}, 0.0, [RatedGame(0, 0, 1.0, 0)], "not a game between two engines"),
        ({}, 0.0, [RatedGame(0, 1, 0.7, 0)], "not a game between two engines"),
    ],
)
def test_wrong_numbers_are_refused(
    anchors: dict[str, float], prior: float, games: list[RatedGame], message: str
) -> None:
    with pytest.raises(RatingError, match=message):
        rate(NAMES[:2], games, anchors=anchors, prior=prior)
