import random

import pytest

from engines.core.game import Outcome
from engines.morris.rules.text import make_rules
from engines.morris.tables.knowledge import known


def test_only_small_positions_without_men_in_hand_are_known() -> None:
    rules = make_rules()
    assert known(rules, rules.start()) is None
    assert known(rules, rules.start("WWW/.../.../....../.../.../BBB w 1 1 0")) is None


def test_a_mill_that_can_close_wins_against_three_men() -> None:
    rules = make_rules()
    # d7 closes a7-d7-g7, and Black has two men then.
    position = rules.start("W.W/.W./.../....../.../.B./B.B w 0 0 0")
    assert known(rules, position) == Outcome(0, "a win in 1 plies")


def test_a_win_that_comes_after_the_draw_is_none() -> None:
    rules = make_rules()
    text = "W.W/.W./.../....../.../.B./B.B w 0 0 {}"
    assert known(rules, rules.start(text.format(99))) == Outcome(0, "a win in 1 plies")
    assert known(rules, rules.start(text.format(100))) is None


@pytest.mark.parametrize("seed", range(3))
def test_what_is_known_agrees_with_the_best_of_what_follows(seed: int) -> None:
    rules, dice = make_rules(), random.Random(seed)
    points = dice.sample(range(24), 7)
    cells = ["."] * 24
    for number, point in enumerate(points):
        cells[point] = "W" if number < 4 else "B"
    rows, at = [], 0
    for length in (3, 3, 3, 6, 3, 3, 3):
        rows.append("".join(cells[at : at + length]))
        at += length
    position = rules.start(f"{'/'.join(rows)} w 0 0 0")
    outcome = known(rules, position)
    assert outcome is not None
    best = 0.0
    for move in position.legal_moves():
        position.play(move)
        after = position.outcome() or known(rules, position)
        assert after is not None
        best = max(best, after.points(0))
        position.undo()
    assert outcome.points(0) == best
