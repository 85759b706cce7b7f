from importlib.util import find_spec

import pytest

from engines.shogi import bench


def test_every_figure_is_above_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "_PERFT", 2)
    monkeypatch.setattr(bench, "_LONGEST", 5)
    monkeypatch.setattr(bench, "_SIGNATURE", 1)
    monkeypatch.setattr(bench, "POSITIONS", bench.POSITIONS[:1])
    figures = {what: (figure, unit) for what, figure, unit in bench.bench(0.001)}
    assert list(figures)[:4] == ["perft 2", "random games", "search", "signature"]
    if find_spec("cshogi") is not None:
        assert list(figures)[4:] == [
            "perft 2, cshogi driven from Python",
            "perft 2, to cshogi's",
        ]
    assert all(figure > 0 for figure, _ in figures.values())
    assert figures["perft 2"][1] == "leaves/s"
