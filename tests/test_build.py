"""What setup.py does before and beside compiling."""

import importlib.util
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MADE = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
OLD = (
    "import sys; sys.version_info = (3, 10, 4); sys.path.insert(0, {root!r}); import setup; "
    "print(setup.prepare_metadata_for_build_editable({folder!r}))"
)

if not (ROOT / "setup.py").exists():
    pytest.skip("the sources are elsewhere", allow_module_level=True)


def build(folder: Path, **variables: str) -> "subprocess.CompletedProcess[str]":
    places = ("--build-lib", str(folder / "lib"), "--build-temp", str(folder / "temp"))
    return setup(ROOT, *places, **{"QUINTET_EXPECT": "", **variables})


def install(project: Path, **variables: str) -> "subprocess.CompletedProcess[str]":
    """Compile as an editable installation does."""
    return setup(project, "--inplace", **{"QUINTET_EXPECT": "compiled", **variables})


def setup(project: Path, *options: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    for name in ("setuptools", "Cython"):
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name} is not installed")
    return subprocess.run(
        [sys.executable, "setup.py", "--quiet", "build_ext", *options],
        cwd=project,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def test_an_old_python_is_refused_by_metadata_for_which_nothing_is_fetched(tmp_path: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    needed = project["project"]["requires-python"]
    marker = f"; python_version {needed[:2]} '{needed[2:]}'"
    assert all(line.endswith(marker) for line in project["build-system"]["requires"])
    told = subprocess.run(
        [sys.executable, "-c", OLD.format(root=str(ROOT), folder=str(tmp_path))],
        capture_output=True,
        text=True,
        check=True,
    )
    metadata = (tmp_path / told.stdout.strip() / "METADATA").read_text()
    assert f"Requires-Python: {needed}\n" in metadata
    assert "Name: quintet\n" in metadata


def test_nothing_is_compiled_where_that_is_not_wanted(tmp_path: Path) -> None:
    done = build(tmp_path, QUINTET_COMPILE="0")
    assert (done.returncode, done.stderr) == (0, "quintet: not compiled, as QUINTET_COMPILE is 0\n")
    assert not [*tmp_path.rglob("*.so"), *tmp_path.rglob("*.pyd")]


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({"QUINTET_COMPILE": "no"}, "QUINTET_COMPILE: 0 or 1, not 'no'"),
        (
            {"QUINTET_COMPILE": "0", "QUINTET_EXPECT": "compiled"},
            "QUINTET_COMPILE=0 contradicts QUINTET_EXPECT=compiled",
        ),
    ],
)
def test_variables_that_make_no_sense_are_refused(
    tmp_path: Path, variables: dict[str, str], message: str
) -> None:
    done = build(tmp_path, **variables)
    assert done.returncode == 1
    assert message in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows finds its compiler without CC")
def test_a_build_without_a_compiler_says_so_at_its_end(tmp_path: Path) -> None:
    done = build(tmp_path, CC="false")
    assert done.returncode == 0, done.stderr
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("quintet: ")
    assert "modules could not be compiled, and stay interpreted" in last
    strict = build(tmp_path, CC="false", QUINTET_EXPECT="compiled")
    assert strict.returncode == 1


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows finds its compiler without CC")
def test_what_an_earlier_installation_compiled_is_kept_until_it_is_stale(tmp_path: Path) -> None:
    for part in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / part, tmp_path / part)
    shutil.copytree(ROOT / "engines/neutron/rules", tmp_path / "engines/neutron/rules", ignore=MADE)
    for part in ("__init__.py", "core/__init__.py", "neutron/__init__.py"):
        (tmp_path / "engines" / part).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / "engines" / part, tmp_path / "engines" / part)
    assert install(tmp_path).returncode == 0
    (made,) = (tmp_path / "engines/neutron/rules").glob("board.*.so")
    before = made.stat().st_mtime_ns
    again = install(tmp_path, CC="false")  # It would fail if anything were compiled.
    assert again.returncode == 0, again.stderr
    assert made.stat().st_mtime_ns == before
    (tmp_path / "engines/neutron/rules/board.py").touch()
    assert install(tmp_path, CC="false").returncode == 1
