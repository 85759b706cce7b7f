"""The output of a check: a line per probe, the exchange of each finding, and a summary."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from tools.check.probe import MUST, NICE, SHOULD, Probe, Severity
from tools.check.runner import Grade, ProbeResult

_MARKS: Final = {
    Grade.PASS: "ok",
    Grade.FAIL: "FAIL",
    Grade.UNSUITED: "n/a",
    Grade.SKIPPED: "not run",
}
_WIDTH: Final = 160  # Characters that are shown of a line of an exchange.
_HEAD, _TAIL = 12, 8  # Lines that are shown of the beginning and of the end of an exchange.
_VERDICTS: Final = {
    "A": "fully conforming: every probe passed",
    "B": "conforming with minor faults: every must and should passed",
    "C": "usable: every must passed",
    "D": "some clients will fail with this engine",
    "-": "nothing could be judged",
}


def describe_probe(probe: Probe) -> str:
    """Return the line of a probe in the list of probes."""
    return f"{probe.severity:6}  {probe.name:28}  {probe.reason}"


def describe(result: ProbeResult, *, whole: bool) -> Iterator[str]:
    """Yield the lines of a result, with the exchange of a finding or of every probe."""
    probe = result.probe
    mark = _MARKS[result.grade]
    yield f"{mark:7}  {result.severity:6}  {probe.name:28}  {result.seconds:5.1f} s"
    if result.grade == Grade.FAIL:
        yield f"         found:    {result.message}"
        yield f"         protects: {probe.reason}"
    elif result.message:
        yield f"         {result.message}"
    if whole or result.grade == Grade.FAIL:
        for mark, line in shorten(result.exchange, whole=whole):
            yield f"           {mark} {line}"


def shorten(
    exchange: Sequence[tuple[str, str]], *, whole: bool = False
) -> Sequence[tuple[str, str]]:
    """Shorten the lines of an exchange, and leave out its middle unless `whole`."""
    lines = [(mark, _cut(line)) for mark, line in exchange]
    left_out = len(lines) - _HEAD - _TAIL
    if whole or left_out < 2:
        return lines
    return [*lines[:_HEAD], (".", f"({left_out} lines left out)"), *lines[-_TAIL:]]


def _cut(line: str) -> str:
    text = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in line)
    return text if len(text) <= _WIDTH else f"{text[:_WIDTH]}... ({len(line)} characters)"


def count(results: Iterable[ProbeResult]) -> Mapping[Severity, Counter[Grade]]:
    """Count the grades by severity."""
    counted: dict[Severity, Counter[Grade]] = {kind: Counter() for kind in (MUST, SHOULD, NICE)}
    for result in results:
        counted[result.severity][result.grade] += 1
    return counted


def mark_of(counted: Mapping[Severity, Counter[Grade]]) -> str:
    """Return the mark: A to D, or `-` if no probe was asked."""
    if not any(grades[Grade.PASS] + grades[Grade.FAIL] for grades in counted.values()):
        return "-"
    for mark, severity in (("D", MUST), ("C", SHOULD), ("B", NICE)):
        if counted[severity][Grade.FAIL] or counted[severity][Grade.SKIPPED]:
            return mark
    return "A"


def summarize(results: Sequence[ProbeResult]) -> Iterator[str]:
    """Yield the table by severity and the mark."""
    counted = count(results)
    yield f"{'':8}{'passed':>8}{'failed':>8}{'n/a':>8}{'not run':>9}"
    for severity, grades in counted.items():
        row = (grades[Grade.PASS], grades[Grade.FAIL], grades[Grade.UNSUITED])
        yield f"{severity:8}{row[0]:8}{row[1]:8}{row[2]:8}{grades[Grade.SKIPPED]:9}"
    mark = mark_of(counted)
    yield f"mark {mark}: {_VERDICTS[mark]}"


def event(result: ProbeResult, *, whole: bool) -> Mapping[str, Any]:
    """Return a result as a JSON object."""
    with_exchange = whole or result.grade == Grade.FAIL
    return {
        "event": "probe",
        "id": result.probe.name,
        "severity": str(result.severity),
        "reason": result.probe.reason,
        "result": str(result.grade),
        "message": result.message,
        "seconds": round(result.seconds, 3),
        "exchange": [list(pair) for pair in shorten(result.exchange, whole=whole)]
        if with_exchange
        else [],
    }


def summary_event(results: Sequence[ProbeResult], about: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the last JSON object, the summary."""
    counted = count(results)
    table = {
        str(severity): {str(grade): grades[grade] for grade in Grade}
        for severity, grades in counted.items()
    }
    return {"event": "summary", **about, **table, "mark": mark_of(counted)}
