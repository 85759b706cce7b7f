"""The shape of the network's inputs, and the scalar inputs."""

from typing import Final

PLANES: Final = 16
SCALARS: Final = 6
RECENT: Final = 5


def scalars(
    komi: float, area: int, *, territory: bool, passed: bool, both_passed: bool
) -> list[float]:
    """Return the scalar inputs; `komi` is the effective komi in favour of the side to move.

    The fifth scalar is a wave over the komi, which is 0 for komis that allow a draw: under area
    counting, the score has the parity of the board, so that not every half point matters.
    """
    wave = 0.0
    if not territory:
        phase = (komi - area % 2) % 2.0
        wave = phase if phase < 0.5 else 1.0 - phase if phase < 1.5 else phase - 2.0
    return [
        komi / 15.0,
        float(territory),
        float(passed),
        float(both_passed),
        wave,
        (area**0.5 - 14.0) / 10.0,
    ]
