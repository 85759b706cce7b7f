import random

from engines.go.rules.board import BLACK, EMPTY, WHITE, Board
from engines.go.rules.life import Life
from tests.engines.go.pictures import draw


def owners(board: Board) -> str:
    life = Life(board)
    life.look(board)
    signs = [".XO"[life.owner_of(board.point(i))] for i in range(board.area)]
    rows = ["".join(signs[i : i + board.width]) for i in range(0, board.area, board.width)]
    return " ".join(rows)


def ever_captured(board: Board, colour: int) -> set[int]:
    """Return which stones of a colour fall in some play in which its owner only passes."""
    stones = {p for i in range(board.area) if board.cell(p := board.point(i)) == colour}
    fallen: set[int] = set()
    seen = set()
    todo = [board]
    while todo:
        now = todo.pop()
        for i in range(now.area):
            point = now.point(i)
            if not now.is_legal(point, 3 - colour):
                continue
            after = now.copy()
            after.play(point, 3 - colour)
            fallen |= {p for p in stones if after.cell(p) != colour}
            if after.cells_copy() not in seen:
                seen.add(after.cells_copy())
                todo.append(after)
    return fallen


def test_pass_alive_stones_are_those_no_play_can_take() -> None:
    source = random.Random(3)
    alive = 0
    for _ in range(60):
        board = Board(4, 3)
        for i in range(12):
            colour = source.choice((EMPTY, BLACK, BLACK, BLACK, WHITE))
            if colour != EMPTY and board.is_legal(board.point(i), colour):
                board.play(board.point(i), colour)
        board.lift_ko()
        life = Life(board)
        life.look(board)
        for colour in (BLACK, WHITE):
            fallen = ever_captured(board, colour)
            for i in range(12):
                point = board.point(i)
                if board.cell(point) == colour:
                    assert (life.owner_of(point) == colour) is (point not in fallen)
                    alive += point not in fallen
    assert alive > 50


def test_two_eyes_live_and_hold_what_they_enclose() -> None:
    board, _ = draw("""
        . X . X O
        X X X X O
        O O O O .
        . . . . .
    """)
    assert owners(board) == "XXXX. XXXX. ..... ....."


def test_an_intruder_without_room_for_an_eye_is_lost() -> None:
    board, _ = draw("""
        . X . O X .
        X X X . X .
        . . X X X .
        . . . . . .
    """)
    assert owners(board) == "XXXXX. XXXXX. ..XXX. ......"


def test_one_eye_is_not_enough() -> None:
    board, _ = draw("""
        . X O .
        X X O .
        O O . .
    """)
    assert owners(board) == ".... .... ...."
