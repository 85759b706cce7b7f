import random
from itertools import product

import pytest
from sgfmill import boards

from engines.go.rules import board as module
from engines.go.rules.board import BLACK, EMPTY, WHITE, Board
from tests.engines.go.pictures import draw

COMPILED = not str(module.__file__).endswith(".py")
NAMES = {None: EMPTY, "b": BLACK, "w": WHITE}


def recount(board: Board, point: int) -> int:
    stones = board.stones_of(point)
    near = {p + d for p in stones for d in (1, -1, board.stride, -board.stride)}
    return sum(board.cell(p) == EMPTY for p in near)


@pytest.mark.slow
@pytest.mark.parametrize("size", [2, 3, 5, 9, 19])
def test_random_games_go_as_sgfmill_plays_them(size: int) -> None:
    source = random.Random(size)
    for _ in range(4 if COMPILED else 1):
        board, oracle = Board(size, size), boards.Board(size)
        forbidden = None
        for number in range(3 * size * size):
            colour, name = (BLACK, "b") if number % 2 == 0 else (WHITE, "w")
            order = list(range(size * size))
            source.shuffle(order)
            for i in order:
                place = (size - 1 - i // size, i % size)
                legal = board.is_legal(board.point(i), colour)
                if board.cell(board.point(i)) != EMPTY:
                    assert not legal
                    continue
                trial = oracle.copy()
                ko = trial.play(*place, name)
                assert legal is (trial.get(*place) is not None and place != forbidden)
                if legal:
                    break
            else:
                board.lift_ko()
                forbidden = None
                continue
            board.play(board.point(i), colour)
            oracle, forbidden = trial, ko
            for j in range(size * size):
                assert (
                    board.cell(board.point(j)) == NAMES[oracle.get(size - 1 - j // size, j % size)]
                )


def test_liberties_and_hash_stay_those_of_the_stones() -> None:
    source = random.Random(1)
    board = Board(7, 5)
    for number in range(300):
        colour = (BLACK, WHITE)[number % 2]
        legal = [p for i in range(35) if board.is_legal(p := board.point(i), colour)]
        if not legal:
            board.lift_ko()
            continue
        board.play(source.choice(legal), colour)
        fresh = Board(7, 5)
        for i in range(35):
            point = board.point(i)
            if board.cell(point) != EMPTY:
                fresh.play(point, board.cell(point))
                assert board.count_liberties(point, 99) == recount(board, point)
                assert board.count_liberties(point, 2) == min(2, recount(board, point))
        assert board.hash == fresh.hash
        assert board.cells_copy() == fresh.cells_copy()


def count_legal(width: int, height: int) -> int:
    legal = 0
    for cells in product((EMPTY, BLACK, WHITE), repeat=width * height):
        board = Board(width, height)
        board.suicide = True
        for i, colour in enumerate(cells):
            if colour != EMPTY:
                board.play(board.point(i), colour)
        legal += board.cells_copy() == bytes(cells)
    return legal


@pytest.mark.parametrize(
    ("width", "height", "count"),
    [(1, 1, 1), (2, 2, 57), (2, 3, 489), (2, 4, 4125), (3, 3, 12675)],
)
def test_counts_of_legal_positions_are_the_known_ones(width: int, height: int, count: int) -> None:
    if not COMPILED and count > 1000:
        pytest.skip("takes a minute interpreted")
    assert count_legal(width, height) == count


Frontier = tuple[tuple[int, int, bool], ...]  # Colour, chain, whether that has a liberty.


def extend(frontier: Frontier, x: int, colour: int) -> Frontier | None:
    """Fill the next point of a row, below column x; None where a chain is left without liberty."""
    row = list(frontier)
    above, left = frontier[x], frontier[x - 1] if x else (-1, 0, False)
    if colour == EMPTY:
        free = {chain for _, chain, _ in (above, left) if chain > 0}
        row = [(held, chain, known or chain in free) for held, chain, known in row]
        row[x] = (EMPTY, 0, False)
        return tuple(row)
    own = {chain for held, chain, _ in (above, left) if held == colour}
    known = any(held == EMPTY or (held == colour and free) for held, _, free in (above, left))
    row[x] = (colour, 99, False)
    row = [(held, 99 if chain in own else chain, free) for held, chain, free in row]
    row = [(held, chain, known if chain == 99 else free) for held, chain, free in row]
    shut_in = above[1] > 0 and above[0] != colour and not above[2]
    if shut_in and all(chain != above[1] for _, chain, _ in row):
        return None
    names: dict[int, int] = {0: 0}
    return tuple((held, names.setdefault(chain, len(names)), free) for held, chain, free in row)


def is_possible(width: int, height: int, cells: list[int]) -> bool:
    """Tell whether the board holds such stones: nothing is captured when they are put there."""
    board = Board(width, height)
    board.suicide = True
    for i, colour in enumerate(cells):
        if colour != EMPTY:
            board.play(board.point(i), colour)
    return list(board.cells_copy()) == cells


@pytest.mark.parametrize(("side", "count", "least"), [(3, 12675, 20), (4, 24318165, 90)])
def test_positions_are_counted_by_what_their_last_row_leaves_open(
    side: int, count: int, least: int
) -> None:
    # 43 million boards of 4x4 are too many: those that go on alike count together, and the
    # board is asked about one of each kind.
    start: Frontier = ((-1, 0, False),) * side
    kinds: dict[Frontier, tuple[int, list[int]]] = {start: (1, [])}
    lost: list[list[int]] = []
    for i in range(side * side):
        more: dict[Frontier, tuple[int, list[int]]] = {}
        for frontier, (times, cells) in kinds.items():
            for colour in (EMPTY, BLACK, WHITE):
                filled = [*cells, colour]
                after = extend(frontier, i % side, colour)
                if after is None:
                    lost.append(filled + [EMPTY] * (side * side - i - 1))
                else:
                    more[after] = (more.get(after, (0, []))[0] + times, filled)
        kinds = more
    living = {one for one in kinds if all(free for held, _, free in one if held != EMPTY)}
    assert len(living) >= least
    assert all(is_possible(side, side, kinds[one][1]) == (one in living) for one in kinds)
    assert not any(is_possible(side, side, cells) for cells in lost)
    assert sum(kinds[one][0] for one in living) == count


def test_capture_frees_the_points_and_counts_prisoners() -> None:
    board, names = draw("""
        . X X .
        X O O a
        . X X .
    """)
    assert board.play(names["a"], BLACK) == 2
    assert board.white_captured == 2
    assert board.black_captured == 0
    assert board.count_liberties(names["a"], 9) == 3


def test_ko_forbids_the_one_point_to_the_one_colour_until_a_move_elsewhere() -> None:
    board, names = draw("""
        . X O .
        X a . O
        . X O .
        . . . e
    """)
    board.play(names["a"] + 1, BLACK)
    board.play(names["a"], WHITE)
    taken = names["a"] + 1
    assert board.ko == taken
    assert not board.is_legal(taken, BLACK)
    board.play(names["e"], BLACK)
    assert board.is_legal(taken, BLACK)


def test_a_single_stone_never_kills_itself_several_may_where_allowed() -> None:
    board, names = draw("""
        a O . O
        O O O X
        . O b X
        . O O X
    """)
    assert not board.is_legal(names["a"], BLACK)
    assert board.is_legal(names["a"], WHITE)
    board, names = draw("""
        X a O
        O O .
        . . .
    """)
    assert not board.is_legal(names["a"], BLACK)
    board.suicide = True
    assert board.is_legal(names["a"], BLACK)
    assert board.play(names["a"], BLACK) == 0
    assert board.black_captured == 2
    assert board.cell(names["a"]) == EMPTY


def test_a_copy_is_independent() -> None:
    board = Board(9, 9)
    board.play(board.point(40), BLACK)
    twin = board.copy()
    twin.play(twin.point(41), WHITE)
    assert board.cell(board.point(41)) == EMPTY
    assert twin.cell(twin.point(40)) == BLACK
    assert twin.hash != board.hash


@pytest.mark.parametrize(("width", "height"), [(0, 5), (26, 5), (5, 26)])
def test_impossible_sizes_are_refused(width: int, height: int) -> None:
    with pytest.raises(ValueError, match="no board of"):
        Board(width, height)
