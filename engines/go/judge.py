"""Judging what is dead: ownership over a search, and doubtful fights played out."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Final, Protocol

from engines.core.game import Move
from engines.go.board import BLACK, EMPTY, WHITE, Board
from engines.go.life import Life
from engines.go.ruleset import AREA, POSITIONAL, RuleSet
from engines.go.scoring import chains, dead_stones, near, score, spread

if TYPE_CHECKING:
    from engines.go.history import Position
    from engines.go.search import Findings

VISITS: Final = 100  # Over which ownership is averaged,
CAREFUL: Final = 400  # and over how many where that is not sure of a chain.
FIGHTING: Final = (80, 240)  # Visits a move where a fight is played out; who lives, lives twice.
BUDGET: Final = 8_000  # Visits for all fights of a position; beyond it the ownership is believed.
LONGEST: Final = 40  # Moves of a fight: who has lived so long lives.
WIDE: Final = 20  # Empty points beyond which no fight can be played to its end.
SETTLED: Final = 0.6  # Share of the points whose owner is known where a game is as good as over.
CERTAIN: Final = 0.8  # Ownership beyond which it is believed.
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


@dataclass(frozen=True, slots=True)
class _Fight:
    """Stones said to be dead, whose they are, and where moves may matter to them."""

    defender: int
    stones: frozenset[Move]
    ground: frozenset[Move]


class Judge:
    """Finds the dead stones of a position; the same position is always judged the same way."""

    def __init__(self, search: Looking) -> None:
        self._search = search
        self._stop: Callable[[], bool] = bool
        self._left = 0  # Visits.
        self.hurried = False  # Whether the last judgement was cut short while in doubt.

    def dead(self, position: "Position", stop: Callable[[], bool] = bool) -> set[Move]:
        """Return the moves on which stones stand that are dead; none where all count as alive.

        Once `stop` says so, the ownership is believed where it leaves a doubt.
        """
        self._stop, self.hurried = stop, False
        if not position.rules.judged:
            return set()
        board = position.board
        self._left = BUDGET
        ownership = self._ownership(position, VISITS)
        sure = all(abs(_mean(ownership, chain)) > CERTAIN for chain in chains(board))
        if not sure and not self._is_stopped():
            ownership = self._ownership(position, CAREFUL)
        dead = dead_stones(board, ownership)
        if sum(abs(owned) > 0.5 for owned in ownership) < SETTLED * len(ownership):
            return dead  # Half a game: fights that are to come cannot be played out.
        field = _Field(board, dead, ownership)
        for fight in field.doubtful():
            saved = self._survivors(position, fight, dead) or set()
            dead -= saved
            # Who could not take them may have counted on it for his own life.
            for other in field.beside(saved, dead):
                if self._survivors(position, other, dead | other.stones) == set():
                    dead |= other.stones
        for fight in field.shaky(dead):
            if self._survivors(position, fight, dead | fight.stones) == set():
                dead |= fight.stones
        return dead

    def _ownership(self, position: "Position", visits: int) -> list[float]:
        """Return who owns each point, 1 Black and -1 White, whoever of both is to move.

        Only the stones count, not how they came there nor what was captured before.
        """
        rules = _plain(position.rules)
        sides = []
        for turn, sign in ((0, 0.5), (1, -0.5)):
            fresh = position.restarted(rules, 0.0, turn)
            sides.append([sign * value for value in self._search.look(fresh, visits).ownership])
        return [sum(both) for both in zip(*sides, strict=True)]

    def _survivors(self, position: "Position", fight: _Fight, dead: set[Move]) -> set[Move] | None:
        """Let the attacker begin, and return the stones he cannot take; None if cut short."""
        others = dead - fight.stones
        rules = _plain(position.rules)
        margin = score(position.board, rules, 0.0, dead).margin
        # A komi between both outcomes: who wins the fight wins the game, and the search sees it.
        swing = len(fight.stones) - 0.4
        komi = margin + (swing if fight.defender == BLACK else -swing)
        twin = position.restarted(rules, komi, 2 - fight.defender)
        left: set[Move] | None = None
        for visits in FIGHTING:
            left = self._play_out(twin.copy(), fight, others, visits)
            if not left:
                break
        return left

    def _is_stopped(self) -> bool:
        self.hurried = self.hurried or self._stop()
        return self.hurried

    def _play_out(
        self, twin: "Position", fight: _Fight, others: Collection[Move], visits: int
    ) -> set[Move] | None:
        """Play a fight to its end, and return what stands of the stones that were in danger."""
        banned = frozenset(range(twin.area)) - fight.ground
        for _ in range(min(LONGEST, 2 * len(fight.ground))):
            if self._left < visits or self._is_stopped():
                return None
            self._left -= visits
            found = self._search.look(twin, visits, dead=others, banned=banned)
            twin.play(max(found.candidates, key=lambda one: (one.visits, one.prior)).move)
            left = _standing(twin.board, fight)
            if twin.passes >= 2 or not left or fight.stones & _held(twin.board, fight.defender):
                break
            if 2 * len(left) < len(fight.stones) or fight.stones <= _held(
                twin.board, 3 - fight.defender
            ):
                return set()  # What is left of so much falls with the rest.
        return _standing(twin.board, fight)


def _plain(rules: RuleSet) -> RuleSet:
    """Return the rules under which all judging is done: the area counts, taking costs nothing."""
    return replace(rules, ko=POSITIONAL, scoring=AREA, suicide=False, seki_tax=False)


def _mean(ownership: Sequence[float], moves: Collection[Move]) -> float:
    return sum(ownership[move] for move in moves) / len(moves)


def _standing(board: Board, fight: _Fight) -> set[Move]:
    return {move for move in fight.stones if board.cell(board.point(move)) == fight.defender}


def _held(board: Board, colour: int) -> set[Move]:
    """Return the points that a colour holds for good."""
    life = Life(board)
    life.look(board)
    return {move for move in range(board.area) if life.owner_of(board.point(move)) == colour}


class _Field:
    """A board on which some stones are said to be dead: whose death, or life, needs a proof."""

    def __init__(self, board: Board, dead: set[Move], ownership: Sequence[float]) -> None:
        self.board = board
        self.dead = frozenset(dead)
        self.ownership = ownership
        self.cells = board.cells_copy()
        self.empty = {move for move, cell in enumerate(self.cells) if cell == EMPTY}
        self.of = {
            colour: {move for move, cell in enumerate(self.cells) if cell == colour}
            for colour in (BLACK, WHITE)
        }
        self.held = {colour: _held(board, colour) for colour in (BLACK, WHITE)}

    def doubtful(self) -> list[_Fight]:
        """List the dead of whom the ownership is not sure, but where the enemy's ground is."""
        found = []
        left = set(self.dead)
        while left:
            first = min(left)
            defender = self.cells[first]
            stones = self._group(first, self.of[defender] & self.dead)
            left -= stones
            if not stones <= self.held[3 - defender] and not self._is_sure(stones, 3 - defender):
                found.append(self._fight(stones, self.dead))
        return self._narrow(found)

    def beside(self, stones: set[Move], dead: set[Move]) -> list[_Fight]:
        """List living groups beside stones, of whose life the ownership is not sure."""
        if not stones:
            return []
        enemy = 3 - self.cells[min(stones)]
        near_by = {other for move in stones for other in near(self.board, move)} & self.of[enemy]
        return self._unsure(near_by - dead, dead)

    def shaky(self, dead: set[Move]) -> list[_Fight]:
        """List the living of whose life the ownership is not sure.

        Not those beside enemies whose death was decided: they live by it.
        """
        alive = {move for move, cell in enumerate(self.cells) if cell != EMPTY} - dead
        return [
            fight
            for fight in self._unsure(alive, dead)
            if not fight.ground & dead & self.of[3 - fight.defender]
        ]

    def _unsure(self, left: set[Move], dead: set[Move]) -> list[_Fight]:
        found = []
        left = set(left)
        while left:
            first = min(left)
            colour = self.cells[first]
            chain = spread(self.board, first, self.of[colour])
            left -= chain
            if not chain <= self.held[colour] and not self._is_sure(chain, colour):
                found.append(self._fight(chain, dead | chain))
        return self._narrow(found)

    def _narrow(self, fights: list[_Fight]) -> list[_Fight]:
        """Leave out what cannot be played to its end; the smallest come first."""
        rooms = [(len(fight.ground & self.empty), fight) for fight in fights]
        rooms = [(room, fight) for room, fight in rooms if room <= WIDE]
        return [fight for _, fight in sorted(rooms, key=lambda one: len(one[1].ground))]

    def _is_sure(self, moves: Collection[Move], colour: int) -> bool:
        mean = _mean(self.ownership, moves)
        return (mean if colour == BLACK else -mean) > CERTAIN

    def _group(self, first: Move, within: set[Move]) -> set[Move]:
        """Return the chains that share liberties: what else dies nearby is its own matter."""
        stones = spread(self.board, first, within)
        while True:
            free = {other for move in stones for other in near(self.board, move)} & self.empty
            more = {other for move in free for other in near(self.board, move)} & within - stones
            if not more:
                return stones
            stones |= {other for move in more for other in spread(self.board, move, within)}

    def _fight(self, stones: set[Move], dead: Collection[Move]) -> _Fight:
        """Return the fight for stones: where they stand, and with whom they are shut in."""
        first = min(stones)
        defender = self.cells[first]
        ground = spread(self.board, first, self.empty | stones | set(dead))
        enemy = self.of[3 - defender] - set(dead)
        beside = {other for move in stones for other in near(self.board, move)} & enemy
        for move in sorted(beside):
            if move not in ground:
                reach = spread(self.board, move, enemy | self.empty)
                if len(reach & self.empty) <= ROOM:
                    ground |= reach
        return _Fight(defender, frozenset(stones), frozenset(ground))


@cache
def house_judge() -> Judge:
    """Return the judge of this process, made when first asked for: a network takes a while."""
    from engines.go.search import Search

    return Judge(Search(threads=1))
