"""The games as libraries: the examples in the packages' docstrings."""

import doctest
from importlib import import_module

import pytest


@pytest.mark.parametrize("game", ["morris", "neutron", "senet"])
def test_the_examples_of_a_package_hold(game: str) -> None:
    results = doctest.testmod(import_module(f"engines.{game}"))
    assert results.attempted > 0
    assert results.failed == 0
