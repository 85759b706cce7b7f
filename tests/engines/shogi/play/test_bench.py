from importlib.util import find_spec

import pytest

from engines.shogi.play import bench
from engines.shogi.play.fitted import Fitted
from engines.shogi.play.network import weights as files
from engines.shogi.play.scores import TOP


def test_every_figure_is_above_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "_PERFT", 2)
    monkeypatch.setattr(bench, "_LONGEST", 5)
    monkeypatch.setattr(bench, "_SIGNATURE", 1)
    monkeypatch.setattr(bench, "POSITIONS", bench.POSITIONS[:1])
    figures = {what: (figure, unit) for what, figure, unit in bench.bench(0.001)}
    names = [name for name in figures if not name.startswith("evaluation, ")]
    assert names[:6] == [
        "perft 2",
        "random games",
        "evaluation",
        "exchanges",
        "search",
        "signature",
    ]
    assert "evaluation, weights" in figures
    if files.SHIPPED.exists():
        assert "evaluation, plain C" in figures
    if find_spec("cshogi") is not None:
        assert names[6:] == [
            "perft 2, cshogi driven from Python",
            "perft 2, to cshogi's",
        ]
    assert all(figure > 0 for figure, _ in figures.values())
    assert figures["perft 2"][1] == "leaves/s"


def test_a_replayed_game_is_no_longer_than_the_evaluation_has_room_for() -> None:
    replay = bench._Replay(Fitted())
    plies = replay.evaluate(1)
    assert 0 < plies <= TOP
    assert replay.judge(1) == plies
