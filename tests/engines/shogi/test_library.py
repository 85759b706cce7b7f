"""The rules as a library: what the package's own text shows."""

import doctest

import engines.shogi


def test_the_examples_of_the_package_hold() -> None:
    found = doctest.testmod(engines.shogi)
    assert found.attempted > 0
    assert found.failed == 0
