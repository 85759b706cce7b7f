from tools.check.probe import MUST, NICE, SHOULD, Probe, Severity
from tools.check.report import count, describe, event, mark_of, shorten, summarize
from tools.check.runner import Grade, ProbeResult


def result(grade: Grade, severity: Severity = MUST, lines: int = 2) -> ProbeResult:
    exchange = tuple((">", f"line {number}") for number in range(lines))
    probe = Probe("a-probe", severity, "a reason to ask this", lambda talk: None)
    return ProbeResult(probe, grade, "it did something else", 0.25, exchange)


def test_marks_follow_the_gravest_finding() -> None:
    passed = result(Grade.PASS)
    marks = {
        (): "A",
        (NICE,): "B",
        (SHOULD,): "C",
        (MUST,): "D",
        (NICE, MUST): "D",
    }
    for severities, mark in marks.items():
        results = [passed, *(result(Grade.FAIL, severity) for severity in severities)]
        assert mark_of(count(results)) == mark
    assert mark_of(count([])) == "-"
    assert list(summarize([passed]))[-1] == "mark A: fully conforming: every probe passed"


def test_a_finding_is_described_with_its_exchange() -> None:
    lines = list(describe(result(Grade.FAIL), whole=False))
    assert any("it did something else" in line for line in lines)
    assert any("a reason to ask this" in line for line in lines)
    assert sum("line " in line for line in lines) == 2
    assert not any("line " in line for line in describe(result(Grade.PASS), whole=False))


def test_a_long_exchange_loses_its_middle() -> None:
    exchange = result(Grade.FAIL, lines=500).exchange
    cut = list(shorten(exchange, whole=False))
    assert len(cut) < 100
    assert "lines left out" in " ".join(text for _, text in cut)
    assert cut[0] == exchange[0]
    assert cut[-1] == exchange[-1]
    assert len(list(shorten(exchange, whole=True))) == 500


def test_a_result_as_json_names_probe_and_grade() -> None:
    fields = event(result(Grade.FAIL), whole=False)
    assert (fields["id"], fields["severity"], fields["result"]) == (
        "a-probe",
        "must",
        str(Grade.FAIL),
    )
    assert len(fields["exchange"]) == 2
    assert event(result(Grade.PASS), whole=False)["exchange"] == []
