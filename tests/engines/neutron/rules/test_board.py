from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.neutron.rules.board import (
    BLOCKS,
    BOARD,
    DIRECTIONS,
    HOME,
    MOST_MOVES,
    NOWHERE,
    mirror,
    ray,
    slide,
)
from engines.neutron.rules.position import Position
from engines.neutron.rules.text import make_rules
from tests.engines.neutron.walks import choices, unhurried, variants, walk

squares = st.integers(0, 24)
occupations = st.integers(0, (1 << 25) - 1)


def own_and_enemy(position: Position) -> tuple[int, int]:
    men = (position.white, position.black)
    return men[position.turn], men[1 - position.turn]


@unhurried
@given(squares, occupations)
def test_table_slides_end_where_steps_end(square: int, occupied: int) -> None:
    stops = {slide(square, direction, occupied) for direction in DIRECTIONS} - {square}
    for number, direction in enumerate(DIRECTIONS):
        assert BOARD.stop_of(square, number, occupied) == slide(square, direction, occupied)
    assert BOARD.destinations(square, occupied) == sum(1 << stop for stop in stops)


@unhurried
@given(squares, occupations, st.integers(0, 1))
def test_neutron_wins_where_a_slide_ends_on_the_home_row(neutron: int, men: int, side: int) -> None:
    if neutron // 5 in (0, 4):
        return  # The game is over there.
    stops = {slide(neutron, direction, men) for direction in DIRECTIONS}
    assert BOARD.can_win(side, neutron, men) == any(HOME[side] >> stop & 1 for stop in stops)


@unhurried
@given(occupations, occupations)
def test_moves_of_men_are_counted_as_they_are_listed(men: int, others: int) -> None:
    occupied = men | others
    listed = sum(
        BOARD.destinations(square, occupied).bit_count()
        for square in range(25)
        if men >> square & 1
    )
    assert BOARD.count_men_moves(men, occupied) == listed
    assert BOARD.can_move(men, occupied) == (listed > 0)


@unhurried
@given(squares, occupations)
def test_neutron_moves_are_counted_as_they_are_listed(neutron: int, men: int) -> None:
    men &= ~(1 << neutron)
    listed = BOARD.destinations(neutron, men).bit_count()
    assert BOARD.count_neutron_moves(neutron, men) == listed


@unhurried
@given(occupations)
def test_mirror_twice_is_the_same_board(bits: int) -> None:
    assert mirror(mirror(bits)) == bits
    assert mirror(bits).bit_count() == bits.bit_count()


@unhurried
@given(variants, choices)
def test_safe_turns_are_those_that_the_reply_does_not_beat(
    variant: str, numbers: list[int]
) -> None:
    position = walk(variant, numbers).position
    own, enemy = own_and_enemy(position)
    side = position.turn
    if (
        position.only_man
        or position.outcome()
        or BOARD.can_win(side, position.neutron, own | enemy)
    ):
        return
    expected = set()
    for move in position.legal_moves():
        position.play(move)
        ended = position.outcome()
        if ended is None:
            men = position.white | position.black
            if not BOARD.can_win(position.turn, position.neutron, men):
                expected.add(move)
        elif ended.reason in ("neutron blocked", "no move"):
            expected.add(move | BLOCKS)
        elif ended.reason == "far row":
            men = position.white | position.black
            if not BOARD.can_win(side ^ 1, position.neutron, men):
                expected.add(move)
        position.undo()
    moves = array("i", [0] * MOST_MOVES)
    end = BOARD.safe_turns(own, enemy, position.neutron, side, moves, 0)
    assert sorted(moves[:end]) == sorted(expected)
    assert BOARD.can_answer(own, enemy, position.neutron, side) == bool(expected)


@pytest.mark.parametrize(
    ("setup", "fills"),
    [
        (".WWWW/.BBB./..N../W.B.B/..... w", True),
        (".WWWW/B.BB./..N../..BWB/..... w", True),  # Once the neutron has left c3.
        (".WWWW/B.BB./..N../..B.B/...W. w", False),
        ("..WWW/W.BB./..N../WBB.B/..... w", False),
        (".WWWW/...../B.N../...../WBBBB b", False),
        ("WWWW./W..../B.N../...../.BBBB b", True),
        ("WWWW./WB.../..N../..B../..BBB b", False),
    ],
)
def test_the_fifth_man_is_seen_to_reach_the_far_row(setup: str, fills: bool) -> None:
    position = make_rules().start(setup)
    winning = []
    for move in position.legal_moves():
        position.play(move)
        ended = position.outcome()
        if ended is not None and ended.reason == "far row":
            winning.append(move)
        position.undo()
    assert bool(winning) == fills
    own, enemy = own_and_enemy(position)
    filling = BOARD.filling_turn(own, enemy, position.neutron, position.turn)
    assert filling in winning if fills else filling == 0


def test_rays_run_to_the_edge() -> None:
    assert ray(0, (1, 1)) == [6, 12, 18, 24]
    assert ray(24, (1, 0)) == []
    assert slide(12, (0, 1), 0) == 22
    assert NOWHERE > 24
