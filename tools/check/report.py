"""What a check tells: a line per probe, the exchange of each finding, a summary by severity."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from tools.check.probe import MUST, NICE, SHOULD, Probe, Severity
from tools.check.runner import Grade, Result

_MARKS: Final = {
    Grade.PASS: "ok",
    Grade.FAIL: "FAIL",
    Grade.UNSUITED: "n/a",
    Grade.SKIPPED: "not run",
}
_WIDTH: Final = 160  # Characters of a line of the exchange.
_HEAD, _TAIL = 12, 8  # Lines of an exchange that are shown: of its beginning and of its end.
_VERDICTS: Final = {
    "A": "a good citizen: every probe passed",
    "B": "a good citizen with small faults: every must and should passed",
    "C": "usable: every must passed",
    "D": "some clients will fail with it",
    "-": "nothing could be judged",
}


def describe_probe(probe: Probe) -> str:
    """Return a probe's line in the list."""
    return f"{probe.severity:6}  {probe.name:28}  {probe.reason}"


def describe(result: Result, *, whole: bool) -> Iterator[str]:
    """Yield a result's lines; the exchange of a finding, or of everything."""
    probe = result.probe
    mark = _MARKS[result.grade]
    yield f"{mark:7}  {probe.severity:6}  {probe.name:28}  {result.seconds:5.1f} s"
    if result.grade == Grade.FAIL:
        yield f"         found:    {result.told}"
        yield f"         protects: {probe.reason}"
    elif result.told:
        yield f"         {result.told}"
    if whole or result.grade == Grade.FAIL:
        for mark, line in shorten(result.exchange, whole=whole):
            yield f"           {mark} {line}"


def shorten(
    exchange: Sequence[tuple[str, str]], *, whole: bool = False
) -> Sequence[tuple[str, str]]:
    """Return an exchange with its long lines cut, and unless whole without its middle."""
    lines = [(mark, _cut(line)) for mark, line in exchange]
    left_out = len(lines) - _HEAD - _TAIL
    if whole or left_out < 2:
        return lines
    return [*lines[:_HEAD], (".", f"({left_out} lines left out)"), *lines[-_TAIL:]]


def _cut(line: str) -> str:
    text = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in line)
    return text if len(text) <= _WIDTH else f"{text[:_WIDTH]}... ({len(line)} characters)"


def count(results: Iterable[Result]) -> Mapping[Severity, Counter[Grade]]:
    """Count the grades by severity."""
    counted: dict[Severity, Counter[Grade]] = {kind: Counter() for kind in (MUST, SHOULD, NICE)}
    for result in results:
        counted[result.probe.severity][result.grade] += 1
    return counted


def mark_of(counted: Mapping[Severity, Counter[Grade]]) -> str:
    """Return the mark: A to D, or `-` where no probe was asked."""
    if not any(grades[Grade.PASS] + grades[Grade.FAIL] for grades in counted.values()):
        return "-"
    for mark, severity in (("D", MUST), ("C", SHOULD), ("B", NICE)):
        if counted[severity][Grade.FAIL] or counted[severity][Grade.SKIPPED]:
            return mark
    return "A"


def summarize(results: Sequence[Result]) -> Iterator[str]:
    """Yield the table by severity and the mark."""
    counted = count(results)
    yield f"{'':8}{'passed':>8}{'failed':>8}{'n/a':>8}{'not run':>9}"
    for severity, grades in counted.items():
        row = (grades[Grade.PASS], grades[Grade.FAIL], grades[Grade.UNSUITED])
        yield f"{severity:8}{row[0]:8}{row[1]:8}{row[2]:8}{grades[Grade.SKIPPED]:9}"
    mark = mark_of(counted)
    yield f"mark {mark}: {_VERDICTS[mark]}"


def event(result: Result, *, whole: bool) -> Mapping[str, Any]:
    """Return a result as an object of JSON."""
    told = whole or result.grade == Grade.FAIL
    return {
        "event": "probe",
        "id": result.probe.name,
        "severity": str(result.probe.severity),
        "reason": result.probe.reason,
        "result": str(result.grade),
        "message": result.told,
        "seconds": round(result.seconds, 3),
        "exchange": [list(pair) for pair in shorten(result.exchange, whole=whole)] if told else [],
    }


def summary_event(results: Sequence[Result], about: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the last object of JSON."""
    counted = count(results)
    table = {
        str(severity): {str(grade): grades[grade] for grade in Grade}
        for severity, grades in counted.items()
    }
    return {"event": "summary", **about, **table, "mark": mark_of(counted)}
