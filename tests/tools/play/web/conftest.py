"""A browser, and the page in it; without playwright, the tests that ask for them are skipped."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.tools.play.web.browser import Tab, Table


@pytest.fixture(scope="module")
def started() -> Iterator[Any]:
    from tests.tools.play.web.browser import browser

    with browser() as started:
        yield started


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> "Iterator[Table]":
    from tests.tools.play.web.browser import serving

    monkeypatch.setenv("QUINTET_CONFIG", str(tmp_path))
    with serving(tmp_path / "games") as table:
        yield table


@pytest.fixture
def tab(started: Any, table: "Table") -> "Iterator[Tab]":
    from tests.tools.play.web.browser import Tab

    tab = Tab(started, table.server.address)
    yield tab
    tab.close()
