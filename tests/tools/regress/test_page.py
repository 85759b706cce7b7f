import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from engines.core.game import InvalidText
from tests.tools.regress.results import ALL
from tools.regress.page import write_page


@pytest.fixture
def page(tmp_path: Path) -> str:
    path = tmp_path / "page.html"
    write_page(path, ALL, "an <engine>")
    return path.read_text("utf-8")


class Balance(HTMLParser):
    """Sees that every element is closed where it was opened."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "circle", "rect", "path", "polygon"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("meta", "circle", "rect", "path", "polygon"):
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_the_page_is_well_formed_and_needs_nothing_else(page: str) -> None:
    parser = Balance()
    parser.feed(page)
    assert parser.open == []
    assert not re.search(r"(src|href)=\"(?!#)", page)
    assert "<script" not in page
    assert "an <engine>" in "".join(parser.words)


def test_every_test_is_on_it_the_alarming_ones_open(page: str) -> None:
    found = re.findall(r'<details id="([^"]+)" class="(\w+)"( open)?>', page)
    assert [(word, bool(opened)) for _, word, opened in found] == [
        *(("passed", False), ("FAILED", True), ("failed", False), ("PASSED", True)),
        *(("ERROR", True), ("error", False), ("unsupported", False), ("ignored", False)),
    ]
    assert page.count("<svg") == 1
    assert "<b>&gt; genmove b</b>" in page


def test_engines_cannot_write_into_the_page(page: str) -> None:
    assert "a &lt;b&gt; &amp;" in page
    assert "<b> &" not in page


def test_a_page_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    with pytest.raises(InvalidText, match="cannot write"):
        write_page(tmp_path / "no" / "a.html", ALL, "x")
