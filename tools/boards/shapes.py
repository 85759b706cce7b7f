"""Shapes: what every drawing is made of, and their rendering as SVG text or as JSON for a page."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

Place = tuple[float, float]
"""The coordinates of something that is drawn."""

TAGS: Final = frozenset(
    ("circle", "defs", "g", "linearGradient", "path", "polygon", "radialGradient", "rect")
) | {"stop", "text", "title"}
"""The elements of SVG that drawings use; a page creates no others."""


@dataclass(frozen=True, slots=True)
class Shape:
    """An element of SVG: its tag, its classes, its attributes, its text, what it contains."""

    tag: str
    kind: str = ""
    attributes: tuple[tuple[str, str], ...] = ()
    words: str = ""
    children: tuple["Shape", ...] = ()


def figure(value: float) -> str:
    """Write a coordinate with at most two decimals."""
    return f"{round(value, 2):g}"


def circle(kind: str, place: Place, radius: float, fill: str = "") -> Shape:
    """Draw a circle around a place."""
    x, y = place
    figures = (("cx", figure(x)), ("cy", figure(y)), ("r", figure(radius)))
    return Shape("circle", kind, figures + _fill(fill))


def rect(kind: str, corner: Place, size: Place, rounding: float = 0, fill: str = "") -> Shape:
    """Draw a rectangle from its upper left corner."""
    names = ("x", "y", "width", "height", "rx")
    figures = zip(names, map(figure, (*corner, *size, rounding)), strict=True)
    return Shape("rect", kind, tuple(figures) + _fill(fill))


def path(kind: str, data: str, fill: str = "") -> Shape:
    """Draw a path in the language of SVG."""
    return Shape("path", kind, (("d", data), *_fill(fill)))


def polygon(kind: str, corners: Iterable[Place], fill: str = "") -> Shape:
    """Draw a closed polygon."""
    points = " ".join(f"{figure(x)},{figure(y)}" for x, y in corners)
    return Shape("polygon", kind, (("points", points), *_fill(fill)))


def text(kind: str, place: Place, words: str, *, turned: bool = False) -> Shape:
    """Write words that are centred on a place; their baseline is the style's to choose."""
    x, y = place
    figures: tuple[tuple[str, str], ...] = (("x", figure(x)), ("y", figure(y)))
    if turned:
        figures += (("transform", f"rotate(180 {figure(x)} {figure(y)})"),)
    return Shape("text", kind, figures, words)


def group(kind: str, children: Iterable[Shape], place: str = "") -> Shape:
    """Put shapes together; `place` is the name of the place that the piece stands on."""
    named = (("data-place", place),) if place else ()
    return Shape("g", kind, named, children=tuple(children))


def _fill(fill: str) -> tuple[tuple[str, str], ...]:
    return (("fill", fill),) if fill else ()


def to_svg(shape: Shape) -> str:
    """Render a shape as SVG; all text and all values are escaped."""
    kind = f" class={quoteattr(shape.kind)}" if shape.kind else ""
    values = "".join(f" {name}={quoteattr(value)}" for name, value in shape.attributes)
    inside = escape(shape.words) + "".join(map(to_svg, shape.children))
    return f"<{shape.tag}{kind}{values}" + (f">{inside}</{shape.tag}>" if inside else "/>")


def to_json(shape: Shape) -> list[Any]:
    """Render a shape as a list: its tag, its attributes, its text, what it contains."""
    attributes = ({"class": shape.kind} if shape.kind else {}) | dict(shape.attributes)
    return [shape.tag, attributes, shape.words, [to_json(child) for child in shape.children]]
