from engines.morris.play.evaluation import evaluate, strikes
from engines.morris.rules.symmetry import Symmetries


def test_symmetric_positions_are_worth_the_same() -> None:
    symmetries = Symmetries()
    own, enemy = 0x018241, 0x240814
    for number in range(16):
        men = symmetries.image(own, number), symmetries.image(enemy, number)
        assert evaluate(*men, 0, 0) == evaluate(own, enemy, 0, 0)
        assert evaluate(*men, 3, 3) == evaluate(own, enemy, 3, 3)


def test_what_one_side_gains_the_other_loses_but_for_the_move() -> None:
    own, enemy = 0x001009, 0x020440
    free = ~(own | enemy) & 0xFFFFFF
    assert not strikes(own, free, 3, 0)
    assert not strikes(enemy, free, 3, 0)
    assert evaluate(own, enemy, 2, 2) == -evaluate(enemy, own, 2, 2)
