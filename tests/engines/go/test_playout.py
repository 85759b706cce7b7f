from engines.go.board import BLACK, WHITE, Board
from engines.go.playout import Playout
from tests.engines.go.pictures import draw


def test_walls_decide_who_holds_what() -> None:
    board, _ = draw("""
        . X . X O . .
        X X X X O O O
        O O O O O . .
        . . . . O . O
        . . . . O O .
    """)
    random = Playout(board)
    random.sum_owners(board, BLACK, 50)
    owned = [random.sum_of(board.point(i)) for i in range(board.area)]
    assert owned[:4] == [50] * 4
    assert owned[4:7] == [-50] * 3
    assert all(value == -50 for value in owned[21:])


def test_a_seed_fixes_the_games_and_another_changes_them() -> None:
    def play(seed: int) -> list[int]:
        board = Board(9, 9)
        random = Playout(board, seed)
        random.sum_owners(board, WHITE, 5)
        return [random.sum_of(board.point(i)) for i in range(81)]

    assert play(1) == play(1)
    assert play(1) != play(2)


def test_games_are_fair_and_leave_the_start_alone() -> None:
    board = Board(5, 5)
    random = Playout(board, 3)
    random.sum_owners(board, BLACK, 200)
    owned = [random.sum_of(board.point(i)) for i in range(25)]
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
    random.sum_owners(board, WHITE, 20)
    assert [random.sum_of(board.point(i)) for i in range(16)] == [20] * 8 + [-20] * 8
    assert random.moves == 0
