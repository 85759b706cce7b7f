from dataclasses import replace
from pathlib import Path

import pytest

from tests.tools.fakes import fake
from tests.tools.tournament.tuning.runs import PLAYABLE
from tests.tools.tournament.tuning.test_options import OPTIONS
from tools.journal.journal import NAME
from tools.match.preflight import EnginesUnfit
from tools.roster.sides import Side
from tools.statistics.spsa import Parameter
from tools.tournament.tuning.plan import Knob, Way
from tools.tournament.tuning.report import PLOT, TuningText
from tools.tournament.tuning.session import run_tuning


@pytest.mark.slow
def test_a_run_is_played_drawn_and_resumed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    options = replace(
        OPTIONS, pairs=2, knobs=PLAYABLE, sides=(Side(fake("good")),), out=folder, seed=1
    )
    status = run_tuning(options, TuningText())
    assert (status.status, status.games, status.learnt) == ("clean", 4, 2)
    assert (folder / PLOT).exists()
    again = run_tuning(options, TuningText(quiet=True))
    assert again.values == status.values
    assert "4 games played before" in capsys.readouterr().out


def test_an_engine_that_refuses_a_bound_is_found_before_the_first_game(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    engine = Side(fake("no-options"))
    knob = Knob(Parameter("x", 1.0, 0.0, 2.0, 0.5), Way.OPTION, "x")
    options = replace(OPTIONS, pairs=2, sides=(engine,), knobs=(knob,), out=folder, seed=1)
    with pytest.raises(EnginesUnfit, match="x"):
        run_tuning(options, TuningText())
    assert not (folder / NAME).exists()
