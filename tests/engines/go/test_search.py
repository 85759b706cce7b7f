import random
import time
from array import array
from pathlib import Path

import pytest

from engines.go.features import Features
from engines.go.history import Position
from engines.go.inputs import PLANES, scalars
from engines.go.network import Evaluator
from engines.go.rules import make_rules
from engines.go.search import NET, Search, is_compiled, root
from engines.go.tree import Tree
from engines.go.weights import load, pack, save
from engines.go.worker import Worker
from tests.engines.go.test_network import BLOCKS, POOLED, arrays

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
    found = search.think(position, stop=bool, visits=FEW)
    # A thread that is under way finishes its visit.
    assert FEW <= found.visits <= FEW + search.threads
    assert sum(one.visits for one in found.candidates) == found.visits - 1
    assert 0.0 < found.win < 1.0
    assert len(found.ownership) == 81
    for one in found.candidates:
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
        found = search.look(position, 1)
        assert found.lead == pytest.approx(known.lead - sign * (komi - 20.5), abs=0.1)
        assert (found.win > 0.5) == (found.lead > 0)
    position.komi = 10_000.0
    assert search.look(position, FEW).win == pytest.approx(turn, abs=0.001)


def test_stop_ends_a_search_after_one_visit_at_least(search: Search) -> None:
    search.forget()
    found = search.think(make_rules("", 9).start(), stop=lambda: True, seconds=60.0)
    assert found.candidates
    assert found.visits >= 1


def test_the_tree_is_kept_while_the_game_goes_on(search: Search) -> None:
    search.forget()
    position = make_rules("", 9).start()
    found = search.think(position, stop=bool, visits=MANY)
    best = found.candidates[0]
    position.play(best.move)
    kept = search.think(position, stop=bool, visits=1)
    assert kept.visits >= best.visits // 2
    position.undo()
    position.play(80)
    assert search.think(position, stop=bool, visits=1).visits <= 2 + search.threads


def test_what_was_found_for_one_side_is_not_told_to_the_other(search: Search) -> None:
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
        found = search.think(position, stop=bool, visits=100)
        assert found.candidates[0].move == position.area
        assert found.candidates[0].lead == pytest.approx(lead, abs=4)


def test_boards_of_another_size_start_afresh(search: Search) -> None:
    for size in (9, 5, 13, 9):
        found = search.think(make_rules("", size).start(), stop=bool, visits=FEW)
        assert all(one.move <= size * size for one in found.candidates)
        assert found.visits <= FEW + search.threads


def test_forbidden_moves_are_not_looked_at(search: Search) -> None:
    search.forget()
    position = make_rules("", 5).start()
    banned = [move for move in range(26) if move not in (3, 25)]
    found = search.think(position, stop=bool, visits=FEW, banned=banned)
    assert {one.move for one in found.candidates} <= {3, 25}


@pytest.mark.parametrize("variant", ["chinese", "japanese", "aga"])
def test_passing_in_a_settled_game_is_counted_exactly(search: Search, variant: str) -> None:
    search.forget()
    position = settled(variant)
    position.komi = 6.5
    position.play(position.area)
    margin = position.count(search.dead_at_a_glance(position)).margin
    found = search.think(position, stop=bool, visits=FEW, banned=range(81))
    (passing,) = found.candidates
    assert passing.move == position.area
    assert passing.lead == pytest.approx(-margin)
    assert passing.win == 1.0


def test_two_passes_are_counted_as_the_rules_count_them(search: Search) -> None:
    for seed in range(8):
        position = make_rules("tromp-taylor", 7).start()
        source = random.Random(seed)
        while len(position.played) < 70:
            moves = position.legal_moves()[:-1]
            if not moves:
                break
            position.play(source.choice(moves))
        position.play(position.area)
        search.forget()
        found = search.think(position, stop=bool, visits=FEW, banned=range(49))
        sign = 1 if position.turn == 0 else -1
        assert [one.move for one in found.candidates] == [49]
        assert found.candidates[0].lead == pytest.approx(sign * position.count(set()).margin)


@pytest.mark.parametrize("dead", [None, ()])
def test_stones_in_safe_ground_are_taken_where_they_count(
    search: Search, dead: tuple[int, ...] | None
) -> None:
    search.forget()
    position = make_rules("cgos" if dead is None else "", 3).start("1X1/OXO/1X1 b")
    position.komi = 7.5
    found = search.think(position, stop=bool, visits=MANY, dead=dead)
    assert found.candidates[0].move != position.area
    assert found.candidates[0].win > 0.5


def test_stones_in_safe_ground_are_left_where_they_are_dead(search: Search) -> None:
    search.forget()
    position = make_rules("", 3).start("1X1/OXO/1X1 b")
    found = search.think(position, stop=bool, visits=FEW)
    assert [one.move for one in found.candidates] == [position.area]


def test_what_is_told_during_a_search_is_of_one_moment(search: Search) -> None:
    search.forget()
    position = settled("chinese")
    told = []

    def listen() -> bool:
        told.append(search.now(position, banned=range(81)))
        return len(told) >= 200

    search.think(position, stop=listen, banned=range(81))
    for found in told:
        assert 0.0 <= found.win <= 1.0
        assert all(-1.0 <= owned <= 1.0 for owned in found.ownership)
        for one in found.candidates:
            assert 0.0 <= one.win <= 1.0
            assert one.visits < max(found.visits, 1)


def test_moves_are_forbidden_as_deep_as_is_said(search: Search) -> None:
    position = make_rules("", 5).start()
    centre, area = 12, 25

    def lines(deeper: list[tuple[int, int, int]]) -> list[tuple[int, ...]]:
        search.forget()
        search.think(position, stop=bool, visits=FEW, banned=[centre], deeper=deeper)
        return [one.line for one in search.now(position, banned=[centre]).candidates]

    assert any(centre in line[1::2] for line in lines([]))
    assert any(centre in line[2::2] for line in lines([(1, centre, 2)]))
    both = [(side, centre, 99) for side in (0, 1)]
    assert all(centre not in line for line in lines(both))
    only = [(1, move, 2) for move in range(area)]
    assert {line[1:2] for line in lines(only)} <= {(), (area,)}
    found = search.think(position, stop=bool, visits=FEW)
    assert found.candidates[0].move == centre  # Nothing of that stays.


def test_superko_holds_inside_the_tree(search: Search) -> None:
    rules = make_rules("", 2)
    position = rules.start()
    for move in ("A1", "B2", "A2", "B1", "A1", "A2"):
        position.play(rules.parse(position, move))
    search.forget()
    found = search.think(position, stop=bool, visits=FEW)
    assert {one.move for one in found.candidates} <= set(position.legal_moves())


def test_cleaning_up_never_passes_while_there_is_something_to_take(search: Search) -> None:
    position = settled("japanese")
    found = search.think(position, stop=bool, visits=FEW, cleanup=True)
    assert all(one.move != position.area for one in found.candidates)


@pytest.mark.parametrize("variant", ["chinese", "japanese"])
def test_the_network_sees_in_play_what_it_saw_in_training(variant: str) -> None:
    weights = pack(arrays(), BLOCKS, POOLED)
    rules = make_rules(variant, 7)
    position = rules.start()
    source = random.Random(8)
    evaluator = Evaluator(weights.values, BLOCKS, POOLED, 7, 7)
    worker = Worker(position.board, evaluator, first=True)
    for number in range(30):
        tree = Tree(position.board)
        root(tree, position)
        tree.begin(bool, float("inf"), 1)
        tree.work(worker)
        planes, given = evaluator.inputs()
        moves = array("i", [move for _, move in position.played])
        replayed = bytearray(PLANES * 49)
        board = position.board.copy()
        Features(board).replay(board, moves, 0, len(moves), replayed, 0)
        assert planes == bytes(replayed)
        komi = position.effective_komi()
        expected = scalars(
            komi if position.turn else -komi,
            49,
            territory=variant == "japanese",
            passed=position.passes > 0,
            both_passed=len(moves) > 1 and moves[-2] == 49,
        )
        assert given == pytest.approx(expected, abs=1e-6)
        legal = position.legal_moves()
        if number in (10, 20) or len(legal) < 2:
            position.play(49)
        else:
            position.play(source.choice(legal[:-1]))


def test_a_tree_that_is_full_grows(search: Search) -> None:
    position = make_rules("", 5).start()
    weights = load(NET)
    evaluator = Evaluator(weights.values, weights.blocks, weights.pooled, 5, 5)
    worker = Worker(position.board, evaluator, first=True)
    tree = Tree(position.board, 16)
    root(tree, position)
    grown = 0
    while tree.root_visits() < FEW:
        tree.begin(bool, float("inf"), FEW)
        tree.work(worker)
        if tree.full:
            tree.grow(1 << 20)
            grown += 1
    assert grown
    assert tree.summary()[0] == FEW


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
    save(tmp_path / "other.npz", arrays(3), POOLED)
    given = Search(tmp_path / "other.npz", threads=1)
    assert given.think(make_rules("", 5).start(), stop=bool, visits=3).candidates


def test_memory_is_bounded_and_a_full_tree_ends_the_search(
    search: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engines.go.search.MOST_NODES", 40)
    monkeypatch.setattr("engines.go.search.FIRST_NODES", 30)
    search.forget()
    position = make_rules("", 9).start()
    found = search.think(position, stop=bool)  # Without any other limit.
    assert 20 < found.visits < 200
    assert found.candidates


def test_a_kept_tree_knows_what_was_found_behind_the_move() -> None:
    given = Search(threads=1)
    position = make_rules("", 9).start()
    found = given.think(position, stop=bool, visits=40)
    best = given.now(position, owners=True).candidates[0]
    assert len(best.ownership) == 81
    position.play(found.candidates[0].move)
    after = given.think(position, stop=bool, visits=1)
    assert after.visits >= best.visits - 1
    assert [-value for value in after.ownership] == pytest.approx(list(best.ownership), abs=1e-4)
    for one in given.now(position, owners=True).candidates:
        assert len(one.ownership) == 81
    assert all(0.0 <= value <= 1.0 for value in after.ownership_spread)


def test_how_far_leads_lie_apart_is_measured(search: Search) -> None:
    search.forget()
    position = make_rules("", 9).start()
    found = search.think(position, stop=bool, visits=FEW)
    assert found.spread > 0.0
    assert all(one.spread >= 0.0 for one in found.candidates)
    assert search.look(position, 1).spread == 0.0


def test_one_thread_finds_the_same_every_time() -> None:
    lines = []
    for _ in range(2):
        given = Search(threads=1)
        position = make_rules("", 9).start()
        for _ in range(4):
            found = given.think(position, stop=bool, visits=20)
            position.play(found.candidates[0].move)
        lines.append((position.played, found))
    assert lines[0] == lines[1]
