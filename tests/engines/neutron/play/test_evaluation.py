from array import array

from hypothesis import given

from engines.neutron.play.evaluation import WEIGHTS, Evaluation, load_weights
from engines.neutron.rules.position import Position
from tests.engines.neutron.walks import choices, unhurried, variants, walk

SHIPPED = Evaluation(load_weights())


def judge(evaluation: Evaluation, position: Position) -> int:
    own, enemy = position.white, position.black
    if position.turn:
        own, enemy = enemy, own
    return evaluation.evaluate(own, enemy, position.neutron, position.turn)


def upside_down(bits: int) -> int:
    return sum((bits >> 5 * row & 31) << 5 * (4 - row) for row in range(5))


@unhurried
@given(variants, choices)
def test_both_sides_see_the_same_board(variant: str, numbers: list[int]) -> None:
    position = walk(variant, numbers).position
    turned = Position(
        upside_down(position.black),
        upside_down(position.white),
        position.neutron % 5 + 5 * (4 - position.neutron // 5),
        1 - position.turn,
        position.only_man,
        position.kraus,
    )
    assert judge(SHIPPED, turned) == judge(SHIPPED, position)


@unhurried
@given(variants, choices)
def test_mirrored_positions_are_worth_about_the_same(variant: str, numbers: list[int]) -> None:
    position = walk(variant, numbers).position
    # Ten weights, each rounded for itself.
    assert abs(judge(SHIPPED, position.mirrored()) - judge(SHIPPED, position)) <= 10


def test_each_line_counts_once() -> None:
    position = walk("", []).position
    assert judge(Evaluation(array("h", [0] * WEIGHTS)), position) == 0
    assert judge(Evaluation(array("h", [7] * WEIGHTS)), position) == 70


def test_a_row_is_read_from_the_mover_and_from_column_a() -> None:
    weights = array("h", [0] * WEIGHTS)
    # The neutron on c3, the nearest row: own man on a, enemy's on e.
    weights[12 * 10 * 243 + 0 * 243 + 1 + 2 * 81] = 5
    evaluation = Evaluation(weights)
    assert evaluation.evaluate(1 << 0, 1 << 4, 12, 0) == 5
    assert evaluation.evaluate(1 << 4, 1 << 0, 12, 0) == 0
    assert evaluation.evaluate(1 << 20, 1 << 24, 12, 1) == 5


def test_shipped_weights_prefer_the_neutron_near_home() -> None:
    own, enemy = 0b10011 | 1 << 8 | 1 << 18, 0b10011 << 20 | 1 << 16 | 1 << 6
    assert len(load_weights()) == WEIGHTS
    near = SHIPPED.evaluate(own, enemy, 7, 0)
    far = SHIPPED.evaluate(own, enemy, 17, 0)
    assert near != far
