from collections import Counter

from tools.bench.ratings import ratings_figures, simulated_games


def test_both_figures_are_times_and_together_less_than_a_second() -> None:
    figures = list(ratings_figures())
    assert [unit for _, _, unit in figures] == ["ms", "ms"]
    assert "20 engines by 10000 games" in figures[0][0]
    assert 0 < sum(value for _, value, _ in figures) < 1000


def test_games_are_simulated_in_pairs_with_both_colours() -> None:
    games = simulated_games(5, 200)
    for first, second in zip(games[::2], games[1::2], strict=True):
        assert (first.first, first.second) == (second.second, second.first)
        assert first.pair == second.pair
    assert set(Counter(game.points for game in games)) == {0, 0.5, 1}
