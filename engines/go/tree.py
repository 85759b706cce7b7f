"""The search tree: PUCT over the network's policy, by several threads without the GIL. Hot.

All sums are Black's. A node's `count` is how many edges it has, or why it has none yet.
"""

import time
from array import array
from collections.abc import Callable, Sequence
from typing import Any

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

from engines.go.board import Board
from engines.go.features import Features
from engines.go.network import Evaluator

if not cython.compiled:
    from math import atan, exp, floor, log, sqrt

    from engines.go.standin import acquire, give_way, release

_EMPTY = 0
_WALL = 3
_ROOT = 1
_FRESH = 0
_BUSY = -1  # A thread evaluates it.
_OVER = -2  # Two passes ended the game.
_WIDEST = 48  # Edges of a node; the root has all of them.
_DEEPEST = 400
_FPU = 0.2  # How much worse than its parent an unvisited move is taken to be.
_EXPLORE = 1.1
_LEAD_WORTH = 0.2  # Of utility, from -1 to 1, for points at an equal chance to win.
_LEAD = 20.0  # Points in a unit of the network's lead.


class Worker:
    """What one thread needs for itself: a board, planes, an evaluator, its way down the tree."""

    def __init__(self, board: Board, evaluator: Evaluator, *, first: bool) -> None:
        self.board = board.copy()
        self.features = Features(board)
        self.evaluator = evaluator
        self.path = memoryview(array("i", bytes(4 * (_DEEPEST + 2))))
        self.seen = memoryview(array("q", bytes(8 * (_DEEPEST + 2))))
        self.recent = memoryview(array("i", bytes(4 * 5)))
        self.region = memoryview(array("i", bytes(4 * board.limit)))
        self.queue = memoryview(array("i", bytes(4 * board.limit)))
        self.lost = memoryview(bytearray(board.limit))
        self.chances = _grown("f", None, board.area + 1)
        self.depth = self.colour = self.passes = self.before = self.top = 0
        self.komi = 0.0
        self.first = first  # The one that looks at the clock.

    def fits(self, board: Board) -> bool:
        """Tell whether a board has the size this worker was made for."""
        return self.board.width == board.width and self.board.height == board.height


class Tree:
    """What is known of the positions after one position of one game.

    `komi` is the effective one; `superko` is 0 for none, 1 positional, 2 situational, and
    `history` holds the hashes that may not come again. Moves are `y * width + x`, the area a pass.
    """

    def __init__(self, board: Board, room: int = 20_000) -> None:
        self.start = board
        self.colour = 1
        self.passes = self.before = self.superko = 0
        self.komi = self.lead_at_root = self.deadline = 0.0
        self.territory = self.cleanup = self.full = self.stopped = False
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
        self.spread: Any = _grown("d", None, 1)  # Squares of leads.
        self.move: Any = _grown("i", None, 1)
        self.prior: Any = _grown("f", None, 1)
        self.child: Any = _grown("i", None, 1)
        self.nodes = self.edges = 0
        self.banned = memoryview(bytearray(board.area + 1))
        self.dead = memoryview(bytearray(board.limit))
        self.history = memoryview(array("q", [-1]))
        self.recent = memoryview(array("i", bytes(4 * 5)))
        self.owned = _grown("d", None, board.area)
        self.owned_square = _grown("d", None, board.area)
        self.owned_behind = _grown("f", None, board.area * (board.area + 1))  # By root move.
        self.owners_behind = _grown("i", None, board.area + 1)
        self.owners = 0.0
        self._allocate(room)
        self.nodes = _ROOT
        self._new_node()

    def _allocate(self, capacity: int) -> None:
        """Make room for so many nodes, keeping those there are."""
        room = 24 * capacity + 2 * self.start.area + 2
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
        """Make room for twice as many nodes, `most` at most; False where there are so many."""
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
        """Say what the root is: `recent` are points, the latest first, `passes` those just made."""
        self.start = board
        self.colour = 1 + turn
        self.komi = komi
        self.territory = territory
        self.superko = superko
        self.history = memoryview(array("q", history or [-1]))
        self.recent = memoryview(array("i", recent))
        self.passes = passes
        self.before = int(passed_before)

    def limit_moves(self, banned: Sequence[int], dead: Sequence[int], *, cleanup: bool) -> None:
        """Forbid moves at the root; say which stones are dead when two passes end the game."""
        for move in range(len(self.banned)):
            self.banned[move] = 0
        for move in banned:
            self.banned[move] = 1
        for point in range(len(self.dead)):
            self.dead[point] = 0
        for move in dead:
            self.dead[self.start.point(move)] = 1
        self.cleanup = cleanup

    def begin(self, stop: Callable[[], bool], deadline: float, visits: int) -> None:
        """Set the limits of the work to come: a time of the monotonic clock, visits of the root."""
        self.stop = stop
        self.deadline = deadline
        self.visits_wanted = visits
        self.halted = self.stopped = False
        if self.visits[_ROOT]:
            self.lead_at_root = self.leads[_ROOT] / self.visits[_ROOT]

    def halt(self) -> None:
        """End the work of all threads."""
        self.halted = True

    def work(self, worker: Worker) -> None:
        """Search until halted; every thread calls this with a worker of its own."""
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
                if self.territory and worker.board.hash != self.start.hash:
                    release(self.gate)
                    self._strike(worker)
                    acquire(self.gate)
                lead = self._count(worker)
                self._back_up(worker, 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5, lead)
                release(self.gate)
                continue
            if self.count[node] > 0:  # Too deep: what is known of it must do.
                share = 1.0 / self.visits[node]
                self._back_up(worker, self.wins[node] * share, self.leads[node] * share)
                release(self.gate)
                continue
            self.count[node] = _BUSY
            release(self.gate)
            self._evaluate(worker)
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
        """Walk to a leaf and count one virtual visit on the way; 0 where another thread is."""
        worker.board.copy_from(self.start)
        for i in range(len(worker.lost)):
            worker.lost[i] = 0
        worker.colour = self.colour
        worker.komi = self.komi
        worker.passes = self.passes
        worker.before = self.before
        for i in range(5):
            worker.recent[i] = self.recent[i]
        worker.depth = 0
        node = _ROOT
        worker.path[0] = node
        self.virtual[node] += 1
        while self.count[node] > 0 and worker.depth < _DEEPEST:
            edge = self._choose(node, worker.colour, node == _ROOT)
            if node == _ROOT:
                worker.top = self.move[edge]
            self._advance(worker, self.move[edge])
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

    def _advance(self, worker: Worker, move: int) -> None:
        for i in range(4, 0, -1):
            worker.recent[i] = worker.recent[i - 1]
        worker.before = worker.passes > 0
        if move == worker.board.area:
            worker.board.lift_ko()
            worker.passes += 1
            worker.recent[0] = 0
        else:
            point = worker.board.points[move]
            worker.board.play(point, worker.colour)
            worker.passes = 0
            worker.recent[0] = point
            if self.territory:
                worker.komi += 1.0 if worker.colour == 1 else -1.0
        worker.colour = 3 - worker.colour
        worker.seen[worker.depth] = worker.board.hash
        if self.superko == 2:
            worker.seen[worker.depth] = worker.board.hash * 2 + worker.colour - 1

    def _choose(self, node: int, colour: int, top: bool) -> int:
        """Return the edge that PUCT takes."""
        sign = 1.0 if colour == 1 else -1.0
        total = self.visits[node] + self.virtual[node]
        root = (_EXPLORE + 0.45 * log((total + 500.0) / 500.0)) * sqrt(total)
        mean = sign * self.value[node] / self.visits[node]
        mass = 0.0
        for i in range(self.first[node], self.first[node] + self.count[node]):
            if self.child[i] and self.visits[self.child[i]]:
                mass += self.prior[i]
        fresh = mean - (0.5 * _FPU if top else _FPU) * sqrt(mass)
        best: int = self.first[node]
        most = -1e9
        for edge in range(self.first[node], self.first[node] + self.count[node]):
            if top and self.banned[self.move[edge]]:
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
        """Add a result, Black's, to all nodes on the way."""
        utility = 2.0 * win - 1.0
        utility += _LEAD_WORTH * 0.6366 * atan((lead - self.lead_at_root) / self.start.width)
        for i in range(worker.depth + 1):
            node = worker.path[i]
            self.virtual[node] -= 1
            self.visits[node] += 1
            self.value[node] += utility
            self.square[node] += utility * utility
            self.wins[node] += win
            self.leads[node] += lead
            self.spread[node] += lead * lead

    def _evaluate(self, worker: Worker) -> None:
        """Ask the network; the scalars are those of `inputs.scalars`."""
        area = worker.board.area
        for i in range(5):
            worker.features.remember(i, worker.recent[i])
        worker.features.fill(worker.board, worker.colour, worker.evaluator.planes, 0)
        komi = worker.komi if worker.colour == 2 else -worker.komi
        wave = 0.0
        if not self.territory:
            phase = komi - area % 2
            phase -= 2.0 * floor(phase / 2.0)
            wave = phase if phase < 0.5 else 1.0 - phase if phase < 1.5 else phase - 2.0
        worker.evaluator.scalars[0] = komi / 15.0
        worker.evaluator.scalars[1] = 1.0 if self.territory else 0.0
        worker.evaluator.scalars[2] = 1.0 if worker.passes > 0 else 0.0
        worker.evaluator.scalars[3] = 1.0 if worker.before else 0.0
        worker.evaluator.scalars[4] = wave
        worker.evaluator.scalars[5] = (sqrt(area) - 14.0) / 10.0
        worker.evaluator.run()

    def _expand(self, worker: Worker, node: int) -> None:
        """Give the node its edges, the likeliest first, and hand the judgement up."""
        area = worker.board.area
        legal = 0
        most = -1e9
        for i in range(area + 1):
            worker.chances[i] = -1.0
            if i < area:
                point = worker.board.points[i]
                if not worker.board.is_legal(point, worker.colour):
                    continue
                if worker.features.life.owner[point] != 0 and not self.cleanup:
                    continue  # Nothing inside pass-alive ground matters any more.
                if self.superko and self._repeats(worker, point):
                    continue
            elif self.cleanup and legal and node == _ROOT:
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
        win = 1.0 / (1.0 + exp(-worker.evaluator.out[area + 1]))
        lead = sign * _LEAD * worker.evaluator.out[area + 2]
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

    def _repeats(self, worker: Worker, point: int) -> bool:
        """Tell whether superko forbids a move; only a capture can bring a position back."""
        for i in range(4):
            other = point + worker.board.steps[i]
            if worker.board.cells[other] == 3 - worker.colour and worker.board._in_atari(
                worker.board.chain[other]
            ):
                break
        else:
            if not worker.board.suicide:
                return False
        after = worker.board.hash_after(point, worker.colour)
        if self.superko == 2:
            after = after * 2 + 2 - worker.colour
        for i in range(len(self.history)):
            if self.history[i] == after:
                return True
        found = False
        for i in range(worker.depth):
            found = found or worker.seen[i] == after
        return found

    def _cell(self, worker: Worker, point: int) -> int:
        cell = worker.board.cells[point]
        if worker.lost[point] or (self.dead[point] and cell == self.start.cells[point]):
            return _EMPTY
        return cell

    def _strike(self, worker: Worker) -> None:
        """Ask the network which stones that the line brought are dead where it ends.

        Counting territory an answer to each of them would cost a point, and without one they would
        turn the ground around them into nobody's.
        """
        area = worker.board.area
        worker.passes = worker.before = 0
        self._evaluate(worker)
        for i in range(area):
            point = worker.board.points[i]
            cell = worker.board.cells[point]
            if cell != _EMPTY and cell != self.start.cells[point]:
                own = worker.evaluator.out[area + 3 + i]
                worker.lost[point] = (own < 0.0) == (cell == worker.colour)

    def _count(self, worker: Worker) -> float:
        """Count the area with the root's dead stones taken off; return Black's lead."""
        area = worker.board.area
        margin = -worker.komi
        for i in range(area):
            worker.region[worker.board.points[i]] = 0
        for i in range(area):
            point = worker.board.points[i]
            if self._cell(worker, point) != _EMPTY:
                margin += 1.0 if self._cell(worker, point) == 1 else -1.0
                continue
            if worker.region[point]:
                continue
            worker.region[point] = 1
            worker.queue[0] = point
            top = 1
            done = black = white = 0
            while done < top:
                for j in range(4):
                    other = worker.queue[done] + worker.board.steps[j]
                    cell = self._cell(worker, other)
                    if cell == 1:
                        black = 1
                    elif cell == 2:
                        white = 1
                    elif cell == _EMPTY and worker.region[other] == 0:
                        worker.region[other] = 1
                        worker.queue[top] = other
                        top += 1
                done += 1
            margin += top * (black - white)
        return margin

    def root_visits(self) -> int:
        """Return how often the root was visited."""
        visits: int = self.visits[_ROOT]
        return visits

    def summary(self, node: int = 0) -> tuple[int, float, float, float, float]:
        """Return a node's visits and means: win, lead, utility and its square; 0 is the root."""
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
        """Return the standard deviation of the leads found in and behind a node; 0 is the root."""
        node = node or _ROOT
        share = 1.0 / max(self.visits[node], 1)
        mean = self.leads[node] * share
        square: float = self.spread[node] * share - mean * mean
        return sqrt(max(square, 0.0))

    def children(self, node: int = 0) -> list[tuple[int, float, int]]:
        """List a node's moves with their priors and their nodes, 0 where never visited."""
        node = node or _ROOT
        start, count = self.first[node], max(self.count[node], 0)
        return [(self.move[i], self.prior[i], self.child[i]) for i in range(start, start + count)]

    def ownership(self, move: int = -1) -> list[float]:
        """Return who owns each point on average over all evaluations, 1 Black and -1 White.

        With a move, over those behind it; an empty list where there was none.
        """
        area = self.start.area
        if move < 0:
            return [self.owned[i] / max(self.owners, 1.0) for i in range(area)]
        count = self.owners_behind[move]
        start = move * area
        return [self.owned_behind[i] / count for i in range(start, start + area)] if count else []

    def ownership_spread(self) -> list[float]:
        """Return the standard deviation of each point's ownership over all evaluations."""
        share = 1.0 / max(self.owners, 1.0)
        area = self.start.area
        means = [self.owned[i] * share for i in range(area)]
        squares = [self.owned_square[i] * share for i in range(area)]
        return [
            sqrt(max(square - mean * mean, 0.0))
            for mean, square in zip(means, squares, strict=True)
        ]

    def after(self, move: int) -> "Tree | None":
        """Return the tree of the position after a move; None where it was never looked at."""
        for played, _, child in self.children():
            if played == move and child and self.count[child] > 0:
                twin = Tree(self.start, self.capacity)
                twin._graft(self, child)
                twin._inherit(self, move)
                return twin
        return None

    def _graft(self, other: "Tree", top: int) -> None:
        """Copy all that hangs below a node of another tree; `virtual` holds whence a node came."""
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
        """Begin the ownership with what was found behind the move; its spread begins anew."""
        area = self.start.area
        count = float(other.owners_behind[move])
        if count == 0.0:
            return
        for i in range(area):
            mean = other.owned_behind[move * area + i] / count
            self.owned[i] = mean * count
            self.owned_square[i] = mean * mean * count
        self.owners = count


def _grown(code: str, old: Any, length: int) -> Any:
    """Return zeros of an array type code, what there was at their head."""
    size = array(code).itemsize
    grown = memoryview(array(code, bytes(size * length)))
    if old is not None:
        grown[: len(old)] = old
    return grown
