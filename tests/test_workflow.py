"""GitHub's workflow file, against the schema that GitHub publishes."""

import subprocess
import sys
from pathlib import Path

import pytest

WORKFLOWS = sorted((Path(__file__).resolve().parents[1] / ".github" / "workflows").glob("*.yml"))

if not WORKFLOWS:
    pytest.skip("the workflows are elsewhere", allow_module_level=True)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: str(path.name))
def test_the_workflow_fits_the_schema(path: Path) -> None:
    pytest.importorskip("check_jsonschema", reason="check-jsonschema is not installed")
    command = ["-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", str(path)]
    done = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_python_of_the_classifiers_is_tested() -> None:
    import tomllib

    root = Path(__file__).resolve().parents[1]
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    prefix = "Programming Language :: Python :: 3."
    told = [line for line in project["project"]["classifiers"] if line.startswith(prefix)]
    workflow = (root / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    for line in told:
        version = line.rpartition(" ")[2]
        assert f'"{version}"' in workflow
        assert f"cp{version.replace('.', '')}-*" in project["tool"]["cibuildwheel"]["build"]
