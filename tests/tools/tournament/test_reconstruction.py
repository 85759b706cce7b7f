import json
from pathlib import Path
from typing import Any

import pytest

from tests.tools.tournament.tournaments import cup, findings, play
from tools.journal.journal import NAME, Journal, JournalError
from tools.tournament.formats.plan import Format, Plan
from tools.tournament.formats.rounds import Round
from tools.tournament.reconstruction import view_tournament
from tools.tournament.state import round_event
from tools.tournament.tournament import tournament_seal


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a finished tournament, which tests copy."""
    folder = tmp_path_factory.mktemp("cup")
    play(folder, cup())
    return folder


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    for path in whole.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return tmp_path


def change(folder: Path, kind: str, which: int, **more: Any) -> None:
    """Change fields of an event in the journal."""
    lines = (folder / NAME).read_text().splitlines()
    places = [place for place, line in enumerate(lines) if json.loads(line)["event"] == kind]
    lines[places[which]] = json.dumps({**json.loads(lines[places[which]]), **more})
    (folder / NAME).write_text("\n".join(lines) + "\n")


def test_a_finished_tournament_is_seen_as_its_status_says(whole: Path) -> None:
    view = view_tournament(whole)
    written = json.loads((whole / "status.json").read_text())
    assert (view.phase, view.status.games, view.status.missing) == ("finished", 6, 0)
    assert [place["points"] for place in written["places"]] == [
        place.points for place in view.status.places
    ]


def test_a_running_tournament_is_seen_and_not_disturbed(folder: Path) -> None:
    with Journal(folder):
        assert view_tournament(folder).phase == "running"


def test_an_interrupted_tournament_says_what_is_missing(tmp_path: Path) -> None:
    play(tmp_path, cup(), games=2)
    view = view_tournament(tmp_path)
    assert (view.phase, view.status.missing) == ("interrupted", 4)


def test_other_results_are_found(folder: Path) -> None:
    change(folder, "game", 0, result="0-1", winner=1)
    assert any("status.json" in where for where, _ in findings(folder))


def test_games_that_their_round_does_not_have_are_found(tmp_path: Path) -> None:
    play(tmp_path, cup(Plan(Format.SWISS, rounds=1), "good good good good"))
    change(tmp_path, "round", 0, pairings=[[0, 1], [3, 2]])
    assert any("were drawn" in what for _, what in findings(tmp_path))


def test_a_round_with_other_pairings_than_the_format_draws_is_found(tmp_path: Path) -> None:
    made = cup(Plan(Format.SWISS, rounds=1), "good good good good")
    begin = {"event": "tournament", "seal": dict(tournament_seal(made)), "games": 2, "rounds": 1}
    with Journal(tmp_path) as journal:
        journal.append(begin)
        journal.append(round_event(Round(1, ((0, 1), (2, 3)), 2, 0, 0)))
    wrong = [finding for finding in findings(tmp_path) if finding.where == "round 1"]
    assert "by the results" in wrong[0].what


def test_an_opening_of_its_own_is_found(folder: Path) -> None:
    change(folder, "game", 3, opening=0)
    assert any("its opening is not that of the other games" in what for _, what in findings(folder))


def test_a_seed_of_its_own_is_found(folder: Path) -> None:
    change(folder, "game", 2, seed=5)
    assert any(what == "its seed is not that of its opening" for _, what in findings(folder))


def test_a_folder_without_a_journal_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="no journal"):
        view_tournament(tmp_path)
