import random

from engines.go.play.network.ladder import Ladder
from engines.go.rules.board import BLACK, EMPTY, WHITE, Board
from tests.engines.go.pictures import draw

Stones = dict[int, int]
UNSURE = 60  # The oracle gives up on longer fights than the reader is asked to settle.


class Slow:
    """An oracle: the same question answered on dictionaries, every position copied."""

    def __init__(self, board: Board) -> None:
        self.points = [board.point(i) for i in range(board.area)]
        self.stride = board.stride
        self.stones = {p: board.cell(p) for p in self.points}
        self.work = 0

    def around(self, point: int) -> list[int]:
        near = (point - self.stride, point - 1, point + 1, point + self.stride)
        return [p for p in near if p in self.stones]

    def chain(self, stones: Stones, point: int) -> tuple[set[int], set[int]]:
        group, liberties, todo = {point}, set(), [point]
        while todo:
            for p in self.around(todo.pop()):
                if stones[p] == EMPTY:
                    liberties.add(p)
                elif stones[p] == stones[point] and p not in group:
                    group.add(p)
                    todo.append(p)
        return group, liberties

    def put(self, stones: Stones, point: int, colour: int) -> Stones | None:
        after = {**stones, point: colour}
        for p in self.around(point):
            if after[p] == 3 - colour:
                group, liberties = self.chain(after, p)
                if not liberties:
                    after.update(dict.fromkeys(group, EMPTY))
        return after if self.chain(after, point)[1] else None

    def falls(self, stones: Stones, target: int, attack: int) -> bool:
        self.work += 1
        if self.work > UNSURE:
            return False
        after = self.put(stones, attack, 3 - stones[target])
        return after is not None and not self.escapes(after, target)

    def escapes(self, stones: Stones, target: int) -> bool:
        group, liberties = self.chain(stones, target)
        if len(liberties) > 1:
            return True
        tries = set(liberties)
        for stone in group:
            for p in self.around(stone):
                if stones[p] == 3 - stones[target]:
                    near = self.chain(stones, p)[1]
                    if len(near) == 1:
                        tries |= near
        for point in tries:
            after = self.put(stones, point, stones[target])
            if after is None:
                continue
            near = self.chain(after, target)[1]
            if len(near) > 2:
                return True
            if len(near) == 2 and not any(self.falls(after, target, p) for p in near):
                return True
        return False


def test_a_ladder_works_until_a_stone_breaks_it() -> None:
    picture = """
        . . . . . . . . .
        . . X X . . . . .
        . X O a . . . . .
        . X b . . . . . .
        . . X . . . . . .
        . . . . . . . . .
        . . . . . . {} . .
        . . . . . . . . .
        . . . . . . . . .
    """
    for breaker, falls in ((".", True), ("X", True), ("O", False)):
        board, names = draw(picture.format(breaker))
        ladder = Ladder(board)
        ladder.look(board)
        assert ladder.falls(board.point(2 * 9 + 2), names["b"]) is falls


def test_capturing_an_attacker_saves_the_chain() -> None:
    board, _ = draw("""
        X O . . . .
        O X X O . .
        X O O X O .
        . X . X . .
        . . . . . .
    """)
    ladder = Ladder(board)
    ladder.look(board)
    assert ladder.escapes(board.point(2 * 6 + 1))


def test_ladders_are_read_as_a_slow_oracle_reads_them() -> None:
    source = random.Random(5)
    compared = fallen = 0
    for _ in range(12):
        board = Board(7, 7)
        ladder = Ladder(board)
        for number in range(40):
            colour = (BLACK, WHITE)[number % 2]
            legal = [p for i in range(49) if board.is_legal(p := board.point(i), colour)]
            board.play(source.choice(legal), colour)
            if number % 4:
                continue
            ladder.look(board)
            oracle = Slow(board)
            for i in range(49):
                point = board.point(i)
                if board.cell(point) == EMPTY:
                    continue
                _, liberties = oracle.chain(oracle.stones, point)
                oracle.work = 0
                if len(liberties) == 1:
                    expected = oracle.escapes(oracle.stones, point)
                    result = ladder.escapes(point)
                elif len(liberties) == 2:
                    attack = min(liberties)
                    expected = oracle.falls(oracle.stones, point, attack)
                    result = ladder.falls(point, attack)
                else:
                    continue
                if oracle.work <= UNSURE:
                    assert result is expected, (board.cells_copy(), i)
                    compared += 1
                    fallen += len(liberties) == 2 and result
    assert compared > 500
    assert fallen > 50


def test_readings_full_of_kos_stay_within_their_room_on_tiny_boards() -> None:
    chance = random.Random(7)
    for size in (2, 3, 4):
        for _ in range(60):
            board = Board(size, size)
            ladder = Ladder(board)
            for number in range(chance.randrange(4, 3 * size * size)):
                point = board.point(chance.randrange(board.area))
                if board.is_legal(point, 1 + number % 2):
                    board.play(point, 1 + number % 2)
            ladder.look(board)
            for index in range(board.area):
                point = board.point(index)
                if board.cell(point):
                    ladder.escapes(point)
