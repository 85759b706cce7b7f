import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from tests.tools.fakes import fake
from tests.tools.match.matches import play, spec
from tools.journal.journal import NAME, Journal, JournalError, read_journal
from tools.journal.reconstruction import reconstruct, unfinished, view_match


def snapshot(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}


def test_a_finished_match_is_seen_as_its_status_says(tmp_path: Path) -> None:
    play(tmp_path, spec(games=3))
    before = snapshot(tmp_path)
    view = view_match(tmp_path)
    assert (view.phase, view.status.games, view.status.missing) == ("finished", 3, 0)
    written = json.loads((tmp_path / "status.json").read_text())
    assert [each["points"] for each in written["standings"]] == [
        each.points for each in view.status.standings
    ]
    assert view.status.events == written["events"] == len(read_journal(tmp_path))
    assert snapshot(tmp_path) == before


def test_a_running_match_is_seen_and_not_disturbed(tmp_path: Path) -> None:
    play(tmp_path, spec(games=1))
    with Journal(tmp_path):
        view = view_match(tmp_path)
        assert (view.phase, view.status.running) == ("running", True)
        with pytest.raises(JournalError, match="in use by another process"):
            Journal(tmp_path)
    with Journal(tmp_path):  # Looking has left no lock behind.
        pass


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write")
def test_a_folder_without_permission_to_write_can_be_viewed(tmp_path: Path) -> None:
    play(tmp_path, spec(games=1))
    with Journal(tmp_path):
        (tmp_path / "lock").chmod(0o444)
        tmp_path.chmod(0o555)
        try:
            assert view_match(tmp_path).phase == "running"
        finally:
            tmp_path.chmod(0o755)


def test_the_phases_of_a_match_that_does_not_run(tmp_path: Path) -> None:
    play(tmp_path, spec(games=1))
    path = tmp_path / "status.json"
    ended = json.loads(path.read_text())
    lines = (tmp_path / NAME).read_text()
    more = {"event": "resume", "games": 5}
    (tmp_path / NAME).write_text(lines + json.dumps(more) + "\n")
    assert view_match(tmp_path).phase == "killed"
    assert unfinished(tmp_path, read_journal(tmp_path)) == "the last run was killed"
    for change, phase in (
        ({"interrupted": True}, "interrupted"),
        ({"failure": "no space"}, "failed"),
        ({}, "stopped"),
        ({"running": True}, "killed"),
    ):
        path.write_text(json.dumps(ended | {"events": ended["events"] + 1} | change))
        view = view_match(tmp_path)
        assert (view.phase, view.status.missing) == (phase, 4)
    path.write_text("[]")
    assert view_match(tmp_path).phase == "stopped"
    path.unlink()
    assert view_match(tmp_path).phase == "killed"


def test_an_engine_set_aside_is_a_failure(tmp_path: Path) -> None:
    play(tmp_path, spec(fake("crash"), games=9, set_aside=2))
    assert view_match(tmp_path).phase == "failed"


def test_a_match_that_only_repeats_itself_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.journal.sampling.MOST_REPEATED", 2)
    one, other = (replace(fake(name), options=(("seed", "1"),)) for name in ("good", "better"))
    made = spec(one, other, games=40, sprt="elo0=0,elo1=5")
    assert len(play(tmp_path, made)) == 6  # A pair, and two that repeat it.
    view = view_match(tmp_path)
    assert (view.phase, view.status.missing) == ("finished", 34)


def test_a_game_that_stands_twice_cannot_be_counted(tmp_path: Path) -> None:
    play(tmp_path, spec(games=1))
    events = read_journal(tmp_path)
    with pytest.raises(JournalError, match="game 0 of pair 0 was added before"):
        reconstruct([*events, events[-1]])
