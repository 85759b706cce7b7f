import os
import sys
from pathlib import Path

import pytest

from engines.core.game import InvalidText
from tools.roster.engines import resolve
from tools.roster.programs import find_fault

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no executable bit")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUINTET_CONFIG", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "build").mkdir()
    for name in ("mine", "build/engine"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "script.py").write_text("")


@pytest.mark.parametrize(
    ("word", "complaint"),
    [
        ("./nothing", "no such file: ./nothing"),
        ("./mnie", "no such file: ./mnie; did you mean ./mine?"),
        ("build/engin", "no such file: build/engin; did you mean build/engine?"),
        ("none/mine", "no such file: none/mine (none is not a folder)"),
        ("./build", "./build is a folder; expected a program"),
        (".", ". is a folder; expected a program"),
        (
            "./script.py",
            './script.py is not executable: name its interpreter ("python3 ./script.py") or make '
            "it executable (chmod +x ./script.py)",
        ),
        ("nuetron", "no such engine: 'nuetron'; did you mean neutron? (known: "),
        ("quintet-shogl", "no such engine: 'quintet-shogl'; did you mean quintet-shogi? (known: "),
        ("mine", f"no such engine: 'mine'; did you mean .{os.sep}mine? (known: "),
        ("build", "no such engine: 'build'; ./build is a folder (known: "),
        ("script.py", "no such engine: 'script.py'; ./script.py is not executable: name its "),
        (
            "xyzzy",
            "no such engine: 'xyzzy', and PATH has no program of this name (known: quintet-go, ",
        ),
    ],
)
def test_each_word_that_cannot_be_run_has_its_reason(word: str, complaint: str) -> None:
    for text in (word, f"{word} --fast"):
        with pytest.raises(InvalidText) as caught:
            resolve(text)
        assert str(caught.value).startswith(complaint)


def test_the_name_of_an_engine_in_the_users_file_is_suggested(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    text = f"[engine.gnugo-strong]\ncommand = '{sys.executable}'\n"
    (tmp_path / "config" / "engines.toml").write_text(text)
    with pytest.raises(InvalidText, match="did you mean gnugo-strong"):
        resolve("gnugo-strnog")


def test_a_program_that_can_be_run_has_no_fault(tmp_path: Path) -> None:
    assert find_fault("./mine") == find_fault("engine") == ""
    assert find_fault("./engine", folder=str(tmp_path / "build")) == ""
    assert find_fault("./mine", folder=str(tmp_path / "build")).startswith("no such file: ./mine")
