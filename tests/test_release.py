"""What .ci has for releases: notes, frozen programs, and the trial of what was built."""

import runpy
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from engines import __version__, registry

CI = Path(__file__).resolve().parents[1] / ".ci"

if not CI.is_dir():
    pytest.skip("the sources are elsewhere", allow_module_level=True)


def notes(version: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["bash", str(CI / "notes"), version], capture_output=True, text=True, check=False
    )


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no bash of its own")
def test_the_notes_of_a_release_are_its_part_of_the_changelog() -> None:
    told = notes(__version__)
    assert told.returncode == 0, told.stderr
    text = (CI.parent / "CHANGELOG.md").read_text(encoding="utf-8")
    part = text.partition(f"\n## [{__version__}]")[2].partition("\n## [")[0]
    assert told.stdout.strip() == part.partition("\n")[2].strip()
    assert "\n## " not in told.stdout
    assert notes("99.0").returncode == 1
    assert "has no section [99.0]" in notes("99.0").stderr


def test_a_frozen_program_is_known_by_its_name() -> None:
    module_of = runpy.run_path(str(CI / "freeze" / "program.py"))["module_of"]
    assert module_of("quintet") == "tools"
    assert module_of("quintet-go-gnugo") == "engines.go"
    for entry in registry.GAMES.values():
        assert f"{module_of(f'quintet-{entry.name}')}.__main__" == entry.program


@pytest.mark.parametrize(
    ("words", "meaning"),
    [
        (["-P", "-m", "engines.go", "--option", "-m"], ("-m", ["engines.go", "--option", "-m"])),
        (["-I", "-S", "-c", "print()"], ("-c", ["print()"])),
        (["match", "neutron", "-c", "x"], None),
        (["--version"], None),
        ([], None),
    ],
)
def test_a_frozen_program_does_what_python_does_with_its_arguments(
    words: list[str], meaning: object
) -> None:
    read = runpy.run_path(str(CI / "freeze" / "program.py"))["read_python_arguments"]
    assert read(words) == meaning


@pytest.mark.slow
def test_what_is_installed_plays_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    if not (Path(sysconfig.get_path("scripts")) / "quintet").exists():
        pytest.skip("the programs are elsewhere")
    from engines.core.version import speed

    monkeypatch.setenv("QUINTET_EXPECT", speed("engines"))
    done = subprocess.run(
        [sys.executable, str(CI / "play.py")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].startswith("all programs in ")
