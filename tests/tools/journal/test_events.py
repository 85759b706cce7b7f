from dataclasses import replace

import pytest

from tests.tools.match.matches import finished, spec
from tools.journal.events import game_event, parse_game, read_game
from tools.journal.journal import JournalError
from tools.records.game import Verdict


def test_an_event_that_only_says_it_is_a_game_is_told() -> None:
    message = "a game without a number of the journal cannot be read: it has no 'number'"
    with pytest.raises(JournalError, match=message):
        parse_game({"event": "game"})


def test_a_late_move_is_kept_and_older_journals_have_none() -> None:
    record = replace(finished(spec(), 1, 0, Verdict.TIME), late=0.6)
    event = dict(game_event(record))
    assert read_game(event).late == 0.6
    del event["late"]
    assert read_game(event).late == 0.0
    with pytest.raises(TypeError, match="`late` is 'long'"):
        read_game({**event, "late": "long"})
