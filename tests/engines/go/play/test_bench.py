import pytest

from engines.go.play import bench


def test_the_bench_measures_every_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "SIZES", (5, 7))
    monkeypatch.setattr(bench, "TIMES", 1)
    rows = list(bench.bench(0.001))
    names = [name for name, _, _ in rows]
    assert any(name.startswith("perft ") for name in names)
    for part in ("random games", "input planes", "evaluations", "search"):
        assert [name for name in names if name.startswith(f"{part} 5x5")]
        assert [name for name in names if name.startswith(f"{part} 7x7")]
    assert {"the first reply", "the first line of an analysis"} <= set(names)
    assert all(figure > 0 for _, figure, _ in rows)
