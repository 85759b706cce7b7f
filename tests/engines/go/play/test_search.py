import time
from pathlib import Path

import pytest

from engines.go.play.network.weights import save
from engines.go.play.search import NET, Search, is_compiled
from engines.go.rules.history import Position
from engines.go.rules.text import make_rules
from tests.engines.go.play.network.nets import POOLED, arrays

FEW, MANY = 40, 400 if is_compiled() else 100


@pytest.fixture(scope="module")
def search() -> Search:
    return Search()


def settled(variant: str) -> Position:
    wall = [f"{column}{row}" for row in range(1, 10) for column in "DE"]
    moves = "G5 B5 G6 B6 B2 G2 B4 G4 B8 G8 C6 H6 C5 H5 B7 G7".split()  # noqa: SIM905
    rules = make_rules(variant, 9)
    position = rules.start()
    for move in wall + moves:
        position.play(rules.parse(position, move))
    return position


def test_visits_end_a_search_and_are_counted(search: Search) -> None:
    search.forget()
    position = make_rules("", 9).start()
    findings = search.think(position, stop=bool, visits=FEW)
    # A thread that is under way finishes its visit.
    assert FEW <= findings.visits <= FEW + search.threads
    assert sum(one.visits for one in findings.candidates) == findings.visits - 1
    assert 0.0 < findings.win < 1.0
    assert len(findings.ownership) == 81
    for one in findings.candidates:
        assert one.line[0] == one.move
        assert one.bound < one.utility


def test_time_ends_a_search(search: Search) -> None:
    search.forget()
    began = time.monotonic()
    search.think(make_rules("", 9).start(), stop=bool, seconds=0.1)
    assert time.monotonic() - began < 2.0


@pytest.mark.parametrize("turn", [0, 1])
def test_an_extreme_komi_moves_the_lead_by_as_much(search: Search, turn: int) -> None:
    position = settled("")
    position.turn = turn
    sign = 1 if turn == 0 else -1
    position.komi = 20.5
    known = search.look(position, 1)
    for komi in (22.5, 80.5, 300.5):  # An even number more: no draws, as before.
        position.komi = komi
        findings = search.look(position, 1)
        assert findings.lead == pytest.approx(known.lead - sign * (komi - 20.5), abs=0.1)
        assert (findings.win > 0.5) == (findings.lead > 0)
    position.komi = 10_000.0
    assert search.look(position, FEW).win == pytest.approx(turn, abs=0.001)


def test_stop_ends_a_search_after_one_visit_at_least(search: Search) -> None:
    search.forget()
    findings = search.think(make_rules("", 9).start(), stop=lambda: True, seconds=60.0)
    assert findings.candidates
    assert findings.visits >= 1


def test_the_tree_is_kept_while_the_game_goes_on(search: Search) -> None:
    search.forget()
    position = make_rules("", 9).start()
    findings = search.think(position, stop=bool, visits=MANY)
    best = findings.candidates[0]
    position.play(best.move)
    kept = search.think(position, stop=bool, visits=1)
    assert kept.visits >= best.visits // 2
    position.undo()
    position.play(80)
    assert search.think(position, stop=bool, visits=1).visits <= 2 + search.threads


def test_findings_for_one_side_are_not_used_for_the_other(search: Search) -> None:
    search.forget()
    position = make_rules("", 9).start()
    search.think(position, stop=bool, visits=MANY)
    twin = position.copy()
    twin.turn = 1
    assert search.think(twin, stop=bool, visits=1).visits <= 2 + search.threads
    best = search.think(position, stop=bool, visits=MANY).candidates[0].move
    position.play_as(1, best)
    assert search.think(position, stop=bool, visits=1).visits <= 2 + search.threads


def test_a_stone_thrown_in_needs_no_answer_where_territory_counts(search: Search) -> None:
    # The end of a game: White, behind, could only throw stones away.
    search.forget()
    setup = "9/9/2O1XXX2/1X2XOXO1/4XOXX1/XXXXOOOXX/XOXO1OXXO/OOOO1OOOO/4O4 w captured=2,0"
    for turn, lead in ((1, -14.5), (0, 14.5)):
        position = make_rules("japanese", 9).start(setup)
        position.turn = turn
        findings = search.think(position, stop=bool, visits=100)
        assert findings.candidates[0].move == position.area
        assert findings.candidates[0].lead == pytest.approx(lead, abs=4)


def test_boards_of_another_size_start_afresh(search: Search) -> None:
    for size in (9, 5, 13, 9):
        findings = search.think(make_rules("", size).start(), stop=bool, visits=FEW)
        assert all(one.move <= size * size for one in findings.candidates)
        assert findings.visits <= FEW + search.threads


def test_forbidden_moves_are_not_looked_at(search: Search) -> None:
    search.forget()
    position = make_rules("", 5).start()
    banned = [move for move in range(26) if move not in (3, 25)]
    findings = search.think(position, stop=bool, visits=FEW, banned=banned)
    assert {one.move for one in findings.candidates} <= {3, 25}


@pytest.mark.parametrize("variant", ["chinese", "japanese", "aga"])
def test_passing_in_a_settled_game_is_counted_exactly(search: Search, variant: str) -> None:
    search.forget()
    position = settled(variant)
    position.komi = 6.5
    position.play(position.area)
    margin = position.count(search.dead_at_a_glance(position)).margin
    findings = search.think(position, stop=bool, visits=FEW, banned=range(81))
    (passing,) = findings.candidates
    assert passing.move == position.area
    assert passing.lead == pytest.approx(-margin)
    assert passing.win == 1.0


@pytest.mark.parametrize("dead", [None, ()])
def test_stones_in_safe_ground_are_taken_where_they_count(
    search: Search, dead: tuple[int, ...] | None
) -> None:
    search.forget()
    position = make_rules("cgos" if dead is None else "", 3).start("1X1/OXO/1X1 b")
    position.komi = 7.5
    findings = search.think(position, stop=bool, visits=MANY, dead=dead)
    assert findings.candidates[0].move != position.area
    assert findings.candidates[0].win > 0.5


def test_stones_in_safe_ground_are_left_where_they_are_dead(search: Search) -> None:
    search.forget()
    position = make_rules("", 3).start("1X1/OXO/1X1 b")
    findings = search.think(position, stop=bool, visits=FEW)
    assert [one.move for one in findings.candidates] == [position.area]


def test_findings_during_a_search_belong_to_one_moment(search: Search) -> None:
    search.forget()
    position = settled("chinese")
    moments = []

    def listen() -> bool:
        moments.append(search.now(position, banned=range(81)))
        return len(moments) >= 200

    search.think(position, stop=listen, banned=range(81))
    for findings in moments:
        assert 0.0 <= findings.win <= 1.0
        assert all(-1.0 <= owned <= 1.0 for owned in findings.ownership)
        for one in findings.candidates:
            assert 0.0 <= one.win <= 1.0
            assert one.visits < max(findings.visits, 1)


def test_cleaning_up_never_passes_while_there_is_something_to_take(search: Search) -> None:
    position = settled("japanese")
    findings = search.think(position, stop=bool, visits=FEW, cleanup=True)
    assert all(one.move != position.area for one in findings.candidates)


def test_the_net_that_ships_knows_who_wins(search: Search) -> None:
    rules = make_rules("", 9)
    lost = rules.start("9/9/2X3X2/9/4X4/9/2X3X2/9/9 w komi=0.5")
    search.forget()
    assert search.think(lost, stop=bool, visits=FEW).win < 0.2
    lost.komi = 99.5
    assert search.think(lost, stop=bool, visits=FEW).win > 0.8
    assert NET.stat().st_size <= 5_000_000


def test_ownership_is_that_of_the_side_to_move(search: Search) -> None:
    position = make_rules("", 9).start("9/9/XXXXXXXXX/9/9/9/OOOOOOOOO/9/9 w")
    search.forget()
    owned = search.think(position, stop=bool, visits=FEW).ownership
    assert max(owned[:18]) < 0 < min(owned[-18:])
    white = search.look(position, 4).ownership
    assert max(white[:18]) < 0 < min(white[-18:])


def test_any_net_can_be_given(tmp_path: Path) -> None:
    save(tmp_path / "other.npz", arrays(seed=3), POOLED)
    given = Search(tmp_path / "other.npz", threads=1)
    assert given.think(make_rules("", 5).start(), stop=bool, visits=3).candidates


def test_one_thread_finds_the_same_every_time() -> None:
    lines = []
    for _ in range(2):
        given = Search(threads=1)
        position = make_rules("", 9).start()
        for _ in range(4):
            findings = given.think(position, stop=bool, visits=20)
            position.play(findings.candidates[0].move)
        lines.append((position.played, findings))
    assert lines[0] == lines[1]


def test_a_line_plays_on_its_ground_only_and_always_the_same_moves() -> None:
    search = Search(threads=1)
    lines = []
    for _ in range(2):
        position = make_rules("", 9).start("9/9/2X6/9/4O4/9/9/9/9 b komi=7.5")
        ground = {0, 1, 2, 9, 10, 11}
        line = search.follow(position, dead=(), ground=ground)
        spent = [line.play(40, bool) for _ in range(4)]
        moves = [move for _, move in position.played]
        assert len(moves) == 4
        assert set(moves) <= {*ground, position.area}
        assert all(visits <= 40 for visits in spent)
        lines.append((moves, spent))
    assert lines[0] == lines[1]


def test_a_line_that_is_stopped_still_moves() -> None:
    position = make_rules("", 9).start()
    line = Search(threads=1).follow(position, dead=(), ground=range(81))
    assert line.play(1000, lambda: True) <= 4
    assert len(position.played) == 1
