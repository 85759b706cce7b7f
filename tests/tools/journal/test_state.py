from dataclasses import replace

import pytest

from tests.tools.match.matches import finished, spec
from tools.journal.sampling import MOST_REPEATED, SampleStatus
from tools.journal.state import MatchState
from tools.records.game import Verdict


def state(games: int = 4, set_aside: int = 10) -> MatchState:
    return MatchState(("good", "better"), games, "", set_aside)


def test_a_match_without_faults_is_clean() -> None:
    match = state()
    assert match.count(finished(spec(), 1, 0)) is SampleStatus.WAITING
    assert match.count(finished(spec(), 2, 1)) is SampleStatus.COUNTED
    status = match.status()
    assert (status.status, status.why, status.games, status.missing) == ("clean", [], 2, 2)
    assert list(match.missing()) == [(1, 0, 0), (1, 1, 0)]


@pytest.mark.parametrize(
    ("verdict", "ended"),
    [
        (Verdict.CRASH, "by a crash"),
        (Verdict.ILLEGAL, "by an illegal move"),
        (Verdict.TIME, "on time"),
        (Verdict.VOID, "without a result"),
    ],
)
def test_a_fault_is_an_anomaly(verdict: Verdict, ended: str) -> None:
    match = state()
    match.count(finished(spec(), 1, None if verdict == Verdict.VOID else 0, verdict))
    status = match.status()
    assert (status.status, status.why) == ("anomalies", [f"1 game ended {ended}"])
    assert not match.over


def test_an_engine_that_fails_too_often_ends_the_match_until_it_is_resumed() -> None:
    match = state(set_aside=2)
    match.count(finished(spec(), 1, 0, Verdict.CRASH))
    match.count(finished(spec(), 2, 1, Verdict.CRASH))
    assert match.over
    assert match.status().status == "failed"
    assert "better is set aside: it failed 2 times in a row" in match.status().why[0]
    match.clear_failures()
    assert not match.over


def test_a_changed_engine_is_an_anomaly_only_after_a_game() -> None:
    match = state()
    match.note_changes(["engine1.command"])
    assert match.status().status == "clean"
    match.count(finished(spec(), 1, 0))
    match.note_changes(["engine1.command", "move-timeout"])
    assert match.status().changes == [{"after": 1, "keys": ["engine1.command"]}]
    assert match.status().status == "anomalies"


def test_the_table_leaves_out_void_games() -> None:
    match = state()
    match.count(finished(spec(), 1, 0))
    match.count(finished(spec(), 3, None, Verdict.VOID))
    good, better = match.table()
    assert (good.games, good.points, good.points_first) == (1, 1.0, 1.0)
    assert (better.games, better.losses, better.games_first) == (1, 1, 0)


def test_the_table_counts_a_pair_that_was_played_again_once() -> None:
    match = state()
    match.count(finished(spec(), 1, 0))
    match.count(finished(spec(), 2, None, Verdict.VOID))
    match.count(finished(spec(), 1, 1, again=1))
    match.count(finished(spec(), 2, 1, again=1))
    good, better = match.table()
    assert (good.wins, good.losses, better.wins, better.losses) == (1, 1, 1, 1)
    assert (good.moves, good.longest, better.moves) == (1, 0.1, 1)


def test_the_missing_games_are_counted_as_they_are_listed() -> None:
    for games in (1, 2, 5, 6):
        match = state(games)
        assert match.status().missing == len(list(match.missing())) == games
    for number in (3, 1, 2):  # Pair 1 is begun before pair 0 is finished.
        match.count(finished(spec(games=6), number, 0))
        assert match.status().missing == len(list(match.missing()))
    match.count(finished(spec(games=6), 4, None, Verdict.VOID))
    assert match.status().missing == len(list(match.missing())) == 4


@pytest.mark.parametrize("games", [6, 10**30])
def test_an_absurd_pair_or_number_of_games_costs_no_time(games: int) -> None:
    match = state(games)
    match.count(finished(spec(games=6), 1, 0))
    match.count(replace(finished(spec(games=6), 2, 0), pair=10**29))
    assert match.status().missing == games - 1 - (games > 6)


def test_cpu_time_is_told_for_the_games_in_which_it_is_known() -> None:
    match = state()
    known = replace(finished(spec(), 1, 0), cpu=(0.25, None))
    match.count(known)
    match.count(finished(spec(), 2, 1))
    good, better = match.table()
    assert (good.cpu, good.cpu_moves, good.moves) == (0.25, 1, 1)
    assert (better.cpu, better.cpu_moves, better.moves) == (0.0, 0, 1)


def test_a_pair_that_repeats_another_counts_once() -> None:
    match = MatchState(("good", "better"), 6, "elo0=0,elo1=50", 10)
    for number in (1, 2, 3, 4, 5):
        match.count(finished(spec(games=6), number, (number + 1) % 2))
    status = match.status()
    assert (status.games, status.distinct, status.waiting) == (5, 2, 1)
    assert (status.counts, status.samples) == ([0, 0, 0, 0, 2], [0, 0, 0, 0, 1])
    assert status.strength == {
        "engine": "good",
        "samples": 1,
        "elo": None,
        "elo_low": pytest.approx(-636.4, abs=0.1),
        "elo_high": None,
        "elo_error": None,
        "nelo": None,
        "nelo_error": None,
        "los": 0.5,
        "unbiased": None,
    }
    assert status.sprt is not None
    assert (status.sprt["state"], status.sprt["samples"]) == ("continue", 1)
    assert status.sprt["undecided"] == "of 2 pairs only 1 is distinct, and equal pairs count once"
    assert status.status == "clean"


def test_a_test_whose_games_only_repeat_themselves_ends_undecided_until_it_is_resumed() -> None:
    match = MatchState(("good", "better"), 1000, "elo0=0,elo1=50", 10)
    made = spec(games=1000)
    for number in range(1, 2 * MOST_REPEATED + 1):
        match.count(finished(made, number, (number + 1) % 2))
    over = [match.over]
    for number in (2 * MOST_REPEATED + 1, 2 * MOST_REPEATED + 2):
        match.count(finished(made, number, (number + 1) % 2))
    over.append(match.over)
    status = match.status()
    assert status.sprt is not None
    assert status.sprt["undecided"].endswith(
        "the last 50 repeat earlier ones, so more would not decide it"
    )
    assert (status.status, status.missing) == ("clean", 898)
    match.clear_failures()
    assert [*over, match.over] == [False, True, False]


def test_a_decided_test_has_an_unbiased_estimate() -> None:
    match = MatchState(("good", "better"), 400, "elo0=0,elo1=200", 10)
    made = spec(games=400)
    for number in range(1, 401):
        draw = number % 8 == 1
        record = finished(made, number, None if draw else (number + 1) % 2)
        match.count(replace(record, opening_name="", setup=f"position {number}"))
        if match.over:
            break
    status = match.status()
    assert status.sprt is not None
    assert status.sprt["state"] == "H1"
    assert status.strength is not None
    unbiased = status.strength["unbiased"]
    assert unbiased["low"] < unbiased["elo"] < 1000
    assert unbiased["high"] is None  # Nearly all pairs were won.
