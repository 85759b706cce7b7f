"""tools/LIBRARY.md: its examples are run, and its public names exist and are typed."""

import doctest
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import tools
from tests.programs import peer

PAGE = Path(tools.__file__).parent / "LIBRARY.md"
if not PAGE.exists():
    pytest.skip("the page is elsewhere", allow_module_level=True)
TEXT = PAGE.read_text(encoding="utf-8")
GNUGO = "<!-- needs gnugo -->\n"


def examples(*, of_gnugo: bool) -> str:
    """Return the examples of the page, with those that need GNU Go or without them."""
    blocks = re.findall(rf"({GNUGO})?```pycon\n(.*?)```", TEXT, re.DOTALL)
    assert sum(bool(mark) for mark, _ in blocks) == 1
    return "\n".join(code for mark, code in blocks if of_gnugo or not mark)


def names() -> Iterator[tuple[str, str]]:
    for module, listed in re.findall(r"^\| `([\w.]+)` \| ([^|]+) \|", TEXT, re.MULTILINE):
        for name in re.findall(r"`(\w+)`", listed):
            yield module, name


@pytest.fixture
def path_of_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(
        "PATH", os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    )


def run_examples(text: str) -> None:
    example = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    results = doctest.DocTestRunner(verbose=False).run(example)
    assert results.attempted > 20
    assert results.failed == 0


@pytest.mark.usefixtures("path_of_programs")
def test_the_examples_hold() -> None:
    run_examples(examples(of_gnugo=False))


@pytest.mark.peer("gnugo")
@pytest.mark.usefixtures("path_of_programs")
def test_the_examples_hold_with_gnu_go(monkeypatch: pytest.MonkeyPatch) -> None:
    games = str(Path(peer("gnugo")).parent)  # Debian's folder is not in everybody's PATH.
    monkeypatch.setenv("PATH", os.pathsep.join((os.environ["PATH"], games)))
    run_examples(examples(of_gnugo=True))


@pytest.mark.slow
def test_the_examples_are_typed(tmp_path: Path) -> None:
    text = examples(of_gnugo=True)
    code = "".join(each.source for each in doctest.DocTestParser().get_examples(text))
    (tmp_path / "library_examples.py").write_text(code, encoding="utf-8")
    root = PAGE.parent.parent
    done = subprocess.run(
        [
            *(sys.executable, "-m", "mypy", "--strict"),
            *("--config-file", str(root / "pyproject.toml")),
            str(tmp_path / "library_examples.py"),
        ],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


@pytest.mark.parametrize(("module", "name"), [*names()])
def test_a_public_name_exists_and_is_described(module: str, name: str) -> None:
    value = getattr(import_module(module), name)
    assert name == "GAMES" or inspect.getdoc(value)


@pytest.mark.parametrize(("module", "name"), [*names()])
def test_a_public_function_is_typed(module: str, name: str) -> None:
    value = getattr(import_module(module), name)
    if inspect.isfunction(value):
        signature = inspect.signature(value)
        assert signature.return_annotation is not signature.empty
        kinds = [each.annotation for each in signature.parameters.values()]
        assert signature.empty not in kinds
