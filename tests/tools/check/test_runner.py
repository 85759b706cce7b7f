"""Our programs are good citizens, and a check of a bad one comes to its end."""

import sys

import pytest

from engines.morris.rules.board import COMPILED
from protocols.ask.engine import EngineSpec
from tests.protocols import fakes
from tests.tools.check.probing import ask_probe
from tools.check.probe import MUST, NICE, SHOULD, Catalogue, Fault, Severity, expect, together
from tools.check.runner import PROBES, Checker, Grade
from tools.roster.engines import resolve

PATIENCE = 12.0  # Nothing that our programs do should wait for it.


@pytest.mark.slow
@pytest.mark.parametrize("game", ["go", "shogi", "morris", "neutron", "senet"])
def test_our_program_has_full_marks(game: str) -> None:
    spec = resolve(f"quintet-{game}")
    assert spec.protocol is not None
    # Interpreted, where reading a table takes seconds, a seventh of them has to do.
    probes = PROBES[spec.protocol][:: 1 if COMPILED else 7]
    with Checker(spec, spec.protocol, PATIENCE, 3000) as checker:
        results = list(checker.run(probes))
    problems = {
        result.probe.name: (result.message, result.exchange[-12:])
        for result in results
        if result.grade not in (Grade.PASS, Grade.UNSUITED)
    }
    assert not problems
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
    assert "exited with code 7" in results[0].message
    assert "cannot read weights.bin" in results[0].message
    assert "failed to start" in results[-1].message


def test_no_probe_is_asked_when_the_time_is_over() -> None:
    with Checker(fake("silent"), "gtp", 1.0, 0) as checker:
        results = list(checker.run(PROBES["gtp"]))
    assert {result.grade for result in results} == {Grade.SKIPPED}


@pytest.mark.slow
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
    result = ask_probe("line", "frame-tab", (twice,), PATIENCE)
    assert result.grade == Grade.FAIL


class Sequence:
    """Two probes: the second fails after the first, or whenever it is asked for the first time."""

    def __init__(self, *, always: bool) -> None:
        self.catalogue = Catalogue()
        asked: list[int] = []

        @self.catalogue.add("before", MUST, "it leaves something behind")
        def _before(talk: object) -> None:
            setattr(talk, "mark", True)  # noqa: B010

        @self.catalogue.add("behind", MUST, "it is disturbed by that")
        def _behind(talk: object) -> None:
            asked.append(1)
            expect(not hasattr(talk, "mark") if always else len(asked) > 1, "disturbed")


def test_a_finding_that_shows_only_after_another_probe_says_so() -> None:
    spec = EngineSpec("fake", (*resolve("quintet-neutron").command,), "line")
    with Checker(spec, "line", PATIENCE, 600) as checker:
        _, result = checker.run(Sequence(always=True).catalogue.probes)
    assert (result.grade, result.severity) == (Grade.FAIL, SHOULD)
    assert result.message == "only after the probe before: disturbed"
    assert ("-", "before ends, and behind begins") in result.exchange


def test_a_finding_that_never_shows_again_is_none() -> None:
    spec = EngineSpec("fake", (*resolve("quintet-neutron").command,), "line")
    with Checker(spec, "line", PATIENCE, 600) as checker:
        _, result = checker.run(Sequence(always=False).catalogue.probes)
    assert (result.grade, result.severity) == (Grade.PASS, MUST)
    assert result.message == "it failed once, but neither alone nor after before: disturbed"


def test_a_stray_line_of_text_is_no_must() -> None:
    stray = ("in", "^protocol_version$", "say", "hello\n= 2\n\n")
    result = ask_probe("line", "frame-plain", (stray,), PATIENCE)
    assert (result.probe.severity, result.grade, result.severity) == (MUST, Grade.FAIL, SHOULD)
    assert result.message == "'hello': it wrote text that belongs to no answer"


def test_text_without_a_reply_is_a_must() -> None:
    stray = ("in", "^protocol_version$", "say", "2\n\n")
    result = ask_probe("line", "frame-plain", (stray,), 0.1)
    assert (result.grade, result.severity) == (Grade.FAIL, MUST)
    assert "where a line beginning with = or ?" in result.message


@pytest.mark.parametrize(
    ("option", "severity"),
    [
        ("option name BookFile type string default ", None),
        ("option name BookFile type string default  ", MUST),
        ("option name BookFile type string default", None),
        ("option name Book type check default true ", MUST),
    ],
)
def test_one_blank_after_an_empty_default_is_right(option: str, severity: Severity | None) -> None:
    said = f"id name x\nid author y\n{option}\nusiok\n"
    result = ask_probe("usi", "option-grammar", (("in", "^usi$", "say", said),), PATIENCE)
    assert (result.severity if result.grade == Grade.FAIL else None) == severity


def test_probes_of_analysis_do_not_apply_without_analysis() -> None:
    rule = ("in", "list_commands$", "say", "={id} name\nversion\nplay\nprotocol_version\n\n")
    for name in ("list-first", "version-lizzie"):
        assert ask_probe("gtp", name, (rule,), PATIENCE).grade == Grade.UNSUITED


def test_two_probes_of_one_name_are_refused() -> None:
    catalogue = Catalogue()
    catalogue.add("same", MUST, "a reason that is long enough")(lambda talk: None)
    with pytest.raises(ValueError, match="two probes of one name: same"):
        together(catalogue, catalogue)
