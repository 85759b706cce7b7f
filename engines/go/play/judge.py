"""The judge of dead stones: ownership averaged over a search, and doubtful fights played out."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Final, Protocol

from engines.core.game import Move
from engines.go.rules.board import BLACK, EMPTY, WHITE, Board
from engines.go.rules.life import Life
from engines.go.rules.ruleset import AREA, POSITIONAL, RuleSet
from engines.go.rules.scoring import chains, dead_stones, near, score, spread

if TYPE_CHECKING:
    from engines.go.play.search import Findings
    from engines.go.rules.history import Position

VISITS: Final = 100  # The search over which ownership is averaged.
CAREFUL: Final = 250  # The longer search, if the first is not sure of every chain.
# Visits per move when a fight is played out. Survivors must survive again with more visits.
FIGHTING: Final = (80, 240)
BUDGET: Final = 20_000  # Visits for all fights, on a board of one tile. Then the ownership decides.
LONGEST: Final = 40  # Moves of a fight: stones that survive so many are alive.
WIDE: Final = 20  # With more empty points in reach than this, a fight cannot be played to its end.
SETTLED: Final = 0.6  # Below this share of points with a known owner, fights are not played out.
CERTAIN: Final = 0.8  # The mean ownership above which a chain is not in doubt.
ROOM: Final = 10  # Enemy stones that reach fewer empty points than this belong to the fight.


class FightSearch(Protocol):
    """A search that makes the moves of a fight on a position."""

    def play(self, visits: int, stop: Callable[[], bool]) -> int:
        """Search to so many visits, make the best move, and return the number of new visits."""


class PositionSearch(Protocol):
    """The part of a search that the judge uses."""

    def look(
        self,
        position: "Position",
        visits: int,
        *,
        stop: Callable[[], bool] = bool,
    ) -> "Findings":
        """Search a position with an empty tree, so that the result is always the same."""

    def follow(
        self, position: "Position", dead: Collection[Move], ground: Collection[Move]
    ) -> "FightSearch":
        """Return a search that plays moves of the position on some ground only."""


@dataclass(frozen=True, slots=True)
class _Fight:
    """Stones in doubt, the colour that owns them, and the points where moves may matter to them."""

    defender: int
    stones: frozenset[Move]
    ground: frozenset[Move]


class DeadStoneJudge:
    """Finds the dead stones of a position; the same position always has the same result."""

    def __init__(self, search: PositionSearch) -> None:
        self._search = search
        self._stop: Callable[[], bool] = bool
        self._left = 0  # Visits that are left for fights.
        self.hurried = False  # Whether the last judgement was stopped while in doubt.

    def dead(self, position: "Position", stop: Callable[[], bool] = bool) -> set[Move]:
        """Return the points of dead stones; none under rules by which all stones are alive.

        Once `stop` returns True, the ownership also decides the stones that are in doubt.
        """
        self._stop, self.hurried = stop, False
        if not position.rules.judged:
            return set()
        board = position.board
        self._left = BUDGET // _tiles(board)
        ownership = self._ownership(position, VISITS)
        if _is_unsettled(board, ownership) or self.hurried:
            return dead_stones(board, ownership)
        if any(abs(_mean(ownership, chain)) <= CERTAIN for chain in chains(board)):
            ownership = self._ownership(position, CAREFUL)
        dead = dead_stones(board, ownership)
        if _is_unsettled(board, ownership):
            return dead
        finder = _FightFinder(board, dead, ownership)
        for fight in finder.doubtful():
            saved = self._survivors(position, fight, dead) or set()
            dead -= saved
            # Stones that fail to capture their neighbours may have lived only by capturing them.
            for other in finder.beside(saved, dead):
                if self._survivors(position, other, dead | other.stones) == set():
                    dead |= other.stones
        for fight in finder.shaky(dead):
            if self._survivors(position, fight, dead | fight.stones) == set():
                dead |= fight.stones
        return dead

    def _ownership(self, position: "Position", visits: int) -> list[float]:
        """Return the owner of each point, from 1 for Black to -1 for White.

        The average over both sides to move: the result depends only on the stones on the board,
        and not on the moves or the captures before.
        """
        rules = _plain(position.rules)
        sides = []
        for turn, sign in ((0, 0.5), (1, -0.5)):
            fresh = position.restarted(rules, 0.0, turn)
            findings = self._search.look(fresh, visits, stop=self._is_stopped)
            sides.append([sign * value for value in findings.ownership])
        return [sum(both) for both in zip(*sides, strict=True)]

    def _survivors(self, position: "Position", fight: _Fight, dead: set[Move]) -> set[Move] | None:
        """Play a fight, attacker first; return the stones not captured, or None if cut short."""
        others = dead - fight.stones
        rules = _plain(position.rules)
        margin = score(position.board, rules, 0.0, dead).margin
        # With a komi between both outcomes, the winner of the fight wins the game.
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
        """Play a fight to its end; return the stones in doubt that are still on the board."""
        line = self._search.follow(twin, others, fight.ground)
        for _ in range(min(LONGEST, 2 * len(fight.ground))):
            if self._left <= 0 or self._is_stopped():
                return None
            self._left -= line.play(visits, self._is_stopped)
            left = _standing(twin.board, fight)
            if twin.passes >= 2 or not left or fight.stones & _held(twin.board, fight.defender):
                break
            if 2 * len(left) < len(fight.stones) or fight.stones <= _held(
                twin.board, 3 - fight.defender
            ):
                return set()  # Most of the stones are captured, and the rest cannot live.
        return _standing(twin.board, fight)


def _plain(rules: RuleSet) -> RuleSet:
    """Return the rules for judging: under area counting, capturing costs nothing."""
    return replace(rules, ko=POSITIONAL, scoring=AREA, suicide=False, seki_tax=False)


def _is_unsettled(board: Board, ownership: Sequence[float]) -> bool:
    """Tell whether the game is so far from its end that fights cannot be played out."""
    if board.cells_copy().count(EMPTY) <= WIDE:
        return False
    return sum(abs(owned) > 0.5 for owned in ownership) < SETTLED * len(ownership)


def _tiles(board: Board) -> int:
    """Return how many squares of 4x4 points cover a board: evaluating takes as long."""
    return ((board.width + 3) // 4) * ((board.height + 3) // 4)


def _mean(ownership: Sequence[float], moves: Collection[Move]) -> float:
    return sum(ownership[move] for move in moves) / len(moves)


def _standing(board: Board, fight: _Fight) -> set[Move]:
    return {move for move in fight.stones if board.cell(board.point(move)) == fight.defender}


def _held(board: Board, colour: int) -> set[Move]:
    """Return the pass-alive stones and territory of a colour."""
    life = Life(board)
    life.look(board)
    return {move for move in range(board.area) if life.owner_of(board.point(move)) == colour}


class _FightFinder:
    """Finds the stones whose death or life is in doubt, given those that seem to be dead."""

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
        """List fights for dead stones that are in doubt, except in pass-alive territory."""
        fights = []
        left = set(self.dead)
        while left:
            first = min(left)
            defender = self.cells[first]
            stones = self._group(first, self.of[defender] & self.dead)
            left -= stones
            if not stones <= self.held[3 - defender] and not self._is_sure(stones, 3 - defender):
                fights.append(self._fight(stones, self.dead))
        return self._narrow(fights)

    def beside(self, stones: set[Move], dead: set[Move]) -> list[_Fight]:
        """List fights for living stones in doubt that stand beside the given stones."""
        if not stones:
            return []
        enemy = 3 - self.cells[min(stones)]
        near_by = {other for move in stones for other in near(self.board, move)} & self.of[enemy]
        return self._unsure(near_by - dead, dead)

    def shaky(self, dead: set[Move]) -> list[_Fight]:
        """List fights for living stones that are in doubt.

        Stones beside dead enemy stones are left out, because these make them live.
        """
        alive = {move for move, cell in enumerate(self.cells) if cell != EMPTY} - dead
        return [
            fight
            for fight in self._unsure(alive, dead)
            if not fight.ground & dead & self.of[3 - fight.defender]
        ]

    def _unsure(self, left: set[Move], dead: set[Move]) -> list[_Fight]:
        fights = []
        left = set(left)
        while left:
            first = min(left)
            colour = self.cells[first]
            chain = spread(self.board, first, self.of[colour])
            left -= chain
            if not chain <= self.held[colour] and not self._is_sure(chain, colour):
                fights.append(self._fight(chain, dead | chain))
        return self._narrow(fights)

    def _narrow(self, fights: list[_Fight]) -> list[_Fight]:
        """Drop fights that cannot be played to their end, and sort the others by size."""
        rooms = [(len(fight.ground & self.empty), fight) for fight in fights]
        rooms = [(room, fight) for room, fight in rooms if room <= WIDE]
        return [fight for _, fight in sorted(rooms, key=lambda one: len(one[1].ground))]

    def _is_sure(self, moves: Collection[Move], colour: int) -> bool:
        mean = _mean(self.ownership, moves)
        return (mean if colour == BLACK else -mean) > CERTAIN

    def _group(self, first: Move, within: set[Move]) -> set[Move]:
        """Return the chains that are connected by shared liberties with a first one."""
        stones = spread(self.board, first, within)
        while True:
            free = {other for move in stones for other in near(self.board, move)} & self.empty
            more = {other for move in free for other in near(self.board, move)} & within - stones
            if not more:
                return stones
            stones |= {other for move in more for other in spread(self.board, move, within)}

    def _fight(self, stones: set[Move], dead: Collection[Move]) -> _Fight:
        """Return the fight for stones: the ground around them, with the enemies enclosed there."""
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
def shared_judge() -> DeadStoneJudge:
    """Return the one judge of this process, created on first use with its network."""
    from engines.go.play.search import Search

    return DeadStoneJudge(Search(threads=1))
