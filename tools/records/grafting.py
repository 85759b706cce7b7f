"""Adding what was played on from a record to its file, of which everything else is kept."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from engines import registry
from engines.core.game import Game
from engines.core.sgf import SgfNode, write_trees
from engines.shogi.rules.notation import parse_move
from engines.shogi.rules.records.record import Ending, Node, Record
from tools.records import shogi
from tools.records.game import GameRecord, PlayedMove, Variation, Verdict
from tools.records.reading import READERS, TREES
from tools.records.recorded import Source, sgf_tree, shogi_tree
from tools.records.sgf import conclusion, move_nodes, result_property
from tools.records.tree import MoveNode
from tools.records.tree import Source as FileNode

_OPEN: Final = ("", "?")
"""Results of games that are not over."""


def graft_sgf(source: Source, record: GameRecord) -> bytes:
    """Return the file of a record in SGF, or of a Go server, with all lines of a game added.

    The lines of the file stay first. The game gets its result if the file has none.
    """
    file = TREES[source.suffix](source.data, "")
    root = file.roots[source.number - 1]
    rules = registry.rules(record.game, record.variant, record.size)
    letters = tuple(side[0].upper() for side in rules.sides)
    tree = sgf_tree(root, Game(rules, record.setup))

    def make(whole: Sequence[PlayedMove], at: int) -> Iterator[tuple[SgfNode, int]]:
        for ply, values in move_nodes(record, whole, letters):
            if ply > at:
                yield SgfNode(dict(values)), ply

    ends = [_add(tree, whole, make) for whole in _lines(record.moves, record.variations)]
    end = ends[0]
    if record.verdict != Verdict.UNFINISHED:
        if _is_main(tree, end) and root.values.get("RE", [""])[0].strip() in _OPEN:
            root.values["RE"] = [result_property(record, letters)]
            if "QE" in root.values:
                root.values["QE"] = [record.verdict_with_reason]
        elif not end.source.children and end.source.line == 0:  # A line that is new.
            said = [*end.source.values.get("C", []), conclusion(record, rules.sides)]
            end.source.values["C"] = ["\n".join(said)]
    for each in file.roots:
        each.values["CA"] = ["UTF-8"]
    return write_trees(file.roots)


def graft_shogi(source: Source, record: GameRecord) -> list[Record]:
    """Return the games of a file of shogi; all lines of a game are added to its record there."""
    records = READERS[source.suffix](source.data)
    first = records[source.number - 1]
    rules = registry.rules(registry.SHOGI, record.variant)
    tree = shogi_tree(first, Game(rules, first.start))

    def make(whole: Sequence[PlayedMove], at: int) -> Iterator[tuple[Node, int]]:
        for ply, move in enumerate(whole[at:], at + 1):
            if move.text == shogi.DECLARED:
                return
            comments = shogi.remarks(move)
            yield Node(parse_move(move.text), seconds=move.seconds or None, comments=comments), ply

    ends = [_add(tree, whole, make) for whole in _lines(record.moves, record.variations)]
    last = ends[0].source
    if record.verdict != Verdict.UNFINISHED and not any(
        child.ending is not None or child.foul for child in last.children
    ):
        moved = [move for move in record.moves if move.text != shogi.DECLARED]
        turn = 1 - moved[-1].side if moved else first.position().turn
        last.children.append(Node(ending=shogi.ending_of(record.verdict, record.outcome, turn)))
    return records


def _lines(
    moves: Sequence[PlayedMove], variations: Iterable[Variation]
) -> Iterator[tuple[PlayedMove, ...]]:
    """Yield all lines of a game from its beginning to their ends."""
    yield tuple(moves)
    for variation in variations:
        whole = (*moves[: variation.at], *variation.moves)
        yield from _lines(whole, variation.variations)


def add_variation(
    tree: MoveNode[FileNode],
    whole: Sequence[PlayedMove],
    at: int,
    make: Callable[[Sequence[PlayedMove], int], Iterable[tuple[FileNode, int]]],
) -> bool:
    """Add a line whose first `at` moves are known, unless the next move is known there as well.

    `make` yields the nodes of a line behind so many plies, and the plies that lead to each of them.
    """
    node, known = _follow(tree, whole)
    if known > at:
        return False
    _extend(node, whole, known, make)
    return True


def _add(
    tree: MoveNode[FileNode],
    whole: Sequence[PlayedMove],
    make: Callable[[Sequence[PlayedMove], int], Iterable[tuple[FileNode, int]]],
) -> MoveNode[FileNode]:
    """Add a line to a tree, as far as it is new; return its last node."""
    node, known = _follow(tree, whole)
    return _extend(node, whole, known, make)


def _follow(
    tree: MoveNode[FileNode], whole: Sequence[PlayedMove]
) -> tuple[MoveNode[FileNode], int]:
    """Return the last node that a line shares with a tree, and the plies that lead to it."""
    node, at = tree, 0
    while (following := _find(node, whole[at:])) is not None:
        node = following
        at += len(node.moves)
    return node, at


def _extend(
    node: MoveNode[FileNode],
    whole: Sequence[PlayedMove],
    at: int,
    make: Callable[[Sequence[PlayedMove], int], Iterable[tuple[FileNode, int]]],
) -> MoveNode[FileNode]:
    """Append the rest of a line behind its first `at` plies; return its last node."""
    for source, ply in make(whole, at):
        node = _append(node, MoveNode(source, tuple(whole[at:ply])))
        at = ply
    return node


def _find(node: MoveNode[FileNode], rest: Sequence[PlayedMove]) -> MoveNode[FileNode] | None:
    """Return the next node with moves if the rest of a line begins with them."""
    todo = list(reversed(node.children))
    while todo:
        child = todo.pop()
        if not child.moves:
            todo += reversed(child.children)
        elif _texts(child.moves) == _texts(rest[: len(child.moves)]):
            return child
    return None


def _texts(moves: Sequence[PlayedMove]) -> list[tuple[int, str]]:
    return [(move.side, move.text) for move in moves]


def _append(node: MoveNode[FileNode], new: MoveNode[FileNode]) -> MoveNode[FileNode]:
    """Append a node behind the comments that follow a node, but not behind an ending."""
    while len(node.children) == 1 and not node.children[0].moves:
        (only,) = node.children
        if isinstance(only.source, Node):  # An ending, or an illegal move.
            if only.source.ending == Ending.INTERRUPT:  # The game goes on.
                node.source.children.remove(only.source)
                node.children.remove(only)
            break
        node = only
    node.source.children.append(new.source)
    node.children.append(new)
    return new


def _is_main(tree: MoveNode[FileNode], end: MoveNode[FileNode]) -> bool:
    """Tell whether a node ends the main line, or only comments follow it."""
    node = tree
    seen = node is end
    while node.source.children:
        following = node.source.children[0]
        inner = [child for child in node.children if child.source is following]
        if not inner:
            return False  # The rules could not follow it.
        (node,) = inner
        if seen and node.moves:
            return False
        seen = seen or node is end
    return seen
