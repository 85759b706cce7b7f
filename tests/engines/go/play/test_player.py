import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, cast

import pytest

from engines.core.game import IllegalMove, InvalidText
from engines.core.timing import TimeControl
from engines.go.play.player import Player, parse_turn
from engines.go.play.search import Candidate, Findings, Search
from engines.go.play.tree import EXPLORATION, URGENCY
from engines.go.rules.history import Position
from engines.go.rules.text import make_rules


class Scripted:
    """A search that returns the given candidates and keeps the arguments of the last call."""

    def __init__(self, *candidates: tuple[int, float, float, float]) -> None:
        self.candidates = [
            Candidate(move, 50, win, lead, 0.0, -1.0, prior, (move,))
            for move, win, lead, prior in candidates
        ]
        self.asked: dict[str, Any] = {}
        self.dead: Sequence[int] = ()

    def think(self, position: Position, *, stop: Callable[[], bool], **limits: Any) -> Findings:
        self.asked = {"turn": position.turn, **limits}
        first = self.candidates[0]
        policy = [(one.move, one.prior) for one in self.candidates]
        owned = [0.0] * position.area
        return Findings(
            self.candidates, 100, first.win, first.lead, owned, policy=policy, dead=self.dead
        )

    def prepare(self, position: Position) -> None:
        self.asked = {"prepared": True}

    def decided(self, share: float) -> bool:
        return False

    def look(self, position: Position, visits: int, **limits: Any) -> Findings:
        return self.think(position, stop=never)

    def now(self, position: Position, banned: Any = (), *, owners: bool = False) -> Findings:
        return self.think(position, stop=never)

    def forget(self) -> None:
        self.asked = {}


def player(*candidates: tuple[int, float, float, float]) -> tuple[Player, Scripted]:
    search = Scripted(*candidates)
    made = Player(lambda settings: cast("Search", search))
    made.clear(9)
    return made, search


def play_moves(made: Player, count: int) -> None:
    for move in range(count):
        made.play(move % 2, move)


def never() -> bool:
    return False


def test_the_best_move_is_played_at_full_strength() -> None:
    made, _ = player((40, 0.5, 0.0, 0.1), (41, 0.4, -1.0, 0.9))
    assert {made.generate(0, never) for _ in range(5)} == {40}


def test_lower_levels_stray_to_likely_moves_and_never_to_absurd_ones() -> None:
    made, _ = player((40, 0.5, 0.0, 0.5), (41, 0.4, -3.0, 0.4), (42, 0.1, -9.0, 0.0004))
    shares = {}
    for level in (1, 5, 9):
        made.settings.level = level
        made.seed(7)
        chosen = [made.generate(0, never) for _ in range(300)]
        assert 42 not in chosen
        shares[level] = chosen.count(41)
    assert shares[1] > shares[5] > shares[9] == 0
    assert shares[1] > 80


def test_the_constants_of_the_search_are_settings() -> None:
    player = Player()
    assert (player.settings.exploration, player.settings.urgency) == (EXPLORATION, URGENCY)
    player.settings.visits, player.settings.seed = 60, 1
    most = []
    for exploration in (0.01, 20.0):
        player.settings.exploration = exploration
        findings = player.search.think(player.position, stop=lambda: False, visits=60)
        most.append(max(candidate.visits for candidate in findings.candidates))
        player.search.forget()
    assert most[0] > 1.5 * most[1]  # Without exploration, few moves get the visits.


def test_a_seed_repeats_the_choices() -> None:
    made, _ = player((40, 0.5, 0.0, 0.5), (41, 0.4, -1.0, 0.4))
    made.settings.level = 1
    runs: list[Sequence[int | None]] = []
    for seed in (3, 3, 4):
        made.seed(seed)
        runs.append([made.generate(0, never) for _ in range(30)])
    assert runs[0] == runs[1] != runs[2]


def test_resigning_takes_patience_and_a_game_under_way() -> None:
    made, _ = player((70, 0.001, -60.0, 0.5))
    assert [made.generate(0, never) for _ in range(4)] == [70] * 4
    play_moves(made, 18)
    assert [made.generate(0, never) for _ in range(3)] == [70, 70, None]
    made.settings.resign = False
    assert made.generate(0, never) == 70


def test_a_clock_bounds_the_thinking() -> None:
    made, search = player((40, 0.5, 0.0, 0.1))
    made.set_control(TimeControl.parse("60"))
    assert search.asked == {"prepared": True}  # Before the clock runs.
    made.generate(0, never)
    assert 0.5 < search.asked["seconds"] < 5
    made.set_left(0, 1.0, 0)
    made.generate(0, never)
    assert search.asked["seconds"] < 0.1
    made.settings.visits = 10
    made.set_control(TimeControl())
    made.generate(1, never)
    assert search.asked == {
        "turn": 1,
        "seconds": None,
        "visits": 10,
        "banned": (),
        "deeper": (),
        "dead": None,
        "cleanup": False,
    }


def test_resigning_waits_for_as_many_moves_as_the_setting_says() -> None:
    made, _ = player((70, 0.04, -60.0, 0.5))
    play_moves(made, 18)
    assert [made.generate(0, never) for _ in range(5)] == [70] * 5
    made.settings.resign_below, made.settings.resign_after = 0.05, 2
    assert [made.generate(0, never) for _ in range(2)] == [70, None]
    made.clear()
    play_moves(made, 18)
    # One side's despair is not the other's, and a better moment ends it.
    assert [made.generate(side, never) for side in (0, 1, 0)] == [70, 70, None]


def test_the_time_for_a_move_that_is_clear_is_saved() -> None:
    made, search = player((40, 0.5, 0.0, 0.1))
    made.set_control(TimeControl.parse("0+1x5"))
    made.generate(0, never)
    assert 4 < search.asked["seconds"] < 5


class Endless(Scripted):
    """A search that runs until `stop`, and sets events when it begins and ends."""

    def __init__(self) -> None:
        super().__init__((40, 0.5, 0.0, 0.1))
        self.begun = threading.Event()
        self.ended = threading.Event()

    def think(self, position: Position, *, stop: Callable[[], bool], **limits: Any) -> Findings:
        if limits:
            return super().think(position, stop=stop, **limits)
        self.begun.set()
        while not stop():
            time.sleep(0.001)
        self.ended.set()
        return super().think(position, stop=stop)


def pondering() -> tuple[Player, Endless]:
    search = Endless()
    made = Player(lambda settings: cast("Search", search))
    made.clear(9)
    return made, search


def test_a_pass_that_needs_dead_stones_is_thought_over_in_time_only() -> None:
    made, search = player((81, 0.9, 5.0, 0.9))
    texts = made.rules
    made.take_over(texts, texts.start("XXXXXXXXX/9/4O4/9/XXXXXXXXX/OOOOOOOOO/9/9/9 b komi=0"))
    search.dead = [texts.parse_move("E7")]
    assert made.generate(0, never) == 81
    assert search.asked["dead"] == ()  # All of them alive: they are to be taken.
    made.set_control(TimeControl.parse("600"))
    made.set_left(0, 0.2, 0)
    made.generate(0, never)
    assert search.asked["dead"] is None


class Counting(Scripted):
    """A search that gives all points to Black without being sure, and counts its looks."""

    looks = 0

    def look(self, position: Position, visits: int, **limits: Any) -> Findings:
        self.looks += 1
        limits["stop"]()
        owned = 0.6 if position.turn == 0 else -0.6
        findings = super().look(position, visits)
        return replace(findings, ownership=[owned] * position.area)


def test_cleaning_up_keeps_the_clock() -> None:
    search = Counting((40, 0.5, 0.0, 0.1))
    made = Player(lambda settings: cast("Search", search))
    made.take_over(made.rules, make_rules("", 9).start("9/9/4O4/9/XXXXXXXXX/9/9/9/9 b komi=0"))
    made.generate(0, never, cleanup=True)
    thorough = search.looks
    made.forget()
    made.set_control(TimeControl.parse("600"))
    made.set_left(0, 0.0, 0)
    made.generate(0, never, cleanup=True)
    assert 0 < search.looks - thorough < thorough


def test_a_score_that_is_broken_off_in_doubt_is_none() -> None:
    search = Counting((40, 0.5, 0.0, 0.1))
    made = Player(lambda settings: cast("Search", search))
    made.take_over(made.rules, make_rules("", 9).start("9/9/4O4/9/XXXXXXXXX/9/9/9/9 b komi=0"))
    with pytest.raises(InvalidText, match="cannot score: interrupted"):
        made.result(lambda: True)
    with pytest.raises(InvalidText, match="cannot score: interrupted"):
        made.status("dead", lambda: True)
    result = made.result()
    assert made.result(lambda: True) == result


def test_a_game_that_only_the_dead_decide_is_not_resigned() -> None:
    class Doubtful(Scripted):
        def think(self, position: Position, *, stop: Callable[[], bool], **limits: Any) -> Findings:
            win = 0.0 if limits.get("dead") == () else 0.9
            self.candidates = [Candidate(81, 50, win, win - 0.5, 0.0, -1.0, 0.9, (81,))]
            return super().think(position, stop=stop, **limits)

    search = Doubtful()
    made = Player(lambda settings: cast("Search", search))
    texts = make_rules("", 9)
    rows = "XXXXXXXXX/9/4O4/9/XXXXXXXXX/OOOOOOOOO/9/9/9 b komi=0"
    made.take_over(texts, texts.start(rows))
    search.dead = [texts.parse_move("E7")]
    for _ in range(20):
        made.position.play_as(0, 81)
    assert [made.generate(0, never) for _ in range(5)] == [81] * 5
    assert search.asked["dead"] == ()


def test_nothing_is_thought_beside_the_conversation_unless_asked_for() -> None:
    made, search = pondering()
    assert made.settings.ponder is False
    made.ponder(never)
    made.rest()
    assert not search.begun.is_set()


def test_pondering_ends_on_rest_or_on_a_stop() -> None:
    made, search = pondering()
    made.settings.ponder = True
    made.ponder(never)
    assert search.begun.wait(30)
    made.rest()
    assert search.ended.is_set()
    made.ponder(lambda: True)
    assert search.ended.wait(30)
    made.rest()


def test_a_finished_game_is_not_pondered() -> None:
    made, search = pondering()
    made.settings.ponder = True
    made.play(0, 81)
    made.play(1, 81)
    made.ponder(never)
    assert not search.begun.is_set()


def test_a_side_may_be_asked_out_of_turn_without_losing_the_turn() -> None:
    made, search = player((40, 0.5, 0.0, 0.1))
    made.generate(1, never)
    assert search.asked["turn"] == 1
    assert made.position.turn == 0


def test_undo_takes_all_or_nothing() -> None:
    made, _ = player((40, 0.5, 0.0, 0.1))
    play_moves(made, 3)
    with pytest.raises(IllegalMove, match="cannot undo"):
        made.undo(4)
    assert len(made.position.played) == 3
    made.undo(3)
    assert not made.position.played


def test_colours_are_read_in_any_case() -> None:
    assert [parse_turn(word) for word in ("b", "Black", "W", "WHITE")] == [0, 0, 1, 1]
