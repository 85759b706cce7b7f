from engines.neutron.bench import bench
from tests.engines.neutron.walks import COMPILED


def test_every_figure_is_measured() -> None:
    figures = {what: (figure, unit) for what, figure, unit in bench()}
    assert set(figures) == {"half-move perft, last plies in bulk", "search", "random games"}
    assert all(figure > 0 for figure, _ in figures.values())
    assert all(unit.endswith("per CPU-second") for _, unit in figures.values())
    if COMPILED:  # A fifth of what is promised: the machine may be busy.
        assert figures["half-move perft, last plies in bulk"][0] > 4_000_000
