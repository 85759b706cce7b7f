"""Lines of text whose parts have roles, from which a terminal chooses colours."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from tools.boards.scene import Scene

BOARD: Final = "board"
COORDINATE: Final = "coordinate"
FIRST: Final = "first"
SECOND: Final = "second"
THIRD: Final = "third"  # The neutron, which belongs to neither side.
FREE: Final = "free"
LAST: Final = "last"
TAKEN: Final = "taken"
TARGET: Final = "target"
DEAD: Final = "dead"
ALERT: Final = "alert"
WORDS: Final = "words"
"""The roles of a part of a line."""

Span = tuple[str, str]
"""A text and its role."""

Line = Sequence[Span]


@dataclass(frozen=True, slots=True)
class Look:
    """The abilities of a terminal: characters beyond ASCII, and kanji instead of letters.

    `width` is its number of columns, and 0 where lines may be of any length.
    """

    unicode: bool = True
    kanji: bool = True
    width: int = 0

    def fits(self, columns: int) -> bool:
        """Whether a line of so many columns fits."""
        return not self.width or columns <= self.width


@dataclass(frozen=True, slots=True)
class Marks:
    """The marked places of a board, by the names of places in lower case."""

    last: Collection[str] = field(default_factory=frozenset)
    taken: Collection[str] = field(default_factory=frozenset)
    targets: Collection[str] = field(default_factory=frozenset)
    dead: Collection[str] = field(default_factory=frozenset)

    @classmethod
    def of(cls, scene: Scene, last: Iterable[str]) -> "Marks":
        """Return the marks of a scene; crosses mark what was taken, circles where to move."""
        signs = [(place.lower(), sign) for place, sign in scene.marks]
        return cls(
            frozenset(place.lower() for place in last),
            frozenset(place for place, sign in signs if sign == "cross"),
            frozenset(place for place, sign in signs if sign == "circle"),
            frozenset(place.lower() for place in scene.dead),
        )

    def brackets(self, place: str) -> tuple[str, str]:
        """Return the signs before and behind a place, which show its mark without colours."""
        if place in self.targets:
            return "<", ">"
        return ("(", ")") if place in self.last else (" ", " ")

    def role(self, place: str, role: str) -> str:
        """Return the role of a place that would have this role without marks.

        Pieces keep the colour of their side; the brackets show that they have moved.
        """
        if role not in (BOARD, FREE):
            return role
        if place in self.targets:
            return TARGET
        return LAST if place in self.last else role


def edge(sign: str) -> Span:
    """Return what stands beside a place: a part of the board, or a bracket that marks the place."""
    if sign in ("<", ">"):
        return sign, TARGET
    return sign, LAST if sign in ("(", ")") else BOARD


def legend(signs: str, count: str, indent: str, look: Look) -> Iterator[Line]:
    """Yield what the signs of a board mean and what is not on it, in two lines if need be."""
    whole = f"{indent}{signs}   {count}"
    for text in [whole] if look.fits(len(whole)) else [f"{indent}{signs}", f"{indent}{count}"]:
        yield [(text, WORDS)]


def plain_text(lines: Iterable[Line]) -> str:
    """Return lines without their roles."""
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)
