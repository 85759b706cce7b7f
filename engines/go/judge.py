"""Judging what is dead: ownership over a search, and doubtful fights played out."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Final, Protocol

from engines.core.game import Move
from engines.go.board import BLACK, EMPTY, WHITE, Board
from engines.go.life import Life
from engines.go.ruleset import AREA, POSITIONAL
from engines.go.scoring import dead_stones, near, score, spread

if TYPE_CHECKING:
    from engines.go.history import Position
    from engines.go.search import Findings

VISITS: Final = 100  # Over which ownership is averaged.
FIGHTING: Final = 48  # Visits a move where a fight is played out.
CERTAIN: Final = 0.8  # Ownership beyond which the death of stones without enclosed enemies stands.
ROOM: Final = 10  # Empty points within reach that make enemy stones a part of their side's ground.


class Looking(Protocol):
    """What a judge needs of a search."""

    def look(
        self,
        position: "Position",
        visits: int,
        *,
        dead: Collection[Move] = (),
        banned: Collection[Move] = (),
    ) -> "Findings":
        """Search a position afresh, the same way every time."""


class Judge:
    """Finds the dead stones of a position; the same position is always judged the same way."""

    def __init__(self, search: Looking) -> None:
        self._search = search

    def dead(self, position: "Position") -> set[Move]:
        """Return the moves on which stones stand that are dead; none where all count as alive."""
        if not position.rules.judged:
            return set()
        before = position.copy()
        while before.passes:  # Behind a pass every line of play is a short one.
            before.undo()
        found = self._search.look(before, VISITS)
        sign = 1.0 if before.turn == 0 else -1.0
        ownership = [sign * value for value in found.ownership]
        dead = dead_stones(position.board, ownership)
        for fight in list(_fights(position.board, dead, ownership)):
            dead -= self._survivors(position, fight, dead)
        return dead

    def _survivors(self, position: "Position", fight: "_Fight", dead: set[Move]) -> set[Move]:
        """Let the attacker begin, and return the stones that he cannot take."""
        others = dead - fight.stones
        rules = replace(position.rules, ko=POSITIONAL, scoring=AREA, suicide=False, seki_tax=False)
        margins = [score(position.board, rules, 0.0, lost).margin for lost in (dead, others)]
        # A komi between both outcomes: who wins the fight wins the game, and the search sees it.
        twin = position.restarted(rules, sum(margins) / 2 + 0.1, 2 - fight.defender)
        banned = frozenset(range(position.area)) - fight.ground
        for _ in range(2 * len(fight.ground)):
            found = self._search.look(twin, FIGHTING, dead=others, banned=banned)
            twin.play(max(found.candidates, key=lambda one: (one.visits, one.prior)).move)
            left = _standing(twin.board, fight)
            if twin.passes >= 2 or not left or fight.stones & _held(twin.board, fight.defender):
                break
            if 2 * len(left) < len(fight.stones) or fight.stones <= _held(
                twin.board, 3 - fight.defender
            ):
                return set()  # What is left of so much falls with the rest.
        return _standing(twin.board, fight)


@dataclass(frozen=True, slots=True)
class _Fight:
    """Stones said to be dead, whose they are, and where moves may matter to them."""

    defender: int
    stones: frozenset[Move]
    ground: frozenset[Move]


def _standing(board: Board, fight: _Fight) -> set[Move]:
    return {move for move in fight.stones if board.cell(board.point(move)) == fight.defender}


def _held(board: Board, colour: int) -> set[Move]:
    """Return the points that a colour holds for good."""
    life = Life(board)
    life.look(board)
    return {move for move in range(board.area) if life.owner_of(board.point(move)) == colour}


def _fights(board: Board, dead: set[Move], ownership: list[float]) -> Iterator[_Fight]:
    """Yield the stones whose death needs a proof.

    They are those beside enemies who are shut in as they are, and those that the ownership is not
    sure of; none that lie in ground which the enemy holds for good.
    """
    cells = board.cells_copy()
    empty = {move for move, cell in enumerate(cells) if cell == EMPTY}
    held = {colour: _held(board, colour) for colour in (BLACK, WHITE)}
    left = set(dead)
    while left:
        first = min(left)
        defender = cells[first]
        attacker = 3 - defender
        ground = spread(board, first, empty | dead)
        stones = {move for move in ground & left if cells[move] == defender}
        left -= stones
        if stones <= held[attacker]:
            continue
        sign = 1.0 if defender == BLACK else -1.0
        sure = -sum(sign * ownership[move] for move in stones) / len(stones) > CERTAIN
        beside = {other for move in stones for other in near(board, move)}
        his = {move for move, cell in enumerate(cells) if cell == attacker} - dead
        shut_in: set[Move] = set()
        for move in beside & his:
            if move not in shut_in:
                reach = spread(board, move, his | empty)
                if len(reach & empty) <= ROOM:
                    shut_in |= reach
        if shut_in or not sure:
            yield _Fight(defender, frozenset(stones), frozenset(ground | shut_in))


@cache
def house_judge() -> Judge:
    """Return the judge of this process, made when first asked for: a network takes a while."""
    from engines.go.search import Search

    return Judge(Search(threads=1))
