import random

import pytest

from engines.go.play.levels import LEVELS, STRONGEST, choose, is_silly
from engines.go.play.search import Candidate, Findings
from engines.go.rules.history import Position
from engines.go.rules.text import make_rules

NAMED = {"E5": 0.5, "C3": 0.3, "G7": 0.1, "A1": 0.06, "J9": 0.0001}


def findings(position: Position, chances: dict[str, float]) -> Findings:
    rules = make_rules("", 9)
    policy = [(rules.parse_move(vertex), chance) for vertex, chance in chances.items()]
    best = Candidate(policy[0][0], 50, 0.5, 0.0, 0.0, 0.0, policy[0][1], (policy[0][0],))
    return Findings([best], 50, 0.5, 0.0, [0.0] * 81, policy=policy)


def drawn(level: int, chances: dict[str, float], setup: str = "") -> list[str]:
    rules = make_rules("", 9)
    position = rules.start(setup)
    known = findings(position, chances)
    chance = random.Random(5)
    return [
        rules.format_vertex(choose(LEVELS[level - 1], known, position, chance)) for _ in range(400)
    ]


def test_there_are_ten_levels_each_looser_than_the_next() -> None:
    assert len(LEVELS) == STRONGEST == 10
    heats = [level.heat for level in LEVELS]
    assert heats == sorted(heats, reverse=True)
    visits = [level.visits or 1 << 30 for level in LEVELS]
    assert visits == sorted(visits)


def test_lower_levels_stray_further() -> None:
    shares = [drawn(level, NAMED).count("E5") for level in range(1, 8)]
    assert shares == sorted(shares)
    assert shares[0] < 250
    assert shares[-1] == 400


@pytest.mark.parametrize("level", range(1, 11))
def test_no_level_plays_what_nobody_would_think_of(level: int) -> None:
    assert not {"J9", "A1"} & set(drawn(level, NAMED))


def test_a_pass_is_made_only_where_it_is_thought_best() -> None:
    assert "pass" not in drawn(1, {"E5": 0.5, "pass": 0.4, "C3": 0.1})
    assert set(drawn(1, {"pass": 0.5, "E5": 0.4, "C3": 0.1})) == {"pass"}


def test_own_eyes_and_empty_edges_are_silly_and_edges_beside_stones_are_not() -> None:
    rules = make_rules("", 9)
    position = rules.start("9/9/9/9/9/9/9/XX7/1X7 b")
    assert is_silly(position, rules.parse_move("A1"))
    assert is_silly(position, rules.parse_move("J5"))
    assert is_silly(rules.start("9/9/9/9/9/9/4X4/9/9 w"), rules.parse_move("E1"))
    assert not is_silly(position, rules.parse_move("C1"))
    assert not is_silly(position, rules.parse_move("E5"))
    assert not is_silly(rules.start("9/9/9/9/9/9/9/XX7/1X7 w"), rules.parse_move("A1"))


def test_putting_many_stones_into_atari_is_silly_unless_it_takes_some() -> None:
    rules = make_rules("", 9)
    position = rules.start("9/9/9/9/9/OOOO5/XXX1O4/OOXXO4/2O1O4 b")
    assert is_silly(position, rules.parse_move("D3"))
    assert not is_silly(position, rules.parse_move("F5"))
    few = rules.start("9/9/9/9/9/2OO5/1OX1O4/2O6/9 b")
    assert not is_silly(few, rules.parse_move("D3"))
    taking = rules.start("9/9/9/9/9/OOOO5/XXX1O4/XXXOX4/XXXXO4 b")
    assert not is_silly(taking, rules.parse_move("D3"))
