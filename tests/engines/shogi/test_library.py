"""Shogi as a library: the examples in the docstring of the package."""

import doctest

import engines.shogi


def test_the_examples_of_the_package_hold() -> None:
    results = doctest.testmod(engines.shogi)
    assert results.attempted > 0
    assert results.failed == 0
