"""The values of a tuning run over its pairs of games, as a picture."""

from collections.abc import Iterator, Sequence
from typing import Final
from xml.sax.saxutils import escape

from tools.statistics.spsa import Parameter

_WIDTH: Final = 640
_HEIGHT: Final = 120  # Of the chart of one value.
_LEFT: Final = 70
_TOP: Final = 26
_MOST_POINTS: Final = 600
_STYLE: Final = (
    "text{font:12px sans-serif;fill:#333}.frame{fill:none;stroke:#999}"
    ".start{stroke:#999;stroke-dasharray:4 3}.course{fill:none;stroke:#1f6fb2;stroke-width:1.6}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}.course{stroke:#7db8ea}}"
)


def draw_course(
    parameters: Sequence[Parameter], course: Sequence[Sequence[float]], pairs: int
) -> str:
    """Return an SVG with a chart for each value, from its lowest to its highest.

    `course` are the values before the first pair and after each that was learnt from.
    """
    height = len(parameters) * (_HEIGHT + _TOP) + 24
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        f'width="{_WIDTH}" height="{height}" role="img">',
        f"<title>Values after {len(course) - 1} of {pairs} pairs of games</title>",
        f"<style>{_STYLE}</style>",
    ]
    for index, parameter in enumerate(parameters):
        top = index * (_HEIGHT + _TOP) + _TOP
        parts += _chart(parameter, [values[index] for values in course], pairs, top)
    below = height - 8
    parts.append(f'<text x="{_LEFT}" y="{below}">0</text>')
    parts.append(
        f'<text x="{_WIDTH - 8}" y="{below}" text-anchor="end">{pairs} pairs of games</text></svg>'
    )
    return "\n".join(parts) + "\n"


def _chart(parameter: Parameter, values: Sequence[float], pairs: int, top: float) -> Iterator[str]:
    inner = _WIDTH - _LEFT - 8

    def place(at: int, value: float) -> tuple[float, float]:
        share = (value - parameter.low) / (parameter.high - parameter.low)
        return _LEFT + inner * at / pairs, top + _HEIGHT * (1 - share)

    now = f"{parameter.rounded(values[-1]):g}"
    words = f"{parameter.name}: {parameter.start:g} at the start, {now} now"
    yield f'<text x="{_LEFT}" y="{top - 8:g}">{escape(words)}</text>'
    yield f'<rect class="frame" x="{_LEFT}" y="{top:g}" width="{inner}" height="{_HEIGHT}"/>'
    for value, drop in ((parameter.high, 12), (parameter.low, _HEIGHT)):
        yield f'<text x="{_LEFT - 6}" y="{top + drop:g}" text-anchor="end">{value:g}</text>'
    x, y = place(0, parameter.start)
    yield f'<line class="start" x1="{x:g}" y1="{y:.1f}" x2="{x + inner:g}" y2="{y:.1f}"/>'
    every = max(1, len(values) // _MOST_POINTS)
    numbers = [*range(0, len(values) - 1, every), len(values) - 1]
    points = " ".join("{:.1f},{:.1f}".format(*place(at, values[at])) for at in numbers)
    yield f'<polyline class="course" points="{points}"/>'
