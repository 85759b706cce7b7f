"""The rule sets by name."""

import pytest

from engines.core.game import InvalidText
from engines.go.rules.ruleset import RULE_SETS
from engines.go.rules.text import (
    explanation,
    make_rules,
)


def test_rule_sets_are_found_by_any_spelling_and_named() -> None:
    assert make_rules("New_Zealand").rules.suicide
    assert make_rules("").variant == ""
    assert make_rules("japanese").variant == "japanese"
    with pytest.raises(InvalidText, match=r"no such rule set: 'ing' \(known: chinese, japanese"):
        make_rules("ing")
    for name in RULE_SETS:
        assert name in explanation().replace("\n", " ")
