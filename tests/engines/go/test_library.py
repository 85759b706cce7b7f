"""Go as a library: the examples in the docstring of the package."""

import doctest

import engines.go


def test_the_examples_of_the_package_hold() -> None:
    results = doctest.testmod(engines.go)
    assert results.attempted > 0
    assert results.failed == 0
