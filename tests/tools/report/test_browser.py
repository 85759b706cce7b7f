"""The page in a real browser: from a file, without a network, and from a server while games end."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from engines import registry
from tests.tools.play.web.browser import PHONE, TIMEOUT, browser
from tests.tools.report.cups import write_cup
from tests.tools.report.test_live import cup, grow
from tests.tools.report.test_page import NASTY
from tests.tools.serving.client import running
from tests.tools.tournament.tuning.runs import LotExecutor, play, run
from tools.report.data import report_data
from tools.report.live import ReportConversation, Watch
from tools.report.page import render_page, site
from tools.serving.server import LoopbackServer


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as started:
        yield started


@contextmanager
def opened(chromium: Any, address: str, **context: Any) -> Iterator[Any]:
    """Open a page; it must not report any error, such as a breach of its policy."""
    place = chromium.new_context(**context)
    page = place.new_page()
    page.set_default_timeout(TIMEOUT)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on(
        "console",
        lambda line: faults.append(line.text) if line.type in ("error", "warning") else None,
    )
    try:
        page.goto(address)
        yield page
        assert faults == []
    finally:
        place.close()


def written(folder: Path, **more: Any) -> str:
    path = folder / "report.html"
    path.write_text(render_page(report_data(write_cup(folder, **more))), encoding="utf-8")
    return path.as_uri()


@pytest.mark.parametrize("game", sorted(registry.GAMES))
def test_every_game_is_replayed_without_a_network(game: str, chromium: Any, tmp_path: Path) -> None:
    size = 9 if game == "go" else 0
    address = written(tmp_path, game=game, size=size, games=6, plies=20)
    with opened(chromium, address, offline=True) as page:
        page.click("#list tbody tr:nth-child(3) .open")
        assert page.inner_text("#viewer h2").startswith("Game 3: ")
        moves = page.locator("#moves li").count()
        assert page.get_attribute("#viewer input", "max") == str(moves)
        after = page.inner_html("#viewer .board")
        page.keyboard.press("ArrowLeft")
        assert page.inner_html("#viewer .board") != after
        page.keyboard.press("Home")
        assert f"start, {moves} moves" in page.inner_text("#viewer")
        page.keyboard.press("End")
        assert page.inner_html("#viewer .board") == after


def test_the_list_is_filtered_sorted_and_shown_in_parts(chromium: Any, tmp_path: Path) -> None:
    with opened(chromium, written(tmp_path, games=240, plies=4)) as page:
        told = page.locator("#games .played .notes")
        assert told.inner_text() == "240 of 240 games, the first 100 shown"
        assert page.locator("#list tbody tr").count() == 100
        page.click("text=more games")
        assert page.locator("#list tbody tr").count() == 240
        page.select_option("#games label:has-text('engine') select", label="a")
        page.select_option("#games label:has-text('result') select", label="lost by the engine")
        results = page.locator("#list tbody tr").all_inner_texts()
        assert results
        for text in results:
            first, second, result = text.split("\t")[1:4]
            assert (first, result.strip(" =")) == ("a", "0-1") or (second, result.strip(" =")) == (
                "a",
                "1-0",
            )
        page.click("#list th:nth-child(1) button")
        numbers = [
            int(text.split("\t")[0]) for text in page.locator("#list tbody tr").all_inner_texts()
        ]
        assert numbers == sorted(numbers, reverse=True)
        page.fill("#games input[type=search]", "nothing of the kind")
        assert told.inner_text() == "0 of 240 games"


def shares(page: Any) -> list[list[tuple[int, float]]]:
    """Return the points of the curves of the scores, as the axis of the plot says."""
    ticks = page.locator("#course text.tick.end").evaluate_all(
        "all => all.map((each) => [parseInt(each.textContent), Number(each.getAttribute('y')) - 4])"
    )
    (one, at_one), (other, at_other) = ticks[0], ticks[-1]
    curves = page.locator("#course svg svg path").evaluate_all(
        "all => all.map((each) => each.getAttribute('d').slice(1).split('L'))"
    )
    heights = [[float(point.split()[1]) for point in curve] for curve in curves]
    return [
        [
            (number, round(one + (y - at_one) * (other - one) / (at_other - at_one), 1))
            for number, y in enumerate(curve, 1)
        ]
        for curve in heights
    ]


def test_a_curve_of_scores_is_drawn_where_the_axis_says(chromium: Any, tmp_path: Path) -> None:
    folder = write_cup(tmp_path, games=4, plies=4, names=("a", "b"), kind="match")
    page_file = tmp_path / "report.html"
    data = report_data(folder)
    page_file.write_text(render_page(data), encoding="utf-8")
    with opened(chromium, page_file.as_uri()) as page:
        for drawn, course in zip(shares(page), data["course"], strict=True):
            assert course[0][1] in (0, 1)
            for (_, share), (_, right) in zip(drawn, course, strict=True):
                assert share == pytest.approx(100 * right, abs=0.5)
        assert page.locator("#course .notes").count() == 0


def test_a_page_says_that_the_beginning_of_a_long_curve_is_cut(
    chromium: Any, tmp_path: Path
) -> None:
    address = written(tmp_path, games=60, names=("a", "b"), kind="match")
    with opened(chromium, address) as page:
        first = [curve[0][1] for curve in shares(page)]
        assert sorted(first) == pytest.approx([0, 100], abs=0.5)
        inside = page.locator("#course svg svg")
        assert inside.evaluate("each => getComputedStyle(each).overflow") == "hidden"
        note = page.inner_text("#course .notes")
        assert note == "Until game 2, curves leave the plot, which shows 30 to 70\N{NBSP}%."


@pytest.mark.parametrize("width", [961, 1185, 1440])
def test_the_tables_fit_or_show_that_they_go_on(width: int, chromium: Any, tmp_path: Path) -> None:
    names = [f"quintet-neutron --option level={level}" for level in (1, 2, 3)]
    address = written(tmp_path, games=12, plies=4, names=names)
    with opened(chromium, address, viewport={"width": width, "height": 800}) as page:
        wide = "each => each.scrollWidth > each.clientWidth"
        for place in ("#ratings .scroll", "#games .scroll"):
            table = page.locator(place)
            assert not table.evaluate(wide) or width < 1100
            assert "gradient" in table.evaluate("each => getComputedStyle(each).backgroundImage")


def test_of_very_many_openings_the_most_frequent_are_listed(chromium: Any, tmp_path: Path) -> None:
    with opened(chromium, written(tmp_path, games=500, plies=4, openings=230)) as page:
        assert page.locator("#openings tbody tr").count() == 200
        assert "The 200 of 230 openings" in page.inner_text("#openings .notes")
        page.fill("#games input[type=search]", "line 229")
        assert page.inner_text("#games .played .notes") == "2 of 500 games"


def test_names_that_look_like_markup_are_shown_as_they_are(chromium: Any, tmp_path: Path) -> None:
    with opened(chromium, written(tmp_path, names=(NASTY, "<b>b</b>"), games=4)) as page:
        names = page.locator("#ratings tbody th").all_inner_texts()
        assert "<b>b</b>" in names
        assert any(name.startswith("</script><script>alert(1)") for name in names)
        assert page.locator("main b b").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_a_phone(scheme: str, chromium: Any, tmp_path: Path) -> None:
    address = written(tmp_path, games=20, names=("a", "a rather long name of an engine", "c"))
    with opened(chromium, address, viewport=PHONE, color_scheme=scheme) as page:
        wide = "document.documentElement.scrollWidth <= window.innerWidth"
        assert page.evaluate(wide)
        page.click("#list tbody tr:nth-child(2) .open")
        assert page.evaluate(wide)


def test_the_page_of_a_server_grows_with_the_journal(chromium: Any, tmp_path: Path) -> None:
    lines = cup(tmp_path)
    grow(tmp_path, lines, 0)
    watch = Watch(tmp_path)
    server = LoopbackServer(site(), lambda send: ReportConversation(watch, send))
    with running(server), opened(chromium, server.address) as page:
        page.wait_for_selector("text=No games yet")
        for number in (1, 4, 12):
            grow(tmp_path, lines, number)
            assert watch.look()
            page.wait_for_selector(f"text={number} of {number} games")
        assert page.locator("#list tbody tr").count() == 12
        assert page.locator("#empty").count() == 0


def test_a_page_without_the_token_shows_nothing(chromium: Any, tmp_path: Path) -> None:
    cup(tmp_path)
    watch = Watch(tmp_path)
    server = LoopbackServer(site(), lambda send: ReportConversation(watch, send))
    with running(server), opened(chromium, f"{server.origin}/") as page:
        page.wait_for_selector("text=no valid token")
        assert page.locator("#list").count() == 0


def test_a_tuning_run_shows_its_values_and_no_ratings(chromium: Any, tmp_path: Path) -> None:
    play(tmp_path, run(6), LotExecutor)
    page_file = tmp_path / "report.html"
    page_file.write_text(render_page(report_data(tmp_path)), encoding="utf-8")
    with opened(chromium, page_file.as_uri(), offline=True) as page:
        page.wait_for_selector("#value-1 svg path.course")
        assert page.inner_text("#value-0 h2").startswith("exploration: 1.1 at the start, ")
        assert page.locator("#ratings, #cross, #course").count() == 0
        assert page.locator("#list tbody tr").count() == 12
