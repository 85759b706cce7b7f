"""The losses of a record in a format, found by comparing it with what is read back."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from engines.shogi.rules.records.record import FOULS, Node, Record

_OWN_NOTATION: Final = "持ち時間"  # Each format writes the time control in its own way.


@dataclass(frozen=True, slots=True)
class Loss:
    """A number of things that a format cannot hold, or can hold only changed."""

    thing: str
    count: int
    fate: str

    def __str__(self) -> str:
        return f"{self.count} {self.thing}{'s' if self.count != 1 else ''} {self.fate}"


def find_losses(before: Record, after: Record, title: str) -> list[Loss]:
    """Compare a record with what is read back from a format, which messages call `title`."""
    found = Counter(_compare(before, after, title))
    return [Loss(thing, count, fate) for (thing, fate), count in found.items()]


def same_game(before: Record, after: Record) -> bool:
    """Tell whether two records have the same start and the same moves in their main lines."""
    starts = [record.start.split()[:3] for record in (before, after)]
    return starts[0] == starts[1] and before.moves() == after.moves()


def _compare(before: Record, after: Record, title: str) -> Iterator[tuple[str, str]]:
    """Yield each thing that is lost, and its fate."""
    if before.start.split()[3:] != after.start.split()[3:]:
        yield "number", f"of the first move left out: {title} begins with 1"
    for name, copy in ((before.black, after.black), (before.white, after.white)):
        if name.strip() != copy.strip():
            yield "name", _fate(copy, title)
    for key, value in before.headers.items():
        copy = after.headers.get(key, "")
        if value.strip() and value.strip() != copy.strip() and not (copy and key == _OWN_NOTATION):
            yield "header", _fate(copy, title, key)
    yield from _compare_trees(before.root, after.root, title)


def _fate(copy: str, title: str, what: str = "") -> str:
    place = f"no place for {what}" if what else "none"
    return (
        f"changed: {title} cannot express all of it" if copy else f"left out: {title} has {place}"
    )


def _compare_trees(before: Node, after: Node, title: str) -> Iterator[tuple[str, str]]:
    todo = [(before, after, False)]
    while todo:
        node, copy, after_foul = todo.pop()
        # After an illegal move, any of the words says that it was the foul.
        if not (node.ending in FOULS and copy.ending in FOULS and after_foul):
            yield from _compare_endings(node, copy, title)
        yield from _compare_nodes(node, copy, title)
        kept = len(copy.children)
        for number, child in enumerate(node.children):
            if number < kept:
                other = copy.children[number]
                if child.foul and other.ending is not None:
                    yield "move", f"left out: {title} cannot hold it"
                    child = child.children[0]
                todo.append((child, other, node.foul or child.foul))
            elif number:
                yield "variation", f"left out: {title} has none"
                # The variations within one that is lost are lost with it.
                for _ in range(_forks(child)):
                    yield "variation", f"left out: {title} has none"
            elif child.ending is not None:
                yield "ending", f"left out: {title} has no word for {child.ending}"
            else:
                yield "move", f"left out: {title} cannot hold it"


def _compare_endings(node: Node, copy: Node, title: str) -> Iterator[tuple[str, str]]:
    if node.ending is not copy.ending and node.ending is not None:
        yield "ending", f"changed: {title} writes {node.ending} as {copy.ending or 'a move'}"


def _compare_nodes(node: Node, copy: Node, title: str) -> Iterator[tuple[str, str]]:
    if node.seconds is not None and copy.seconds is None:
        yield "time", f"left out: {title} has none"
    elif node.seconds is not None and node.seconds != copy.seconds:
        yield "time", f"changed: {title} has whole seconds"
    own, others = (_text(each) for each in (node, copy))
    if own and own not in others:
        yield "comment", _fate(others, title)
    if node.bookmark and node.bookmark != copy.bookmark:
        yield "bookmark", _fate(copy.bookmark, title)


def _text(node: Node) -> str:
    return "\n".join(line.rstrip() for text in node.comments for line in text.splitlines()).strip()


def _forks(root: Node) -> int:
    """Count the variations within a tree."""
    count, todo = 0, [root]
    while todo:
        node = todo.pop()
        count += max(len(node.children) - 1, 0)
        todo += node.children
    return count
