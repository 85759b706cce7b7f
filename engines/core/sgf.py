"""SGF files: read with all variations and as tolerantly as possible, written strictly."""

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from engines.core.charset import decode_sgf
from engines.core.game import InvalidText

with warnings.catch_warnings():
    # Python 3.12 warns of a backslash in its docstring when it translates the module.
    warnings.simplefilter("ignore", SyntaxWarning)
    from sgfmill import sgf_grammar

_START: Final = re.compile(r"\(\s*(?:;|[A-Z]{1,2}\[)")
_SPACE: Final = re.compile(r"\s*")
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*")
# Possessive, so that a value of many megabytes needs no memory to go back.
_VALUE: Final = re.compile(r"\[([^\]\\]*+(?:\\.[^\]\\]*+)*+)\]", re.DOTALL)
_ESCAPED: Final = re.compile(r"\\(\r\n|\n\r|.)|(\r\n|\n\r|\r)", re.DOTALL)
_COMPOSED: Final = ("AP", "FG", "LB")  # Values of two parts, the second of which is a text.
_ESCAPES: Final = str.maketrans({"\\": "\\\\", "]": "\\]"})
_WIDTH: Final = 40  # Characters of the text that a message quotes.

MOST_BYTES: Final = 1 << 25
MOST_NODES: Final = 1_000_000
MOST_VALUES: Final = 2_000_000
"""A file that is larger, or has more nodes or values in all of its games, is refused."""

Node = Mapping[str, Sequence[str]]
"""The property values of a node by property identifier, unescaped."""


@dataclass(slots=True)
class SgfNode:
    """A node of a game tree: its unescaped values by property, and its line in the file."""

    values: dict[str, list[str]] = field(default_factory=dict)
    children: list["SgfNode"] = field(default_factory=list)
    line: int = 0


@dataclass(frozen=True, slots=True)
class SgfFile:
    """The game trees of a file, its character set, and a notice for each tolerated fault."""

    roots: Sequence[SgfNode]
    charset: str
    notices: Sequence[str]


def parse_sgf(data: bytes, charset: str = "") -> SgfFile:
    """Read all game trees of a file; raises InvalidText with the line and the column of the fault.

    A file with more bytes, nodes or values than the constants of this module is refused as well.

    These faults are tolerated and mentioned in the notices: text before, between and after the
    trees, a byte order mark, trees that are not closed, a missing semicolon before the first node
    of a tree or a variation, and a missing or wrong name of the character set. A property that
    stands twice in a node has the values of both. Lower-case letters in property names are ignored,
    as FF[3] allows them. If a `charset` is given, the file is read in that character set, whatever
    the file says.
    """
    if len(data) > MOST_BYTES:
        raise InvalidText(f"it has more than {MOST_BYTES >> 20} MiB")
    text, used, notices = decode_sgf(data, charset)
    reader = _Reader(text, notices)
    roots = list(reader.roots())
    return SgfFile(roots, used, reader.notices)


def main_line(root: SgfNode) -> Iterator[SgfNode]:
    """Yield the nodes of the main line: of each node's variations, the first one."""
    node = root
    while True:
        yield node
        if not node.children:
            return
        node = node.children[0]


class _Reader:
    """Reads a text from the beginning to the end."""

    def __init__(self, text: str, notices: Sequence[str]) -> None:
        self.notices = list(notices)
        self._text = text
        self._at = 0
        self._line = 1
        self._nodes = 0
        self._values = 0
        self._counted = 0  # Up to this position, `_line` has counted the line breaks.

    def roots(self) -> Iterator[SgfNode]:
        """Yield the root of each tree."""
        trees = 0
        while match := _START.search(self._text, self._at):
            outside = self._text[self._at : match.start()].strip()
            if outside.strip(")\x00\x1a"):
                place = "before the first game" if not trees else "between games"
                self._note(f"text {place} is left out: {_shown(outside)}")
            self._at = match.start()
            trees += 1
            yield self._tree()
        rest = self._text[self._at :].strip().strip(")\x00\x1a")
        if not trees:
            text = self._text.strip()
            start = f"; it begins with {_shown(text)}" if text else ", the file is empty"
            raise InvalidText(f"no game begins in it: expected (;{start}")
        if rest:
            self._note(f"text behind the last game is left out: {_shown(rest)}")

    def _tree(self) -> SgfNode:
        top = SgfNode()
        above: list[SgfNode] = []
        last = top
        begun = False
        text = self._text
        while True:
            self._at = _SPACE.match(text, self._at).end()  # type: ignore[union-attr]  # Always.
            sign = text[self._at : self._at + 1]
            if sign == "(":
                above.append(last)
                begun = False
                self._at += 1
            elif sign == ")":
                self._at += 1
                last = above.pop()
                if not above:
                    return top.children[0]
            elif sign == ";":
                last = self._node(last)
                begun = True
                self._at += 1
            elif sign == "" or sign in "\x00\x1a":
                self._note(f"the end is missing: {len(above)} parentheses are not closed")
                return top.children[0]
            elif not begun:
                line = self._count(self._at)
                self._note(f"line {line}: the semicolon before the first node is missing")
                last = self._node(last)
                begun = True
            else:
                self._property(last)

    def _node(self, parent: SgfNode) -> SgfNode:
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise self._fault(self._at, f"it has more than {MOST_NODES} nodes")
        node = SgfNode(line=self._count(self._at))
        parent.children.append(node)
        return node

    def _property(self, node: SgfNode) -> None:
        text, start = self._text, self._at
        name = _NAME.match(text, start)
        if name is None:
            raise self._fault(start, f"unexpected {_shown(text[start:])}, expected a property")
        key = "".join(letter for letter in name[0] if not letter.islower()) or name[0].upper()
        values = []
        at = _SPACE.match(text, name.end()).end()  # type: ignore[union-attr]  # Always.
        while text[at : at + 1] == "[":
            value = _VALUE.match(text, at)
            if value is None:
                raise self._fault(at, f"the value of {key} has no end: {_shown(text[at:])}")
            values.append(_unescape(value[1]))
            at = _SPACE.match(text, value.end()).end()  # type: ignore[union-attr]
        if not values:
            raise self._fault(at, f"{name[0]} has no value: expected [, not {_shown(text[at:])}")
        self._values += len(values)
        if self._values > MOST_VALUES:
            raise self._fault(start, f"it has more than {MOST_VALUES} values")
        node.values.setdefault(key, []).extend(values)
        self._at = at

    def _count(self, at: int) -> int:
        if at > self._counted:
            self._line += self._text.count("\n", self._counted, at)
            self._counted = at
        return self._line

    def _fault(self, at: int, what: str) -> InvalidText:
        line = self._text.count("\n", 0, at) + 1
        column = at - self._text.rfind("\n", 0, at)
        return InvalidText(f"line {line}, column {column}: {what}")

    def _note(self, what: str) -> None:
        self.notices.append(what)


def _shown(text: str) -> str:
    return repr(text[:_WIDTH] + ("..." if len(text) > _WIDTH else "")) if text else "the end"


def _unescape(raw: str) -> str:
    r"""Return the text of a value: `\x` is x, an escaped line break is dropped, others are `\n`."""
    if "\\" not in raw and "\r" not in raw:
        return raw

    def plain(match: re.Match[str]) -> str:
        if match[2]:
            return "\n"
        return "" if match[1] in ("\n", "\r", "\r\n", "\n\r") else match[1]

    return _ESCAPED.sub(plain, raw)


def write_trees(roots: Sequence[SgfNode]) -> bytes:
    """Write game trees as SGF in UTF-8, one node per line; every value is treated as text."""
    parts: list[str] = []
    for root in roots:
        todo: list[SgfNode | str] = [")\n", root, "("]
        while todo:
            node = todo.pop()
            if isinstance(node, str):
                parts.append(node)
                continue
            parts.append(_format_node(node))
            if len(node.children) == 1:
                todo += [node.children[0], "\n"]
            for child in reversed(node.children[:] if len(node.children) > 1 else ()):
                todo += [")", child, "\n("]
    return "".join(parts).encode("utf-8", errors="replace")


def _format_node(node: SgfNode) -> str:
    return ";" + "".join(
        key + "".join(f"[{_escape(key, value)}]" for value in values)
        for key, values in node.values.items()
    )


def _escape(key: str, value: str) -> str:
    escaped = value.translate(_ESCAPES)
    if key not in _COMPOSED:
        return escaped
    first, colon, second = escaped.partition(":")
    return first + colon + second.replace(":", "\\:")


def write_sgf(nodes: Sequence[Node]) -> bytes:
    """Write one line of play; every value is treated as text and escaped."""
    tree = sgf_grammar.Coarse_game_tree()
    for node in nodes:
        tree.sequence.append(
            {
                key: [sgf_grammar.escape_text(value.encode("utf-8")) for value in values]
                for key, values in node.items()
            }
        )
    written: bytes = sgf_grammar.serialise_game_tree(tree)
    return written


def read_sgf(data: bytes) -> list[dict[str, list[str]]]:
    """Read the main line of the first game; raises InvalidText, which says where the fault is."""
    try:
        root = parse_sgf(data).roots[0]
    except InvalidText as error:
        raise InvalidText(f"not an SGF record: {error}") from error
    return [node.values for node in main_line(root)]
