"""The search tree: its limits, the end of lines, and what a part of it keeps."""

import random

import pytest

from engines.go.play.network.network import Evaluator
from engines.go.play.network.weights import load
from engines.go.play.search import NET, Search, is_compiled, root
from engines.go.play.tree import Tree
from engines.go.play.worker import Worker
from engines.go.rules.text import make_rules

FEW, MANY = 40, 400 if is_compiled() else 100


@pytest.fixture(scope="module")
def search() -> Search:
    return Search()


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
        findings = search.think(position, stop=bool, visits=FEW, banned=range(49))
        sign = 1 if position.turn == 0 else -1
        assert [one.move for one in findings.candidates] == [49]
        assert findings.candidates[0].lead == pytest.approx(sign * position.count(set()).margin)


def test_moves_are_forbidden_to_the_given_depth(search: Search) -> None:
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
    findings = search.think(position, stop=bool, visits=FEW)
    assert findings.candidates[0].move == centre  # Nothing of that stays.


def test_superko_holds_inside_the_tree(search: Search) -> None:
    rules = make_rules("", 2)
    position = rules.start()
    for move in ("A1", "B2", "A2", "B1", "A1", "A2"):
        position.play(rules.parse(position, move))
    search.forget()
    findings = search.think(position, stop=bool, visits=FEW)
    assert {one.move for one in findings.candidates} <= set(position.legal_moves())


def test_a_tree_that_is_full_grows(search: Search) -> None:
    position = make_rules("", 5).start()
    worker = Worker(position.board, Evaluator(load(NET), 5, 5), first=True)
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


def test_memory_is_bounded_and_a_full_tree_ends_the_search(
    search: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engines.go.play.search.MOST_NODES", 40)
    monkeypatch.setattr("engines.go.play.search.FIRST_NODES", 30)
    search.forget()
    position = make_rules("", 9).start()
    findings = search.think(position, stop=bool)  # Without any other limit.
    assert 20 < findings.visits < 200
    assert findings.candidates


def test_a_kept_tree_knows_what_was_found_behind_the_move() -> None:
    given = Search(threads=1)
    position = make_rules("", 9).start()
    findings = given.think(position, stop=bool, visits=40)
    best = given.now(position, owners=True).candidates[0]
    assert len(best.ownership) == 81
    position.play(findings.candidates[0].move)
    after = given.think(position, stop=bool, visits=1)
    assert after.visits >= best.visits - 1
    assert [-value for value in after.ownership] == pytest.approx(list(best.ownership), abs=1e-4)
    for one in given.now(position, owners=True).candidates:
        assert len(one.ownership) == 81
    assert all(0.0 <= value <= 1.0 for value in after.ownership_spread)


def test_how_far_leads_lie_apart_is_measured(search: Search) -> None:
    search.forget()
    position = make_rules("", 9).start()
    findings = search.think(position, stop=bool, visits=FEW)
    assert findings.spread > 0.0
    assert all(one.spread >= 0.0 for one in findings.candidates)
    assert search.look(position, 1).spread == 0.0
