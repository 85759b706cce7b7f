import json
import re
from pathlib import Path

import pytest

from engines.go.play.search import is_compiled
from engines.go.rules.text import make_rules
from tests.engines.go.talk import SETTLED, WALL, Session

CORNER_SEKI = "1OOX5/XOXXXX3/O1OX1X3/1OOXX2XX/OOOOXXXXO/O2OXOOOO/2OXXO1O1/1OOXXXOXX/O1OXXOOO1"

ENDS = [
    ("9/9/2O1XXX2/1X2XOXO1/4XOXX1/XXXXOOOXX/XOXO1OXXO/OOOO1OOOO/4O4", "captured=2,0", "B+16.5"),
    (
        "1OXX5/1OOX2X2/2OXXXO2/2OXX1XX1/2OOX1X1X/2O1OXX1X/2O1OOOXO/1O1OOOOX1/2O2OXXX",
        "captured=7,6",
        "W+7.5",
    ),
]


def test_the_program_names_itself_as_clients_need_it(gtp: Session) -> None:
    assert gtp.ask("1 name") == "=1 Quintet Go"
    assert re.fullmatch(r"= 1\.\d\d\.\d .*", gtp.ask("version"))
    listed = gtp.ask("list_commands")[2:].split("\n")
    assert listed[0] == "protocol_version"
    assert len(listed) == len(set(listed)) == len([word.strip() for word in listed if word])
    assert "analyze" not in listed
    assert "genmove_analyze" not in listed
    for line in listed:
        assert gtp.ask(f"known_command {line}") == "= true"


def test_moves_are_made_taken_back_and_drawn(gtp: Session) -> None:
    gtp.does("play b e5", "play W C3", "play B pass")
    drawn = gtp.ask("showboard")
    assert drawn.startswith("= \n   A B C D E F G H J\n")
    assert " 5 . . + . X . + . . 5" in drawn
    gtp.does("undo", "undo")
    assert " 3 . . + " in gtp.ask("showboard")
    gtp.does("undo")
    assert gtp.ask("undo") == "? cannot undo"
    gtp.does("play b A1", "play w B1", "play b A2", "gg-undo 3")
    assert gtp.ask("gg-undo 1") == "? cannot undo"
    assert gtp.ask("gg-undo x") == "? invalid number of moves"


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        ("play b E5", "illegal move E5: point is occupied"),
        ("play w A9", "illegal move A9: suicide"),
        ("play b K1", "invalid color or coordinate: K1 is off the board (A1 to J9)"),
        ("play b I5", "invalid color or coordinate: invalid vertex: 'I5'"),
        ("play red E5", "invalid color or coordinate: invalid color"),
        ("play b", "invalid color or coordinate"),
        ("play w resign", "invalid color or coordinate: invalid vertex: 'resign'"),
        ("boardsize x", "boardsize not an integer"),
        ("boardsize", "boardsize not an integer"),
        ("boardsize 26", "unacceptable size"),
        ("boardsize 1", "unacceptable size"),
        ("rectangular_boardsize 9 99", "unacceptable size"),
        ("komi x", "komi not a float"),
        ("komi 6,5", "komi not a float"),
        ("komi 1_0", "komi not a float"),
        ("komi ٣", "komi not a float"),
        ("komi nan", "unacceptable komi"),
        ("komi", "komi not a float"),
        ("genmove", "invalid color"),
        ("genmove x", "invalid color"),
        ("fixed_handicap 3", "board not empty"),
        ("fixed_handicap 10", "invalid handicap"),
        ("place_free_handicap 1", "invalid handicap"),
        ("set_free_handicap A1 A1", "repeated vertex"),
        ("set_free_handicap A1", "invalid handicap"),
        ("set_free_handicap A1 Z9", "Z9 is off the board"),
        ("final_status_list sleepy", "invalid status"),
        ("time_settings 1 x 3", "not three integers"),
        ("time_settings 1 2", "not three integers"),
        ("time_left b 3", "time and stones not two integers"),
        ("time_left q 3 0", "invalid color"),
        ("time_left b nan 0", "time and stones not two integers"),
        ("kgs-time_settings byoyomi 30", "byoyomi: numbers are missing or wrong"),
        ("kgs-time_settings byoyomi 30 5 0", "byoyomi: numbers are missing or wrong"),
        ("kata-time_settings fischer nan 5", "fischer: numbers are missing or wrong"),
        ("kgs-time_settings sundial 30", "unknown time system: sundial"),
        ("kgs-rules ing", "unknown rules"),
        ("kata-set-rules ing", "no such rule set: 'ing'"),
        ("kata-set-rules {", "unknown rules"),
        ('kata-set-rules {"ko":"NONE"}', "unknown rule or value: ko NONE"),
        ('kata-set-rules {"ko":["SIMPLE"]}', "unknown rule or value: ko ['SIMPLE']"),
        ("kata-set-param level 11", "level goes from 1 to 10"),
        ("kata-get-param x", "unknown parameter: x"),
        ("loadsgf", "cannot load file"),
        ("loadsgf /nowhere/x.sgf", "cannot load file: No such file or directory"),
        ("loadsgf /", "cannot load file: it is no regular file"),
        ("loadsgf /dev/zero", "cannot load file: it is no regular file"),
        ("gogui-setup b A1", "board not empty"),
        ("gogui-play_sequence b", "colours and vertices do not pair"),
        ("set_position b A1 w A1", "repeated vertex"),
        ("kata-set-rules", "unknown rules: a name or an object is expected"),
        ("frobnicate", "unknown command"),
    ],
)
def test_a_wrong_command_fails_with_a_reason_and_changes_nothing(
    gtp: Session, line: str, reply: str
) -> None:
    gtp.does("komi 5.5", "play b E5", "play b B9", "play b A8")
    before = gtp.ask("showboard")
    assert gtp.ask(line).startswith(f"? {reply}")
    assert gtp.ask("showboard") == before
    assert "komi 5.5" in before


def test_rules_in_brackets_without_end_are_refused(gtp: Session) -> None:
    before = gtp.ask("kata-get-rules")
    assert gtp.ask("kata-set-rules " + '{"ko":' * 100_000).startswith("? unknown rules: ")
    assert gtp.ask("kata-get-rules") == before


def test_records_may_repeat_and_play_out_of_turn(gtp: Session) -> None:
    gtp.does("boardsize 4")
    for vertex in ("B4", "A3", "B2"):
        gtp.does(f"play b {vertex}")
    for vertex in ("C4", "D3", "C2", "B3"):
        gtp.does(f"play w {vertex}")
    gtp.does("play b C3", "play w B3", "play b C3")


def test_komi_rules_and_times_outlive_the_board(gtp: Session) -> None:
    gtp.does("komi 3.5", "kata-set-rules aga", "boardsize 13", "clear_board")
    assert gtp.ask("get_komi") == "= 3.5"
    assert json.loads(gtp.ask("kata-get-rules")[2:])["whiteHandicapBonus"] == "N-1"


def test_rules_bring_their_komi_until_one_is_set(gtp: Session) -> None:
    assert gtp.ask("get_komi") == "= 7.5"
    gtp.does("kata-set-rules japanese")
    assert gtp.ask("get_komi") == "= 6.5"
    gtp.does("komi 0.5", "kata-set-rules chinese")
    assert gtp.ask("get_komi") == "= 0.5"


def test_rules_are_reported_and_accepted_as_json(gtp: Session) -> None:
    for name in ("tromp-taylor", "japanese", "new-zealand", "chinese"):
        gtp.does(f"kata-set-rules {name}")
        rules = gtp.ask("kata-get-rules")[2:]
        gtp.does("kata-set-rules aga", f"kata-set-rules {rules}")
        assert gtp.ask("kata-get-rules")[2:] == rules
    gtp.does("kata-set-rule ko SIMPLE", "kgs-rules japanese")
    assert json.loads(gtp.ask("kata-get-rules")[2:])["scoring"] == "TERRITORY"


def test_changing_the_rules_keeps_the_game(gtp: Session) -> None:
    gtp.does("set_free_handicap C3 G7", "play w E5", "play b E6")
    before = gtp.ask("showboard").splitlines()[:-1]
    gtp.does("kata-set-rules japanese")
    assert gtp.ask("showboard").splitlines()[:-1] == before
    gtp.does("undo", "undo")
    assert gtp.ask("undo") == "? cannot undo"


def test_handicaps_are_placed_and_white_moves_then(gtp: Session) -> None:
    assert gtp.ask("fixed_handicap 2") == "= G7 C3"
    assert "white to move" in gtp.ask("showboard")
    assert gtp.ask("undo") == "? cannot undo"
    gtp.does("clear_board")
    assert gtp.ask("place_free_handicap 30") == "= G7 C3 C7 G3 C5 G5 E7 E3 E5"
    gtp.does("boardsize 19")
    assert gtp.ask("fixed_handicap 9") == "= Q16 D4 D16 Q4 D10 Q10 K16 K4 K10"


@pytest.mark.parametrize(("size", "count"), [(2, 2), (3, 3), (5, 4), (6, 4)])
def test_a_free_handicap_stands_on_boards_without_star_points(
    gtp: Session, size: int, count: int
) -> None:
    gtp.does(f"boardsize {size}")
    placed = gtp.ask("place_free_handicap 4").split()[1:]
    assert len(set(placed)) == count
    board = gtp.ask("showboard")
    assert board.count("X") == count
    assert "white to move" in board
    assert gtp.ask("place_free_handicap 4") == "? board not empty"


def test_genmove_plays_what_it_answers(gtp: Session) -> None:
    vertex = gtp.ask("genmove b")[2:]
    assert re.fullmatch(r"[A-HJ][1-9]", vertex)
    assert gtp.ask(f"play w {vertex}").startswith("? illegal move")
    gtp.does("undo", f"play w {vertex}", "undo")
    named = gtp.ask("reg_genmove w")[2:]
    gtp.does(f"play w {named}")


@pytest.mark.parametrize("rules", ["chinese", "japanese", "aga"])
def test_the_settled_board_is_scored_and_listed_alike(gtp: Session, rules: str) -> None:
    gtp.does(f"kata-set-rules {rules}", "komi 6.5", *SETTLED)
    assert gtp.ask("final_score") == "= W+15.5"
    dead = gtp.ask("final_status_list dead")[2:].split("\n")
    assert sorted(sorted(line.split()) for line in dead) == [["B5", "B6"], ["G5", "G6"]]
    alive = gtp.ask("final_status_list alive")[2:].split()
    assert len(alive) == 18 + 12
    assert gtp.ask("final_status_list seki") == "= "
    gtp.does("kata-set-rules tromp-taylor")
    assert gtp.ask("final_score") == "= W+6.5"
    gtp.does("komi -9")
    assert gtp.ask("final_score") == "= B+9.0"
    gtp.does("komi 0")
    assert gtp.ask("final_score") == "= 0"


def test_a_decided_game_is_passed_and_cleaned_up_when_asked(gtp: Session) -> None:
    gtp.does("kata-set-rules japanese", "komi 6.5", *SETTLED, "play b pass")
    assert gtp.ask("genmove w") == "= pass"
    assert gtp.ask("kgs-genmove_cleanup b") != "= pass"


def test_a_move_that_is_useless_is_made_where_no_other_is_allowed(gtp: Session) -> None:
    gtp.does("boardsize 3", "gogui-setup b B1 b B2 b B3 w A2", "kata-set-param level 3")
    assert gtp.ask("kata-genmove_analyze b allow b C1 1").endswith("play C1")
    assert gtp.ask("kata-genmove_analyze b allow b A1,C3 1").endswith(("play A1", "play C3"))


def test_dead_stones_in_safe_ground_are_taken_before_the_game_is_left(gtp: Session) -> None:
    for rules in ("cgos", "chinese"):
        gtp.does("boardsize 3", f"kata-set-rules {rules}", "komi 7.5")
        gtp.does("gogui-setup b B1 b B2 b B3 w A2 w C2", "kata-set-param maxVisits 60")
        for _ in range(8):
            gtp.does("play w pass")
            if gtp.ask("genmove b") == "= pass":
                break
        assert gtp.ask("final_score") == "= B+1.5"
        assert gtp.ask("showboard").count("O") == 0


def test_times_are_taken_in_every_dialect(gtp: Session) -> None:
    for line in (
        "time_settings 600 30 5",
        "time_settings 0 1 0",
        "time_settings 60 0 0",
        "kgs-time_settings none",
        "kgs-time_settings absolute 300",
        "kgs-time_settings canadian 300 30 5",
        "kgs-time_settings byoyomi 300 30 5",
        "kata-time_settings fischer 300.5 5",
        "kata-time_settings fischer-capped 300 5 600 30",
        "kata-time_settings fischer-capped 300 5 -1 -1",
    ):
        gtp.does(line)
    gtp.does("time_settings 0 1 1", "time_left b 0 1", "time_left black 1 1")
    gtp.player.settings.visits = None
    assert re.fullmatch(r"= [A-HJ][1-9]", gtp.ask("genmove b"))


@pytest.mark.parametrize("words", ["-1 5", "300", "300 5 600 nan", "300 5 inf 30", "300 -5 1 1"])
def test_what_is_no_capped_clock_is_refused(gtp: Session, words: str) -> None:
    answer = gtp.ask(f"kata-time_settings fischer-capped {words}")
    assert answer == "? fischer-capped: numbers are missing or wrong"


def test_a_game_goes_out_as_sgf_and_comes_back(gtp: Session, tmp_path: Path) -> None:
    gtp.does("komi 0.5", "set_free_handicap C3 G7", "play w E5", "play b pass", "play w A1")
    text = gtp.ask("printsgf")[2:]
    assert "SZ[9]" in text
    assert "KM[0.5]" in text
    assert "AB[cg][gc]" in text.replace("\n", "") or "AB[gc][cg]" in text.replace("\n", "")
    before = gtp.ask("showboard")
    place = tmp_path / "a game.sgf"
    gtp.does(f"printsgf {place}", "boardsize 13", "komi 9")
    assert gtp.ask(f"loadsgf {place}") == "= black"
    assert gtp.ask("showboard") == before
    assert gtp.ask("get_komi") == "= 0.5"
    assert gtp.ask(f"loadsgf {place} 1") == "= white"
    assert "white to move" in gtp.ask("showboard")


@pytest.mark.parametrize(("rules", "score"), [("chinese", "= W+8.5"), ("japanese", "= W+4.5")])
def test_a_seki_is_scored_and_listed_alike(gtp: Session, rules: str, score: str) -> None:
    texts = make_rules(rules, 9)
    gtp.player.take_over(texts, texts.start(f"{CORNER_SEKI} w komi=7.5"))
    assert gtp.ask("final_score") == score
    listed = {
        status: set(gtp.ask(f"final_status_list {status}")[2:].split())
        for status in ("alive", "dead", "seki")
    }
    assert listed["dead"] == {"A8"}
    assert listed["seki"] == set("J5 F4 G4 H4 J4 F3 H3 G2 H2 J2 F1 G1 H1".split())  # noqa: SIM905
    stones = CORNER_SEKI.count("X") + CORNER_SEKI.count("O")
    assert sum(map(len, listed.values())) == len(set().union(*listed.values())) == stones


def test_the_same_stones_with_other_prisoners_are_counted_again(gtp: Session) -> None:
    gtp.does("boardsize 7", "kata-set-rules japanese", "komi 0.5")
    for row in range(1, 8):
        gtp.does(f"play b C{row}", f"play w E{row}")
    gtp.does("play w F4", "play w G5", "play b G4", "play w G3")
    assert gtp.ask("final_score") == "= B+1.5"
    gtp.does("undo", "undo", "play b pass", "play w G3")  # One prisoner less, as many moves.
    assert gtp.ask("final_score") == "= B+2.5"


def test_dead_stones_are_taken_off_in_the_cleanup_and_then_passed(gtp: Session) -> None:
    gtp.does("kata-set-rules japanese", "komi 6.5", *SETTLED, "play b pass", "play w pass")
    before = gtp.ask("final_score")
    passes = 0
    for number in range(60):
        move = gtp.ask(f"kgs-genmove_cleanup {'bw'[number % 2]}")
        assert move != "= resign"
        passes = passes + 1 if move == "= pass" else 0
        if passes == 2:
            break
    assert passes == 2
    assert gtp.ask("final_status_list dead") == "= "
    assert gtp.ask("final_score")[:3] == before[:3]


@pytest.mark.slow
@pytest.mark.parametrize(("stones", "captured", "score"), ENDS if is_compiled() else ENDS[1:])
def test_a_finished_game_is_passed_and_cleaned_up_under_japanese_rules(
    gtp: Session, stones: str, captured: str, score: str
) -> None:
    gtp.player.settings.visits = 100
    for turn in "wb":
        texts = make_rules("japanese", 9)
        gtp.player.take_over(texts, texts.start(f"{stones} {turn} komi=7.5 {captured}"))
        assert gtp.ask("final_score") == f"= {score}"
        assert gtp.ask("final_status_list dead") != "= "
        assert gtp.ask(f"reg_genmove {turn}") == "= pass"
    passes = 0
    for number in range(40):
        move = gtp.ask(f"kgs-genmove_cleanup {'bw'[number % 2]}")
        passes = passes + 1 if move == "= pass" else 0
        if passes == 2:
            break
    assert passes == 2
    assert gtp.ask("final_status_list dead") == "= "
    assert gtp.ask("final_score")[2] == score[0]


@pytest.mark.parametrize("komi", ["6.5", "-20"])
def test_under_japanese_rules_nobody_fills_his_own_territory(gtp: Session, komi: str) -> None:
    gtp.does("kata-set-rules japanese", f"komi {komi}", *SETTLED)
    owners = [int(owner) for owner in gtp.player.judge()[0].owners]
    for turn in "bw":
        move = gtp.ask(f"genmove {turn}")[2:]
        if move != "pass":
            assert owners[gtp.player.rules.parse_vertex(move)] != 1 + "bw".index(turn)


def test_a_hopeless_game_is_resigned_only_where_that_is_wanted(gtp: Session) -> None:
    gtp.does("komi -300", *WALL[:36])
    gtp.player.settings.resign = False
    for _ in range(3):
        assert gtp.ask("reg_genmove w") != "= resign"
    gtp.player.settings.resign = True
    assert gtp.ask("genmove w") == "= resign"
    assert gtp.ask("quintet-evaluation").startswith("= info nodes ")
    gtp.does("play w A1")
    assert gtp.ask("quintet-evaluation") == "= "
    gtp.does("undo")
    assert gtp.ask("reg_genmove b") != "= resign"
    assert gtp.ask("quintet-evaluation") == "= "
