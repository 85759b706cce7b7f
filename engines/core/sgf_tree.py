"""SGF as it occurs: read with all variations, forgiven what can be forgiven, written clean."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from engines.core.charset import decode_sgf
from engines.core.game import InvalidText

_START: Final = re.compile(r"\(\s*;")
_SPACE: Final = re.compile(r"\s*")
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_VALUE: Final = re.compile(r"\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)
_ESCAPED: Final = re.compile(r"\\(\r\n|\n\r|.)|(\r\n|\n\r|\r)", re.DOTALL)
_WIDTH: Final = 40  # Characters of the text that a message shows.


@dataclass(slots=True)
class SgfNode:
    """A node: its values by property, unescaped, and where it stands in its file."""

    values: dict[str, list[str]] = field(default_factory=dict)
    children: list["SgfNode"] = field(default_factory=list)
    line: int = 0


@dataclass(frozen=True, slots=True)
class SgfFile:
    """The game trees of a file, its character set, and what was forgiven on the way."""

    roots: Sequence[SgfNode]
    charset: str
    notices: Sequence[str]


def parse_sgf(data: bytes, charset: str = "") -> SgfFile:
    """Read all game trees of a file; raises InvalidText naming line and column.

    Forgiven, and told in the notices: text before, between and behind trees, a byte order mark,
    lower-case letters in names (FF[3] has them), trees that are not closed, a character set that
    is not named or is another than is named. A `charset` that is given is believed.
    """
    text, found, notices = decode_sgf(data, charset)
    reader = _Reader(text, notices)
    roots = list(reader.roots())
    return SgfFile(roots, found, reader.notices)


def main_line(root: SgfNode) -> Iterator[SgfNode]:
    """Yield a tree's nodes, always going on with the first variation."""
    node = root
    while True:
        yield node
        if not node.children:
            return
        node = node.children[0]


class _Reader:
    """Goes through a text once; knows where it is."""

    def __init__(self, text: str, notices: Sequence[str]) -> None:
        self.notices = list(notices)
        self._text = text
        self._at = 0
        self._line = 1
        self._counted = 0  # How far lines are counted.

    def roots(self) -> Iterator[SgfNode]:
        """Yield the root of each tree."""
        found = 0
        while match := _START.search(self._text, self._at):
            outside = self._text[self._at : match.start()].strip()
            if outside.strip(")\x00\x1a"):
                place = "before the first game" if not found else "between games"
                self._note(f"text {place} is left out: {_shown(outside)}")
            self._at = match.start()
            found += 1
            yield self._tree()
        rest = self._text[self._at :].strip().strip(")\x00\x1a")
        if not found:
            told = f"; it begins with {_shown(self._text.strip())}" if self._text.strip() else ""
            raise InvalidText(f"no game begins in it: expected (;{told or ', the file is empty'}")
        if rest:
            self._note(f"text behind the last game is left out: {_shown(rest)}")

    def _tree(self) -> SgfNode:
        top = SgfNode()
        above: list[SgfNode] = []
        last = top
        text = self._text
        while True:
            self._at = _SPACE.match(text, self._at).end()  # type: ignore[union-attr]  # Always.
            sign = text[self._at : self._at + 1]
            if sign == "(":
                above.append(last)
                self._at += 1
            elif sign == ")":
                self._at += 1
                last = above.pop()
                if not above:
                    return top.children[0]
            elif sign == ";":
                node = SgfNode(line=self._count(self._at))
                last.children.append(node)
                last = node
                self._at += 1
            elif sign == "" or sign in "\x00\x1a":
                self._note(f"the end is missing: {len(above)} parentheses are not closed")
                return top.children[0]
            else:
                self._property(last)

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
    r"""Return a value's text: `\x` is x, an escaped line break is nothing, others are `\n`."""
    if "\\" not in raw and "\r" not in raw:
        return raw

    def plain(match: re.Match[str]) -> str:
        if match[2]:
            return "\n"
        return "" if match[1] in ("\n", "\r", "\r\n", "\n\r") else match[1]

    return _ESCAPED.sub(plain, raw)


def write_trees(roots: Sequence[SgfNode]) -> bytes:
    """Write game trees as SGF in UTF-8, a node a line; every value is taken as text."""
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


_COMPOSED: Final = ("AP", "FG", "LB")  # Of two parts, the second a text.
_ESCAPES: Final = str.maketrans({"\\": "\\\\", "]": "\\]"})
