import base64
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engines import registry
from engines.core.errors import QuintetError
from engines.core.game import IllegalMove, InvalidText
from tests.tools.play.sessions import FAKE
from tests.tools.play.web.pages import FakePage, desk_in
from tools.play.autosave import read_kept
from tools.play.session import CannotPlay
from tools.play.view import CannotLook
from tools.play.web.conversation import MOST_BYTES, BadMessage
from tools.play.web.desk import Desk, DeskError


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setenv("QUINTET_CONFIG", str(tmp_path))
    with desk_in(tmp_path / "games") as desk:
        yield desk


@pytest.fixture
def page(desk: Desk) -> FakePage:
    return FakePage(desk)


def own(level: str) -> dict[str, str]:
    return {"level": level}


def test_the_greeting_says_all_that_can_be_chosen(page: FakePage) -> None:
    greeting = page.ask("hello")
    assert [offer["game"] for offer in greeting["offers"]] == list(registry.GAMES)
    assert set(greeting["pictures"]) == set(registry.GAMES)
    assert greeting["engines"] == {"names": {game: [] for game in registry.GAMES}, "fault": ""}
    assert (greeting["games"], greeting["kept"]) == ([], [])
    assert json.loads(json.dumps(greeting))["definitions"][0] == "defs"


def test_mistakes_in_engines_toml_do_not_keep_a_page_away(
    page: FakePage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUINTET_CONFIG", str(tmp_path))
    (tmp_path / "engines.toml").write_text("[engine.x]\nspeed = 3\n")
    engines = page.ask("hello")["engines"]
    assert engines["names"] == {}
    assert "engines.toml:2" in engines["fault"]


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(registry.GAMES))
def test_a_game_of_two_engines_is_shown(page: FakePage, game: str) -> None:
    level = "1"
    size = 3 if game == "go" else 0
    page.new(game, own(level), own(level), size=size, thinking="nodes=1")
    shown = page.until(lambda shown: shown["plies"] > 12 or shown["result"])
    assert shown["game"] == game
    assert all(move["side"] != 0 or move["text"] for move in shown["moves"])
    assert json.loads(json.dumps(shown, allow_nan=False))["picture"]["width"] > 100


def test_a_person_plays_by_the_ways_that_the_page_gets(page: FakePage) -> None:
    page.new("neutron", {}, own("1"))
    shown = page.until(lambda shown: shown["ways"])
    assert ["b1-b4", "b1", "b4"] in shown["ways"]
    page.ask("play", move="b1-b4")
    shown = page.until(lambda shown: shown["plies"] == 2 and shown["ways"])
    assert all(len(way) in (3, 5) for way in shown["ways"])
    page.ask("undo")
    assert page.until(lambda shown: shown["plies"] == 0)["ways"]


def test_clicks_that_are_no_legal_move_are_answered_by_the_rules(page: FakePage) -> None:
    page.new("shogi")
    for places, reason in ((["7g", "7d"], "7g7d"), (["P*", "5e"], r"P\*5e"), (["5e"], "5e")):
        with pytest.raises((IllegalMove, InvalidText), match=reason):
            page.ask("try", places=places)
    page.ask("try", places=["7g", "7f"])
    assert page.shown["moves"][-1]["text"] == "7g7f"


def test_senet_is_thrown_by_the_person_whose_turn_it_is(page: FakePage) -> None:
    page.new("senet")
    with pytest.raises(CannotPlay, match="throw first"):
        page.ask("play", move="10-13")
    assert page.shown["to_throw"]
    assert "die" in page.shown["picture"]["places"]
    page.ask("throw")
    shown = page.until(lambda shown: shown["throw"])
    assert shown["ways"][0][1] == "10"


def test_dead_stones_are_found_changed_and_accepted(page: FakePage) -> None:
    page.new("go", size=7)
    moves = "D1 E1 D2 E2 D3 E3 D4 E4 D5 E5 D6 E6 D7 E7 A4 A7 pass pass"
    for move in moves.split():
        page.ask("play", move=move)
    scored = page.until(lambda shown: shown["scoring"] and shown["scoring"]["ready"])
    before = scored["scoring"]["dead"]
    page.ask("dead", point="A7")
    shown = page.until(lambda shown: shown["scoring"]["dead"] != before)
    kinds = [shape[1].get("class", "") for shape in shown["picture"]["pieces"]]
    assert ("dead" in kinds) == bool(shown["scoring"]["dead"])
    assert "territory white" in kinds
    page.ask("accept")
    assert page.until(lambda shown: shown["result"])["result"]["sentence"].endswith("points")


def test_resigning_ends_the_game_with_a_sentence(page: FakePage) -> None:
    page.new("morris")
    page.ask("resign")
    sentence = page.until(lambda shown: shown["result"])["result"]["sentence"]
    assert sentence == "Black wins: White resigned"


def test_a_hint_is_drawn_on_the_board(page: FakePage) -> None:
    page.new("neutron", thinking="nodes=30")
    page.ask("hint")
    shown = page.until(lambda shown: shown["hint"])
    kinds = [shape[1].get("class", "") for shape in shown["picture"]["pieces"]]
    assert "mark yes" in kinds


def test_the_lines_of_a_hint_reach_the_page_with_their_values(page: FakePage) -> None:
    page.new("shogi", thinking="nodes=300")
    page.ask("hint")
    hints = page.until(lambda shown: shown["hint"])["hints"]
    assert 2 <= len(hints) <= 3
    assert all(0 < each["share"] < 1 and each["line"] for each in hints)


def test_pages_have_wishes_of_their_own(desk: Desk) -> None:
    one, other = FakePage(desk), FakePage(desk)
    one.new("shogi")
    other.watched = one.watched
    other.ask("watch", game=one.watched)
    one.ask("wish", flipped=True, letters=True)
    turned = one.until(lambda shown: shown["picture"]["places"]["5i"][1] < 200)
    assert ">" not in str(turned["picture"]["pieces"])
    assert "王" not in str(turned["picture"]["pieces"])
    assert "王" in str(other.shown["picture"]["pieces"])
    one.ask("wish", letters=False)
    assert "王" in str(one.shown["picture"]["pieces"])
    assert one.shown["picture"]["places"]["5i"][1] < 200


def test_a_page_without_kanji_is_greeted_with_letters_on_the_boards(desk: Desk) -> None:
    page = FakePage(desk)
    assert "王" in str(page.ask("hello")["pictures"]["shogi"])
    assert "王" not in str(page.ask("hello", letters=True)["pictures"]["shogi"])
    page.new("shogi")
    assert "王" not in str(page.shown["picture"]["pieces"])


def test_two_pages_play_one_game(desk: Desk) -> None:
    one, other = FakePage(desk), FakePage(desk)
    name = one.new("morris")
    assert [game["name"] for game in other.games] == [name]
    other.watched = name
    other.ask("watch", game=name)
    one.ask("play", move="d6")
    assert other.until(lambda shown: shown["plies"] == 1)
    other.ask("play", move="a1")
    assert one.until(lambda shown: shown["plies"] == 2)
    one.conversation.close()
    other.ask("play", move="g1")
    assert other.until(lambda shown: shown["plies"] == 3)
    assert one.shown["plies"] == 2


RECORD = b"(;GM[1]SZ[5]PB[Ann]PW[Bo]EV[Cup];B[cc]C[centre](;W[bb])(;W[dd];B[aa]))"


def test_a_page_chooses_a_game_of_a_file_with_several(page: FakePage) -> None:
    data = base64.b64encode(RECORD + b"(;GM[13]QG[neutron]PW[Eve];W[b1-b4])").decode()
    message = {"name": "games.sgf", "data": data, "players": [{}, {}]}
    assert page.ask("load", **message) == {"titles": ("Ann - Bo", "Eve - ?")}
    assert page.games == []
    page.enter("load", **message, number=2)
    assert page.shown["game"] == "neutron"
    with pytest.raises(InvalidText, match="it has 2 games, and no game 3"):
        page.ask("load", **message, number=3)


def test_a_rectangular_board_of_go_is_played_and_counted(page: FakePage) -> None:
    page.load("game.sgf", b"(;GM[1]SZ[5:7];B[cc];W[ce];B[bc];W[be];B[dc];W[de];B[ac];W[ae])")
    assert page.games[-1]["size"] == "5x7"
    page.ask("continue")
    for move in ("E5", "E3", "pass", "pass"):
        page.ask("play", move=move)
    scoring = page.until(lambda shown: bool(shown["scoring"] and shown["scoring"]["ready"]))
    scoring = scoring["scoring"]
    assert (scoring["black"], scoring["white"]) == (15, 22.5)
    saved = page.ask("save", format=".sgf")
    assert b"SZ[5:7]" in base64.b64decode(saved["data"])


def test_each_page_looks_at_a_game_for_itself(desk: Desk) -> None:
    one, other = FakePage(desk), FakePage(desk)
    other.watched = one.load("game.sgf", RECORD)
    other.ask("watch", game=one.watched)
    one.ask("go_to", ply=1)
    assert (one.shown["ply"], other.shown["ply"]) == (1, 2)
    assert one.shown["comment"] == "centre"
    one.ask("variation", number=1)
    assert [move["text"] for move in one.shown["moves"]] == ["C3", "D2", "A5"]
    assert [move["text"] for move in other.shown["moves"]] == ["C3", "B4"]
    other.ask("go_to", ply=1)
    other.ask("continue")
    other.ask("play", move="E1")
    assert one.until(lambda shown: shown["version"] == other.shown["version"])["ply"] == 2
    assert [move["text"] for move in one.shown["moves"]] == ["C3", "D2", "A5"]
    with pytest.raises(CannotPlay, match="the position shown is not the last one"):
        one.ask("play", move="E2")
    one.ask("continue")
    assert [move["text"] for move in one.shown["moves"]] == ["C3", "D2"]
    assert [move["text"] for move in other.shown["moves"]] == ["C3", "D2"]
    one.ask("go_to", ply=1)
    assert {each["text"] for each in one.shown["branches"]} == {"D2", "B4", "E1"}
    with pytest.raises(CannotLook, match="no variation 7"):
        one.ask("variation", number=7)


def test_a_game_goes_on_while_a_page_looks_back(desk: Desk) -> None:
    one, other = FakePage(desk), FakePage(desk)
    other.watched = one.new("morris")
    other.ask("watch", game=one.watched)
    for move in ("a1", "d1"):
        one.ask("play", move=move)
    one.ask("go_to", ply=1)
    other.ask("play", move="g1")
    shown = one.until(lambda shown: shown["plies"] == 3)
    assert (shown["ply"], shown["phase"]) == (1, "stepping")
    one.ask("go_to", ply=3)
    assert (one.shown["phase"], one.shown["ways"] != []) == ("playing", True)


def test_the_names_of_a_record_are_shown_until_it_is_played_on(page: FakePage) -> None:
    page.load("game.sgf", RECORD)
    assert [player["name"] for player in page.shown["players"]] == ["Ann", "Bo"]
    assert page.shown["record"]["headers"] == (("Event", "Cup"),)
    (game,) = page.games
    assert (game["number"], game["size"], game["players"]) == (1, "5", ["Ann", "Bo"])
    page.ask("continue")
    assert [player["name"] for player in page.shown["players"]] == ["person", "person"]
    assert page.games[0]["players"] == ["person", "person"]


def test_a_game_of_other_players_keeps_the_record(page: FakePage) -> None:
    page.load("game.sgf", RECORD)
    page.ask("go_to", ply=1)
    page.ask("variation", number=1)
    page.enter("branch", ply=2, players=[{"name": "Cy"}, {}])
    assert [move["text"] for move in page.shown["moves"]] == ["C3", "D2"]
    page.ask("play", move="E5")
    data = base64.b64decode(page.ask("save", format=".sgf")["data"])
    assert b"EV[Cup]" in data
    assert b"C[centre]" in data
    assert [game["number"] for game in page.games] == [1, 2]


def test_a_message_without_a_command_is_refused(page: FakePage) -> None:
    for message in ({}, {"do": "fly"}):
        with pytest.raises(BadMessage, match="no such command"):
            page.conversation.receive(message)


@pytest.mark.parametrize("suffix", [".sgf", ".kif", ".kifu", ".csa"])
def test_a_saved_game_is_loaded_again(page: FakePage, suffix: str) -> None:
    page.new("shogi")
    for move in ("7g7f", "3c3d", "8h2b+"):
        page.ask("play", move=move)
    saved = page.ask("save", format=suffix)
    assert saved["name"].startswith("shogi-")
    assert saved["name"].endswith(suffix)
    page.load(saved["name"], base64.b64decode(saved["data"]))
    shown = page.shown
    assert [move["text"] for move in shown["moves"]] == ["7g7f", "3c3d", "8h2b+"]
    assert shown["phase"] == "stepping"
    page.ask("go_to", ply=1)
    assert page.until(lambda shown: shown["ply"] == 1)["plies"] == 3
    page.ask("continue")
    page.ask("play", move="8c8d")
    assert page.until(lambda shown: shown["plies"] == 2)


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(registry.GAMES))
def test_any_game_is_continued_from_any_move_with_other_players(page: FakePage, game: str) -> None:
    level = "1"
    page.new(game, own(level), own(level), size=5 if game == "go" else 0, thinking="nodes=1")
    page.until(lambda shown: shown["plies"] > 1)
    page.ask("go_to", ply=1)
    shown = page.until(lambda shown: shown["phase"] == "stepping" and shown["ply"] == 1)
    texts = [move["text"] for move in shown["moves"][:1]]
    page.enter("branch", ply=1, players=[{"name": "Ann"}, {}])
    after = page.until(lambda shown: shown["phase"] == "playing")
    assert [move["text"] for move in after["moves"]] == texts
    assert after["players"][0]["name"] == "Ann"


@pytest.mark.parametrize(
    ("name", "data", "complaint"),
    [
        ("x.sgf", b"garbage", "x.sgf"),
        ("x.sgf", b"(;GM[13];W[a1-a9])", "move 1"),
        ("x.kif", b"1 \xff\xff", "line 1"),
        ("x.txt", b"(;)", "suffix"),
        ("../../x", b"(;)", "suffix"),
    ],
)
def test_garbage_is_refused_with_its_place(
    page: FakePage, desk: Desk, name: str, data: bytes, complaint: str
) -> None:
    with pytest.raises(InvalidText, match=complaint):
        page.load(name, data)
    assert desk.describe() == []


def test_a_file_that_is_too_large_or_no_base64_is_refused(page: FakePage) -> None:
    for data in ("A" * (2 * MOST_BYTES), 3, None):
        with pytest.raises(BadMessage, match="too large"):
            page.ask("load", name="x.sgf", data=data, players=[{}, {}])
    with pytest.raises(InvalidText, match=r"x\.sgf"):
        page.ask("load", name="x.sgf", data="%%%", players=[{}, {}])


@pytest.mark.parametrize(
    "message",
    [
        {"do": "format disk"},
        {"do": ["new"]},
        {"do": "new", "game": "chess", "players": [{}, {}]},
        {"do": "new", "game": "go", "players": [{}]},
        {"do": "new", "game": "go", "players": [{}, "sh -c true"]},
        {"do": "new", "game": "go", "players": [{}, {"engine": "sh -c true"}]},
        {"do": "new", "game": "go", "players": [{}, {"engine": "quintet-go"}]},
        {"do": "new", "game": "go", "players": [{}, {"level": "1 --log /tmp/x"}]},
        {"do": "new", "game": "go", "players": [{}, {"name": "x\ny"}]},
        {"do": "new", "game": "go", "players": [{}, {}], "size": -1},
        {"do": "new", "game": "go", "players": [{}, {}], "size": "19"},
        {"do": "new", "game": "go", "players": [{}, {}], "variant": "x" * 1000},
        {"do": "watch", "game": "nothing"},
        {"do": "resume", "name": "../../etc/passwd"},
        {"do": "rules", "game": "os"},
        {"do": "lot", "guess": "seven"},
        {"do": "play", "move": "d6"},
    ],
)
def test_what_our_page_would_not_send_is_refused(
    page: FakePage, desk: Desk, message: dict[str, Any]
) -> None:
    with pytest.raises(QuintetError):
        page.conversation.receive(message)
    assert desk.describe() == []


@pytest.mark.parametrize(
    ("command", "values"),
    [
        ("try", {"places": "d6"}),
        ("try", {"places": [1]}),
        ("restart", {"side": 2}),
        ("restart", {"side": 0}),
        ("go_to", {"ply": 10**12}),
        ("go_to", {"ply": 5}),
        ("save", {"format": ".exe"}),
        ("save", {"format": "/etc/passwd"}),
        ("dead", {"point": "A1"}),
        ("accept", {}),
        ("throw", {}),
        ("play", {"move": "a1-a9"}),
    ],
)
def test_commands_that_are_not_possible_are_refused(
    page: FakePage, command: str, values: dict[str, Any]
) -> None:
    page.new("morris")
    version = page.shown["version"]
    with pytest.raises(QuintetError):
        page.ask(command, **values)
    assert page.shown["version"] == version


def test_a_dead_engine_is_announced_and_started_again(
    page: FakePage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUINTET_CONFIG", str(tmp_path))
    command = json.dumps([sys.executable, str(FAKE), "spit"])
    (tmp_path / "engines.toml").write_text(
        f'[engine.mortal]\ncommand = {command}\nprotocol = "line"\ngame = "neutron"\n'
    )
    assert page.ask("hello")["engines"]["names"]["neutron"] == ["mortal"]
    page.new("neutron", {}, {"engine": "mortal"})
    page.ask("play", move="b1-b4")
    dead = page.until(lambda shown: shown["players"][1]["state"] == "dead")
    assert dead["players"][1]["reason"].replace("\n", "").isprintable()
    page.ask("restart", side=1)
    again = page.until(lambda shown: shown["version"] > dead["version"] + 1)
    assert any("started again" in message["text"] for message in again["messages"])


def test_a_game_survives_its_server_and_can_be_forgotten(tmp_path: Path) -> None:
    with desk_in(tmp_path) as desk:
        page = FakePage(desk)
        page.new("morris")
        page.ask("play", move="d6")
    (tmp_path / "broken.play").write_text("{")
    with desk_in(tmp_path) as desk:
        page = FakePage(desk)
        greeting = page.ask("hello")
        (kept,), (damaged,) = greeting["kept"], greeting["damaged"]
        assert "broken.play" in damaged["fault"]
        with pytest.raises(InvalidText, match="damaged"):
            page.ask("resume", name=damaged["name"])
        page.ask("forget", name=damaged["name"])
        assert not (tmp_path / "broken.play").exists()
        assert page.ask("hello")["damaged"] == []
        assert (kept["title"], kept["moves"]) == ("morris", 1)
        name = page.enter("resume", name=kept["name"])
        assert page.shown["moves"][0]["text"] == "d6"
        assert page.shown["phase"] == "playing"
        with pytest.raises(DeskError):
            page.ask("resume", name=kept["name"])
        page.ask("close", game=name, keep=False)
        assert page.ask("hello")["kept"] == []
        with pytest.raises(DeskError, match="no longer open"):
            page.ask("play", move="a1")


def test_a_game_without_a_move_leaves_no_file_for_a_crash_to_keep(tmp_path: Path) -> None:
    with desk_in(tmp_path) as desk:
        page = FakePage(desk)
        page.new("morris")
        assert list(tmp_path.glob("*.play")) == []
        page.ask("play", move="d6")
        (file,) = tmp_path.glob("*.play")
        assert len(read_kept(file).moves) == 1
        page.ask("undo")
        assert len(read_kept(file).moves) == 0, "a crash does not bring the move back"


def test_an_unfinished_game_is_forgotten_without_being_opened(tmp_path: Path) -> None:
    for _ in range(2):
        with desk_in(tmp_path) as desk:
            page = FakePage(desk)
            page.new("morris")
            page.ask("play", move="d6")
    with desk_in(tmp_path) as desk:
        page = FakePage(desk)
        newer, older = page.ask("hello")["kept"]
        page.ask("forget", name=newer["name"])
        assert page.ask("hello")["kept"] == [older]
        with pytest.raises(DeskError, match="no such unfinished game"):
            page.ask("forget", name=newer["name"])
        page.enter("resume", name=older["name"])
        with pytest.raises(DeskError):
            page.ask("forget", name=older["name"])
        assert page.ask("save", format=".sgf")["data"], "an open game stays"


def test_a_game_that_cannot_begin_leaves_nothing_behind(page: FakePage, tmp_path: Path) -> None:
    page.new("morris")
    page.ask("play", move="d6")
    files = sorted(path.name for path in (tmp_path / "games").iterdir())
    with pytest.raises(CannotPlay):
        page.ask("branch", ply=9, players=[{}, {}])
    with pytest.raises(InvalidText):
        page.ask("branch", ply=1, players=[{}, {"level": "99"}])
    assert sorted(path.name for path in (tmp_path / "games").iterdir()) == files


def test_a_folder_that_cannot_be_written_to_prevents_no_game(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with desk_in(tmp_path / "file" / "games") as desk:
        page = FakePage(desk)
        page.new("morris")
        page.ask("play", move="d6")
        assert page.until(lambda shown: shown["plies"] == 1)


def test_lots_and_rules_are_given(page: FakePage) -> None:
    assert set(page.ask("lot", guess="odd")) == {"first", "stones"}
    assert page.ask("lot", guess="")["stones"] == 0
    assert "neutron" in page.ask("rules", game="neutron")["text"]


def test_too_many_games_are_refused(page: FakePage) -> None:
    for _ in range(16):
        page.new("morris")
    with pytest.raises(DeskError, match="close one first"):
        page.new("morris")
