"""Stop a run that would test something else than it says: stale or wrongly built hot modules."""

import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from engines.core.version import hot_modules, speed

ROOT = Path(__file__).resolve().parent.parent
COMMON = "common_code"  # What compiled modules share; setup.py makes it without a source of ours.


# A machine that others use as well may take any time for an example.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


def find_fault(expected: str) -> str | None:
    """Return why this run must not go on, or None."""
    names = hot_modules("engines")
    for orphan in [*ROOT.glob("engines/**/*.so"), *ROOT.glob("engines/**/*.pyd")]:
        stem = orphan.name.partition(".")[0]
        if stem != COMMON and not orphan.with_name(f"{stem}.pxd").exists():
            return f"{orphan} hides a module that is no longer compiled: delete it"
    if not names and expected:
        return "no hot module found: the .pxd files are missing"
    for name in names:
        module = import_module(name)
        built = Path(str(module.__file__))
        compiled = built.suffix != ".py"
        if expected == "compiled" and not compiled:
            return f"{name} is interpreted, and QUINTET_EXPECT says compiled"
        if expected == "interpreted" and compiled:
            return f"{name} is compiled ({built}), and QUINTET_EXPECT says interpreted"
        source = built.parent / f"{name.rpartition('.')[2]}.py"
        if compiled and (ROOT / "setup.py").exists() and built.is_relative_to(ROOT):
            newest = max(source.stat().st_mtime, source.with_suffix(".pxd").stat().st_mtime)
            if built.stat().st_mtime < newest:
                return f"{built} is older than its source: python setup.py build_ext --inplace"
    return None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the tests that are marked slow, too")


INTERPRETED = "interpreted: "  # Before the reasons of the mark `compiled`.
left_to_ci: dict[str, int] = {}  # The slow tests that each process of xdist has left out.


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave slow tests to CI, except those that somebody asks for by name, mark or --slow."""
    asked = "slow" in config.getoption("markexpr") or any("::" in word for word in config.args)
    if asked or config.getoption("slow"):
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    items[:] = [item for item in items if not item.get_closest_marker("slow")]
    config.hook.pytest_deselected(items=slow)
    left_to_ci["here"] = len(slow)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip tests that need compiled code where it is interpreted; the mark says why they do."""
    mark = item.get_closest_marker("compiled")
    if mark and speed("engines") == "interpreted":
        pytest.skip(f"{INTERPRETED}{mark.args[0]}")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if count := max(left_to_ci.values(), default=0):
        terminalreporter.write_line(
            f"{count} slow tests were left to CI; --slow runs them here as well"
        )


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take over what a process of xdist has counted: the one that prints collects no tests."""
    left_to_ci[node.gateway.id] = getattr(node, "workeroutput", {}).get("slow", 0)


def pytest_configure(config: pytest.Config) -> None:
    expected = os.environ.get("QUINTET_EXPECT", "")
    if expected not in ("", "compiled", "interpreted"):
        raise pytest.UsageError(f"QUINTET_EXPECT: compiled or interpreted, not {expected!r}")
    if fault := find_fault(expected):
        raise pytest.UsageError(fault)


@pytest.fixture(autouse=True)
def environment_is_kept() -> Iterator[None]:
    """Fail a test that changes what those that run behind it find in the environment."""
    before = dict(os.environ)
    yield
    changed = {name for name, _ in before.items() ^ os.environ.items()} - {"PYTEST_CURRENT_TEST"}
    # Libraries add settings of their own when they are imported.
    changed = {name for name in changed if name in before or name.startswith("QUINTET_")}
    for name in changed:
        os.environ.pop(name, None)
        if name in before:
            os.environ[name] = before[name]
    assert not changed


def pytest_report_header(config: pytest.Config) -> str:
    from engines import __file__ as place

    hot = [sys.modules[name] for name in hot_modules("engines")]
    compiled = sum(not str(module.__file__).endswith(".py") for module in hot)
    return f"quintet: {Path(str(place)).parent}, {compiled} of {len(hot)} hot modules compiled"


# Where peers are required, these reasons alone excuse a skipped test.
EXCUSES = (
    "the extra `train` is not installed",
    "no sdist was named",
    "interpreted",
    "the interpreter is locked",
    "records",
    "Windows",
    "elsewhere",
    "root may write",
)
skipped_reasons: list[str] = []


def _note(report: pytest.TestReport | pytest.CollectReport) -> None:
    if report.skipped and isinstance(report.longrepr, tuple):
        skipped_reasons.append(str(report.longrepr[2]))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _note(report)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    _note(report)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["slow"] = left_to_ci.get("here", 0)
    if os.environ.get("QUINTET_PEERS") != "required" or os.environ.get("PYTEST_XDIST_WORKER"):
        return
    unexcused = [told for told in skipped_reasons if not any(word in told for word in EXCUSES)]
    if unexcused:
        print("\nQUINTET_PEERS=required, and skipped:", *sorted(set(unexcused)), sep="\n  ")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
