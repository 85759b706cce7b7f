"""Nothing moves, hides or overlaps on the page."""

import math
from typing import Any

import pytest

from tests.tools.play.web.browser import PHONE, Tab, Table
from tests.tools.play.web.turns import play_out

pytestmark = pytest.mark.peer("chromium and playwright")

BOXES = (
    "[...document.querySelectorAll('#board, #moves, #status, #steps, #keeping, .player')]"
    ".map(each => JSON.stringify(each.getBoundingClientRect()))"
)

OVERLAPS = """() => {
    const shown = [...document.querySelectorAll('#board, .player, .panel button, .panel input')]
        .filter(each => each.checkVisibility());
    const apart = (one, two) => one.right <= two.left || two.right <= one.left
        || one.bottom <= two.top || two.bottom <= one.top;
    return shown.flatMap((one, i) => shown.slice(i + 1)
        .filter(two => !one.contains(two) && !two.contains(one)
            && !apart(one.getBoundingClientRect(), two.getBoundingClientRect()))
        .map(two => `${one.id || one.textContent} and ${two.id || two.textContent}`));
}"""


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.slow), "dark"])
def test_a_small_window_shows_all_without_scrolling_aside(
    started: Any, table: Table, scheme: str
) -> None:
    tab = Tab(started, table.server.address, viewport=PHONE, has_touch=True, color_scheme=scheme)
    for game in ("go", "morris", "neutron", "senet", "shogi"):
        tab.begin(game, mode="people")
        width = tab.page.evaluate("document.documentElement.scrollWidth")
        assert width <= PHONE["width"], game
    session = table.session()
    tab.page.touchscreen.tap(*tab.spot(session, "7g"))
    tab.page.touchscreen.tap(*tab.spot(session, "7f"))
    tab.page.wait_for_selector("#moves li")
    assert tab.moves() == ["7g7f"]
    tab.close()


@pytest.mark.parametrize("game", ["go", "morris", "neutron", "senet", "shogi"])
def test_no_control_lies_over_another_in_windows_of_any_size(game: str, tab: Tab) -> None:
    tab.begin(game, mode="people")
    for width, height in ((1366, 660), (1200, 707), (1024, 600), (390, 844), (320, 600)):
        tab.page.set_viewport_size({"width": width, "height": height})
        assert tab.page.evaluate(OVERLAPS) == [], f"{width}x{height}"
    tab.press("Resign")  # It can be clicked.


@pytest.mark.slow
def test_the_lines_of_a_hint_are_listed_on_a_phone_and_nothing_moves(
    started: Any, table: Table
) -> None:
    tab = Tab(started, table.server.address, viewport=PHONE, has_touch=True)
    tab.begin("shogi", mode="people")
    boxes = "[...document.querySelectorAll('#board, #moves, #graph, #steps')]"
    boxes += ".map(each => JSON.stringify(each.getBoundingClientRect()))"
    before = tab.page.evaluate(boxes)
    assert tab.page.is_hidden("#lines")
    tab.page.keyboard.press("h")
    tab.page.wait_for_selector("#lines li:nth-child(2)")
    shown = table.session().snapshot()
    listed = tab.page.locator("#lines li").all_text_contents()
    assert 2 <= len(listed) == len(shown.hints) <= 3
    for text, hint in zip(listed, shown.hints, strict=True):
        assert hint.share is not None
        move = hint.line.partition(" ")[0]
        share = math.floor(100 * hint.share + 0.5)  # As JavaScript rounds.
        assert text.startswith(f"{move} · Black {share} % · ")
    assert tab.page.is_hidden("#line")
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert tab.page.evaluate(boxes) == before
    tab.page.fill("#move", shown.hint)
    tab.press("Play")
    tab.page.wait_for_selector("#moves li")
    assert tab.page.is_hidden("#lines")
    tab.close()


def test_nothing_moves_when_a_game_goes_on(tab: Tab, table: Table) -> None:
    tab.begin("morris", opponent="level 1", thinking="0.2/move")
    session = table.session()
    before = tab.page.evaluate(BOXES)
    play_out(tab, session, turns=3)
    tab.page.fill("#move", "z9")
    tab.press("Play")
    tab.page.wait_for_selector("#notice.fault")
    assert tab.page.evaluate(BOXES) == before


@pytest.mark.parametrize("game", ["go", "senet"])
def test_nothing_moves_when_a_game_ends(game: str, tab: Tab, table: Table) -> None:
    tab.begin(game, mode="people")
    before = tab.page.evaluate(BOXES)
    tab.press("Resign")
    tab.page.click("dialog button.main")
    tab.page.wait_for_selector("button:visible:text-is('New game')")
    assert tab.page.evaluate(BOXES) == before
