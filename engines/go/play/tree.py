"""The search tree: PUCT with the network's policy, by several threads without the GIL. Hot.

All sums are from Black's point of view. The `count` of a node is the number of its edges, or one of
the negative numbers below that say why it has none.
"""

import time
from array import array
from collections.abc import Callable, Sequence
from typing import Any

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

from engines.go.play.worker import Root, Worker
from engines.go.rules.board import Board

if not cython.compiled:
    from math import atan, exp, log, sqrt

    from engines.go.play.network.standin import acquire, give_way, release

_ROOT = 1
_FRESH = 0
_BUSY = -1  # A thread is evaluating it.
_OVER = -2  # Two passes ended the game.
_WIDEST = 48  # The most edges of a node; only the root has all legal moves.
_LEAD_WORTH = 0.2  # The part of the utility, which goes from -1 to 1, that is for the lead.
_LEAD = 20.0  # Points per unit of the network's lead.
# How steeply the chance to win rises with the lead: it is 73 % at 2.25 points on 9x9 and at 4.75
# points on 19x19.
_SLOPE = 4.0

EXPLORATION = 1.1
"""How much a move with few visits attracts further ones by the network's probability for it."""
URGENCY = 0.2
"""An unvisited move is assumed to be worse than its parent by this much, half of it at the root."""


class Tree:
    """The positions that were searched below one position, its root.

    A move is `y * width + x`, or the area for a pass.
    """

    def __init__(self, board: Board, room: int = 20_000) -> None:
        self.root = Root(board)
        self.lead_at_root = self.deadline = 0.0
        self.exploration = EXPLORATION
        self.urgency = URGENCY
        self.full = self.stopped = False
        self.halted = False
        self.visits_wanted = 0
        self.stop: Callable[[], bool] = bool
        self.clock = time.monotonic
        self.gate = memoryview(array("l", [0]))
        self.capacity = self.room = 0
        self.visits: Any = _grown("i", None, 1)
        self.virtual: Any = _grown("i", None, 1)
        self.first: Any = _grown("i", None, 1)
        self.count: Any = _grown("i", None, 1)
        self.value: Any = _grown("d", None, 1)
        self.square: Any = _grown("d", None, 1)
        self.wins: Any = _grown("d", None, 1)
        self.leads: Any = _grown("d", None, 1)
        self.spread: Any = _grown("d", None, 1)  # Sums of squares of leads.
        self.move: Any = _grown("i", None, 1)
        self.prior: Any = _grown("f", None, 1)
        self.child: Any = _grown("i", None, 1)
        self.nodes = self.edges = 0
        # For each colour and move, the depth from which the move is allowed.
        self.banned = _grown("i", None, 2 * (board.area + 1))
        self.deepest = 0
        self.owned = _grown("d", None, board.area)
        self.owned_square = _grown("d", None, board.area)
        self.owned_behind = _grown(
            "f", None, board.area * (board.area + 1)
        )  # For each move of the root.
        self.owners_behind = _grown("i", None, board.area + 1)
        self.owners = 0.0
        self._allocate(room)
        self.nodes = _ROOT
        self._new_node()

    def _allocate(self, capacity: int) -> None:
        """Make room for so many nodes; existing nodes are kept."""
        room = 24 * capacity + 2 * self.root.start.area + 2
        self.visits = _grown("i", self.visits, capacity)
        self.virtual = _grown("i", self.virtual, capacity)
        self.first = _grown("i", self.first, capacity)
        self.count = _grown("i", self.count, capacity)
        self.value = _grown("d", self.value, capacity)
        self.square = _grown("d", self.square, capacity)
        self.wins = _grown("d", self.wins, capacity)
        self.leads = _grown("d", self.leads, capacity)
        self.spread = _grown("d", self.spread, capacity)
        self.move = _grown("i", self.move, room)
        self.prior = _grown("f", self.prior, room)
        self.child = _grown("i", self.child, room)
        self.capacity, self.room = capacity, room
        self.full = False

    def grow(self, most: int) -> bool:
        """Double the room for nodes, up to `most`; return False if it has that size already."""
        if self.capacity >= most:
            return False
        self._allocate(min(2 * self.capacity, most))
        return True

    def set_root(
        self,
        board: Board,
        turn: int,
        *,
        komi: float,
        territory: bool,
        superko: int,
        history: Sequence[int],
        recent: Sequence[int],
        passes: int,
        passed_before: bool,
    ) -> None:
        """Set the root; `recent` is the last points, latest first, `passes` the last passes."""
        self.root.start = board
        self.root.colour = 1 + turn
        self.root.komi = komi
        self.root.territory = territory
        self.root.superko = superko
        self.root.history = memoryview(array("q", history or [-1]))
        self.root.recent = memoryview(array("i", recent))
        self.root.passes = passes
        self.root.before = int(passed_before)

    def limit_moves(
        self,
        banned: Sequence[int],
        dead: Sequence[int],
        *,
        cleanup: bool,
        deeper: Sequence[tuple[int, int, int]] = (),
    ) -> None:
        """Forbid moves at the root, and set the stones that are dead when two passes end a line.

        `deeper` lists colours, their moves, and the number of moves from the root within which
        each is forbidden.
        """
        for i in range(len(self.banned)):
            self.banned[i] = 0
        moves = self.root.start.area + 1
        for move in banned:
            self.banned[(self.root.colour - 1) * moves + move] = 1
        self.deepest = 1
        for colour, move, depth in deeper:
            self.banned[(colour - 1) * moves + move] = depth
            self.deepest = max(self.deepest, depth)
        for point in range(len(self.root.dead)):
            self.root.dead[point] = 0
        for move in dead:
            self.root.dead[self.root.start.point(move)] = 1
        self.root.cleanup = cleanup

    def begin(self, stop: Callable[[], bool], deadline: float, visits: int) -> None:
        """Set the limits of a search: a time of the monotonic clock, and visits of the root."""
        self.stop = stop
        self.deadline = deadline
        self.visits_wanted = visits
        self.halted = self.stopped = False
        if self.visits[_ROOT]:
            self.lead_at_root = self.leads[_ROOT] / self.visits[_ROOT]

    def halt(self) -> None:
        """Stop all threads."""
        self.halted = True

    def work(self, worker: Worker) -> None:
        """Search until halted; each thread calls this with its own worker."""
        worker.root = self.root
        with cython.nogil:
            self._work(worker)

    def _work(self, worker: Worker) -> None:
        count = 0
        while not self.halted:
            if worker.first and count % 4 == 0 and self._poll():
                return
            count += 1
            acquire(self.gate)
            if self.visits[_ROOT] >= self.visits_wanted:
                self.halted = True
                release(self.gate)
                return
            if self.nodes + 2 >= self.capacity or self.edges + 4 * _WIDEST >= self.room:
                self.full = self.halted = True
                release(self.gate)
                return
            node = self._descend(worker)
            if node == 0:
                release(self.gate)
                give_way()
                continue
            if self.count[node] == _OVER:
                if self.root.territory and worker.board.hash != self.root.start.hash:
                    release(self.gate)
                    worker._strike()
                    acquire(self.gate)
                lead = worker._count()
                self._back_up(worker, 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5, lead)
                release(self.gate)
                continue
            if self.count[node] > 0:  # Too deep to go on: use the mean of the node.
                share = 1.0 / self.visits[node]
                self._back_up(worker, self.wins[node] * share, self.leads[node] * share)
                release(self.gate)
                continue
            self.count[node] = _BUSY
            release(self.gate)
            worker._evaluate()
            acquire(self.gate)
            self._expand(worker, node)
            release(self.gate)

    def _poll(self) -> bool:
        if self.clock() >= self.deadline:
            self.halted = True
        elif self.stop():
            self.halted = self.stopped = True
        return self.halted

    def _descend(self, worker: Worker) -> int:
        """Walk to a leaf, adding virtual visits; return 0 if another thread is evaluating it."""
        worker._restart()
        node = _ROOT
        worker.path[0] = node
        self.virtual[node] += 1
        while self.count[node] > 0 and worker.depth + 2 < len(worker.path):
            edge = self._choose(node, worker.colour, worker.depth)
            if node == _ROOT:
                worker.top = self.move[edge]
            worker._advance(self.move[edge])
            if self.child[edge] == 0:
                self.child[edge] = self._new_node()
                if worker.passes >= 2:
                    self.count[self.child[edge]] = _OVER
            node = self.child[edge]
            worker.depth += 1
            worker.path[worker.depth] = node
            self.virtual[node] += 1
        if self.count[node] == _BUSY:
            self._retreat(worker)
            return 0
        return node

    def _choose(self, node: int, colour: int, depth: int) -> int:
        """Return the edge that PUCT selects at a node at some depth."""
        shut = (colour - 1) * (self.root.start.area + 1)
        sign = 1.0 if colour == 1 else -1.0
        total = self.visits[node] + self.virtual[node]
        root = (self.exploration + 0.45 * log((total + 500.0) / 500.0)) * sqrt(total)
        mean = sign * self.value[node] / self.visits[node]
        mass = 0.0
        for i in range(self.first[node], self.first[node] + self.count[node]):
            if self.child[i] and self.visits[self.child[i]]:
                mass += self.prior[i]
        fresh = mean - (0.5 * self.urgency if depth == 0 else self.urgency) * sqrt(mass)
        best: int = self.first[node]
        most = -1e9
        for edge in range(self.first[node], self.first[node] + self.count[node]):
            if depth < self.deepest and self.banned[shut + self.move[edge]] > depth:
                continue
            child = self.child[edge]
            worth = fresh
            count = 0.0
            if child:
                waiting = self.virtual[child]
                count = self.visits[child] + waiting
                if count > 0:
                    worth = (sign * self.value[child] - waiting) / count
            worth += root * self.prior[edge] / (1.0 + count)
            if worth > most:
                most = worth
                best = edge
        return best

    def _new_node(self) -> int:
        node = self.nodes
        self.nodes += 1
        self.visits[node] = self.virtual[node] = self.first[node] = 0
        self.count[node] = _FRESH
        self.value[node] = self.square[node] = self.wins[node] = 0.0
        self.leads[node] = self.spread[node] = 0.0
        return node

    def _retreat(self, worker: Worker) -> None:
        for i in range(worker.depth + 1):
            self.virtual[worker.path[i]] -= 1

    def _back_up(self, worker: Worker, win: float, lead: float) -> None:
        """Add a result, from Black's point of view, to all nodes of the path."""
        utility = 2.0 * win - 1.0
        utility += _LEAD_WORTH * 0.6366 * atan((lead - self.lead_at_root) / self.root.start.width)
        for i in range(worker.depth + 1):
            node = worker.path[i]
            self.virtual[node] -= 1
            self.visits[node] += 1
            self.value[node] += utility
            self.square[node] += utility * utility
            self.wins[node] += win
            self.leads[node] += lead
            self.spread[node] += lead * lead

    def _expand(self, worker: Worker, node: int) -> None:
        """Create the edges of an evaluated node, the likeliest first, and back up its result."""
        area = worker.board.area
        shut = (worker.colour - 1) * (area + 1)
        legal = 0
        most = -1e9
        for i in range(area + 1):
            worker.chances[i] = -1.0
            # Forbidden moves must not take room from the likeliest ones. The root has room for all.
            if 0 < worker.depth < self.deepest and self.banned[shut + i] > worker.depth:
                continue
            if i < area:
                point = worker.board.points[i]
                if not worker.board.is_legal(point, worker.colour):
                    continue
                if (
                    worker.features.life.owner[point] != 0
                    and not self.root.cleanup
                    and not worker._besets(point)
                ):
                    continue  # Pass-alive ground matters only if enemy stones in it would count.
                if self.root.superko and worker._repeats(point):
                    continue
            elif self.root.cleanup and legal and node == _ROOT:
                continue
            legal += 1
            worker.chances[i] = 0.0
            most = max(most, worker.evaluator.out[i])
        total = 0.0
        for i in range(area + 1):
            if worker.chances[i] >= 0.0:
                worker.chances[i] = exp(worker.evaluator.out[i] - most)
                total += worker.chances[i]
        first = edge = self.edges
        widest = area + 1 if node == _ROOT else _WIDEST
        for k in range(min(widest, legal)):
            best = 0
            for j in range(1, area + 1):
                if worker.chances[j] > worker.chances[best]:
                    best = j
            if k > 0 and node != _ROOT and worker.chances[best] < 0.0005 * total:
                break
            self.move[edge] = best
            self.prior[edge] = worker.chances[best] / total
            self.child[edge] = 0
            worker.chances[best] = -1.0
            edge += 1
        self.edges = edge
        self.first[node] = first
        self.count[node] = edge - first
        sign = 1.0 if worker.colour == 1 else -1.0
        chance = worker.evaluator.out[area + 1]
        lead = _LEAD * worker.evaluator.out[area + 2] + worker.beyond
        if worker.beyond != 0.0:
            # The lead changes with the komi, and the chance to win follows from the lead.
            chance = min(max(_SLOPE * lead / sqrt(area), -20.0), 20.0)
        win = 1.0 / (1.0 + exp(-chance))
        lead *= sign
        if node == _ROOT:
            self.lead_at_root = lead
        for i in range(area):
            owned = sign * (2.0 / (1.0 + exp(-worker.evaluator.out[area + 3 + i])) - 1.0)
            self.owned[i] += owned
            self.owned_square[i] += owned * owned
            if worker.depth:
                self.owned_behind[worker.top * area + i] += owned
        self.owners += 1.0
        if worker.depth:
            self.owners_behind[worker.top] += 1
        self._back_up(worker, win if worker.colour == 1 else 1.0 - win, lead)

    def root_visits(self) -> int:
        """Return the number of visits of the root."""
        visits: int = self.visits[_ROOT]
        return visits

    def summary(self, node: int = 0) -> tuple[int, float, float, float, float]:
        """Return visits, and means of win, lead, utility and its square; node 0 is the root."""
        node = node or _ROOT
        visits = self.visits[node]
        share = 1.0 / max(visits, 1)
        return (
            visits,
            self.wins[node] * share,
            self.leads[node] * share,
            self.value[node] * share,
            self.square[node] * share,
        )

    def spread_of(self, node: int = 0) -> float:
        """Return the standard deviation of the leads in and below a node; 0 is the root."""
        node = node or _ROOT
        share = 1.0 / max(self.visits[node], 1)
        mean = self.leads[node] * share
        square: float = self.spread[node] * share - mean * mean
        return sqrt(max(square, 0.0))

    def survey(
        self,
    ) -> tuple[
        tuple[int, float, float, float, float],
        list[tuple[int, float, int, tuple[int, float, float, float, float]]],
    ]:
        """Return summaries of the root and of its moves, all at one moment of a search.

        Each move has its prior, its node and the summary; a move without a node has no visits.
        """
        acquire(self.gate)
        top = self.summary()
        moves = [
            (move, prior, node, self.summary(node) if node else (0, 0.0, 0.0, 0.0, 0.0))
            for move, prior, node in self.children()
        ]
        release(self.gate)
        return top, moves

    def children(self, node: int = 0) -> list[tuple[int, float, int]]:
        """List a node's moves with their priors and their nodes, 0 for moves never visited."""
        node = node or _ROOT
        start, count = self.first[node], max(self.count[node], 0)
        return [(self.move[i], self.prior[i], self.child[i]) for i in range(start, start + count)]

    def ownership(self, move: int = -1) -> list[float]:
        """Return the mean owner of each point, from 1 for Black to -1 for White.

        The mean is over all evaluations, or over those after a move of the root if one is given;
        the list is empty if there are none.
        """
        area = self.root.start.area
        acquire(self.gate)
        if move < 0:
            known = [self.owned[i] / max(self.owners, 1.0) for i in range(area)]
        else:
            count = self.owners_behind[move]
            start = move * area
            known = [self.owned_behind[start + i] / count for i in range(area)] if count else []
        release(self.gate)
        return known

    def ownership_spread(self) -> list[float]:
        """Return the standard deviation of each point's ownership over all evaluations."""
        area = self.root.start.area
        acquire(self.gate)
        share = 1.0 / max(self.owners, 1.0)
        means = [self.owned[i] * share for i in range(area)]
        squares = [self.owned_square[i] * share for i in range(area)]
        release(self.gate)
        return [
            sqrt(max(square - mean * mean, 0.0))
            for mean, square in zip(means, squares, strict=True)
        ]

    def after(self, move: int) -> "Tree | None":
        """Return the tree of the position after a move, or None if it was never evaluated."""
        for played, _, child in self.children():
            if played == move and child and self.count[child] > 0:
                twin = Tree(self.root.start, self.capacity)
                twin._graft(self, child)
                twin._inherit(self, move)
                return twin
        return None

    def _graft(self, other: "Tree", top: int) -> None:
        """Copy the nodes below a node of another tree; `virtual` holds the old number of each."""
        self.virtual[_ROOT] = top
        node = _ROOT
        while node < self.nodes:
            old = self.virtual[node]
            self.visits[node] = other.visits[old]
            self.value[node] = other.value[old]
            self.square[node] = other.square[old]
            self.wins[node] = other.wins[old]
            self.leads[node] = other.leads[old]
            self.spread[node] = other.spread[old]
            self.count[node] = other.count[old]
            self.first[node] = self.edges
            for i in range(other.first[old], other.first[old] + other.count[old]):
                self.move[self.edges] = other.move[i]
                self.prior[self.edges] = other.prior[i]
                self.child[self.edges] = 0
                if other.child[i]:
                    self.child[self.edges] = self.nodes
                    self.virtual[self.nodes] = other.child[i]
                    self.nodes += 1
                self.edges += 1
            self.virtual[node] = 0
            node += 1

    def _inherit(self, other: "Tree", move: int) -> None:
        """Start with the mean ownership after a move; its spread starts at 0."""
        area = self.root.start.area
        count = float(other.owners_behind[move])
        if count == 0.0:
            return
        for i in range(area):
            mean = other.owned_behind[move * area + i] / count
            self.owned[i] = mean * count
            self.owned_square[i] = mean * mean * count
        self.owners = count


def _grown(code: str, old: Any, length: int) -> Any:
    """Return an array of zeros that starts with the old contents."""
    size = array(code).itemsize
    grown = memoryview(array(code, bytes(size * length)))
    if old is not None:
        grown[: len(old)] = old
    return grown
