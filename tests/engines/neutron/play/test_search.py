import time

import pytest

from engines.core.game import Game, Outcome
from engines.core.search import Limits, Report
from engines.neutron.play.search import Search
from engines.neutron.rules.position import GOES_ON, Position
from engines.neutron.rules.text import make_rules
from tests.engines.neutron.walks import COMPILED, walk


def think(
    search: Search,
    game: Game[Position],
    seconds: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
) -> tuple[int, list[Report]]:
    reports: list[Report] = []
    move = search.search(
        game, Limits(seconds, depth, nodes), stop=lambda: False, report=reports.append
    )
    return move, reports


def is_won(position: Position, turns: int) -> bool:
    """Say whether the mover can force a win within so many turns, by looking at all of them."""
    mover = position.turn
    for move in position.legal_moves():
        position.play(move)
        ended = position.ending()
        won = ended == mover + 1 or (
            ended == GOES_ON and turns > 1 and is_lost(position, turns - 1)
        )
        position.undo()
        if won:
            return True
    return False


def is_lost(position: Position, turns: int) -> bool:
    """Say whether the mover loses within so many turns, whatever it does."""
    mover = position.turn
    for move in position.legal_moves():
        position.play(move)
        ended = position.ending()
        lost = ended == 2 - mover or (
            ended == GOES_ON and turns > 1 and is_won(position, turns - 1)
        )
        position.undo()
        if not lost:
            return False
    return True


@pytest.mark.parametrize("variant", ["", "kraus"])
def test_short_wins_and_losses_are_those_of_brute_force(variant: str) -> None:
    search = Search(table_bits=12)
    decided = 0
    for seed in range(60 if COMPILED else 8):
        game = walk(variant, [seed * 37 + 91 * ply * (seed + 3) for ply in range(2 + seed % 9)])
        if game.outcome() is not None:
            continue
        position = game.position
        _, reports = think(search, game, depth=4)
        score = reports[-1].score
        for turns in (1, 2, 3):
            if is_won(position, turns):
                assert str(score) == f"exact win {turns}"
                decided += 1
                break
            if is_lost(position, turns):
                assert str(score) == f"exact loss {turns}"
                decided += 1
                break
        else:
            assert not score.exact or (score.turns or 0) > 3
    assert decided > (15 if COMPILED else 2)


@pytest.mark.compiled("a minute of thought")
def test_kraus_is_proved_won_from_the_start() -> None:
    game = Game(make_rules("kraus"))
    move, reports = think(Search(knows=False), game, seconds=60)
    assert game.rules.format(game.position, move) in ("b1-b4", "d1-d4")
    assert str(reports[-1].score) == "exact win 11"
    for proved in reports[-1].pv:
        game.push(proved)
    assert len(game.moves) <= 11
    assert game.outcome() is not None


@pytest.mark.compiled("a minute of thought")
def test_kraus_is_over_by_the_sixth_turn_of_white() -> None:
    rules = make_rules("kraus")
    white, black = Search(knows=False), Search(table_bits=14)
    start = Game(rules)
    start.push(think(white, start)[0])
    for reply in start.position.legal_moves()[::9]:
        game = start.copy()
        game.push(reply)
        while game.outcome() is None:
            if game.turn == 0:
                move, _ = think(white, game)
            else:
                move, _ = think(black, game, nodes=3000)
            game.push(move)
        ended = game.outcome()
        assert ended is not None
        assert ended.winner == 0
        assert len(game.moves) <= 11


@pytest.mark.compiled("a minute of thought")
def test_a_proved_win_is_won_against_its_own_searcher() -> None:
    # Two turns before the end of a game under the default rules the win is longer than its proof.
    rules = make_rules()
    game = Game(rules)
    for text in ("b1-b4", "c3-d2/c5-c2", "d2-e2/c1-e3", "e2-c4/d5-d2", "c4-e2/a1-a4"):
        game.play(text)
    for text in ("e2-c4/e5-a1", "c4-e2/d1-b1", "e2-c4/c2-c1"):
        game.play(text)
    white, black = Search(), Search()
    promised = 99
    while game.outcome() is None:
        move, reports = think((white, black)[game.turn], game, nodes=2_000_000)
        if game.turn == 0:
            assert reports[-1].score.exact
            assert reports[-1].score.turns is not None
            assert reports[-1].score.turns < promised
            promised = reports[-1].score.turns
        game.push(move)
    assert game.outcome() == Outcome(0, "neutron home")


def test_compiled_and_interpreted_search_count_the_same_nodes() -> None:
    signature = []
    for variant in ("", "kraus"):
        _, reports = think(Search(knows=False), Game(make_rules(variant)), depth=6)
        signature.append([report.nodes for report in reports])
    assert signature == [[16, 227, 848, 1719, 3530, 7158], [16, 227, 848, 1717, 3522, 7133]]


def test_blurred_search_counts_the_same_nodes_too() -> None:
    _, reports = think(Search(300, 123456789, knows=False), Game(make_rules()), depth=5)
    assert [report.nodes for report in reports] == [16, 252, 1598, 3172, 5067]


def test_a_depth_limit_is_kept() -> None:
    _, reports = think(Search(knows=False), Game(make_rules()), depth=3)
    assert [report.depth for report in reports] == [1, 2, 3]


@pytest.mark.parametrize("nodes", [1, 10, 777])
def test_a_node_limit_is_kept(nodes: int) -> None:
    game = Game(make_rules())
    game.play("b1-b4")
    move, reports = think(Search(), game, nodes=nodes)
    assert move in game.position.legal_moves()
    assert all(report.nodes <= nodes for report in reports)


@pytest.mark.parametrize("seconds", [0.0, 0.05])
def test_a_time_limit_is_kept(seconds: float) -> None:
    game = Game(make_rules())
    game.play("a1-b2")
    search = Search()
    began = time.monotonic()
    move, _ = think(search, game, seconds=seconds)
    # Twenty times the 20 ms that are promised: the machine may be busy.
    assert time.monotonic() - began < seconds + 0.4
    assert move in game.position.legal_moves()


def test_a_stop_from_outside_ends_the_search() -> None:
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 3

    game = Game(make_rules())
    game.play("e1-e4")
    move = Search().search(game, Limits(), stop=stop, report=lambda report: None)
    assert move in game.position.legal_moves()
    assert asked == 4


def test_reports_show_a_line_that_can_be_played() -> None:
    game = Game(make_rules())
    _, reports = think(Search(knows=False), game, nodes=20_000 if COMPILED else 2_000)
    assert [report.depth for report in reports] == list(range(1, len(reports) + 1))
    for report in reports:
        twin = game.copy()
        for move in report.pv:
            assert move in twin.position.legal_moves()
            twin.push(move)
    assert len(reports[-1].pv) > 1


def test_the_line_of_a_win_ends_the_game() -> None:
    game = Game(make_rules(), "B.BBB/.B.../..N../W..../WW.WW w")
    move, reports = think(Search(), game)
    assert game.rules.format(game.position, move) == "c3-c1"
    assert str(reports[-1].score) == "exact win 1"


def test_the_only_turn_is_played_without_much_thought() -> None:
    game = Game(make_rules(), ".B.B./..BW./.WNBW/.WWB./..... w")
    move, reports = think(Search(), game, seconds=60)
    assert game.rules.format(game.position, move) == "c3-a5"
    assert str(reports[-1].score) == "exact loss 1"


@pytest.mark.parametrize(
    "setup", [".BB../..W../BB..W/..N.B/WW.W. b", "BB.BB/.B.../WN.../...../WW.WW w"]
)
def test_blocking_the_neutron_wins_under_kraus_only(setup: str) -> None:
    game = Game(make_rules("kraus"), setup)
    move, reports = think(Search(), game, depth=2)
    assert str(reports[-1].score) == "exact win 1"
    game.push(move)
    assert game.outcome() == Outcome(0 if setup.endswith("w") else 1, "neutron blocked")
    _, reports = think(Search(), Game(make_rules(), setup), depth=2)
    assert str(reports[-1].score) != "exact win 1"


def test_a_shared_win_is_the_least_to_be_had() -> None:
    # Blocking the neutron is there to be had: half a point at least.
    rules = make_rules()
    for setup in (".BB../..W../BB..W/..N.B/WW.W. b", "BB.BB/.B.../WN.../...../WW.WW w"):
        game = Game(rules, setup)
        move, reports = think(Search(), game, depth=6)
        score = reports[-1].score
        assert score.chance >= 0.5
        game.push(move)
        assert game.outcome() is None or score.chance == 0.5


def test_forgetting_makes_the_same_search_again() -> None:
    search = Search()
    game = Game(make_rules())
    first = [(report.nodes, report.pv) for report in think(search, game, depth=4)[1]]
    search.forget()
    again = [(report.nodes, report.pv) for report in think(search, game, depth=4)[1]]
    assert again == first
