"""The search of a position: trees that are kept between moves, threads, and its findings."""

import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from engines.go.play import tree as hot
from engines.go.play.network.network import Evaluator
from engines.go.play.network.weights import Weights, load
from engines.go.play.tree import EXPLORATION, URGENCY, Tree
from engines.go.play.worker import Worker
from engines.go.rules.board import BLACK, WHITE
from engines.go.rules.history import Position
from engines.go.rules.ruleset import POSITIONAL, SITUATIONAL, TERRITORY
from engines.go.rules.scoring import dead_stones

NET: Final = Path(__file__).parents[1] / "data" / "net.npz"
THREADS: Final = 2
FIRST_NODES: Final = 20_000
MOST_NODES: Final = 500_000  # 190 MB. A search ends when they are used up.
SURE: Final = 4.0  # Standard errors between the mean utility of a move and its lower bound.
PROVEN: Final = 0.1  # Moves with fewer visits, as a share of the most, are not chosen.
FAR: Final = 1000  # A depth that no line of a search reaches.
LONG: Final = 30  # The most moves of a line that is reported.
_SUPERKO: Final = {POSITIONAL: 1, SITUATIONAL: 2}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move that was searched; all values are from the mover's point of view."""

    move: int
    visits: int
    win: float
    lead: float
    utility: float
    bound: float  # The lower confidence bound of the utility.
    prior: float
    line: tuple[int, ...]
    line_visits: tuple[int, ...] = ()
    spread: float = 0.0  # The standard deviation of the leads after the move.
    ownership: Sequence[float] = ()  # After the move, if that was requested.


@dataclass(frozen=True, slots=True)
class Findings:
    """The findings of a search: candidates, best first, and values of the root for the mover."""

    candidates: Sequence[Candidate]
    visits: int
    win: float
    lead: float
    ownership: Sequence[float]  # In reading order, from 1 for the mover to -1.
    ownership_spread: Sequence[float] = ()
    spread: float = 0.0
    policy: Sequence[tuple[int, float]] = ()  # The probability of each move by the network alone.
    dead: Collection[int] = ()  # The stones counted as dead where two passes ended a line.
    turn: int = 0  # The side of the mover.


class Search:
    """Searches one position at a time, and keeps the tree from move to move of a game."""

    def __init__(self, net: Path = NET, threads: int = THREADS) -> None:
        self.net = net
        self.threads = threads
        self.exploration = EXPLORATION
        self.urgency = URGENCY
        self._weights: Weights | None = None
        self._tree: Tree | None = None
        self._root: tuple[object, list[tuple[int, int]], int] = (None, [], 0)
        self._workers: list[Worker] = []

    @property
    def weights(self) -> Weights:
        """The network, loaded on first use."""
        if self._weights is None:
            self._weights = load(self.net)
        return self._weights

    def prepare(self, position: Position) -> None:
        """Load the network and allocate memory for boards of this size before the first search."""
        self.look(position, 2)

    def forget(self) -> None:
        """Forget what earlier searches found."""
        self._tree = None

    def think(
        self,
        position: Position,
        *,
        stop: Callable[[], bool],
        seconds: float | None = None,
        visits: int | None = None,
        banned: Collection[int] = (),
        deeper: Sequence[tuple[int, int, int]] = (),
        dead: Collection[int] | None = None,
        cleanup: bool = False,
    ) -> Findings:
        """Search until a limit is reached or `stop`, called every few milliseconds, returns True.

        `banned` moves are not searched at the root. `deeper` lists sides, their moves, and the
        number of moves from the root within which each is not searched. `dead` stones are removed
        where two passes end the game; by default these are the stones that the network thinks dead.
        """
        began = time.monotonic()
        workers = self._equip(position)
        tree = self._tree_of(position, fresh=cleanup or dead is not None or bool(deeper))
        if dead is None:
            dead = self.dead_at_a_glance(position)
        tree.limit_moves(
            sorted(banned),
            sorted(dead),
            cleanup=cleanup,
            deeper=[(1 + side, move, depth) for side, move, depth in deeper],
        )
        deadline = began + seconds if seconds is not None else float("inf")
        most = visits or 1 << 40
        if tree.root_visits() < 2:  # Search at least one move, whatever the limits are.
            tree.begin(bool, float("inf"), 2)
            tree.work(workers[0])
        while True:
            tree.begin(stop, deadline, most)
            helpers = [threading.Thread(target=tree.work, args=(w,)) for w in workers[1:]]
            for helper in helpers:
                helper.start()
            tree.work(workers[0])
            tree.halt()
            for helper in helpers:
                helper.join()
            if not tree.full or not tree.grow(MOST_NODES):
                break
        return replace(findings(tree, position, banned), dead=dead)

    def now(
        self, position: Position, banned: Collection[int] = (), *, owners: bool = False
    ) -> Findings:
        """Return the findings so far; with `owners`, include the ownership after each move.

        Call this from inside `stop`, or after a search of the same position.
        """
        if self._tree is None:
            raise ValueError("no position is being searched")
        result = findings(self._tree, position, banned)
        if not owners:
            return result
        candidates = [
            replace(one, ownership=self._owners_behind(position, one.move))
            for one in result.candidates
        ]
        return replace(result, candidates=candidates)

    def _owners_behind(self, position: Position, move: int) -> list[float]:
        sign = 1.0 if position.turn == 0 else -1.0
        if self._tree is not None and (known := self._tree.ownership(move)):
            return [sign * value for value in known]
        # A tree that was kept from the previous move has no ownership for it: ask the network.
        after = position.copy()
        after.play(move)
        return [-value for value in self.look(after, 1).ownership]

    def decided(self, share: float) -> bool:
        """Tell whether the best move stays the same, however the next visits turn out.

        `share` is the number of these visits, as a share of those made so far.
        """
        if self._tree is None:
            return False
        counts = sorted(_counts(self._tree), reverse=True)
        if len(counts) < 2:
            return bool(counts) and len(self._tree.children()) == 1
        return counts[0] - counts[1] > share * self._tree.root_visits()

    def look(
        self,
        position: Position,
        visits: int,
        *,
        stop: Callable[[], bool] = bool,
    ) -> Findings:
        """Search a position by one thread with an empty tree: the result is always the same.

        Once `stop` returns True, the result is that of the visits so far.
        """
        workers = self._equip(position)
        tree = Tree(position.board, 2 * visits + 16)
        root(tree, position)
        tree.limit_moves([], [], cleanup=False)
        tree.begin(bool, float("inf"), 1)
        tree.work(workers[0])
        tree.begin(stop, float("inf"), visits)
        tree.work(workers[0])
        return findings(tree, position)

    def follow(self, position: Position, dead: Collection[int], ground: Collection[int]) -> "Line":
        """Return a search by one thread that plays moves of the position on some ground only."""
        return Line(self._equip(position)[0], position, dead, ground)

    def dead_at_a_glance(self, position: Position) -> set[int]:
        """Return the stones that the network, without a search, thinks dead."""
        if not position.rules.judged:
            return set()
        sign = 1.0 if position.turn == 0 else -1.0
        result = self.look(position, 1)
        return dead_stones(position.board, [sign * value for value in result.ownership])

    def _equip(self, position: Position) -> list[Worker]:
        board = position.board
        # Interpreted threads hold the GIL and would only take turns.
        threads = self.threads if is_compiled() else 1
        if len(self._workers) != threads or not self._workers[0].fits(board):
            weights = self.weights
            self._workers = [
                Worker(
                    board,
                    Evaluator(weights, board.width, board.height),
                    first=number == 0,
                )
                for number in range(threads)
            ]
        return self._workers

    def _tree_of(self, position: Position, *, fresh: bool) -> Tree:
        rules = position.rules
        board = position.board
        shape = (board.width, board.height, position.origin())
        game = (shape, rules, position.komi, position.handicap)
        known, played, turn = self._root
        tree = None if fresh else self._tree
        ahead = position.played[len(played) :]
        # A side may have moved, or be asked for a move, out of turn.
        turns = [colour - 1 for colour, _ in ahead] + [position.turn]
        in_turn = all(one == (turn + step) % 2 for step, one in enumerate(turns))
        goes_on = in_turn and known == game and position.played[: len(played)] == played
        if tree is not None and goes_on:
            for _, move in ahead:
                tree = tree.after(move) if tree is not None else None
        else:
            tree = None
        if tree is None:
            tree = Tree(position.board, FIRST_NODES)
        tree.exploration, tree.urgency = self.exploration, self.urgency
        root(tree, position)
        self._tree = tree
        self._root = (None if fresh else game, list(position.played), position.turn)
        return tree


class Line:
    """A search that plays on from a position, keeping its tree, with moves on some ground only.

    `dead` stones are removed where two passes end the game. The moves are always the same.
    """

    def __init__(
        self, worker: Worker, position: Position, dead: Collection[int], ground: Collection[int]
    ) -> None:
        self._worker = worker
        self._position = position
        self._dead = sorted(dead)
        banned = [move for move in range(position.area) if move not in ground]
        self._banned = [(colour, move, FAR) for colour in (BLACK, WHITE) for move in banned]
        self._tree: Tree | None = None

    def play(self, visits: int, stop: Callable[[], bool]) -> int:
        """Search to so many visits, make the best move, and return the number of new visits.

        The search ends as soon as the other moves cannot catch up, or if `stop` returns True.
        """
        tree = self._tree
        if tree is None:
            tree = Tree(self._position.board, 2 * visits + 16)
        root(tree, self._position)
        tree.limit_moves([], self._dead, cleanup=False, deeper=self._banned)
        before = tree.root_visits()
        tree.begin(bool, float("inf"), 2)
        tree.work(self._worker)

        def ends() -> bool:
            counts = sorted(_counts(tree), reverse=True)
            left = visits - tree.root_visits()
            return stop() or counts[0] - (counts[1] if len(counts) > 1 else 0) > left

        tree.begin(ends, float("inf"), visits)
        tree.work(self._worker)
        spent = tree.root_visits() - before
        move = findings(tree, self._position).candidates
        best = max(move, key=lambda one: (one.visits, one.prior)).move
        self._position.play(best)
        self._tree = tree.after(best)
        return spent


def is_compiled() -> bool:
    """Tell whether the hot parts of the search are compiled."""
    return not str(hot.__file__).endswith(".py")


def _counts(tree: Tree) -> Iterator[int]:
    """Return the visits of the moves that were searched at the root."""
    return (tree.summary(node)[0] for _, _, node in tree.children() if node)


def root(tree: Tree, position: Position) -> None:
    """Set the root of a tree to a position."""
    board = position.board
    recent = [0] * 5
    for back, (_, move) in enumerate(reversed(position.played[-5:])):
        recent[back] = board.point(move) if move != board.area else 0
    tree.set_root(
        board,
        position.turn,
        komi=position.effective_komi(),
        territory=position.rules.scoring == TERRITORY,
        superko=_SUPERKO.get(position.rules.ko, 0),
        history=position.repetitions(),
        recent=recent,
        passes=min(position.passes, 1),
        passed_before=len(position.played) > 1 and position.played[-2][1] == board.area,
    )


def findings(tree: Tree, position: Position, banned: Collection[int] = ()) -> Findings:
    """Return the findings in a tree, from the point of view of the side to move."""
    black = position.turn == 0
    sign = 1.0 if black else -1.0
    (visits, win, lead, _, _), moves = tree.survey()
    policy = [(move, prior) for move, prior, _, _ in moves]
    candidates = []
    for move, prior, node, (count, chance, points, utility, square) in moves:
        if move in banned or count == 0:
            continue
        # An imaginary visit of the widest spread keeps few visits from looking certain.
        spread = max(square - utility * utility, 0.0) + 1.0 / count
        below = line_below(tree, node)
        candidates.append(
            Candidate(
                move,
                count,
                chance if black else 1.0 - chance,
                sign * points,
                sign * utility,
                sign * utility - SURE * (spread / count) ** 0.5,
                prior,
                (move, *(step for step, _ in below)),
                (count, *(times for _, times in below)),
                tree.spread_of(node),
            )
        )
    if not candidates:
        # The only moves that are allowed may be among those that the search leaves out as useless.
        others = [*policy, *((move, 0.0) for move in position.legal_moves())]
        candidates = [
            Candidate(m, 0, win if black else 1.0 - win, sign * lead, 0.0, -2.0, p, (m,))
            for m, p in others
            if m not in banned
        ][:1]
    candidates.sort(key=lambda one: (one.visits, one.prior), reverse=True)
    if candidates:
        enough = PROVEN * candidates[0].visits
        best = max(
            (one for one in candidates if one.visits >= enough),
            key=lambda one: (one.bound, one.visits),
        )
        candidates.remove(best)
        candidates.insert(0, best)
    ownership = [sign * value for value in tree.ownership()]
    return Findings(
        candidates,
        visits,
        win if black else 1.0 - win,
        sign * lead,
        ownership,
        tree.ownership_spread(),
        tree.spread_of(),
        policy,
        turn=position.turn,
    )


def line_below(tree: Tree, node: int) -> list[tuple[int, int]]:
    """Return the line of the most visited moves below a node, with their visits."""
    line: list[tuple[int, int]] = []
    while node and len(line) < LONG:
        most, chosen, following = 0, -1, 0
        for move, _, child in tree.children(node):
            visits = tree.summary(child)[0] if child else 0
            if visits > most:
                most, chosen, following = visits, move, child
        if chosen < 0:
            break
        line.append((chosen, most))
        node = following
    return line
