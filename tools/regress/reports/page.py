"""Results as one self-contained HTML page: counts, boards, dialogues."""

import re
import zlib
from collections.abc import Iterator, Sequence
from datetime import datetime
from html import escape
from pathlib import Path
from typing import Final

from engines import __version__
from tools.boards import gradients
from tools.boards.picture import STYLE, picture
from tools.regress.reports.output import save
from tools.regress.result import Result, ResultCounts, Status

_BOARDS: Final = 1000  # Boards on a page; failures have theirs first.
_STYLE: Final = """
:root { color-scheme: light dark; --line: #8886; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 74rem; padding: 1rem; }
h1 { font-size: 1.4rem; margin: .2rem 0; }
h2 { font-size: 1.15rem; margin: 2rem 0 .4rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { padding: .15rem .7rem; border-bottom: 1px solid var(--line); text-align: right; }
th:first-child, td:first-child { text-align: left; }
details { border: 1px solid var(--line); border-left: .4rem solid #999; border-radius: .3rem;
  margin: .35rem 0; padding: .3rem .7rem; }
details.FAILED, details.ERROR { border-left-color: #d22; }
details.PASSED { border-left-color: #0a3; }
details.failed, details.error { border-left-color: #e9a040; }
details.passed { border-left-color: #7c9; }
summary { cursor: pointer; }
summary b { font-weight: 600; }
.word { display: inline-block; min-width: 6.5em; font-weight: 600; }
.FAILED > summary .word, .ERROR > summary .word, li.FAILED .word, li.ERROR .word { color: #d22; }
.PASSED > summary .word { color: #0a3; }
.body { display: flex; flex-wrap: wrap; gap: 1.2rem; padding: .5rem 0; }
.body > div:first-child { flex: 1 1 20rem; min-width: 0; }
.body > div:last-child { flex: 2 1 24rem; min-width: 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .8rem; margin: 0 0 .6rem; }
dt { opacity: .7; } dd { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
pre { font-size: 12px; max-height: 22rem; overflow: auto; border: 1px solid var(--line);
  padding: .4rem; margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
pre i { opacity: .65; }
.key { font-size: 13px; opacity: .8; }
"""
_COLUMNS: Final = ("FAILED", "failed", "PASSED", "passed", "ERROR", "error", "unsupported")


def write_page(
    path: Path, results: Sequence[Result], engine: str, *, interrupted: bool = False
) -> None:
    """Write the page; raises InvalidText."""
    save(path, "".join(_page(results, engine, interrupted=interrupted)))


def _page(results: Sequence[Result], engine: str, *, interrupted: bool) -> Iterator[str]:
    suites = list(dict.fromkeys(result.suite for result in results))
    total = ResultCounts.of(results)
    moment = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M")
    style = _STYLE + STYLE
    yield '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(engine)}: {total.alarms} unexpected</title>"
    yield f"<style>{style}</style></head><body>{gradients.definitions()}\n"
    yield f"<h1>{escape(engine)}</h1><p>{escape(str(total))}, {total.seconds:.1f} s; {moment}</p>\n"
    if interrupted:
        yield "<p><strong>Interrupted: not all tests were asked.</strong></p>\n"
    yield from _table(results, suites, total)
    yield (
        '<p class="key">Boards: right moves green, forbidden ones red and dotted, the answer bold '
        "(green where it is right, red and dashed where it is not).</p>\n"
    )
    yield from _failures(results)
    drawn = _drawn(results)
    for number, suite in enumerate(suites):
        yield f'<h2 id="s{number}">{escape(suite)}</h2>\n'
        for result in sorted(results, key=_order):
            if result.suite == suite:
                yield _test(result, draw=result.key in drawn)
    yield f'<p class="key">quintet {__version__}</p></body></html>\n'


def _table(results: Sequence[Result], suites: Sequence[str], total: ResultCounts) -> Iterator[str]:
    heads = "".join(f"<th>{word}</th>" for word in ("suite", "tests", *_COLUMNS, "seconds"))
    yield f'<div class="wide"><table><tr>{heads}</tr>\n'
    for number, suite in enumerate(suites):
        tally = ResultCounts.of(result for result in results if result.suite == suite)
        yield _row(f'<a href="#s{number}">{escape(suite)}</a>', tally)
    if len(suites) != 1:
        yield _row("all", total)
    yield "</table></div>\n"


def _row(name: str, tally: ResultCounts) -> str:
    counts = (tally.tests, *(tally.counts[word] for word in _COLUMNS))
    cells = "".join(f"<td>{count or ''}</td>" for count in counts)
    return f"<tr><td>{name}</td>{cells}<td>{tally.seconds:.2f}</td></tr>\n"


def _drawn(results: Sequence[Result]) -> set[tuple[str, str]]:
    """Choose the tests whose boards are drawn, failures first."""
    order = sorted(
        (result for result in results if result.scene is not None),
        key=lambda result: (not result.alarming, result.status is Status.PASSED),
    )
    return {result.key for result in order[:_BOARDS]}


def _test(result: Result, *, draw: bool) -> str:
    shown = " open" if result.alarming or result.surprising else ""
    title = f" {escape(result.title)}" if result.title else ""
    head = (
        f'<summary><span class="word">{result.word}</span> <b>{escape(result.name)}</b>{title} '
        f"{escape(_line(result))}</summary>"
    )
    facts = (
        ("place", f"{result.suite}:{result.line}"),
        ("command", result.command),
        ("to move", result.scene.turn if result.scene is not None else ""),
        ("expected", result.required),
        ("answer", result.answer),
        ("message", result.message),
        ("seconds", f"{result.seconds:.3f}"),
    )
    definitions = "".join(f"<dt>{key}</dt><dd>{escape(text)}</dd>" for key, text in facts if text)
    exchange = "\n".join(
        f"<b>{escape(line)}</b>" if line.startswith(">") else f"<i>{escape(line)}</i>"
        for line in result.exchange
        if line.strip("< ")
    )
    failed = result.status in (Status.FAILED, Status.ERROR)
    board = ""
    if draw and result.scene is not None:
        board = picture(result.scene, failed=failed).svg()
    body = f"<div><dl>{definitions}</dl>{f'<pre>{exchange}</pre>' if exchange else ''}</div>"
    return (
        f'<details id="{_anchor(result)}" class="{result.word}"{shown}>{head}'
        f'<div class="body"><div>{board}</div>{body}</div></details>\n'
    )


def _anchor(result: Result) -> str:
    """Return the name by which a test is linked; different tests have different ones."""
    plain = re.sub(r"[^\w.-]", "_", f"{result.suite}-{result.name}")
    return f"{plain}-{zlib.crc32(repr(result.key).encode()):08x}"


def _failures(results: Sequence[Result]) -> Iterator[str]:
    """List the unexpected results with links, failures before surprising passes."""
    listed = [result for result in results if result.alarming or result.surprising]
    if not listed:
        return
    yield f"<h2>Unexpected: {len(listed)}</h2>\n<ul>\n"
    for result in sorted(listed, key=lambda result: not result.alarming):
        name = f"{result.suite}: {result.name}"
        yield (
            f'<li class="{result.word}"><span class="word">{result.word}</span> '
            f'<a href="#{_anchor(result)}">{escape(name)}</a> {escape(_line(result))}</li>\n'
        )
    yield "</ul>\n"


def _order(result: Result) -> tuple[bool, bool, bool]:
    """Sort failures first, the unexpected ones before the known."""
    failed = result.status in (Status.FAILED, Status.ERROR)
    return not result.alarming, not failed, not result.surprising


def _line(result: Result) -> str:
    line = result.message.split("\n")[0] if result.message else result.answer.split("\n")[0]
    return line if len(line) <= 120 else f"{line[:119]}…"
