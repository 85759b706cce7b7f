from dataclasses import replace

import pytest

from engines.core.game import InvalidText
from tests.tools.fakes import fake
from tests.tools.tournament.tuning.runs import KNOBS
from tools.roster.sides import Side
from tools.tournament.tuning.options import TuningOptions, tuning_spec

OPTIONS = TuningOptions(
    engines=(),
    game="neutron",
    pairs=7,
    sides=(Side(fake("good", seeded=True)),),
    command=("my engine", "--fast"),
    knobs=KNOBS,
)


def test_the_engine_plays_itself_under_two_names() -> None:
    made = tuning_spec(OPTIONS)
    assert [engine.label for engine in made.terms.engines] == ["good plus", "good minus"]
    assert (made.pairs, made.terms.games, str(made.terms.controls[1])) == (7, 14, "60+1")
    assert made.command == "'my engine' --fast"
    assert tuning_spec(replace(OPTIONS, command=("a --b",))).command == "a --b"


def test_an_option_is_not_set_and_tuned_at_once() -> None:
    engine = fake("good")
    engine = replace(engine, options=(("exploration", "1"),))
    with pytest.raises(InvalidText, match="its option exploration is set and tuned as well"):
        tuning_spec(replace(OPTIONS, sides=(Side(engine),)))
