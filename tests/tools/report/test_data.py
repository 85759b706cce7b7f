import json
from pathlib import Path

import pytest

from tests.tools.fakes import fake
from tests.tools.match.matches import play, spec
from tests.tools.report.cups import write_cup
from tools.journal.journal import NAME, JournalError
from tools.journal.reconstruction import view_match
from tools.report.data import report_data


def test_a_report_has_the_games_of_a_tournament_and_its_ratings(tmp_path: Path) -> None:
    data = report_data(write_cup(tmp_path / "cup", games=40))
    assert (data["title"], data["kind"], data["what"]) == ("Neutron: cup", "tournament", "Neutron")
    assert data["sides"] == ["white", "black"]
    assert not data["running"]
    engines = data["ratings"]["engines"]
    assert {engine["name"] for engine in engines} == {"a", "b", "c"}
    assert len(data["games"]["moves"]) == 40
    for place, engine in enumerate(engines):
        sides = [data["games"]["first"].count(place), data["games"]["second"].count(place)]
        assert sum(sides) == engine["games"]
    json.dumps(data, allow_nan=False)


def test_curves_end_at_the_shares_of_the_table(tmp_path: Path) -> None:
    data = report_data(write_cup(tmp_path, games=40))
    for engine, curve in zip(data["ratings"]["engines"], data["course"], strict=True):
        assert curve[-1][0] == 40
        assert curve[-1][1] == pytest.approx(engine["points"] / engine["games"], abs=1e-4)


def test_long_courses_have_as_many_points_as_a_screen_shows(tmp_path: Path) -> None:
    data = report_data(write_cup(tmp_path, games=600, plies=4))
    assert all(150 < len(curve) <= 200 for curve in data["course"])


def test_times_are_those_of_the_engines_own_moves(tmp_path: Path) -> None:
    data = report_data(write_cup(tmp_path, games=10))
    moves = sum(pace["moves"] for pace in data["pace"])
    assert moves == sum(data["games"]["plies"]) - 2 * 10  # Two moves of each opening.
    for pace in data["pace"]:
        assert pace["median"] <= pace["most"] <= pace["longest"]
        assert pace["cpu"] > 0


def test_the_curve_of_a_test_ends_at_the_ratio_that_the_match_has(tmp_path: Path) -> None:
    play(tmp_path, spec(games=8, sprt="elo0=0,elo1=50"))
    data = report_data(tmp_path)
    status = view_match(tmp_path).status
    assert status.sprt is not None
    assert data["test"]["curve"][-1][1] == pytest.approx(status.sprt["llr"], abs=1e-3)
    assert data["test"]["upper"] == pytest.approx(status.sprt["upper"], abs=1e-3)
    assert data["test"]["engine"] == "good"


def test_a_match_without_games_has_a_report_that_says_so(tmp_path: Path) -> None:
    play(tmp_path, spec(games=2))
    path = tmp_path / NAME
    path.write_text(path.read_text().splitlines(keepends=True)[0])
    data = report_data(tmp_path)
    assert (data["games"], data["ratings"]) == (None, None)
    json.dumps(data)


def test_a_report_holds_no_path_and_no_command(tmp_path: Path) -> None:
    play(tmp_path / "secret" / "match", spec(fake("crash"), games=2))
    text = json.dumps(report_data(tmp_path / "secret" / "match"))
    assert "secret" not in text
    assert "python" not in text


def test_a_folder_without_a_journal_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="no journal"):
        report_data(tmp_path)
