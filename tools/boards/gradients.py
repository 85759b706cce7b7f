"""The colours of wood, stones and pieces: gradients that every drawing refers to."""

from typing import Final

from tools.boards.shapes import Shape, to_svg


def _stop(offset: str, colour: str) -> Shape:
    return Shape("stop", attributes=(("offset", offset), ("stop-color", colour)))


def _ball(name: str, *colours: str) -> Shape:
    """Shade a round piece with light from the upper left."""
    where = (("id", f"quintet-{name}"), ("cx", "0.36"), ("cy", "0.3"), ("r", "0.75"))
    stops = [_stop(f"{100 * i // (len(colours) - 1)}%", c) for i, c in enumerate(colours)]
    return Shape("radialGradient", attributes=where, children=tuple(stops))


def _slope(name: str, *colours: str) -> Shape:
    """Shade a surface from its upper left to its lower right."""
    where = (("id", f"quintet-{name}"), ("x1", "0"), ("y1", "0"), ("x2", "1"), ("y2", "1"))
    stops = [_stop(f"{100 * i // (len(colours) - 1)}%", c) for i, c in enumerate(colours)]
    return Shape("linearGradient", attributes=where, children=tuple(stops))


DEFINITIONS: Final = Shape(
    "defs",
    children=(
        _slope("wood", "#e9c88b", "#dfb873", "#d8ad66"),
        _slope("piece", "#fdf0cf", "#f3dca6", "#dcbb78"),
        _ball("black", "#6e7278", "#2b2d31", "#0b0b0d"),
        _ball("white", "#ffffff", "#f4f2ec", "#c9c5ba"),
        _ball("neutron", "#a9c8ff", "#3f6fd1", "#173a86"),
    ),
)


def definitions() -> str:
    """Return an invisible element that a page with drawings needs once."""
    return f'<svg class="definitions" width="0" height="0">{to_svg(DEFINITIONS)}</svg>'
