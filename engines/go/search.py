"""Thinking about a position: trees kept between moves, threads, the choice of a move."""

import threading
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from engines.go import tree as hot
from engines.go.history import Position
from engines.go.network import Evaluator
from engines.go.ruleset import POSITIONAL, SITUATIONAL, TERRITORY
from engines.go.scoring import dead_stones
from engines.go.tree import Tree
from engines.go.weights import Weights, load
from engines.go.worker import Worker

NET: Final = Path(__file__).parent / "data" / "net.npz"
THREADS: Final = 2
FIRST_NODES: Final = 20_000
MOST_NODES: Final = 500_000  # 190 MB; where they are used up, a search ends with what it knows.
SURE: Final = 4.0  # Standard errors by which a move's worth is trusted at least.
PROVEN: Final = 0.1  # Share of the best move's visits from which another one is considered.
LONG: Final = 30  # Moves of a line that are reported.
_SUPERKO: Final = {POSITIONAL: 1, SITUATIONAL: 2}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move that was looked at; chances, points and utilities are the mover's."""

    move: int
    visits: int
    win: float
    lead: float
    utility: float
    bound: float  # What the utility is at least.
    prior: float
    line: tuple[int, ...]
    line_visits: tuple[int, ...] = ()
    spread: float = 0.0  # Standard deviation of the leads found behind it.
    ownership: Sequence[float] = ()  # Behind it, if that was asked for.


@dataclass(frozen=True, slots=True)
class Findings:
    """What a search knows: candidates, the best first, and the root as the mover sees it."""

    candidates: Sequence[Candidate]
    visits: int
    win: float
    lead: float
    ownership: Sequence[float]  # In reading order, 1 the mover's.
    ownership_spread: Sequence[float] = ()
    spread: float = 0.0
    policy: Sequence[tuple[int, float]] = ()  # What the network alone thinks of each move.
    dead: Collection[int] = ()  # Stones that counted as dead where two passes ended a line.
    turn: int = 0  # The mover's side.


class Search:
    """Thinks about positions of games, one at a time; keeps the tree while the game goes on."""

    def __init__(self, net: Path = NET, threads: int = THREADS) -> None:
        self.net = net
        self.threads = threads
        self._weights: Weights | None = None
        self._tree: Tree | None = None
        self._root: tuple[object, list[tuple[int, int]], int] = (None, [], 0)
        self._workers: list[Worker] = []

    @property
    def weights(self) -> Weights:
        """The network, read when first asked for."""
        if self._weights is None:
            self._weights = load(self.net)
        return self._weights

    def prepare(self, position: Position) -> None:
        """Do now what else the first search of such a board would have to do first."""
        self.look(position, 2)

    def forget(self) -> None:
        """Drop what earlier searches found."""
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
        """Search until a limit is reached or `stop`, asked every few milliseconds, says so.

        `banned` moves are not made at the root; `deeper` holds sides, their moves, and how many
        moves deep each is not made. `dead` stones are taken off where two passes end the game; by
        default those that the network takes for dead.
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
        if tree.root_visits() < 2:  # Whatever the limits are, one move is looked at.
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
        """Return what is known so far, with the ownership behind each move if `owners` says so.

        For use from inside `stop`, or after a search of the same position.
        """
        if self._tree is None:
            raise ValueError("nothing is being thought about")
        found = findings(self._tree, position, banned)
        if not owners:
            return found
        told = [
            replace(one, ownership=self._owners_behind(position, one.move))
            for one in found.candidates
        ]
        return replace(found, candidates=told)

    def _owners_behind(self, position: Position, move: int) -> list[float]:
        sign = 1.0 if position.turn == 0 else -1.0
        if self._tree is not None and (known := self._tree.ownership(move)):
            return [sign * value for value in known]
        # A tree kept from the move before does not know: the network alone does.
        after = position.copy()
        after.play(move)
        return [-value for value in self.look(after, 1).ownership]

    def decided(self, share: float) -> bool:
        """Tell whether no move can catch up within `share` of the visits made so far."""
        if self._tree is None:
            return False
        counts = sorted(
            (self._tree.summary(node)[0] for _, _, node in self._tree.children() if node),
            reverse=True,
        )
        if len(counts) < 2:
            return bool(counts) and len(self._tree.children()) == 1
        return counts[0] - counts[1] > share * self._tree.root_visits()

    def look(
        self,
        position: Position,
        visits: int,
        *,
        dead: Collection[int] = (),
        banned: Collection[int] = (),
    ) -> Findings:
        """Search a position afresh by one thread: the same position comes out the same.

        `dead` stones are taken off where two passes end the game.
        """
        workers = self._equip(position)
        tree = Tree(position.board, 2 * visits + 16)
        root(tree, position)
        tree.limit_moves(sorted(banned), sorted(dead), cleanup=False)
        tree.begin(bool, float("inf"), visits)
        tree.work(workers[0])
        return findings(tree, position, banned)

    def dead_at_a_glance(self, position: Position) -> set[int]:
        """Return the stones that the network alone takes for dead."""
        if not position.rules.judged:
            return set()
        sign = 1.0 if position.turn == 0 else -1.0
        found = self.look(position, 1)
        return dead_stones(position.board, [sign * value for value in found.ownership])

    def _equip(self, position: Position) -> list[Worker]:
        board = position.board
        # Without C the threads would only take turns.
        threads = self.threads if is_compiled() else 1
        if len(self._workers) != threads or not self._workers[0].fits(board):
            weights = self.weights
            self._workers = [
                Worker(
                    board,
                    Evaluator(
                        weights.values, weights.blocks, weights.pooled, board.width, board.height
                    ),
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
        # A side may be asked, or have moved, out of turn.
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
        root(tree, position)
        self._tree = tree
        self._root = (None if fresh else game, list(position.played), position.turn)
        return tree


def is_compiled() -> bool:
    """Tell whether the hot parts of the search are compiled."""
    return not str(hot.__file__).endswith(".py")


def root(tree: Tree, position: Position) -> None:
    """Tell a tree where it starts."""
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
    """Read a tree as the side to move sees it."""
    black = position.turn == 0
    sign = 1.0 if black else -1.0
    (visits, win, lead, _, _), moves = tree.survey()
    policy = [(move, prior) for move, prior, _, _ in moves]
    found = []
    for move, prior, node, (count, chance, points, utility, square) in moves:
        if move in banned or count == 0:
            continue
        # One visit more, of the widest kind, keeps few visits from looking certain.
        spread = max(square - utility * utility, 0.0) + 1.0 / count
        below = line_below(tree, node)
        found.append(
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
    if not found:
        # What the search leaves out as useless may be all that is allowed.
        others = [*policy, *((move, 0.0) for move in position.legal_moves())]
        found = [
            Candidate(m, 0, win if black else 1.0 - win, sign * lead, 0.0, -2.0, p, (m,))
            for m, p in others
            if m not in banned
        ][:1]
    found.sort(key=lambda one: (one.visits, one.prior), reverse=True)
    if found:
        enough = PROVEN * found[0].visits
        best = max(
            (one for one in found if one.visits >= enough), key=lambda one: (one.bound, one.visits)
        )
        found.remove(best)
        found.insert(0, best)
    ownership = [sign * value for value in tree.ownership()]
    return Findings(
        found,
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
    """Follow the most visited moves; list them with their visits."""
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
