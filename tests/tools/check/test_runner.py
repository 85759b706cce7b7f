"""Our programs are good citizens, and a check of a bad one comes to its end."""

import sys

import pytest

from engines.morris.board import COMPILED
from tests.protocols import fakes
from tests.tools.check.test_faults import probe
from tools.check.probe import MUST, NICE, SHOULD, Catalogue, Fault, expect, together
from tools.check.runner import PROBES, Checker, Grade
from tools.engines import EngineSpec, resolve

PATIENCE = 12.0  # Nothing that our programs do should wait for it.


@pytest.mark.parametrize("game", ["go", "shogi", "morris", "neutron", "senet"])
def test_our_program_has_full_marks(game: str) -> None:
    spec = resolve(f"quintet-{game}")
    assert spec.protocol is not None
    # Interpreted, where reading a table takes seconds, a seventh of them has to do.
    probes = PROBES[spec.protocol][:: 1 if COMPILED else 7]
    with Checker(spec, spec.protocol, PATIENCE, 3000) as checker:
        results = list(checker.run(probes))
    told = {
        result.probe.name: (result.told, result.exchange[-12:])
        for result in results
        if result.grade not in (Grade.PASS, Grade.UNSUITED)
    }
    assert not told
    suited = [result for result in results if result.grade == Grade.PASS]
    assert len(suited) > 0.9 * len(results)


@pytest.mark.parametrize(("protocol", "least"), [("gtp", 40), ("usi", 40), ("line", 25)])
def test_there_are_probes_enough_and_each_says_whom_it_protects(protocol: str, least: int) -> None:
    probes = PROBES[protocol]
    assert len(probes) >= least
    assert len({probe.name for probe in probes}) == len(probes)
    for each in probes:
        assert len(each.reason) > 15
        assert "\n" not in each.reason
        assert each.severity in (MUST, SHOULD, NICE)


def fake(*words: str) -> EngineSpec:
    return EngineSpec("fake", tuple(fakes.command(*words)), "gtp")


def test_an_engine_that_never_starts_is_given_up() -> None:
    with Checker(fake("dead", "7"), "gtp", 1.0, 600) as checker:
        results = list(checker.run([probe for probe in PROBES["gtp"] if not probe.fresh]))
    grades = [result.grade for result in results]
    assert grades[:3] == [Grade.FAIL] * 3
    assert set(grades[3:]) == {Grade.SKIPPED}
    assert "exited with code 7" in results[0].told
    assert "cannot read weights.bin" in results[0].told
    assert "failed to start" in results[-1].told


def test_no_probe_is_asked_when_the_time_is_over() -> None:
    with Checker(fake("silent"), "gtp", 1.0, 0) as checker:
        results = list(checker.run(PROBES["gtp"]))
    assert {result.grade for result in results} == {Grade.SKIPPED}


@pytest.mark.parametrize("behaviour", ["chatty", "garbage", "not_reading", "trickling"])
def test_a_probe_ends_whatever_the_engine_does(behaviour: str) -> None:
    chosen = [probe for probe in PROBES["gtp"] if probe.name in ("frame-id", "quit")]
    with Checker(fake(behaviour), "gtp", 0.05, 600) as checker:
        results = list(checker.run(chosen))
    assert [result.grade for result in results] == [Grade.FAIL, Grade.FAIL]


def test_a_finding_costs_the_next_probe_nothing() -> None:
    spec = EngineSpec("fake", (*resolve("quintet-neutron").command,), "line")
    catalogue = Catalogue()

    @catalogue.add("first", MUST, "the process is left in the middle of a line")
    def _first(talk: object) -> None:
        getattr(talk, "send_bytes")(b"known_command na")  # noqa: B009
        raise Fault("on purpose")

    @catalogue.add("second", MUST, "a fresh process knows nothing of that")
    def _second(talk: object) -> None:
        expect(getattr(talk, "ask")("known_command name") == "true", "no")  # noqa: B009

    with Checker(spec, "line", PATIENCE, 600) as checker:
        results = list(checker.run(catalogue.probes))
    assert [result.grade for result in results] == [Grade.FAIL, Grade.PASS]
    assert results[0].exchange[-1] == ("-", "no line after this")


def test_a_reply_too_many_is_found_behind_the_probe_that_caused_it() -> None:
    if not sys.platform.startswith("linux"):
        pytest.skip("elsewhere: signals")
    twice = ("out", r"^(= .*\n\n)$", r"\1\1")
    result = probe("line", "frame-tab", (twice,), PATIENCE)
    assert result.grade == Grade.FAIL


def test_two_probes_of_one_name_are_refused() -> None:
    catalogue = Catalogue()
    catalogue.add("same", MUST, "a reason that is long enough")(lambda talk: None)
    with pytest.raises(ValueError, match="two probes of one name: same"):
        together(catalogue, catalogue)
