"""Results as JUnit XML, which Jenkins, GitLab and others read."""

import re
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from tools.regress.reports.output import save
from tools.regress.result import Result, ResultCounts, Status

_UNSPEAKABLE: Final = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_junit(
    path: Path, results: Sequence[Result], engine: str, *, interrupted: bool = False
) -> None:
    """Write results; known failures count as skipped, because they do not fail the run.

    If the run was interrupted, the properties of each suite say so; without any suite, an empty
    one is written for that.

    Raises InvalidText.
    """
    total = ResultCounts.of(results)
    root = ElementTree.Element("testsuites", _counts("quintet regress", total))
    moment = datetime.now().astimezone().isoformat(timespec="seconds")
    suites = dict.fromkeys(result.suite for result in results)
    if interrupted and not suites:
        suites = {"interrupted": None}
    for suite in suites:
        own = [result for result in results if result.suite == suite]
        skipped = sum(_skipped(result) is not None for result in own)
        counts = _counts(suite, ResultCounts.of(own)) | {"skipped": str(skipped)}
        counts |= {"timestamp": moment, "file": _clean(suite)}
        branch = ElementTree.SubElement(root, "testsuite", counts)
        properties = ElementTree.SubElement(branch, "properties")
        ElementTree.SubElement(properties, "property", {"name": "engine", "value": _clean(engine)})
        if interrupted:
            attributes = {"name": "interrupted", "value": "true"}
            ElementTree.SubElement(properties, "property", attributes)
        for result in own:
            _add(branch, result)
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    save(path, f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n')


def _counts(name: str, tally: ResultCounts) -> dict[str, str]:
    return {
        "name": _clean(name),
        "tests": str(tally.tests),
        "failures": str(tally.counts["FAILED"]),
        "errors": str(tally.counts["ERROR"]),
        "time": f"{tally.seconds:.3f}",
    }


def _skipped(result: Result) -> str | None:
    """Return why a test counts neither as passed nor as failed; None if it counts."""
    if result.status in (Status.FAILED, Status.ERROR) and result.known:
        return f"known failure: {result.message}"
    if result.status in (Status.UNSUPPORTED, Status.IGNORED):
        return f"{result.status}: {result.message}" if result.message else str(result.status)
    return None


def _add(branch: ElementTree.Element, result: Result) -> None:
    name = f"{result.name}: {result.title}" if result.title else result.name
    case = ElementTree.SubElement(
        branch,
        "testcase",
        {
            "name": _clean(name),
            "classname": _clean(re.sub(r"[/\\]", ".", result.suite)),
            "time": f"{result.seconds:.3f}",
        },
    )
    message = _clean(result.message or result.answer)
    reason = _skipped(result)
    if reason is not None:
        ElementTree.SubElement(case, "skipped", {"message": _clean(reason)})
    elif result.alarming:
        kind = "failure" if result.status is Status.FAILED else "error"
        child = ElementTree.SubElement(case, kind, {"type": str(result.status), "message": message})
        child.text = _clean(f"{result.suite}:{result.line}: {result.command}\n{result.message}")
    if result.exchange and (result.alarming or reason is not None):
        ElementTree.SubElement(case, "system-out").text = _clean("\n".join(result.exchange))


def _clean(text: str) -> str:
    """Leave out characters that XML cannot hold; engines and suites may contain any."""
    return _UNSPEAKABLE.sub("\N{REPLACEMENT CHARACTER}", text)
