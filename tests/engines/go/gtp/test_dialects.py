"""The extensions of KGS, CGOS, GoGui and gomill."""

import re

from tests.engines.go.talk import Session


def test_gogui_sets_up_and_plays_all_or_nothing(gtp: Session) -> None:
    gtp.does("gogui-setup b A1 w J9", "gogui-setup_player w")
    assert "white to move" in gtp.ask("showboard")
    before = gtp.ask("showboard")
    assert gtp.ask("gogui-play_sequence w E5 b E5").startswith("? illegal move E5")
    assert gtp.ask("showboard") == before
    gtp.does("gogui-play_sequence w E5 b E6", "gogui-interrupt")
    assert len(gtp.ask("quintet-ownership").split("\n")) == 9
    gtp.ask("genmove w")
    assert re.match(r"= [A-HJ][1-9] W\d+", gtp.ask("quintet-top_moves"))
    evaluation = gtp.ask("quintet-evaluation")
    assert re.match(
        r"= info nodes \d+ score est [01]\.\d{4} lead [+-]\d+\.\d pv [A-HJ][1-9]", evaluation
    )
    assert "dboard/Ownership/quintet-ownership" in gtp.ask("gogui-analyze_commands")


def test_what_else_clients_send_is_answered(gtp: Session) -> None:
    gtp.does("kgs-game_over", "cgos-gameover B+3.5", "clear_cache", "stop")
    assert gtp.ask("kgs-chat game someone hello").startswith("= ")
    assert "Quintet" in gtp.ask("gomill-describe_engine")
    assert float(gtp.ask("cputime")[2:]) > 0
    gtp.does("set_position b A1 w B2")
    assert " 1 X" in gtp.ask("showboard")


def test_gogui_is_given_pictures_of_the_search(gtp: Session) -> None:
    move = gtp.ask("genmove b")[2:]
    drawn = gtp.ask("quintet-gfx")[2:].split("\n")
    assert [line.split()[0] for line in drawn] == ["INFLUENCE", "LABEL", "VAR", "TEXT"]
    assert len(drawn[0].split()) == 1 + 2 * 81
    assert drawn[2].startswith(f"VAR B {move}")
    for line in gtp.ask("gogui-analyze_commands")[2:].split("\n"):
        kind, _, command = line.split("/")
        assert kind in ("gfx", "dboard", "pspairs", "string", "plist")
        assert gtp.ask(f"known_command {command.split()[0]}") == "= true"


def test_a_picture_is_that_of_the_last_move_until_the_next_one(gtp: Session) -> None:
    named = gtp.ask("reg_genmove b")[2:]
    drawn = gtp.ask("quintet-gfx")
    assert f"\nVAR B {named}" in drawn
    assert "\nTEXT Black to move: " in drawn
    gtp.does("play b A1")  # A level may also play another move than the best.
    later = drawn.replace("TEXT Black", "TEXT before move 1, Black")
    assert gtp.ask("quintet-gfx") == later
    gtp.does("play w J9", "play b C5")
    assert "\nTEXT White to move: 50 visits, " in gtp.ask("quintet-gfx")
    gtp.does("gg-undo 2")
    assert gtp.ask("quintet-gfx") == later
    gtp.does("undo", "play b J1", "play w A9")
    assert "\nTEXT Black to move: 50 visits, " in gtp.ask("quintet-gfx")


def test_what_gogui_shows_needs_no_search_before(gtp: Session) -> None:
    assert re.match(r"= ([A-HJ][1-9] B\d+ ?)+$", gtp.ask("quintet-top_moves"))
    told = r"= White to move: 50 visits, \d+\.\d%, lead [+-]\d+\.\d: [A-HJ][1-9]"
    gtp.does("play b E5")
    assert re.match(told, gtp.ask("gomill-explain_last_move"))
    assert re.match(r"= [A-HJ][1-9] W\d+", gtp.ask("quintet-top_moves"))
    assert gtp.ask("quintet-evaluation") == "= "
    gtp.does("play w pass", "play b pass")
    drawn = gtp.ask("quintet-gfx").split("\n")
    assert [line.split()[0] for line in drawn[1:]] == ["LABEL", "VAR", "TEXT"]
    assert gtp.ask("kgs-chat game someone hello") == "= hello, I am a program"


def test_a_move_that_was_not_searched_has_no_evaluation(gtp: Session) -> None:
    assert gtp.ask("quintet-evaluation") == "= "
    named = gtp.ask("reg_genmove b")[2:]
    gtp.does(f"play w {named}")
    assert gtp.ask("quintet-evaluation") == "= "
    gtp.does("clear_board")
    gtp.ask("genmove b")
    gtp.does("undo", "clear_board", "play b E5")
    assert gtp.ask("quintet-evaluation") == "= "
