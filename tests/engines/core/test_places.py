from pathlib import Path

import pytest

from engines.core import places


def test_the_users_variables_win(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUINTET_CONFIG", "/a")
    monkeypatch.setenv("QUINTET_DATA", "/b")
    assert (places.settings(), places.tables()) == (Path("/a"), Path("/b"))


def test_else_the_system_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QUINTET_CONFIG", raising=False)
    monkeypatch.delenv("QUINTET_DATA", raising=False)
    assert places.settings().name == "quintet"
    assert places.tables().name == "quintet"
    assert places.settings().is_absolute()
