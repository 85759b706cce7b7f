import pytest

from engines.senet.play import bench


@pytest.mark.slow
def test_every_figure_is_a_rate_above_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "_PERFT", 5)
    monkeypatch.setattr(bench, "_DEPTH", 2)
    figures = list(bench.bench(0.001))
    assert len({name for name, _, _ in figures}) == len(figures) == 4
    assert all(value > 0 and unit.endswith("/s") for _, value, unit in figures)
