"""Pass-alive chains and their territory, by Benson's algorithm. Hot."""

from array import array

from engines.go.rules.board import Board

_EMPTY = 0
_BLACK = 1
_WHITE = 2
_WALL = 3


class Life:
    """Finds the chains that cannot be captured even if their owner always passes.

    A region is a connected set of points without stones of the colour. It is vital to a chain if
    each of its empty points is a liberty of the chain. A chain is alive if it has two vital regions
    that are surrounded by living chains only.
    """

    def __init__(self, board: Board) -> None:
        limit = board.limit
        self.owner = memoryview(array("i", bytes(4 * limit)))
        self.region = memoryview(array("i", bytes(4 * limit)))
        self.vital = memoryview(array("i", bytes(4 * 4 * limit)))
        self.good = memoryview(array("i", bytes(4 * limit)))
        self.dead = memoryview(array("i", bytes(4 * limit)))
        self.eyes = memoryview(array("i", bytes(4 * limit)))
        self.queue = memoryview(array("i", bytes(4 * limit)))
        self.regions = 0

    def owner_of(self, point: int) -> int:
        """Return the colour that owns a point by pass-alive stones, or 0; call `look` first."""
        return self.owner[point]

    def look(self, board: Board) -> None:
        """Find the pass-alive stones and territory of both colours."""
        for i in range(board.limit):
            self.owner[i] = _EMPTY
        self._divide(board, _BLACK)
        if self._prune(board, _BLACK):
            self._claim(board, _BLACK)
        self._divide(board, _WHITE)
        if self._prune(board, _WHITE):
            self._claim(board, _WHITE)

    def _divide(self, board: Board, colour: int) -> None:
        """Number the regions, and find the chains, at most four, to which each is vital."""
        self.regions = 0
        for i in range(board.limit):
            self.region[i] = -1
        for i in range(board.area):
            if self.region[board.points[i]] >= 0 or board.cells[board.points[i]] == colour:
                continue
            region = self.regions
            self.regions += 1
            self.good[region] = 1
            seen = 0
            self.queue[0] = board.points[i]
            self.region[board.points[i]] = region
            top = 1
            done = 0
            for k in range(4):
                self.vital[4 * region + k] = -1
            while done < top:
                point = self.queue[done]
                done += 1
                for j in range(4):
                    other = point + board.steps[j]
                    if (
                        board.cells[other] != colour
                        and board.cells[other] != _WALL
                        and self.region[other] < 0
                    ):
                        self.region[other] = region
                        self.queue[top] = other
                        top += 1
                if board.cells[point] != _EMPTY:
                    continue
                if seen == 0:
                    for j in range(4):
                        other = point + board.steps[j]
                        if board.cells[other] == colour:
                            head = board.chain[other]
                            listed = False
                            for k in range(j):
                                listed = listed or self.vital[4 * region + k] == head
                            if not listed:
                                self.vital[4 * region + j] = head
                    seen = 1
                    continue
                for k in range(4):
                    head = self.vital[4 * region + k]
                    if head < 0:
                        continue
                    touches = False
                    for j in range(4):
                        other = point + board.steps[j]
                        if board.cells[other] == colour and board.chain[other] == head:
                            touches = True
                    if not touches:
                        self.vital[4 * region + k] = -1

    def _prune(self, board: Board, colour: int) -> bool:
        """Drop chains with fewer than two valid vital regions until none is left to drop.

        Returns whether any chain is left.
        """
        for i in range(board.limit):
            self.dead[i] = 0
        while True:
            for i in range(board.limit):
                self.eyes[i] = 0
            for region in range(self.regions):
                if self.good[region]:
                    for j in range(4):
                        head = self.vital[4 * region + j]
                        if head >= 0:
                            self.eyes[head] += 1
            changed = False
            for i in range(board.area):
                point = board.points[i]
                if board.cells[point] != colour or self.dead[board.chain[point]]:
                    continue
                if self.eyes[board.chain[point]] < 2:
                    self.dead[board.chain[point]] = 1
                    changed = True
            if not changed:
                break
            for i in range(board.area):
                point = board.points[i]
                if board.cells[point] == colour and self.dead[board.chain[point]]:
                    for j in range(4):
                        other = point + board.steps[j]
                        if self.region[other] >= 0:
                            self.good[self.region[other]] = 0
        for i in range(board.area):
            point = board.points[i]
            if board.cells[point] == colour and not self.dead[board.chain[point]]:
                return True
        return False

    def _claim(self, board: Board, colour: int) -> None:
        """Mark the living stones of a colour, and the regions in which its opponent cannot live."""
        for i in range(board.area):
            point = board.points[i]
            if board.cells[point] != _EMPTY:
                continue
            touched = False
            for j in range(4):
                other = point + board.steps[j]
                if board.cells[other] == colour:
                    touched = True
            if not touched:
                self.good[self.region[point]] = 0
        for i in range(board.area):
            point = board.points[i]
            if board.cells[point] == colour:
                if not self.dead[board.chain[point]]:
                    self.owner[point] = colour
            elif self.good[self.region[point]]:
                self.owner[point] = colour
