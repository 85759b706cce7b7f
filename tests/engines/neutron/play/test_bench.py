import pytest

from engines.neutron.play.bench import bench
from tests.engines.neutron.walks import COMPILED


@pytest.mark.slow
def test_every_figure_is_measured() -> None:
    figures = {what: (figure, unit) for what, figure, unit in bench(0.05)}
    assert set(figures) == {"perft 5", "random games", "search"}
    assert all(figure > 0 for figure, _ in figures.values())
    assert all(unit.endswith("/s") for _, unit in figures.values())
    if COMPILED:  # A fifth of what is promised: the machine may be busy.
        assert figures["perft 5"][0] > 4_000_000
