import pytest

from engines.morris.play import bench as benchmark
from engines.morris.play.bench import bench
from engines.morris.play.levels import MorrisSearcher


@pytest.mark.slow
def test_every_figure_has_a_name_a_unit_and_is_above_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(benchmark, "COMPILED", False)
    figures = list(bench(0.001))
    assert {unit for _, _, unit in figures} == {"leaves/s", "games/s", "nodes/s", "entries/s"}
    assert all(figure > 0 for _, figure, _ in figures)


def test_loading_tables_is_no_part_of_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    began: list[str] = []
    monkeypatch.setattr(benchmark, "_NODES", 100)
    monkeypatch.setattr(MorrisSearcher, "forget", lambda self: began.append("forgotten"))
    work = benchmark._search("")
    assert began == ["forgotten"]
    assert work(2) == 200
    assert began == ["forgotten"] * 3
