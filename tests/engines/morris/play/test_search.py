import pytest

from engines.core.game import Game
from engines.core.search import Limits, Report
from engines.morris.play.levels import LEVELS, make_searcher
from engines.morris.play.search import WIN, Tree
from engines.morris.rules.board import COMPILED
from engines.morris.rules.position import Position
from engines.morris.rules.text import MorrisRules
from engines.morris.tables.lookup import Tables
from engines.morris.tables.oracle import Oracle

DEPTH = 5 if COMPILED else 3


def new_tree() -> Tree:
    return Tree(
        Oracle(Tables(), flying=True, doubles=False), flying=True, doubles=False, limit=100, size=12
    )


def begin(tree: Tree, position: Position, nodes: int = 1 << 40) -> list[int]:
    turn = position.turn
    sides = (turn, 1 - turn)
    own, enemy = (position.men(side) for side in sides)
    own_hand, enemy_hand = (position.hand(side) for side in sides)
    state = (own, enemy, own_hand, enemy_hand, position.quiet_plies())
    tree.begin(state, [], float("inf"), nodes, lambda: False)
    return position.legal_moves()


def test_the_last_mill_is_closed() -> None:
    position = MorrisRules().start("WW./.../.../B..W.W/.../.../BB. w 0 0 0")
    tree = new_tree()
    move, score = tree.search(2, begin(tree, position), -WIN - 1, WIN + 1)
    position.play(move)
    assert position.outcome() is not None
    assert score == WIN - 1
    assert tree.variation() == [move]


def test_a_threatened_mill_is_blocked() -> None:
    rules = MorrisRules()
    position = rules.start("BB./.../.W./....../.../W../... w 7 7 0")
    tree = new_tree()
    move, _ = tree.search(3, begin(tree, position), -WIN - 1, WIN + 1)
    assert rules.format(position, move) == "g1"


def negamax(position: Position, depth: int) -> int:
    """Return 1 for a forced win within `depth` plies, -1 for a loss, 0 for neither."""
    ended = position.outcome()
    if ended is not None:
        return 0 if ended.winner is None else 1 if ended.winner == position.turn else -1
    if depth == 0:
        return 0
    best = -1
    for move in position.legal_moves():
        position.play(move)
        best = max(best, -negamax(position, depth - 1))
        position.undo()
        if best == 1:
            break
    return best


@pytest.mark.parametrize(
    "setup",
    [
        "W../.../.W./B.W..B/.../.../B.. w 0 0 0",
        "W../.B./.W./B.W..B/.../..W/... b 0 0 0",
        "WB./B.W/BW./.B...W/.../.../... w 0 0 0",
        "BWB/W../.../W....W/.../.../WBB b 0 0 0",
        "WBW/B.B/.../W....W/.../.../BWB w 0 0 0",
    ],
)
def test_forced_wins_are_those_of_plain_search(setup: str) -> None:
    position = MorrisRules().start(setup)
    depth = 3 if COMPILED else 2
    plain = negamax(position.copy(), depth)
    tree = new_tree()
    _, score = tree.search(depth, begin(tree, position), -WIN - 1, WIN + 1)
    if plain:
        assert score * plain >= WIN - depth
    else:
        assert abs(score) < WIN - depth


def test_a_search_gives_way_to_its_limits() -> None:
    position = MorrisRules().start()
    tree = new_tree()
    moves = begin(tree, position, nodes=3_000)
    tree.search(DEPTH + 20, moves, -WIN - 1, WIN + 1)
    assert tree.was_halted()
    assert tree.counted() <= 3_000 + 200


def play(setup: str, level: str = "10", variant: str = "") -> tuple[str, list[Report]]:
    rules = MorrisRules(variant)
    game = Game(rules, setup)
    reports: list[Report] = []
    searcher = make_searcher(level, 1)
    move = searcher.search(game, Limits(depth=DEPTH), stop=lambda: False, report=reports.append)
    assert move in game.position.legal_moves()
    return rules.format(game.position, move), reports


def test_tables_play_the_shortest_win_and_say_so() -> None:
    _, reports = play("W../..B/W../....W./.B./.../B.. w 0 0 0")
    assert str(reports[-1].score) == "exact win 3"


def test_tables_know_a_draw() -> None:
    _, reports = play("WW./..B/W../....W./.B./.../B.. w 0 0 0")
    assert str(reports[-1].score) == "exact draw"


def test_a_win_beyond_the_draw_rule_is_not_announced() -> None:
    _, reports = play("W../..B/W../....W./.B./.../B.. w 0 0 98")
    assert "win" not in str(reports[-1].score)
    _, reports = play("W../..B/W../....W./.B./.../B.. w 0 0 98", variant="no-draws")
    assert str(reports[-1].score) == "exact win 3"


def test_a_won_table_position_is_won_move_by_move() -> None:
    rules = MorrisRules()
    game = Game(rules, "W../..B/W../....W./.B./.../B.. w 0 0 0")
    searcher = make_searcher("10", 1)
    plies = 0
    while (outcome := game.outcome()) is None:
        limits = Limits(depth=2)
        game.push(searcher.search(game, limits, stop=lambda: False, report=lambda _: None))
        plies += 1
    assert (outcome.winner, plies) == (0, 5)


def test_every_level_plays_on_and_the_search_in_every_variant() -> None:
    for level in LEVELS if COMPILED else (1, 10):
        play("WW./B.B/.../....../.../.../BB. w 6 5 0", str(level))
    for variant in ("no-draws", "no-flying", "double-removal"):
        play("WW./.../.W./W....W/.B./BBB/B.. w 0 0 7", "4", variant)


def test_the_same_seed_plays_the_same_game() -> None:
    def moves(seed: int) -> list[int]:
        game = Game(MorrisRules())
        searcher = make_searcher("2", seed)
        for _ in range(16):
            if game.outcome() is not None:
                break
            game.push(searcher.search(game, Limits(), stop=lambda: False, report=lambda _: None))
        return game.moves

    assert moves(5) == moves(5)
    assert moves(5) != moves(6)


def test_a_stop_ends_the_search_with_a_move() -> None:
    game = Game(MorrisRules())
    searcher = make_searcher("10", 1)
    move = searcher.search(game, Limits(), stop=lambda: True, report=lambda _: None)
    assert move in game.position.legal_moves()


def deepen(position: Position, depth: int) -> tuple[int, int, int]:
    """Search deeper and deeper; return the move, its score and the nodes of all searches."""
    tree = new_tree()
    nodes = 0
    for looked in range(1, depth + 1):
        move, score = tree.search(looked, begin(tree, position), -WIN - 1, WIN + 1)
        nodes += tree.counted()
    return move, score, nodes


def test_a_man_won_by_two_threats_at_once_is_seen_before_it_falls() -> None:
    position = MorrisRules().start(".W./.../..B/W...../.../..B/... w 7 7 0")
    _, score, _ = deepen(position, DEPTH)
    assert score > 40


@pytest.mark.compiled("a search as deep takes minutes")
def test_most_moves_are_not_looked_at_to_the_end() -> None:
    position = MorrisRules().start("W../.B./.../.W..../.../.B./... w 7 7 0")
    assert deepen(position, 8)[2] < 100_000
