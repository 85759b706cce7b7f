import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from engines.core.game import InvalidText
from tests.tools.regress.results import ALL
from tools.boards.scene import Scene
from tools.regress.reports.page import write_page
from tools.regress.result import Result, Status


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
    assert not re.search(r"(src|href)=\"(?!#)|url\((?!#)", page)
    assert "<script" not in page
    assert "an <engine>" in "".join(parser.words)


def test_every_test_is_on_it_the_alarming_ones_open(page: str) -> None:
    entries = re.findall(r'<details id="([^"]+)" class="(\w+)"( open)?>', page)
    assert [(word, bool(opened)) for _, word, opened in entries] == [
        *(("FAILED", True), ("failed", False), ("PASSED", True), ("passed", False)),
        *(("ERROR", True), ("error", False), ("unsupported", False), ("ignored", False)),
    ]
    assert page.count('<svg class="board"') == 1
    assert "<b>&gt; genmove b</b>" in page


def test_unexpected_results_come_first_and_are_links(page: str) -> None:
    links = re.findall(r'<li class="(\w+)">.*?<a href="#([^"]+)">([^<]+)</a>', page)
    assert [(word, name) for word, _, name in links] == [
        ("FAILED", "d/a.suite: bad"),
        ("ERROR", "d/b.tst: 10"),
        ("PASSED", "d/a.suite: better"),
    ]
    for _, anchor, _ in links:
        assert page.count(f'<details id="{anchor}"') == 1
        assert page.index(f'href="#{anchor}"') < page.index("<details")


def test_a_failed_answer_is_never_drawn_as_right(tmp_path: Path) -> None:
    """The move is right, or nothing is said about moves, but the score is wrong."""
    for accept in (("C3",), ()):
        scene = Scene("go", size="5", setup="X4/5/5/5/4O b", accept=accept, answer="C3")
        for status in Status:
            result = Result("a.suite", "x", 1, status, answer="C3", scene=scene)
            write_page(tmp_path / "a.html", [result], "x")
            page = (tmp_path / "a.html").read_text()
            failed = status in (Status.FAILED, Status.ERROR)
            assert ('"mark wrong"' in page, '"mark right"' in page) == (failed, not failed)


def test_names_that_differ_in_signs_have_links_of_their_own(tmp_path: Path) -> None:
    results = [Result("a.suite", name, 1, Status.FAILED) for name in ("x y", "x_y", "x/y")]
    write_page(tmp_path / "a.html", results, "x")
    anchors = re.findall(r'<details id="([^"]+)"', (tmp_path / "a.html").read_text())
    assert len(set(anchors)) == 3


def test_engines_cannot_write_into_the_page(page: str) -> None:
    assert "a &lt;b&gt; &amp;" in page
    assert "<b> &" not in page


def test_a_page_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    with pytest.raises(InvalidText, match="cannot write"):
        write_page(tmp_path / "no" / "a.html", ALL, "x")
