import math

import pytest

from protocols.ask.engine import LONGEST, EngineSpec, is_wait


def test_an_option_may_be_mentioned_anywhere() -> None:
    plain = EngineSpec("x", ("seed", "--fast"))
    assert not plain.names("seed")  # The program itself is no option.
    assert EngineSpec("x", ("x", "--option", "seed=1")).names("seed")
    assert EngineSpec("x", ("x",), options=(("seed", "1"),)).names("seed")
    assert EngineSpec("x", ("x",), commands=("set seed 1",)).names("seed")
    assert not EngineSpec("x", ("x", "--seeds")).names("seed")


@pytest.mark.parametrize(
    ("value", "right"),
    [
        *((1, True), (0.5, True), (LONGEST, True), (0, False), (-1, False), (LONGEST + 1, False)),
        *((math.inf, False), (math.nan, False), (True, False), ("1", False), (None, False)),
    ],
)
def test_a_wait_is_a_finite_number_of_seconds(value: object, right: bool) -> None:
    assert is_wait(value) is right
