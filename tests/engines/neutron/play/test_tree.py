import pytest

from engines.core.game import Game
from engines.neutron.play.evaluation import Evaluation, load_weights
from engines.neutron.play.tree import FOREVER, PROVED, WIN, Tree
from engines.neutron.rules.board import BOARD
from engines.neutron.rules.position import Position
from engines.neutron.rules.text import make_rules
from tests.engines.neutron.walks import COMPILED, walk


def plant(position: Position, moves: list[int], drawn: list[int]) -> Tree:
    tree = Tree(Evaluation(load_weights()), 14, 0, 0)
    tree.limit(FOREVER, FOREVER, lambda: False)
    men = (position.white, position.black)
    tree.set_root(men, position.neutron, position.turn, position.kraus, moves, drawn)
    return tree


def middle_games(count: int) -> list[Position]:
    positions: list[Position] = []
    seed = 0
    while len(positions) < count:
        seed += 1
        game = walk("", [seed * 53 + 17 * ply * seed for ply in range(1 + seed % 7)])
        position = game.position
        men = position.white | position.black
        if game.outcome() is None and not BOARD.can_win(position.turn, position.neutron, men):
            positions.append(position)
    return positions


@pytest.mark.slow
def test_a_position_that_stood_twice_is_no_way_to_win() -> None:
    blocked = 0
    for position in middle_games(12 if COMPILED else 6):
        moves = position.legal_moves()
        tree = plant(position, moves, [])
        if tree.deepen(3, -WIN, WIN) < PROVED:
            continue
        drawn = []
        for move in moves:
            alone = plant(position, [move], [])
            if alone.deepen(3, -WIN, WIN) > PROVED:
                position.play(move)
                drawn.append(position.key())
                position.undo()
        if position.ending() == 0 and drawn:
            assert plant(position, moves, drawn).deepen(3, -WIN, WIN) < PROVED
            blocked += 1
    assert blocked > 0


def test_the_best_move_comes_first() -> None:
    position = Game(make_rules()).position
    moves = position.legal_moves()
    tree = plant(position, moves, [])
    score = tree.deepen(3, -WIN, WIN)
    best = tree.root_move(0)
    assert tree.tried() == len(moves)
    assert not tree.is_stopped()
    assert plant(position, [best], []).deepen(3, -WIN, WIN) == score


def test_the_table_remembers_until_it_forgets() -> None:
    game = Game(make_rules())
    tree = plant(game.position, game.position.legal_moves(), [])
    tree.deepen(4, -WIN, WIN)
    game.position.play(tree.root_move(0))
    key = game.position.key()
    assert tree.stored_move(key) in game.position.legal_moves()
    tree.forget()
    assert tree.stored_move(key) == 0


def test_thorough_search_keeps_its_own_account() -> None:
    game = Game(make_rules())
    tree = plant(game.position, game.position.legal_moves(), [])
    tree.deepen(5, -WIN, WIN)
    reduced = tree.nodes
    tree.set_thorough(True)
    tree.deepen(5, -WIN, WIN)
    assert tree.nodes - reduced > reduced // 2  # The bounds of the reduced search do not count.


def test_nodes_end_the_search_at_the_limit() -> None:
    game = Game(make_rules())
    tree = plant(game.position, game.position.legal_moves(), [])
    tree.limit_nodes(500)
    tree.deepen(9, -WIN, WIN)
    assert tree.is_stopped()
    assert tree.nodes == 500
