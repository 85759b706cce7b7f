"""Perfect matchings: whether everybody can be paired, given who may meet whom.

The algorithm is Edmonds' of 1965: paths that begin and end at unmatched places are searched breadth
first, and an odd cycle on the way (a blossom) is treated as one place, its base.
"""

from collections import deque
from collections.abc import Sequence

Graph = Sequence[Sequence[int]]
"""For each place, from 0, the places that it may be matched with."""


def has_perfect_matching(graph: Graph) -> bool:
    """Whether all places can be matched at the same time."""
    return len(graph) % 2 == 0 and -1 not in maximum_matching(graph)


def maximum_matching(graph: Graph) -> list[int]:
    """Return the partner of each place in a matching of the greatest size, -1 for none."""
    partner = [-1] * len(graph)
    for place in range(len(graph)):
        if partner[place] == -1:
            end, parent = _Search(graph, partner).run(place)
            while end != -1:
                before = parent[end]
                following = partner[before]
                partner[end], partner[before] = before, end
                end = following
    return partner


class _Search:
    """One search for a path that makes a matching greater."""

    def __init__(self, graph: Graph, partner: Sequence[int]) -> None:
        self._graph = graph
        self._partner = partner
        self._parent = [-1] * len(graph)
        self._base = list(range(len(graph)))
        self._outer = [False] * len(graph)  # At an even distance from the root.
        self._queue: deque[int] = deque()

    def run(self, root: int) -> tuple[int, list[int]]:
        """Return the end of a path from the root, -1 if there is none, and all parents."""
        self._reach(root)
        while self._queue:
            place = self._queue.popleft()
            for other in self._graph[place]:
                if self._base[place] == self._base[other] or self._partner[place] == other:
                    continue
                match = self._partner[other]
                if other == root or (match != -1 and self._parent[match] != -1):
                    self._shrink(place, other)
                elif self._parent[other] == -1:
                    self._parent[other] = place
                    if match == -1:
                        return other, self._parent
                    self._reach(match)
        return -1, self._parent

    def _reach(self, place: int) -> None:
        self._outer[place] = True
        self._queue.append(place)

    def _shrink(self, one: int, other: int) -> None:
        """Make one place of the odd cycle that an edge between outer places closes."""
        base = self._common_base(one, other)
        blossom: set[int] = set()
        self._mark(one, base, other, blossom)
        self._mark(other, base, one, blossom)
        for place in range(len(self._graph)):
            if self._base[place] in blossom:
                self._base[place] = base
                if not self._outer[place]:
                    self._reach(place)

    def _common_base(self, one: int, other: int) -> int:
        seen = set()
        while True:
            one = self._base[one]
            seen.add(one)
            if self._partner[one] == -1:
                break
            one = self._parent[self._partner[one]]
        while self._base[other] not in seen:
            other = self._parent[self._partner[self._base[other]]]
        return self._base[other]

    def _mark(self, place: int, base: int, child: int, blossom: set[int]) -> None:
        while self._base[place] != base:
            match = self._partner[place]
            blossom |= {self._base[place], self._base[match]}
            self._parent[place] = child
            child = match
            place = self._parent[match]
