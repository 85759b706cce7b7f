import sys
from dataclasses import replace

import pytest

from engines.core.timing import TimeControl
from protocols.ask.engine import EngineSpec
from tools.roster.engines import resolve
from tools.terms.seal import changed, is_engine, seal, sealed_engine, unacceptable
from tools.terms.spec import MatchSpec


def spec(**more: object) -> MatchSpec:
    engine = resolve("neutron")
    engines = (engine, replace(engine, label="other"))
    made = MatchSpec("neutron", "", 0, engines, 2, (TimeControl.parse("1/move"),) * 2)
    return replace(made, **more)  # type: ignore[arg-type]  # By the names of the fields.


def test_the_seal_of_one_match_is_always_the_same() -> None:
    assert changed(seal(spec()), seal(spec(games=9))) == []


@pytest.mark.parametrize(
    ("more", "key", "is_never"),
    [
        ({"seed": 4}, "seed", True),
        ({"lag": 4.0}, "lag", True),
        ({"set_aside": 4}, "set-aside", False),
        ({"move_timeout": 4.0}, "move-timeout", False),
        ({"controls": (TimeControl.parse("1"), TimeControl.parse("1/move"))}, "engine1.time", True),
    ],
)
def test_a_changed_setting_is_named(more: dict[str, object], key: str, is_never: bool) -> None:
    keys = changed(seal(spec()), seal(spec(**more)))
    assert keys == [key]
    assert (unacceptable(keys) == keys) == is_never


@pytest.mark.parametrize("more", [{"scores": False}, {"restart": "always"}])
def test_how_an_engine_is_treated_is_sealed_and_may_be_accepted(more: dict[str, object]) -> None:
    engine = replace(resolve("neutron"), **more)  # type: ignore[arg-type]  # As above.
    sealed = seal(spec(engines=(engine, spec().engines[1])))
    keys = changed(seal(spec()), sealed)
    assert keys == [f"engine1.{next(iter(more))}"]
    assert unacceptable(keys) == []
    assert sealed_engine(sealed, 1) == replace(engine, game=None)


def test_another_score_timeout_may_be_accepted() -> None:
    keys = changed(seal(spec(game="go")), seal(spec(game="go", score_timeout=3.0)))
    assert keys == ["score-timeout"]
    assert unacceptable(keys) == []


def test_an_engine_that_is_made_otherwise_may_be_accepted() -> None:
    engine = replace(resolve("neutron"), commands=("option level 3",))
    keys = changed(seal(spec()), seal(spec(engines=(engine, spec().engines[1]))))
    assert keys == ["engine1.commands"]
    assert is_engine(keys[0])
    assert unacceptable(keys) == []


def test_a_journal_from_before_our_programs_were_started_with_p_still_fits() -> None:
    new = seal(spec())
    old = {**new, "engine1.command": [sys.executable, "-m", "engines.neutron"]}
    assert changed(old, new) == []
    assert sealed_engine(old, 1).command == (sys.executable, "-P", "-m", "engines.neutron")


def test_a_journal_from_before_an_adjudication_rule_still_fits() -> None:
    new = seal(spec())
    rules = {key: value for key, value in new["adjudication"].items() if key != "tables"}
    assert changed({**new, "adjudication": rules}, new) == []
    other = {**new, "adjudication": {**rules, "tables": True}}
    assert changed(other, new) == ["adjudication"]


def test_the_module_of_a_stranger_keeps_its_spelling() -> None:
    new = seal(spec())
    words = [sys.executable, "-m", "mine", "--fast"]
    old = {**new, "engine1.command": words}
    assert changed(old, new) == ["engine1.command"]
    assert sealed_engine(old, 1).command == tuple(words)


def test_the_files_of_our_programs_are_sealed() -> None:
    assert len(seal(spec())["engine1.package"]) == 64
    mine = EngineSpec("mine", (sys.executable, "-m", "mine"), protocol="line", game="neutron")
    assert seal(spec(engines=(mine, mine)))["engine1.package"] == ""
