from tools.referee_bench import referee_figures


def test_the_referee_is_measured_against_a_bare_loop_in_the_same_run() -> None:
    figures = {what: (figure, unit) for what, figure, unit in referee_figures(rounds=3)}
    assert len(figures) == 7
    ply, unit = figures["a ply (by the clock, with the engines' answers)"]
    assert (ply > 0, unit) == (True, "us")
    ratio, unit = figures["referee to bare loop, by the clock"]
    assert (ratio > 0, unit) == (True, "times")
