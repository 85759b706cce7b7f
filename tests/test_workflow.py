"""The files of GitHub's workflows and of our action: their schemas, and what the action runs."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ACTION = ROOT / ".github" / "actions" / "regress" / "action.yml"
SUITE = """
game: neutron
limit: depth=2

test good
position: BB..B/....B/....W/N.B.W/W..WW w
accept: a2-b1

test bad
position: BB..B/....B/....W/N.B.W/W..WW w
forbid: a2...
"""

if not WORKFLOWS:
    pytest.skip("the workflows are elsewhere", allow_module_level=True)


@pytest.mark.parametrize("path", [*WORKFLOWS, ACTION], ids=lambda path: str(path.name))
def test_the_file_fits_the_schema(path: Path) -> None:
    pytest.importorskip("check_jsonschema", reason="check-jsonschema is not installed")
    schema = "github-actions" if path == ACTION else "github-workflows"
    command = ["-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", str(path)]
    done = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_python_of_the_classifiers_is_tested() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    prefix = "Programming Language :: Python :: 3."
    told = [line for line in project["project"]["classifiers"] if line.startswith(prefix)]
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    for line in told:
        version = line.rpartition(" ")[2]
        assert f'"{version}"' in workflow
        assert f"cp{version.replace('.', '')}-*" in project["tool"]["cibuildwheel"]["build"]


def steps() -> list[dict[str, Any]]:
    """Return the steps of the action that run commands."""
    yaml = pytest.importorskip("ruamel.yaml", reason="ruamel.yaml is not installed")
    action = yaml.YAML(typ="safe").load(ACTION)
    return [step for step in action["runs"]["steps"] if "run" in step]


def run_step(
    step: dict[str, Any], folder: Path, **variables: str
) -> "subprocess.CompletedProcess[str]":
    """Run a step as GitHub does, with these inputs in place of its own."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not installed")
    own = {
        name: value for name, value in step.get("env", {}).items() if not value.startswith("${{")
    }
    environment = {"GITHUB_ACTION_PATH": str(ACTION.parent), "GITHUB_ACTIONS": "true"}
    # What our own CI expects of the modules under test is not what an author's CI expects.
    inherited = {name: value for name, value in os.environ.items() if name != "QUINTET_EXPECT"}
    return subprocess.run(
        [bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        env=inherited | environment | own | variables,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.fixture
def author(tmp_path: Path) -> dict[str, str]:
    """The variables of somebody whose engine is under test, with a suite in the folder."""
    (tmp_path / "a.suite").write_text(SUITE, encoding="utf-8")
    script = shutil.which("quintet", path=str(Path(sys.executable).parent))
    if script is None:
        pytest.skip("the programs are elsewhere")
    return {
        "QUINTET_SCRIPTS": str(Path(script).parent),
        "SUITES": "a.suite\n",
        "ENGINE": "quintet-neutron --option seed=1",
        "BASELINE": "known.jsonl",
        "OPTIONS": "--jobs=1\n--long",
        "REPORTS": "out",
    }


def test_the_action_writes_a_baseline_first_and_fails_after_new_failures(
    author: dict[str, str], tmp_path: Path
) -> None:
    ask = steps()[1]
    first = run_step(ask, tmp_path, **author)
    assert first.returncode == 0, first.stderr
    assert "wrote known.jsonl: 1 of 2 tests did not pass" in first.stderr
    assert "::error" not in first.stdout
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {"junit.xml", "report.html", "known.jsonl"}
    assert run_step(ask, tmp_path, **author).returncode == 0
    text = (tmp_path / "known.jsonl").read_text("utf-8").replace('"failed"', '"passed"')
    (tmp_path / "known.jsonl").write_text(text, "utf-8")
    worse = run_step(ask, tmp_path, **author)
    assert worse.returncode == 1
    assert "::error file=a.suite,line=" in worse.stdout
    assert "<failure" in (tmp_path / "out" / "junit.xml").read_text("utf-8")


def test_the_action_needs_neither_an_engine_nor_a_baseline(
    author: dict[str, str], tmp_path: Path
) -> None:
    done = run_step(steps()[1], tmp_path, **author | {"ENGINE": "", "BASELINE": "", "OPTIONS": ""})
    assert done.returncode == 1
    assert "1/2 pass, 1 unexpected failure" in done.stdout


@pytest.mark.slow  # The whole installation, from the package index.
def test_the_action_installs_quintet_without_compiling_it(
    author: dict[str, str], tmp_path: Path
) -> None:
    install, ask = steps()
    own = {"RUNNER_TEMP": str(tmp_path / "temp"), "GITHUB_ENV": str(tmp_path / "env")}
    done = run_step(install, tmp_path, **own)
    assert done.returncode == 0, done.stderr
    name, _, scripts = (tmp_path / "env").read_text("utf-8").strip().partition("=")
    assert name == "QUINTET_SCRIPTS"
    first = run_step(ask, tmp_path, **author | {name: scripts})
    assert first.returncode == 0, first.stderr
    version = subprocess.run(
        [Path(scripts) / "quintet-neutron", "--version"], capture_output=True, text=True, check=True
    )
    assert "(interpreted)" in version.stdout
