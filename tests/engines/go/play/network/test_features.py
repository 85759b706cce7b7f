import random
import zlib
from array import array

from engines.go.play.network.features import Features
from engines.go.play.network.inputs import PLANES
from engines.go.rules.board import BLACK, WHITE, Board
from tests.engines.go.pictures import draw


def planes(board: Board, colour: int) -> list[bytes]:
    filled = bytearray(PLANES * board.area)
    Features(board).fill(board, colour, filled, 0)
    return [bytes(filled[i * board.area : (i + 1) * board.area]) for i in range(PLANES)]


def places(plane: bytes | bytearray) -> set[int]:
    return {i for i, value in enumerate(plane) if value}


def test_stones_and_liberties_have_their_planes() -> None:
    board, _ = draw("""
        X O . . .
        . . . . .
        . . X X .
        . . . . .
    """)
    seen = planes(board, WHITE)
    assert places(seen[0]) == set(range(20))
    assert places(seen[1]) == {1}
    assert places(seen[2]) == {0, 12, 13}
    assert places(seen[3]) == {0}
    assert places(seen[4]) == {1}
    assert places(seen[5]) == set()


def test_ko_is_seen_by_the_side_that_may_not_retake() -> None:
    board, names = draw("""
        . X O .
        X a . O
        . X O .
    """)
    board.play(names["a"] + 1, BLACK)
    board.play(names["a"], WHITE)
    assert places(planes(board, BLACK)[6]) == {6}
    assert places(planes(board, WHITE)[6]) == set()


def test_replaying_shows_the_last_five_moves_the_latest_first() -> None:
    board = Board(5, 5)
    played = array("i", [12, 6, 8, 25, 18, 1, 2])
    seen = bytearray(PLANES * 25)
    Features(board).replay(board, played, 0, 7, seen, 0)
    recent = [places(seen[i * 25 : (i + 1) * 25]) for i in range(7, 12)]
    assert recent == [{2}, {1}, {18}, set(), {8}]
    assert places(seen[25:50]) == {6, 1}


def test_ladders_and_safe_ground_have_their_planes() -> None:
    board, _ = draw("""
        . X . X O . . . .
        X X X X O . . . .
        O O O O . . . . .
        . . . . . X X . .
        . . . . X O . . .
        . . . . X . . . .
        . . . . . X . . .
        . . . . . . . . .
        . . . . . . . . .
    """)
    black, white = planes(board, BLACK), planes(board, WHITE)
    assert places(black[12]) == places(white[12]) == {41}
    assert places(black[13]) == {42, 50}
    assert places(white[13]) == set()
    assert places(black[14]) == places(white[15]) == {0, 1, 2, 3, 9, 10, 11, 12}


def test_the_planes_stay_those_that_the_nets_learned_from() -> None:
    source = random.Random(11)
    board = Board(9, 9)
    features = Features(board)
    filled = bytearray(PLANES * 81)
    digest = 0
    recent = [0] * 5
    for number in range(80):
        colour = (BLACK, WHITE)[number % 2]
        for back, point in enumerate(recent):
            features.remember(back, point)
        features.fill(board, colour, filled, 0)
        digest = zlib.crc32(filled, digest)
        legal = [p for i in range(81) if board.is_legal(p := board.point(i), colour)]
        point = source.choice(legal)
        board.play(point, colour)
        recent = [point, *recent[:4]]
    assert digest == 4283793710
