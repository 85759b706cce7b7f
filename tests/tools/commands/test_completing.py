import os
import subprocess
from pathlib import Path

import pytest
from click.shell_completion import BashComplete

from tests.programs import own_program
from tools.cli import main


def completed(line: str) -> list[str]:
    """Return what the Tab key offers at the end of a line, as bash receives it."""
    _, *words, last = line.split(" ")
    bash = BashComplete(main, {}, "quintet", "_QUINTET_COMPLETE")
    return [bash.format_completion(item) for item in bash.get_completions(words, last)]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QUINTET_CONFIG", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "engines.toml").write_text('[engine.mimosa]\ncommand = "python3"\n')
    (tmp_path / "cup.toml").write_text("")
    return tmp_path


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("quintet tou", ["plain,tournament"]),
        ("quintet match ne", ["plain,neutron"]),
        ("quintet match mi", ["plain,mimosa"]),
        ("quintet match quintet-se", ["plain,quintet-senet"]),
        ("quintet match ./mi", ["file,./mi"]),
        ("quintet tournament cu", ["plain,cup.toml"]),
        ("quintet tournament ./cu", ["file,./cu"]),
        ("quintet check mim", ["plain,mimosa"]),
        ("quintet play neutron per", ["plain,person"]),
        ("quintet play sho", ["plain,shogi"]),
        ("quintet play game", ["file,game"]),
        ("quintet play neutron --level st", ["plain,stubborn"]),
        ("quintet play go --rules jap", ["plain,japanese"]),
        ("quintet match go --rules jap", ["plain,japanese"]),
        ("quintet match quintet-neutron --variant ", ["plain,kraus"]),
        ("quintet match morris --variant no-draws,no", ["plain,no-draws,no-flying"]),
        ("quintet perft mo", ["plain,morris"]),
        ("quintet match go --openings bu", ["plain,builtin"]),
        ("quintet match go --openings ./b", ["file,./b"]),
        ("quintet match go --scor", ["plain,--score-timeout", "plain,--scoring"]),
        ("quintet match go --scoring a", ["plain,agreed", "plain,all-alive"]),
        ("quintet report ma", ["dir,ma"]),
        ("quintet help pro", ["plain,protocols"]),
        ("quintet regress ", ["file,"]),
        ("quintet regress fr", ["plain,from-journal"]),
        ("quintet regress mi", ["file,mi"]),
        ("quintet regress --bas", ["plain,--baseline"]),
        ("quintet regress x.tst --engine mim", ["plain,mimosa"]),
        ("quintet regress run x.tst --engine mim", ["plain,mimosa"]),
    ],
)
def test_the_tab_key_completes(line: str, expected: list[str]) -> None:
    assert sorted(completed(line)) == expected


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_is_answered(shell: str) -> None:
    asked = {"COMP_WORDS": "quintet match neu", "COMP_CWORD": "neu" if shell == "fish" else "2"}
    done = subprocess.run(
        own_program("quintet"),
        env={**os.environ, "_QUINTET_COMPLETE": f"{shell}_complete", **asked},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stderr == ""
    assert "neutron" in done.stdout


def test_a_faulty_file_of_engines_hides_no_other_names(folder: Path) -> None:
    (folder / "engines.toml").write_text("[engine")
    assert completed("quintet match ne") == ["plain,neutron"]
