import pytest

from tools.journal.events import parse_game
from tools.journal.journal import JournalError


def test_an_event_that_only_says_it_is_a_game_is_told() -> None:
    message = "a game without a number of the journal cannot be read: it has no 'number'"
    with pytest.raises(JournalError, match=message):
        parse_game({"event": "game"})
