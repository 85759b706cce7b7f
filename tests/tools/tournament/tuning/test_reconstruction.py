from pathlib import Path

from tests.tools.tournament.tuning.runs import PLAYABLE, play, run
from tools.journal.events import parse_game
from tools.journal.journal import Journal, read_journal
from tools.tournament.tuning.reconstruction import view_tuning, with_trial
from tools.tournament.tuning.tuning import Tuning


def test_a_run_is_seen_in_each_of_its_phases(tmp_path: Path) -> None:
    made = run(3, PLAYABLE)
    play(tmp_path, made, games=3)
    view = view_tuning(tmp_path)
    assert (view.phase, view.status.games, view.status.missing) == ("interrupted", 3, 3)
    with Journal(tmp_path) as journal:
        Tuning(made, journal)
        assert view_tuning(tmp_path).phase == "running"
    assert view_tuning(tmp_path).phase == "killed"
    play(tmp_path, made)
    view = view_tuning(tmp_path)
    assert (view.phase, view.status.missing) == ("finished", 0)
    assert view.status.values == view.state.spsa.settled()


def test_a_game_is_repeated_with_its_values(tmp_path: Path) -> None:
    made = run(2, PLAYABLE)
    play(tmp_path, made, games=2)
    events = read_journal(tmp_path)
    record = parse_game(next(e for e in events if e["event"] == "game" and e["number"] == 2))
    plain = made.terms.game_spec(record.pair, record.side, 0)
    with Journal(tmp_path) as journal:
        played = Tuning(made, journal).game_spec(record.pair, record.side, 0)
    assert with_trial(plain, record, events).engines == played.engines
