import pytest

from engines.go import bench


def test_the_bench_measures_every_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "SECONDS", 0.001)
    monkeypatch.setattr(bench, "SIZES", (5, 7))
    rows = list(bench.bench())
    assert [name for name, _, _ in rows] == [
        "random games 5x5",
        "random games 7x7",
        "input planes 5x5",
        "input planes 7x7",
    ]
    assert all(figure > 0 for _, figure, _ in rows)
