from pathlib import Path

import pytest

from tests.tools.tournament.tuning.runs import LotExecutor, play, run
from tools.journal.journal import JournalError, read_journal
from tools.report.data import report_data
from tools.report.tuning import tuned_values
from tools.tournament.tuning.reconstruction import reconstruct_tuning


def test_the_course_of_the_values_is_that_of_the_run(tmp_path: Path) -> None:
    play(tmp_path, run(30), LotExecutor)
    state = reconstruct_tuning(read_journal(tmp_path))
    values = report_data(tmp_path)["values"]
    assert [value["name"] for value in values] == ["exploration", "margin"]
    assert values[1]["now"] == state.status().values["margin"]
    for place, value in enumerate(values):
        assert [at for at, _ in value["curve"]] == list(range(31))
        shown = [each for _, each in value["curve"]]
        assert shown == pytest.approx([each[place] for each in state.course], rel=1e-5)


@pytest.mark.slow
def test_long_courses_have_as_many_points_as_a_screen_shows(tmp_path: Path) -> None:
    play(tmp_path, run(450), LotExecutor)
    curve = report_data(tmp_path)["values"][0]["curve"]
    assert 150 < len(curve) < 300
    assert curve[-1][0] == 450


def test_values_that_make_no_sense_are_named() -> None:
    with pytest.raises(JournalError, match="the values of the run cannot be understood"):
        tuned_values({"values": [{"name": "x"}], "pairs": 3, "seed": 1}, [])
