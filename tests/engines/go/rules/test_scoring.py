import pytest

from engines.go.rules.ruleset import RULE_SETS, RuleSet
from engines.go.rules.scoring import Score, chains, dead_stones, score
from engines.go.rules.text import make_rules

AREA, TERRITORY = RULE_SETS["chinese"], RULE_SETS["japanese"]


def count(setup: str, rules: RuleSet, dead: str = "", komi: float = 0.0) -> Score:
    width = len(setup.split()[0].split("/"))
    texts = make_rules(rules.name, width)
    position = texts.start(setup)
    return score(position.board, rules, komi, {texts.parse_vertex(v) for v in dead.split()})


def test_area_counts_stones_and_what_they_alone_enclose() -> None:
    counted = count("1XO2/1XO2/1XO2/1XO2/1XO2", AREA, komi=2.5)
    assert (counted.black, counted.white) == (10, 15 + 2.5)
    assert counted.margin == -7.5


def test_territory_counts_empty_points_and_prisoners() -> None:
    counted = count("1XO2/1XO2/1XO1X/1XO2/1XO2 b captured=2,1", TERRITORY, "E3")
    assert (counted.black, counted.white) == (5 + 1, 10 + 2 + 1)


def test_neutral_points_belong_to_nobody() -> None:
    counted = count("1X1O1/1X1O1/1X1O1/1X1O1/1X1O1", AREA)
    assert (counted.black, counted.white) == (10, 10)
    assert counted.owners[2::5] == bytes(5)


def test_dead_stones_belong_to_who_killed_them() -> None:
    setup = "1XO2/OXO2/1XO2/1XO2/1XO2"
    assert count(setup, AREA, "A4").black == 10
    assert count(setup, AREA).black == 5
    assert count(setup, TERRITORY, "A4").black == 6


# Black's chain at the lower edge and the white one around it share two liberties, or one beside
# an eye each.
EYELESS = "7/7/7/XXXXXXX/XOOOOOX/XOXXXOX/XO1X1OX"
ONE_EYE = "10/10/10/10/10/10/XXXXXXXXXX/XOOOOOOOOX/XOXXXOOOOX/XOX1X1O1OX"


def test_seki_is_found_and_its_liberties_are_nobodys() -> None:
    counted = count(EYELESS, AREA)
    assert (counted.black, counted.white) == (21 + 13 + 4, 9)
    assert {move for move in range(28, 49) if counted.owners[move]} >= counted.seki
    assert len(counted.seki) == 4 + 9
    assert count(EYELESS, TERRITORY).margin == 21


def test_eyes_in_seki_count_by_area_and_not_under_japanese_rules() -> None:
    area, japanese = count(ONE_EYE, AREA), count(ONE_EYE, TERRITORY)
    assert (area.black, area.white) == (82, 17)
    assert (japanese.black, japanese.white) == (60, 0)
    assert area.seki == japanese.seki
    assert len(area.seki) == 5 + 16


def test_a_neutral_point_between_living_groups_is_no_seki() -> None:
    assert count("1X1O1/1X1O1/1X1O1/1X1O1/XX1OO", AREA).seki == frozenset()
    assert count("X4/5/5/5/4O", AREA).seki == frozenset()


def test_chains_are_listed_once_with_all_their_stones() -> None:
    position = make_rules("", 4).start("XX2/1X1O/3O/X3")
    assert list(chains(position.board)) == [[0, 1, 5], [7, 11], [12]]


@pytest.mark.parametrize(("owned", "dead"), [(0.9, set()), (0.1, {0, 1}), (-0.9, {0, 1})])
def test_a_chain_dies_that_does_not_own_its_points(owned: float, dead: set[int]) -> None:
    position = make_rules("", 4).start("XX2/4/4/4")
    assert dead_stones(position.board, [owned] * 16) == dead
    position = make_rules("", 4).start("OO2/4/4/4")
    assert dead_stones(position.board, [-owned] * 16) == dead


def test_one_bad_point_kills_the_chain() -> None:
    position = make_rules("", 4).start("XXX1/4/4/4")
    assert dead_stones(position.board, [1.0, 1.0, -0.7] + [0.0] * 13) == {0, 1, 2}


def test_pass_alive_stones_live_and_intruders_die_whatever_the_ownership() -> None:
    position = make_rules("", 5).start("1X1X1/XXXXX/5/5/5 b")
    assert dead_stones(position.board, [-1.0] * 25) == set()
    position = make_rules("", 6).start("1X1OX1/XXX1XX/2XXX1/6/6/6 b")
    assert dead_stones(position.board, [1.0] * 3 + [-1.0] + [1.0] * 32) == {3}
