from itertools import combinations

from engines.senet.tables.turns import Turns

TURNS = Turns(2, 2)
SETS = sorted(sum(1 << place for place in chosen) for chosen in combinations(range(26), 2))


def test_sets_are_ranked_in_order() -> None:
    assert TURNS.block == len(SETS) == 325
    assert [TURNS.rank(men) for men in SETS] == list(range(325))


def test_a_man_off_leaves_one_more_place_for_the_enemy() -> None:
    assert TURNS.rank(1 << 26 | 1 << 25) == 350  # Of 351 sets among 27 places the last.


def test_each_class_has_room_for_its_sets() -> None:
    assert (Turns(3, 1).block, Turns(1, 3).block) == (25, 2925)
