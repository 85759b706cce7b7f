import pytest

from engines.core.game import Game, InvalidText
from engines.core.search import Limits, Report
from engines.neutron.play.levels import NAMES, make_searcher
from engines.neutron.rules.position import Position
from engines.neutron.rules.text import make_rules
from tests.engines.neutron.walks import COMPILED


def play(first: str, second: str, seed: int, nodes: int = 1500, most: int = 120) -> Game[Position]:
    game = Game(make_rules())
    players = [make_searcher(first, 2 * seed), make_searcher(second, 2 * seed + 1)]
    while game.outcome() is None and len(game.moves) < most:
        move = players[game.turn].search(
            game, Limits(nodes=nodes), stop=lambda: False, report=lambda report: None
        )
        assert move in game.position.legal_moves()
        game.push(move)
    return game


def points(stronger: str, weaker: str, games: int) -> float:
    total = 0.0
    for number in range(games):
        side = number % 2
        pair = (weaker, stronger) if side else (stronger, weaker)
        outcome = play(*pair, seed=number).outcome()
        total += 0.5 if outcome is None else outcome.points(side)
    return total


@pytest.mark.parametrize("level", NAMES)
def test_every_level_plays_the_same_game_from_the_same_seed(level: str) -> None:
    most = 12 if COMPILED else 4
    nodes = 2000 if COMPILED else 300
    games = [play(level, "random", 7, nodes, most).texts() for _ in range(2)]
    assert games[0] == games[1]


@pytest.mark.parametrize("level", ["random", "1", "6"])
def test_seeds_play_different_games(level: str) -> None:
    games = {tuple(play(level, level, seed, 300, 6).texts()) for seed in range(6)}
    assert len(games) > 1


@pytest.mark.parametrize("level", ["random", "2", "7", "10"])
def test_a_player_that_forgets_begins_its_seed_again(level: str) -> None:
    player = make_searcher(level, 5)
    texts = []
    for _ in range(2):
        player.forget()
        game = Game(make_rules())
        for _ in range(4):
            game.push(
                player.search(
                    game, Limits(nodes=500), stop=lambda: False, report=lambda report: None
                )
            )
        texts.append(game.texts())
    assert texts[0] == texts[1]


@pytest.mark.parametrize(
    ("stronger", "weaker"), [("1", "random"), ("5", "1"), ("9", "5"), ("10", "4")]
)
def test_higher_levels_win_the_match(stronger: str, weaker: str) -> None:
    games = 12 if COMPILED or stronger in ("1", "5") else 4
    assert points(stronger, weaker, games) > games / 2


def test_stubborn_takes_its_men_in_turn_and_keeps_to_the_middle() -> None:
    game = Game(make_rules())
    players = [make_searcher("stubborn", None), make_searcher("stubborn", None)]
    while game.outcome() is None:
        game.push(
            players[game.turn].search(
                game, Limits(), stop=lambda: False, report=lambda report: None
            )
        )
    assert game.texts() == [
        "a1-a4",
        "c3-e3/a5-d2",  # The fourth of eight directions.
        "e3-e2/b1-a1",
        "e2-e4/b5-b1",
        "e4-e2/c1-c4",
        "e2-e4/c5-a5",
        "e4-e2/d1-c1",
        "e2-e4/d5-d3",
        "e4-e2/e1-d1",
        "e2-e4/e5-b5",
        "e4-e1",  # The man on a4 would be next.
    ]


def test_a_lower_limit_holds_for_every_level() -> None:
    reports: list[Report] = []
    game = Game(make_rules())
    make_searcher("9", 1).search(game, Limits(depth=2), stop=lambda: False, report=reports.append)
    assert [report.depth for report in reports] == [1, 2]
    reports.clear()
    make_searcher("7", 1).search(game, Limits(depth=9), stop=lambda: False, report=reports.append)
    assert [report.depth for report in reports] == [1, 2]


def test_unknown_levels_are_refused_by_name() -> None:
    with pytest.raises(InvalidText, match=r"no such level: '11' \(known: random, stubborn, 1, "):
        make_searcher("11", None)
