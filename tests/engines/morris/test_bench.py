import pytest

from engines.morris import bench as benchmark
from engines.morris.bench import bench


def test_every_figure_has_a_name_a_unit_and_is_above_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(benchmark, "COMPILED", False)
    figures = list(bench(0.001))
    assert {unit for _, _, unit in figures} == {"leaves/s", "games/s", "nodes/s", "entries/s"}
    assert all(figure > 0 for _, figure, _ in figures)
