import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.programs import own_program
from tests.tools.play.sessions import FAKE, fake
from tests.tools.play.web.browser import Tab, Table
from tests.tools.play.web.turns import play_out, wait_beyond

pytestmark = pytest.mark.peer("chromium and playwright")

OTHERS = ("go", "morris", "senet", "shogi")  # Longer games, by the same page.


@pytest.mark.parametrize(
    "game",
    ["neutron", *(pytest.param(game, marks=pytest.mark.slow) for game in OTHERS)],
)
def test_a_whole_game_is_played_by_clicks_saved_and_loaded(
    tab: Tab, table: Table, game: str, tmp_path: Path
) -> None:
    choices = {"size": "7"} if game == "go" else {}
    level = "level 1"
    tab.begin(game, opponent=level, thinking="0.2/move", **choices)
    session = table.session()
    play_out(tab, session, turns=2)
    tab.page.reload()
    shown = play_out(tab, session)
    assert shown.result is not None
    assert tab.text("#status") == shown.result.sentence
    listed = tab.moves()
    assert len(listed) == len(shown.moves)
    with tab.page.expect_download() as download:
        tab.page.click("[aria-label='Save as .sgf']")
    saved = tmp_path / download.value.suggested_filename
    download.value.save_as(saved)
    tab.page.set_input_files("#file", str(saved))
    tab.page.wait_for_selector("#games button:nth-child(2)[aria-current=true]")
    tab.page.wait_for_selector(f"#moves li:nth-child({len(listed)})")
    assert tab.moves() == listed


def test_an_illegal_move_is_answered_with_its_reason(tab: Tab, table: Table) -> None:
    tab.begin("shogi", mode="people")
    session = table.session()
    tab.click(session, "7g", "7d")
    tab.page.wait_for_selector("#notice.fault:has-text('7g7d')")
    tab.page.fill("#move", "9i9a")
    tab.press("Play")
    tab.page.wait_for_selector("#notice.fault:has-text('9i9a')")
    assert session.snapshot().plies == 0
    tab.click(session, "7g", "7f")
    tab.page.wait_for_selector("#moves li:nth-child(1)")
    tab.page.wait_for_selector("#notice:empty", state="attached")
    assert tab.page.input_value("#move") == "", "it belongs to the old position"
    assert tab.moves() == ["7g7f"]


def test_a_piece_in_hand_is_dropped_and_a_promotion_is_asked_for(tab: Tab, table: Table) -> None:
    tab.begin("shogi", mode="people")
    session = table.session()
    for number, move in enumerate((("7g", "7f"), ("3c", "3d")), 1):
        tab.click(session, *move)
        tab.page.wait_for_selector(f"#moves li:nth-child({number})")
    tab.click(session, "8h", "2b")
    tab.press("Promote")
    tab.page.wait_for_selector("#moves li:nth-child(3)")
    tab.click(session, "3a", "2b")
    tab.page.wait_for_selector("#moves li:nth-child(4)")
    tab.click(session, "B*", "5e")
    tab.page.wait_for_selector("#moves li:nth-child(5)")
    assert tab.moves()[2:] == ["8h2b+", "3a2b", "B*5e"]


def test_a_piece_is_dragged_and_put_back(tab: Tab, table: Table) -> None:
    tab.begin("neutron", mode="people")
    session = table.session()
    mouse = tab.page.mouse
    for end in ("c2", "b4"):
        mouse.move(*tab.spot(session, "b1"))
        mouse.down()
        mouse.move(*tab.spot(session, "c2"), steps=4)
        mouse.move(*tab.spot(session, end if end == "b4" else "b1"), steps=4)
        mouse.up()
    tab.page.wait_for_selector("#moves li")
    assert tab.moves() == ["b1-b4"]


def test_a_game_can_be_played_by_keyboard_alone(tab: Tab, table: Table) -> None:
    tab.begin("neutron", mode="people")
    keyboard = tab.page.keyboard
    assert tab.page.evaluate("document.activeElement.id") == "board"
    keyboard.press("ArrowDown")  # The cursor appears on a piece that can move.
    start = tab.text("#notice")
    keyboard.press("Enter")
    seen = {start}
    for key in ("ArrowUp", "ArrowUp", "ArrowUp"):
        keyboard.press(key)
        seen.add(tab.text("#notice"))
    assert len(seen) == 4
    keyboard.press("Enter")
    tab.page.wait_for_selector("#moves li")
    assert tab.moves() == [f"{start}-{start[0]}4"]
    keyboard.press("u")
    tab.page.wait_for_selector("#moves:not(:has(li))")
    for _ in range(60):
        keyboard.press("Tab")
        if tab.page.evaluate("document.activeElement.textContent") == "Rules":
            break
    keyboard.press("Enter")
    tab.page.wait_for_selector("dialog[open]:has-text('home row')")
    keyboard.press("Escape")
    tab.page.wait_for_selector("dialog:not([open])", state="attached")


def test_a_dead_engine_is_announced_and_started_again(
    tab: Tab, table: Table, tmp_path: Path
) -> None:
    command = json.dumps([sys.executable, str(FAKE), "spit"])
    (tmp_path / "engines.toml").write_text(
        f'[engine."<b>mortal</b>"]\ncommand = {command}\nprotocol = "line"\ngame = "neutron"\n'
    )
    tab.page.reload()
    tab.begin("neutron", opponent="engine <b>mortal</b>")
    session = table.session()
    tab.click(session, "b1", "b4")
    tab.page.wait_for_selector("#status:has-text('has failed')")
    assert "<b>mortal</b>" in tab.text("#status")
    before = session.snapshot().version
    tab.press("Start it again")
    wait_beyond(session, before)
    tab.press("Take back")
    tab.page.wait_for_selector("#moves:not(:has(li))")


@pytest.mark.slow
def test_a_silent_engine_is_named_and_replaced(tab: Tab, table: Table, tmp_path: Path) -> None:
    command = json.dumps([sys.executable, "-c", "import sys; sys.stdin.read()"])
    (tmp_path / "engines.toml").write_text(
        f'[engine.mute]\ncommand = {command}\nprotocol = "line"\ngame = "neutron"\n'
    )
    tab.page.reload()
    tab.begin("neutron", side="1", opponent="engine mute")
    tab.page.wait_for_selector("#status:has-text('mute has not answered for 3 s')")
    tab.press("Play this side")
    tab.page.wait_for_selector("#status:has-text('White to move')")


def test_the_board_is_turned_for_a_person_who_moves_second(tab: Tab, table: Table) -> None:
    tab.begin("neutron", side="1", opponent="level 1", thinking="0.2/move")
    tab.page.wait_for_selector("#looks [aria-pressed=true]:text-is('Turn')")
    low = """turned => {
        const piece = document.querySelector("#board [data-place=e5] .body");
        return (Number(piece.getAttribute("cy")) > 250) === turned;
    }"""
    tab.page.wait_for_function(low, arg=True)
    assert tab.text("#first .side") == "Black"
    tab.press("Turn")
    tab.page.wait_for_function(low, arg=False)
    assert tab.text("#first .side") == "White"


@pytest.mark.parametrize(("boxes", "kind"), [(True, "letters"), (False, "kanji")])
def test_shogi_has_letters_where_the_browser_draws_all_kanji_alike(
    boxes: bool, kind: str, table: Table, started: Any
) -> None:
    drawn = "7" if boxes else "Math.random()"
    tab = Tab(started, "about:blank")
    tab.page.add_init_script(
        "CanvasRenderingContext2D.prototype.getImageData ="
        f" () => ({{ data: {{ join: () => {drawn} }} }});"
    )
    tab.address = table.server.address
    tab.page.goto(tab.address)
    other = {"letters": "kanji", "kanji": "letters"}[kind]
    tab.page.wait_for_selector(f".card[data-game=shogi] text.{kind}")
    assert tab.page.locator(f".card text.{other}").count() == 0
    tab.begin("shogi", mode="people")
    tab.page.wait_for_selector(f"#board text.{kind}")
    assert tab.page.locator(f"#board text.{other}").count() == 0
    tab.press("Letters")
    tab.page.wait_for_selector(f"#board text.{other}")
    tab.close()


def test_two_tabs_show_one_game(tab: Tab, table: Table, started: Any) -> None:
    tab.begin("morris", mode="people")
    session = table.session()
    other = Tab(started, tab.page.url)
    tab.click(session, "d6")
    other.page.wait_for_selector("#moves li")
    other.click(session, "a1")
    for page in (tab.page, other.page):
        page.wait_for_selector("#moves li:nth-child(2)")
    assert tab.moves() == other.moves() == ["d6", "a1"]
    tab.page.click("#keeping button:text-is('Close')")
    tab.press("Forget it")
    other.page.wait_for_selector("#start:not([hidden])")
    other.close()


def test_a_reload_in_mid_game_shows_the_same_game(tab: Tab, table: Table) -> None:
    tab.begin("go", mode="people", size="9")
    tab.click(table.session(), "D4")
    tab.page.wait_for_selector("#moves li")
    tab.page.reload()
    tab.page.wait_for_selector("#moves li")
    assert tab.moves() == ["D4"]
    assert tab.text("#status") == "White to move"


def test_a_form_with_a_mistake_is_shown_again_as_it_was(tab: Tab) -> None:
    tab.page.click("#home")
    tab.page.click(".card[data-game=go]")
    tab.page.select_option("dialog [name=mode]", "people")
    tab.page.select_option("dialog [name=size]", "7")
    tab.page.fill("dialog [name=komi]", "abc")
    tab.press("Begin")
    tab.page.wait_for_selector("dialog[open] .fault:has-text('abc')")
    assert not tab.page.is_visible("#trouble"), "it is said once"
    assert tab.page.input_value("dialog [name=size]") == "7"
    tab.page.fill("dialog [name=komi]", "5.5")
    tab.press("Begin")
    tab.page.wait_for_selector("#status:has-text('Black to move')")
    assert tab.page.locator("dialog[open]").count() == 0


def test_a_typed_move_and_what_was_taken_back_belong_to_their_position(
    tab: Tab, table: Table
) -> None:
    for _ in range(2):
        tab.begin("neutron", mode="people")
    tab.page.fill("#move", "b1-b4")
    tab.press("Play")
    tab.page.wait_for_selector("#moves li")
    tab.press("Take back")
    tab.page.wait_for_selector("#messages:has-text('taken back to move 0')")
    tab.page.fill("#move", "b1-b4")
    tab.press("Play")
    tab.page.wait_for_selector("#moves li")
    tab.page.wait_for_selector("#messages:not(:has-text('taken back'))", state="attached")
    tab.page.fill("#move", "half")
    tab.page.click("#games button:nth-child(1)")
    tab.page.wait_for_selector("#games button:nth-child(1)[aria-current=true]")
    assert tab.page.input_value("#move") == ""


def test_an_engine_that_gives_no_evaluation_is_said_to_give_none(tab: Tab, table: Table) -> None:
    tab.begin("neutron", mode="people")
    assert tab.text("#value") == "No evaluation yet"
    session = table.session()
    session.set_player(1, fake("legal"))
    session.play("b1-b4")
    tab.page.wait_for_selector("#moves li:nth-child(2)")
    assert tab.text("#value").startswith("The engine has not evaluated its moves")


def test_a_throw_alone_cannot_be_taken_back_but_resigning_can(tab: Tab, table: Table) -> None:
    tab.begin("senet", mode="people")
    undo = tab.page.locator("#commands button:text-is('Take back')")
    tab.click(table.session(), "die")
    tab.page.wait_for_selector("#moves li")
    assert undo.is_disabled()
    tab.press("Resign")
    tab.page.click("dialog button.main")
    tab.page.wait_for_selector("#status:has-text('resigned')")
    undo.click()
    tab.page.wait_for_selector("#status:not(:has-text('resigned'))")


def test_nigiri_the_rules_and_the_help_are_in_the_page(tab: Tab) -> None:
    tab.begin("go", side="odd", opponent="level 1", size="7")
    tab.page.wait_for_selector("#notice:has-text(': your guess is')")
    tab.press("Rules")
    tab.page.wait_for_selector("dialog[open]:has-text('komi')")
    tab.page.click("dialog button:text-is('Close')")
    tab.page.click("#help")
    tab.page.wait_for_selector("dialog[open]:has-text('arrow keys')")
    tab.page.click("dialog button:text-is('Close')")


def test_the_address_of_a_game_that_was_closed_says_so(started: Any, table: Table) -> None:
    tab = Tab(started, f"{table.server.address}&game=00000000")
    tab.page.wait_for_selector("#trouble:has-text('no longer open')")
    assert tab.page.is_visible("#cards")
    tab.close()


def test_a_page_without_the_token_says_what_to_do(started: Any, table: Table) -> None:
    tab = Tab(started, table.server.origin)
    tab.page.wait_for_selector("#trouble:has-text('quintet board')")
    assert tab.page.locator(".card").count() == 0
    tab.close()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_game_survives_the_death_of_its_server(started: Any, tmp_path: Path) -> None:
    environment = {**os.environ, "QUINTET_DATA": str(tmp_path), "QUINTET_CONFIG": str(tmp_path)}
    command = [*own_program("quintet"), "board", "--no-browser"]

    def start() -> "tuple[subprocess.Popen[str], str]":
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
        )
        assert process.stdout is not None
        return process, process.stdout.readline().strip()

    process, address = start()
    with process:
        tab = Tab(started, address)
        tab.begin("neutron", mode="people")
        tab.page.fill("#move", "b1-b4")
        tab.press("Play")
        tab.page.wait_for_selector("#moves li")
        process.send_signal(signal.SIGKILL)
        tab.page.wait_for_selector("#trouble:has-text('connection to the server is lost')")
        tab.context.close()
    process, address = start()
    with process:
        tab = Tab(started, address)
        tab.press("Go on")
        tab.page.wait_for_selector("#moves li")
        assert tab.moves() == ["b1-b4"]
        tab.page.click("#home")
        assert not tab.page.is_visible("#kept"), "a game that is open is not offered"
        tab.page.click("#games button")
        tab.press("Close")
        tab.press("Keep it for later")
        tab.page.wait_for_selector("#kept li:has-text('up to move 1')")
        tab.press("Forget")
        tab.press("Keep it")
        assert tab.page.locator("#kept li").count() == 1
        tab.press("Forget")
        tab.page.click("dialog button.main")
        tab.page.wait_for_selector("#kept", state="hidden")
        tab.close()
        process.send_signal(signal.SIGINT)
