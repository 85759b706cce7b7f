import threading

import pytest

from engines.core.game import Game
from engines.go.play import judge
from engines.go.play.judged import find_dead, make_rules
from engines.go.rules.history import Position


class WatchedJudge:
    """Notes whether two threads use it at the same time."""

    def __init__(self) -> None:
        self.met = threading.Event()
        self.overlapped = False
        self._inside = 0

    def dead(self, position: Position) -> set[int]:
        self._inside += 1
        self.overlapped |= self._inside > 1
        self.met.wait(0.05)  # Long enough for the others to come in, if they may.
        self._inside -= 1
        return set()


def test_games_that_are_scored_at_the_same_time_take_turns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    watched = WatchedJudge()
    monkeypatch.setattr(judge, "shared_judge", lambda: watched)
    position = Game(make_rules("chinese", 5)).position
    threads = [threading.Thread(target=find_dead, args=(position,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert not watched.overlapped
