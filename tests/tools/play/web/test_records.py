"""Records on the page: opened, chosen, stepped through and continued."""

from pathlib import Path
from typing import Any

import pytest

from tests.tools.play.web.browser import Tab, Table

pytestmark = pytest.mark.peer("chromium and playwright")


def test_a_record_is_stepped_through_and_continued(tab: Tab, table: Table, tmp_path: Path) -> None:
    record = tmp_path / "game.sgf"
    record.write_text(
        "(;GM[1]SZ[9]PB[<img src=x onerror=alert(1)>]PW[<script>alert(2)</script>]RE[B+R]"
        ";B[ee]C[<script>alert(3)</script>];W[cc];B[gc])"
    )
    tab.page.set_input_files("#file", str(record))
    tab.page.wait_for_selector("#moves li:nth-child(3)")
    tab.page.click("#steps button >> nth=0")
    tab.page.wait_for_selector("#status:has-text('Move 0 of 3')")
    tab.page.keyboard.press("PageDown")
    tab.page.wait_for_selector("#status:has-text('Move 1 of 3')")
    tab.press("Play on…")
    tab.page.select_option("dialog [name=mode]", "people")
    tab.press("Begin")
    tab.page.wait_for_selector("#status:has-text('White to move')")
    tab.click(table.session(), "D5")
    tab.page.wait_for_selector("#moves li:nth-child(2)")
    assert tab.moves() == ["E5", "D5▾"]
    bad = tmp_path / "bad.sgf"
    bad.write_text("(;GM[1]SZ[9];B[ee];W[ee])")
    tab.page.set_input_files("#file", str(bad))
    tab.page.wait_for_selector("#notice.fault:has-text('move 2')")


def test_a_game_of_a_file_with_several_is_chosen(tab: Tab, tmp_path: Path) -> None:
    record = tmp_path / "games.sgf"
    record.write_text(
        "(;GM[1]SZ[9]PB[<script>alert(1)</script>];B[ee])(;GM[13]QG[neutron]PW[Eve];W[b1-b4])"
    )
    tab.page.set_input_files("#file", str(record))
    tab.page.wait_for_selector("dialog h2:text-is('games.sgf has 2 games')")
    tab.press("Cancel")
    assert not tab.page.is_visible("#table")
    tab.page.set_input_files("#file", str(record))
    tab.page.select_option("dialog select", "2")
    tab.press("Open")
    tab.page.wait_for_selector("#games [aria-current=true]:has-text('1. NeutronEve')")
    tab.page.wait_for_selector("#status:has-text('Move 1 of 1')")


def test_words_and_variations_of_a_record_are_shown_in_each_tab_for_itself(
    tab: Tab, table: Table, started: Any, tmp_path: Path
) -> None:
    record = tmp_path / "game.sgf"
    record.write_text(
        "(;GM[1]SZ[9]PB[Ann]PW[Bo]EV[<script>alert(1)</script>];B[ee]"
        "C[<img src=x onerror=alert(2)>](;W[cc])(;W[gc];B[gg]))"
    )
    tab.page.set_input_files("#file", str(record))
    tab.page.wait_for_selector("#games [aria-current=true]:has-text('1. Go 9×9Ann – Bo')")
    other = Tab(started, tab.page.url)
    other.page.wait_for_selector("#status:has-text('Move 2 of 2')")
    tab.page.locator("#headers summary").click()
    tab.page.wait_for_selector("#headers dd:text-is('<script>alert(1)</script>')")
    tab.page.locator("#steps button").first.click()
    tab.page.wait_for_selector("#status:has-text('Move 0 of 2')")
    tab.page.keyboard.press("PageDown")
    tab.page.wait_for_selector("#comment:text-is('<img src=x onerror=alert(2)>')")
    tab.page.wait_for_selector("#branches button:has-text('D9'), #branches button:has-text('G7')")
    tab.page.keyboard.press("1")
    tab.page.wait_for_selector("#status:has-text('Move 2 of 3')")
    tab.page.wait_for_selector("#moves li:nth-child(3)")
    other.page.wait_for_selector("#status:has-text('Move 2 of 2')")
    tab.page.keyboard.press("PageUp")
    tab.page.locator("#branches [data-branch='1']").click()
    tab.page.wait_for_selector("#status:has-text('Move 2 of 2')")
    other.close()


def test_a_refused_file_is_forgotten_when_another_is_opened(tab: Tab, tmp_path: Path) -> None:
    bad, good = tmp_path / "bad.sgf", tmp_path / "good.sgf"
    bad.write_text("(;GM[1]SZ[9];B[ee];W[ee])")
    good.write_text("(;GM[1]SZ[9];B[ee])")
    tab.page.set_input_files("#file", str(bad))
    tab.page.wait_for_selector("#trouble.fault:has-text('move 2')")
    tab.page.set_input_files("#file", str(good))
    tab.page.wait_for_selector("#moves li")
    assert not tab.page.is_visible("#trouble")


def test_a_damaged_file_is_deleted_from_the_list(
    started: Any, table: Table, tmp_path: Path
) -> None:
    path = tmp_path / "games" / "broken.play"
    path.parent.mkdir(exist_ok=True)
    path.write_text("{")
    tab = Tab(started, table.server.address)
    tab.page.wait_for_selector("#kept li:has-text('broken.play: damaged')")
    tab.press("Delete")
    tab.press("Keep it")
    assert path.exists()
    tab.press("Delete")
    tab.page.click("dialog button.main")
    tab.page.wait_for_selector("#kept", state="hidden")
    assert not path.exists()
    tab.close()
