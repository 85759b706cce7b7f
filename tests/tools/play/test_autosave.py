import base64
import json
import os
import stat
from pathlib import Path

import pytest

from engines.core.game import InvalidText
from engines.core.timing import TimeControl
from tests.tools.play.sessions import person
from tools.play.autosave import new_keeper, read_kept, unfinished
from tools.play.players import PlayTerms
from tools.play.session import PlaySession
from tools.play.snapshot import Phase
from tools.records.recorded import read_game

CONTROL = TimeControl.parse("60+5")


def begun(place: Path, game: str = "senet") -> PlaySession:
    terms = PlayTerms(game, seed=1, controls=(CONTROL, TimeControl()))
    session = PlaySession(terms, (person("Ann"), person()), keeper=new_keeper(place))
    session.start()
    return session


def test_a_game_whose_process_ended_is_offered_and_goes_on(tmp_path: Path) -> None:
    session = begun(tmp_path)
    session.throw()
    session.play("10-11")
    session.throw()
    assert unfinished(tmp_path) == [], "the session still plays it"
    before = session.snapshot()
    session.close()
    (path,) = unfinished(tmp_path)
    again = PlaySession.restore(read_kept(path))
    assert again.snapshot().phase == Phase.STEPPING
    again.start()
    after = again.snapshot()
    assert after.moves == before.moves
    assert (after.throw, after.legal, after.players) == (before.throw, before.legal, before.players)
    assert again.terms == session.terms
    assert after.clocks[0] is not None
    assert after.clocks[0].left > 60
    again.close()


def test_a_finished_game_and_one_without_moves_leave_no_file(tmp_path: Path) -> None:
    session = begun(tmp_path)
    session.close()
    assert list(tmp_path.iterdir()) == []
    session = begun(tmp_path)
    session.throw()
    session.resign()
    assert len(list(tmp_path.iterdir())) == 2, "the file and its lock"
    session.close()
    assert list(tmp_path.iterdir()) == []


def test_a_record_that_was_only_looked_at_is_not_kept(tmp_path: Path) -> None:
    recorded = read_game("game.sgf", b"(;GM[13]QG[neutron];W[b1-b4])")
    for played_on in (False, True):
        session = PlaySession(
            PlayTerms("neutron"), (person(), person()), keeper=new_keeper(tmp_path)
        )
        session.load(recorded)
        session.go_to(0)
        session.go_to(1)
        if played_on:
            session.continue_from()
        session.close()
        assert len(unfinished(tmp_path)) == played_on


def test_the_number_of_a_game_in_its_file_is_kept(tmp_path: Path) -> None:
    data = b"(;GM[1]SZ[9];B[ee])(;GM[13]QG[neutron];W[b1-b4])"
    session = PlaySession(PlayTerms("neutron"), (person(), person()), keeper=new_keeper(tmp_path))
    session.load(read_game("games.sgf", data, 2))
    session.continue_from()
    session.close()
    (path,) = unfinished(tmp_path)
    loaded = read_kept(path).loaded
    assert loaded is not None
    assert loaded.source is not None
    assert (loaded.game, loaded.source.number) == ("neutron", 2)
    state = json.loads(path.read_text())
    state["source"].pop()
    state["source"][1] = base64.b64encode(data[19:]).decode()
    path.write_text(json.dumps(state))
    loaded = read_kept(path).loaded
    assert loaded is not None, "files of earlier versions have no number"
    assert loaded.game == "neutron"


def test_a_game_that_a_record_replaces_is_kept(tmp_path: Path) -> None:
    terms = PlayTerms("neutron")
    session = PlaySession(terms, (person(), person()), keeper=new_keeper(tmp_path))
    session.start()
    session.play("d1-d4")
    session.load(read_game("game.sgf", b"(;GM[13]QG[neutron];W[b1-b4])"))
    assert "the game so far is kept" in session.snapshot().messages[0].text
    session.close()
    (path,) = unfinished(tmp_path)
    assert [move.text for move in read_kept(path).moves] == ["d1-d4"]


def test_variations_endings_and_dead_stones_are_kept(tmp_path: Path) -> None:
    terms = PlayTerms("go", size=5)
    session = PlaySession(terms, (person(), person()), keeper=new_keeper(tmp_path))
    session.start()
    for move in ("C3", "B2", "pass", "D4"):
        session.play(move)
    session.continue_from(2)
    session.play("pass")
    session.play("pass")
    with session.lock:
        assert session.scoring is not None
        session.scoring.settle(set())
    session.toggle_dead("B2")
    tails = session.history.tails
    session.close()
    (path,) = unfinished(tmp_path)
    again = PlaySession.restore(read_kept(path))
    assert again.history.tails == tails
    scoring = again.snapshot().scoring
    assert scoring is not None
    assert scoring.dead == ("B2",)
    again.start()
    assert again.snapshot().phase == Phase.SCORING
    again.accept_score()
    again.close()


def test_a_damaged_file_says_so(tmp_path: Path) -> None:
    path = tmp_path / "x.play"
    for data in (b"\xff", b"[]", b"{}", b'{"format": 9}', b'{"format": 1, "controls": 3}'):
        path.write_bytes(data)
        with pytest.raises(InvalidText, match=r"x\.play: damaged: "):
            read_kept(path)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_does_not_end_the_game(tmp_path: Path) -> None:
    session = begun(tmp_path)
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    session.throw()
    tmp_path.chmod(stat.S_IRWXU)
    assert session.keeper is not None
    assert "cannot be kept" in session.keeper.fault
    session.close()


def test_a_full_disk_does_not_end_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = begun(tmp_path)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tools.play.autosave.write_whole", full)
    session.throw()
    assert session.keeper is not None
    assert session.keeper.fault.endswith("No space left on device")
    session.close()
