from pathlib import Path

import pytest

from engines import __version__
from engines.core.version import hot_modules, speed, version


def test_the_hot_modules_of_a_package_are_those_with_a_pxd() -> None:
    named = hot_modules("engines.morris")
    assert "engines.morris.rules.board" in named
    assert "engines.morris.rules.text" not in named
    assert all(name.startswith("engines.morris.") for name in named)


def test_a_package_without_hot_modules_is_interpreted() -> None:
    assert hot_modules("engines.core") == []
    assert speed("engines.core") == "interpreted"


def test_one_uncompiled_module_makes_a_package_interpreted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "slow_game"
    package.mkdir()
    for name in ("__init__.py", "board.py", "board.pxd"):
        (package / name).write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert hot_modules("slow_game") == ["slow_game.board"]
    assert version("slow_game") == f"{__version__} (interpreted)"


def test_all_hot_modules_of_a_game_are_built_alike() -> None:
    speeds = {speed(f"engines.{game}") for game in ("go", "morris", "neutron", "senet", "shogi")}
    assert speeds == {speed("engines")}
