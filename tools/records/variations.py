"""Finding a variation in a tree of moves: `2.1` is the first variation of the second variation."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, Protocol, Self, TypeVar

from engines.core.game import InvalidText

_LISTED: Final = 12  # Variations that a message lists.


class Branching(Protocol):
    """A node of a tree; the first child continues the line, and the others begin variations."""

    @property
    def children(self) -> Sequence[Self]:
        """The nodes that follow."""
        ...


_Node = TypeVar("_Node", bound=Branching)


@dataclass(frozen=True, slots=True)
class Line(Generic[_Node]):
    """The nodes from the root to the end of a line, and the moves that its variations replace."""

    nodes: Sequence[_Node]
    branches: Sequence[int]

    def describe(self) -> str:
        """Name the variations that begin in this line."""
        if not self.branches:
            return "no variations"
        shown = [f"{n} at move {at}" for n, at in enumerate(self.branches[:_LISTED], 1)]
        count = len(self.branches)
        rest = f" and {count - _LISTED} more" if count > _LISTED else ""
        plural = "s" if count > 1 else ""
        return f"{count} variation{plural}: {', '.join(shown)}{rest}"


def parse_path(text: str) -> tuple[int, ...]:
    """Parse the numbers of a variation, such as `2.1`; raises InvalidText."""
    words = text.split(".")
    if not all(word.isascii() and word.isdecimal() and 0 < len(word) < 10 for word in words):
        raise InvalidText(f"not a variation: {text!r} (such as 2, or 2.1 for the first of 2)")
    return tuple(int(word) for word in words)


def find_line(root: _Node, path: Sequence[int], count_moves: Callable[[_Node], int]) -> Line[_Node]:
    """Return the line that a path names, or the main line for an empty path.

    `count_moves` tells how many moves a node has. Raises InvalidText if there is no such variation.
    """
    prefix: list[_Node] = []
    first = root
    for depth in range(len(path) + 1):
        line, begins = _follow(prefix, first, count_moves)
        if depth == len(path):
            break
        number = path[depth]
        if not 1 <= number <= len(begins):
            name = ".".join(map(str, path[: depth + 1]))
            of = f"variation {'.'.join(map(str, path[:depth]))}" if depth else "the main line"
            raise InvalidText(f"no variation {name}: {of} has {line.describe()}")
        at, first = begins[number - 1]
        prefix = list(line.nodes[:at])
    return line


def _follow(
    prefix: Sequence[_Node], first: _Node, count_moves: Callable[[_Node], int]
) -> tuple[Line[_Node], list[tuple[int, _Node]]]:
    """Follow a line from its first node; also return where its variations begin, and by what."""
    nodes = [*prefix, first]
    moves = sum(map(count_moves, nodes))
    branches: list[int] = []
    begins: list[tuple[int, _Node]] = []
    while nodes[-1].children:
        children = nodes[-1].children
        for child in children[1:]:
            branches.append(moves + 1)
            begins.append((len(nodes), child))
        nodes.append(children[0])
        moves += count_moves(children[0])
    return Line(nodes, branches), begins
