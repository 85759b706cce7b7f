"""Counting a finished game: dead stones, area, territory and seki."""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Final

from engines.go.rules.board import BLACK, EMPTY, WHITE, Board
from engines.go.rules.life import Life
from engines.go.rules.ruleset import TERRITORY, RuleSet

# A chain is alive if its ownership is above the first on average, and above the second everywhere.
ALIVE_MEAN: Final = 0.2
ALIVE_WORST: Final = -0.6
EYE: Final = 3  # A single eye of more points than this can be made into two.
SHARED: Final = 6  # A neutral region of more points than this is unfinished, not a seki.


@dataclass(frozen=True, slots=True)
class Score:
    """The result of counting: the points of both sides, with the komi among White's.

    `owners` has for each point the colour for which it counts: 1 Black, 2 White, 0 neither. `seki`
    is the points of stones in seki.
    """

    black: float
    white: float
    owners: bytes
    seki: frozenset[int]

    @property
    def margin(self) -> float:
        """Black's points less White's."""
        return self.black - self.white


def chains(board: Board) -> Iterator[list[int]]:
    """Yield the chains as lists of points, in reading order of their first stones."""
    seen: set[int] = set()
    for move in range(board.area):
        point = board.point(move)
        if board.cell(point) != EMPTY and move not in seen:
            chain = sorted(board.index(stone) for stone in board.stones_of(point))
            seen.update(chain)
            yield chain


def near(board: Board, move: int) -> list[int]:
    """List the neighbours of a point."""
    y, x = divmod(move, board.width)
    neighbours = [move - board.width] if y else []
    neighbours += [move - 1] if x else []
    neighbours += [move + 1] if x + 1 < board.width else []
    return neighbours + ([move + board.width] if y + 1 < board.height else [])


def spread(board: Board, start: int, within: Set[int]) -> set[int]:
    """Return the points of a set that are connected with one of them."""
    reached, todo = {start}, [start]
    while todo:
        for other in near(board, todo.pop()):
            if other in within and other not in reached:
                reached.add(other)
                todo.append(other)
    return reached


def dead_stones(board: Board, ownership: Sequence[float]) -> set[int]:
    """Return the dead stones, given the owner of each point, from 1 for Black to -1 for White.

    Pass-alive chains are alive, and stones inside pass-alive territory of the opponent are dead,
    whatever the ownership.
    """
    life = Life(board)
    life.look(board)
    dead: set[int] = set()
    for chain in chains(board):
        colour = board.cell(board.point(chain[0]))
        holder = life.owner_of(board.point(chain[0]))
        if holder == colour:
            continue
        sign = 1 if colour == BLACK else -1
        owned = [sign * ownership[move] for move in chain]
        alive = sum(owned) / len(owned) > ALIVE_MEAN and min(owned) > ALIVE_WORST
        if holder or not alive:
            dead.update(chain)
    return dead


def score(board: Board, rules: RuleSet, komi: float, dead: set[int]) -> Score:
    """Count a board under a rule set, with its dead stones removed."""
    cells = bytearray(board.cells_copy())
    lost = [0, 0, 0]
    for move in dead:
        lost[cells[move]] += 1
        cells[move] = EMPTY
    ground = _Ground(board, cells)
    owners = ground.owners()
    seki = ground.seki()
    if rules.seki_tax:
        for region, holder in zip(ground.regions, ground.holders, strict=True):
            if holder and any(move in seki for move in ground.borders(region)):
                for move in region:
                    owners[move] = EMPTY
    points = [0.0, 0.0, komi]
    for move, owner in enumerate(owners):
        if owner and (rules.scoring != TERRITORY or cells[move] == EMPTY):
            points[owner] += 1
    if rules.scoring == TERRITORY:
        points[BLACK] += board.white_captured + lost[WHITE]
        points[WHITE] += board.black_captured + lost[BLACK]
    return Score(points[BLACK], points[WHITE], bytes(owners), frozenset(seki))


class _Ground:
    """The empty regions of a board without its dead stones, and the stones around them."""

    def __init__(self, board: Board, cells: bytearray) -> None:
        self.board = board
        self.cells = cells
        self.of = {
            colour: {move for move, cell in enumerate(cells) if cell == colour}
            for colour in (EMPTY, BLACK, WHITE)
        }
        self.regions: list[set[int]] = []
        self.holders: list[int] = []  # The only colour around each region, or 0.
        left = set(self.of[EMPTY])
        while left:
            region = spread(board, min(left), left)
            left -= region
            colours = {cells[other] for other in self.borders(region)}
            self.regions.append(region)
            self.holders.append(colours.pop() if len(colours) == 1 else 0)

    def borders(self, region: set[int]) -> set[int]:
        """Return the stones around a region."""
        return {other for move in region for other in near(self.board, move)} - region

    def owners(self) -> bytearray:
        """Return the colour of each point: its stone's, or the only one around its region."""
        owners = bytearray(self.cells)
        for region, holder in zip(self.regions, self.holders, strict=True):
            for move in region:
                owners[move] = holder
        return owners

    def seki(self) -> set[int]:
        """Return the stones in seki: alive without two eyes, beside enemy stones like them.

        Chains around one eye form a group. A group is weak if it has at most one eye, which is too
        small to become two. It is in seki if it shares a neutral liberty with a weak enemy group.
        """
        groups: list[tuple[set[int], int]] = []  # The stones of each group, and its only eye or -1.
        for move, cell in enumerate(self.cells):
            if cell == EMPTY or any(move in stones for stones, _ in groups):
                continue
            stones, eyes = self._group(move)
            weak = len(eyes) < 2 and sum(map(len, eyes)) <= EYE
            groups.append((stones, 0 if weak else -1))
        weak_stones = [stones for stones, eye in groups if eye == 0]
        in_seki: set[int] = set()
        for region, holder in zip(self.regions, self.holders, strict=True):
            if holder or len(region) > SHARED:
                continue
            around = self.borders(region)
            touching = [stones for stones in weak_stones if stones & around]
            colours = {self.cells[next(iter(stones))] for stones in touching}
            if len(colours) == 2 and all(
                any(move in stones for stones in touching) for move in around
            ):
                in_seki.update(*touching)
        return in_seki

    def _group(self, move: int) -> tuple[set[int], list[set[int]]]:
        stones = spread(self.board, move, self.of[self.cells[move]])
        eyes: list[set[int]] = []
        while True:
            new = [
                region
                for region, holder in zip(self.regions, self.holders, strict=True)
                if holder and region not in eyes and self.borders(region) & stones
            ]
            if not new:
                return stones, eyes
            eyes += new
            for region in new:
                for other in self.borders(region) - stones:
                    stones |= spread(self.board, other, self.of[self.cells[other]])
