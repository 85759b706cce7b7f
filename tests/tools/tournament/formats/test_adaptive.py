import random
from collections import Counter
from dataclasses import replace

from tests.tools.tournament.formats.playing import draw_round, meetings, play_all, play_round
from tools.tournament.formats.adaptive import least_certainty, rate_history
from tools.tournament.formats.plan import Format, Plan
from tools.tournament.formats.rounds import History, PairOfGames

PLAN = Plan(Format.ADAPTIVE, games=200, certainty=0.95)


class Players:
    """Play with strengths in Elo and dice of their own."""

    def __init__(self, *elo: float) -> None:
        self.elo = elo
        self.dice = random.Random(5)

    def __call__(self, pair: PairOfGames) -> tuple[float, float]:
        one, other = pair.engines
        share = 1 / (1 + 10 ** ((self.elo[other] - self.elo[one]) / 400))
        return float(self.dice.random() < share), float(self.dice.random() < share)


def test_the_first_round_is_a_ring() -> None:
    history = draw_round(PLAN, History(4))
    assert history is not None
    assert history.rounds[0].pairings == ((0, 1), (1, 2), (2, 3), (3, 0))
    assert draw_round(PLAN, history) is None
    two = draw_round(PLAN, History(2))
    assert two is not None
    assert two.rounds[0].pairings == ((0, 1),)


def test_the_games_go_where_the_order_is_least_certain() -> None:
    history = play_all(PLAN, 4, Players(400, 10, 0, -400))
    counts = Counter(meetings(history))
    assert counts.most_common(1)[0][0] == {1, 2}
    assert counts[frozenset({1, 2})] > sum(counts.values()) / 2
    assert counts[frozenset({0, 3})] == 1


def test_it_ends_when_the_order_of_all_neighbours_is_certain() -> None:
    history = play_all(PLAN, 3, Players(600, 0, -600))
    assert 2 * len(history.results) < 100
    assert least_certainty(rate_history(history), history) >= 0.95


def test_it_ends_after_its_games() -> None:
    history = play_all(replace(PLAN, games=30), 3, Players(0, 0, 0))
    assert 2 * len(history.results) == 30


def test_pairs_with_games_under_way_come_last() -> None:
    history = draw_round(PLAN, History(3))
    assert history is not None
    history = play_round(history, Players(0, 0, 0))
    for _ in range(3):
        history = draw_round(PLAN, history) or history
    assert len(set(meetings(history)[3:])) == 3


def test_an_engine_that_drops_out_is_not_drawn_again() -> None:
    history = play_all(PLAN, 3, Players(0, 0, 0), dropping=[1])
    assert all(1 not in met for met in meetings(history)[3:])
    assert len(meetings(history)) > 3
