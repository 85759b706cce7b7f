from math import isfinite

import pytest

from tools.bench.referee import referee_figures


@pytest.mark.slow
def test_the_referee_is_measured_against_a_bare_loop_in_the_same_run() -> None:
    figures = {what: (figure, unit) for what, figure, unit in referee_figures(rounds=3)}
    assert all(isfinite(figure) for figure, _ in figures.values())
    assert figures["a ply, legality and clock included (CPU)"][1] == "us"
    assert figures["referee to bare loop, with the engines' work"][0] > 0
    assert figures["a match with the live view to one without (CPU)"][1] == "times"
