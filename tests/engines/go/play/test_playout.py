from engines.go.play.playout import Playout
from engines.go.rules.board import BLACK, WHITE, Board
from tests.engines.go.pictures import draw


def sum_owners(random: Playout, board: Board, colour: int, games: int) -> list[int]:
    """Play games; return for each point how often Black owned it, less how often White did."""
    sums = [0] * board.area
    for _ in range(games):
        random.finish(board, colour)
        for move in range(board.area):
            sums[move] += random.owner(board.point(move))
    return sums


def test_walls_decide_who_holds_what() -> None:
    board, _ = draw("""
        . X . X O . .
        X X X X O O O
        O O O O O . .
        . . . . O . O
        . . . . O O .
    """)
    random = Playout(board)
    owned = sum_owners(random, board, BLACK, 50)
    assert owned[:4] == [50] * 4
    assert owned[4:7] == [-50] * 3
    assert all(value == -50 for value in owned[21:])


def test_a_seed_fixes_the_games_and_another_changes_them() -> None:
    def play(seed: int) -> list[int]:
        board = Board(9, 9)
        random = Playout(board, seed)
        return sum_owners(random, board, WHITE, 5)

    assert play(1) == play(1)
    assert play(1) != play(2)


def test_games_are_fair_and_leave_the_start_alone() -> None:
    board = Board(5, 5)
    random = Playout(board, 3)
    owned = sum_owners(random, board, BLACK, 200)
    assert board.cells_copy() == bytes(25)
    assert 0 < sum(owned) / 200 < 12
    assert max(abs(value) for value in owned) < 150
    assert random.moves > 200 * 20


def test_no_eye_is_filled() -> None:
    board, _ = draw("""
        . X . X
        X X X X
        O O O O
        . O . O
    """)
    random = Playout(board)
    assert sum_owners(random, board, WHITE, 20) == [20] * 8 + [-20] * 8
    assert random.moves == 0
