"""The levels of play: the visits of each, and how randomly it chooses among moves."""

import random
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engines.go.rules.board import EMPTY
from engines.go.rules.scoring import near

if TYPE_CHECKING:
    from engines.go.play.search import Findings
    from engines.go.rules.history import Position

STRONGEST: Final = 10
MANY: Final = 5  # Sacrifices of fewer stones are sometimes good moves.


@dataclass(frozen=True, slots=True)
class Level:
    """The way in which one level chooses its moves.

    With a `heat` above 0, moves are drawn from the network's policy, with each probability raised
    to the power 1 / heat. Moves less likely than `floor` times the likeliest one are not drawn.
    """

    visits: int | None  # None: limited by the settings and the clock only.
    heat: float = 0.0
    floor: float = 0.0


LEVELS: Final = (
    Level(2, 3.0, 0.002),
    Level(2, 2.2, 0.004),
    Level(2, 1.6, 0.01),
    Level(2, 1.2, 0.02),
    Level(2, 0.8, 0.05),
    Level(2, 0.4, 0.1),
    Level(2),
    Level(12),
    Level(50),
    Level(None),
)


def choose(
    level: Level,
    findings: "Findings",
    position: "Position",
    chance: random.Random,
    banned: Collection[int] = (),
) -> int:
    """Return the move that a level plays after a search, but none of the `banned` moves."""
    best = findings.candidates[0].move
    policy = [known for known in findings.policy if known[0] not in banned]
    if level.heat == 0.0 or not policy:
        return best
    likeliest = max(policy, key=lambda known: known[1])
    if position.area in (best, likeliest[0]):
        return best
    moves, weights = [], []
    for move, prior in policy:
        if prior < level.floor * likeliest[1] or move == position.area:
            continue
        if move != likeliest[0] and is_silly(position, move):
            continue
        moves.append(move)
        weights.append(prior ** (1.0 / level.heat))
    return chance.choices(moves, weights)[0] if moves else best


def is_silly(position: "Position", move: int) -> bool:
    """Tell whether a move is one that no player would make.

    These are moves that fill one's own eye, that are on the edge with no stone near, and that put
    many of one's own stones into atari.
    """
    board = position.board
    beside = near(board, move)
    cells = [board.cell(board.point(other)) for other in beside]
    if all(cell == position.colour for cell in cells):
        return True
    y, x = divmod(move, board.width)
    on_edge = x in (0, board.width - 1) or y in (0, board.height - 1)
    if on_edge and _is_alone(position, move):
        return True
    return position.colour in cells and _loses_many(position, move)


def _loses_many(position: "Position", move: int) -> bool:
    board = position.board.copy()
    point = board.point(move)
    if board.play(point, position.colour) or board.cell(point) != position.colour:
        return False
    return board.count_liberties(point, 2) == 1 and len(board.stones_of(point)) >= MANY


def _is_alone(position: "Position", move: int) -> bool:
    """Tell whether all eight points around a point are empty."""
    board = position.board
    y, x = divmod(move, board.width)
    around = (
        row * board.width + column
        for row in range(max(y - 1, 0), min(y + 2, board.height))
        for column in range(max(x - 1, 0), min(x + 2, board.width))
    )
    return all(board.cell(board.point(other)) == EMPTY for other in around)
