import json
import math
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.programs import own_program
from tests.tools.play.sessions import FAKE, Watch, fake
from tests.tools.play.web.browser import PHONE, Tab, Table, browser, is_waiting, serving
from tools.boards.picture import clicks
from tools.play.session import PlaySession
from tools.play.snapshot import Phase, Snapshot

pytestmark = pytest.mark.peer("chromium and playwright")

MOST_TURNS = 200
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


@pytest.fixture(scope="module")
def started() -> Iterator[Any]:
    with browser() as started:
        yield started


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    monkeypatch.setenv("QUINTET_CONFIG", str(tmp_path))
    with serving(tmp_path / "games") as table:
        yield table


@pytest.fixture
def tab(started: Any, table: Table) -> Iterator[Tab]:
    tab = Tab(started, table.server.address)
    yield tab
    tab.close()


def settled(session: PlaySession) -> Snapshot:
    """Wait until a person has to do something."""
    with Watch(session) as watch:
        return watch.until(is_waiting)


def wait_beyond(session: PlaySession, version: int) -> None:
    with Watch(session) as watch:
        watch.until(lambda shown: shown.version > version)


def choose(shown: Snapshot) -> str:
    """Choose a move that ends the game soon."""
    if shown.game == "go":
        return "pass" if shown.plies >= 8 else shown.legal[shown.plies * 7 % (len(shown.legal) - 1)]
    return shown.legal[-1 if shown.game == "senet" else len(shown.legal) // 3]


def take_turn(tab: Tab, session: PlaySession, shown: Snapshot) -> None:
    """Do by clicks what the page waits for."""
    if shown.to_throw:
        tab.click(session, "die")
    elif shown.phase is Phase.SCORING:
        tab.press("Accept the score")
    else:
        move = choose(shown)
        if move == "pass":
            tab.press("Pass")
            return
        places = clicks(shown.game, move)
        tab.click(session, *(place for place in places if place != "+"))
        if shown.game == "shogi" and f"{move}+" in shown.legal:
            tab.press("Do not promote")
        elif move.endswith("+") and move[:-1] in shown.legal:
            tab.press("Promote")


def play_out(tab: Tab, session: PlaySession, turns: int = MOST_TURNS) -> Snapshot:
    """Play by clicks until the game is over, or for some turns."""
    shown = settled(session)
    for _ in range(turns):
        if shown.result is not None:
            break
        tab.wait_for(shown.version)
        take_turn(tab, session, shown)
        wait_beyond(session, shown.version)
        shown = settled(session)
    tab.wait_for(shown.version)
    return shown


@pytest.mark.parametrize("game", ["go", "morris", "neutron", "senet", "shogi"])
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
    tab.page.wait_for_selector("#moves li:nth-child(2)")
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


def test_a_refused_file_is_forgotten_when_another_is_opened(tab: Tab, tmp_path: Path) -> None:
    bad, good = tmp_path / "bad.sgf", tmp_path / "good.sgf"
    bad.write_text("(;GM[1]SZ[9];B[ee];W[ee])")
    good.write_text("(;GM[1]SZ[9];B[ee])")
    tab.page.set_input_files("#file", str(bad))
    tab.page.wait_for_selector("#trouble.fault:has-text('move 2')")
    tab.page.set_input_files("#file", str(good))
    tab.page.wait_for_selector("#moves li")
    assert not tab.page.is_visible("#trouble")


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
    tab.page.wait_for_selector("#notice:has-text('stones: your guess is')")
    tab.press("Rules")
    tab.page.wait_for_selector("dialog[open]:has-text('komi')")
    tab.page.click("dialog button:text-is('Close')")
    tab.page.click("#help")
    tab.page.wait_for_selector("dialog[open]:has-text('arrow keys')")
    tab.page.click("dialog button:text-is('Close')")


@pytest.mark.parametrize("scheme", ["light", "dark"])
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
