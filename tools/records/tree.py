"""All lines of a recorded game: a tree of moves that keeps the nodes of the file."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Protocol, Self, TypeVar

from engines.core.game import Game, IllegalMove, InvalidText
from tools.records.game import PlayedMove, Variation

MOST_MOVES: Final = 20_000
"""Of the variations together; what exceeds it, or is nested deeper, is only kept in the file."""
MOST_NESTED: Final = 40


class Linked(Protocol):
    """A node of a file; the first child continues the line, and the others begin variations."""

    children: list[Self]


Source = TypeVar("Source", bound=Linked)


@dataclass(slots=True)
class MoveNode(Generic[Source]):
    """A node of a file with the moves and throws in it, of which there may be none."""

    source: Source
    moves: tuple[PlayedMove, ...] = ()
    comment: str = ""  # Of a node without moves.
    children: list["MoveNode[Source]"] = field(default_factory=list)


def grow(
    root: Source,
    game: Game[Any],
    play: Callable[[Source, Game[Any]], Iterable[PlayedMove] | None],
    comment: Callable[[Source], str],
) -> MoveNode[Source]:
    """Follow all lines below the root of a file; a line ends where it cannot be played.

    `play` makes the moves of a node in the game and returns them; None ends the line before it.
    """
    top = MoveNode(root, comment=comment(root))
    todo = [(child, top, 0) for child in reversed(root.children)]
    while todo:
        source, parent, plies = todo.pop()
        while len(game.moves) > plies:
            game.undo()
        try:
            made = play(source, game)
            moves = None if made is None else tuple(made)
        except (InvalidText, IllegalMove):
            continue
        if moves is None:
            continue
        node = MoveNode(source, moves, "" if moves else comment(source))
        parent.children.append(node)
        plies = len(game.moves)
        todo += [(child, node, plies) for child in reversed(source.children)]
    while game.moves:
        game.undo()
    return top


@dataclass(frozen=True, slots=True)
class Lines:
    """The main line of a tree with its variations, and the comment before the first move.

    `left_out` counts the variations that are too many or nested too deeply.
    """

    moves: tuple[PlayedMove, ...]
    variations: tuple[Variation, ...]
    comment: str
    left_out: int


def unfold(top: MoveNode[Any]) -> Lines:
    """Return the lines of a tree as values."""
    unfolding = _Unfolding()
    moves, variations = unfolding.line(top, 0, 0)
    comment = "\n".join(unfolding.before)
    return Lines(tuple(moves), tuple(variations), comment, unfolding.left_out)


class _Unfolding:
    """Turns nodes into moves and variations, up to a number of them."""

    def __init__(self) -> None:
        self.before: list[str] = []
        self.left_out = 0
        self._rest = MOST_MOVES

    def line(
        self, node: MoveNode[Any], at: int, depth: int
    ) -> tuple[list[PlayedMove], list[Variation]]:
        """Return the moves of a line that begins with a node after `at` moves, and its branches."""
        moves: list[PlayedMove] = []
        branches: list[tuple[int, MoveNode[Any]]] = []
        while True:
            moves += node.moves
            if node.comment and moves:
                last = moves[-1]
                moves[-1] = last._replace(comment=f"{last.comment}\n{node.comment}".lstrip("\n"))
            elif node.comment and not at:
                self.before.append(node.comment)
            branches += [(at + len(moves), child) for child in node.children[1:]]
            if not node.children or (depth and len(moves) > self._rest):
                break
            node = node.children[0]
        if depth:
            self._rest -= len(moves)
        variations: list[Variation] = []
        for place, child in branches:
            variations += self._variation(child, place, moves[place - at :], depth + 1)
        return moves, variations

    def _variation(
        self, node: MoveNode[Any], at: int, beside: Sequence[PlayedMove], depth: int
    ) -> list[Variation]:
        """Return a variation beside the moves of its line, as far as it differs from them."""
        if self._rest <= 0 or depth > MOST_NESTED:
            self.left_out += 1
            return []
        moves, inner = self.line(node, at, depth)
        same = 0  # A variation of Senet may repeat a throw, and any other a move.
        for mine, other in zip(moves, beside, strict=False):
            if (mine.side, mine.text) != (other.side, other.text):
                break
            same += 1
        if same == len(moves):
            return inner
        return [Variation(at + same, tuple(moves[same:]), tuple(inner))]
