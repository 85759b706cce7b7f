import json

import pytest

from tests.tools.tournament.tuning.runs import KNOBS, run
from tools.statistics.spsa import Parameter
from tools.tournament.tuning.plan import Knob, Way, format_value, sealed_knobs, tuning_seal, turned


def test_an_engine_receives_its_values_in_all_three_ways() -> None:
    engine = run().terms.engines[0]
    spoken = Knob(Parameter("c", 1.0, 0.0, 2.0, 0.1), Way.COMMAND, "set-param c {}")
    made = turned(engine, [*KNOBS, spoken], [0.25, 60, 1.0])
    assert dict(made.options) == {"seed": "{seed}", "exploration": "0.25"}
    assert made.command == (*engine.command, "--margin=60")
    assert made.commands == ("set-param c 1",)


def test_an_option_that_the_engine_has_already_gets_the_value() -> None:
    engine = run().terms.engines[0]
    knob = Knob(Parameter("seed", 1.0, 0.0, 9.0, 1.0), Way.OPTION, "seed")
    assert knob.turn(engine, 4).options == (("seed", "4"),)


@pytest.mark.parametrize(
    ("value", "text"), [(7, "7"), (-3, "-3"), (0.5, "0.5"), (1 / 3, "0.333333333")]
)
def test_values_are_written_plainly(value: float, text: str) -> None:
    assert format_value(value) == text


def test_the_bounds_are_values_of_the_right_kind() -> None:
    exploration, margin = KNOBS
    assert (exploration.bound(high=False), exploration.bound(high=True)) == (0.2, 3.0)
    assert isinstance(margin.bound(high=True), int)


def test_what_is_tuned_is_sealed() -> None:
    seal = json.loads(json.dumps(tuning_seal(run())))
    assert sealed_knobs(seal) == KNOBS
    assert seal["pairs"] == 4
    assert seal["engine2.label"] == "mine minus"
