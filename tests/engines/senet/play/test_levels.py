import pytest

from engines.core.game import Game, InvalidText
from engines.core.search import Limits, Searcher
from engines.core.splitmix import pair_seed
from engines.senet.play import lookahead as module
from engines.senet.play.levels import LEVELS, make_searcher
from engines.senet.rules.dice import throw
from engines.senet.rules.position import SenetPosition
from engines.senet.rules.text import make_rules

COMPILED = not module.__file__.endswith(".py")


def winner(
    players: tuple[Searcher[SenetPosition], Searcher[SenetPosition]], seed: int
) -> int | None:
    game = Game(make_rules())
    number = 0
    while (outcome := game.outcome()) is None:
        position = game.position
        if position.throw == 0:
            number += 1
            game.push(throw(seed, number))
            continue
        player = players[position.thrower]
        game.push(player.search(game, Limits(), stop=lambda: False, report=lambda report: None))
    return outcome.winner


def test_levels_run_from_one_to_ten_and_see_better_and_better() -> None:
    assert list(LEVELS) == [str(number) for number in range(1, 11)]
    noises = [level.noise for level in LEVELS.values()]
    assert noises == sorted(noises, reverse=True)
    assert noises[-1] == 0


def test_a_good_level_beats_a_poor_one_with_the_same_dice() -> None:
    strong, weak = make_searcher("8", 1), make_searcher("1", 2)
    pairs = 60 if COMPILED else 12
    points = 0
    for pair in range(1, pairs + 1):
        seed = pair_seed(5, pair)
        points += winner((strong, weak), seed) == 0
        points += winner((weak, strong), seed) == 1
    assert points > 1.2 * pairs  # Of 2 * pairs games; 83 in a hundred were won in longer matches.


def test_unknown_levels_are_refused() -> None:
    with pytest.raises(InvalidText, match=r"no such level: '11' \(known: random, greedy, 1, 2"):
        make_searcher("11", None)


def test_greedy_takes_men_off_then_captures_and_shuns_the_trap() -> None:
    greedy = make_searcher("greedy", None)
    for setup, expected in (
        ("2.......................1..1.. 1 2", "28-off"),
        ("1.....2..1.................... 1 5", "1-7"),
        ("2........1..............1..... 1 2", "10-12"),
    ):
        game = Game(make_rules(), setup)
        move = greedy.search(game, Limits(), stop=lambda: False, report=lambda report: None)
        assert game.rules.format(game.position, move) == expected


def test_greedy_beats_random() -> None:
    greedy, wild = make_searcher("greedy", None), make_searcher("random", 1)
    points = 0
    for pair in range(1, 31):
        points += winner((greedy, wild), pair_seed(7, pair)) == 0
        points += winner((wild, greedy), pair_seed(7, pair)) == 1
    assert points > 36
