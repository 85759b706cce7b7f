import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engines.go.__main__ import handlers
from engines.go.commands import Commands
from engines.go.player import Player
from engines.go.search import Search
from protocols.gtp import serve
from protocols.session import Channel
from tests.protocols.conversation import Conversation

SHARED = Search()  # The network is read once for all tests.
WALL = [f"play {c} {column}{row}" for row in range(1, 10) for c, column in (("b", "D"), ("w", "E"))]
DEAD = ["play b G5", "play w B5", "play b G6", "play w B6"]
REST = "B2 G2 B4 G4 B8 G8 C6 H6 C5 H5 B7 G7".split()  # noqa: SIM905
SETTLED = [*WALL, *DEAD, *(f"play {'bw'[i % 2]} {v}" for i, v in enumerate(REST))]


class Session:
    """A conversation with the program's table of commands."""

    def __init__(self) -> None:
        self.player = Player(lambda settings: SHARED)
        self.player.settings.visits = 12
        commands = Commands(self.player, "1.15.0 (test)")

        def run(channel: Channel) -> None:
            serve(channel, handlers(commands))

        self.conversation = Conversation(run)

    def ask(self, line: str) -> str:
        return self.conversation.ask(line)

    def does(self, *lines: str) -> None:
        """Send commands that must all succeed with an empty text."""
        for line in lines:
            assert self.ask(line) == "= ", line

    def close(self) -> None:
        self.conversation.hang_up()
        self.conversation.finish()


@pytest.fixture
def gtp() -> Iterator[Session]:
    SHARED.forget()
    session = Session()
    session.does("boardsize 9")
    yield session
    session.close()


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
        ("kata-set-param level 11", "level goes from 1 to 10"),
        ("kata-get-param x", "unknown parameter: x"),
        ("loadsgf", "cannot load file"),
        ("loadsgf /nowhere/x.sgf", "cannot load file: No such file or directory"),
        ("gogui-setup b A1", "board not empty"),
        ("gogui-play_sequence b", "colours and vertices do not pair"),
        ("set_position b A1 w A1", "repeated vertex"),
        ("frobnicate", "unknown command"),
    ],
)
def test_what_is_wrong_is_said_and_changes_nothing(gtp: Session, line: str, reply: str) -> None:
    gtp.does("komi 5.5", "play b E5", "play b B9", "play b A8")
    before = gtp.ask("showboard")
    assert gtp.ask(line).startswith(f"? {reply}")
    assert gtp.ask("showboard") == before
    assert "komi 5.5" in before


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


def test_rules_are_told_and_taken_as_json(gtp: Session) -> None:
    for name in ("tromp-taylor", "japanese", "new-zealand", "chinese"):
        gtp.does(f"kata-set-rules {name}")
        told = gtp.ask("kata-get-rules")[2:]
        gtp.does("kata-set-rules aga", f"kata-set-rules {told}")
        assert gtp.ask("kata-get-rules")[2:] == told
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


def test_analysis_streams_until_the_next_line(gtp: Session) -> None:
    for command, number in (("lz-analyze b 1", r"\d+"), ("kata-analyze 1 b", r"-?\d+\.\d+")):
        gtp.conversation.say(f"5 {command}\n")
        assert gtp.conversation.hear_line() == "=5"
        line = gtp.conversation.hear_line()
        told = re.match(
            rf"info move [A-HJ][1-9] visits (\d+) .*winrate ({number}) .*pv [A-HJ][1-9]", line
        )
        assert told, line
        assert int(told[1]) > 0
        assert "  " not in line
        gtp.conversation.say("6 name\n")
        rest = gtp.conversation.hear_until(b"=6 Quintet Go\n\n")
        assert rest.endswith("\n\n") or rest == "\n"


def test_no_candidate_is_told_to_be_better_than_the_best(gtp: Session) -> None:
    gtp.conversation.say("kata-analyze b 1 rootInfo true ownership true pvVisits true maxmoves 4\n")
    gtp.conversation.hear_line()
    line = gtp.conversation.hear_line()
    gtp.conversation.say("name\n")
    gtp.conversation.hear_until(b"= Quintet Go\n\n")
    wins = [float(win) for win in re.findall(r"info move .*? winrate (\S+)", line)]
    assert 1 <= len(wins) <= 4
    assert max(wins) == wins[0]
    assert " rootInfo visits " in line
    owned = line.split(" ownership ")[1].split()
    assert len(owned) == 81
    assert all(-1 <= float(value) <= 1 for value in owned)
    assert line.count("pvVisits") == len(wins)


def test_analysis_keeps_to_the_allowed_moves(gtp: Session) -> None:
    gtp.conversation.say("lz-analyze b 1 allow b E5,pass 1 unknown thing\n")
    gtp.conversation.hear_line()
    line = gtp.conversation.hear_line()
    gtp.conversation.say("lz-analyze b 1 avoid b E5 1\n")
    rest = gtp.conversation.hear_until(b"=\n")
    other = gtp.conversation.hear_line()
    gtp.conversation.say("name\n")
    gtp.conversation.hear_until(b"= Quintet Go\n\n")
    assert set(re.findall(r"move (\S+)", line + rest)) <= {"E5", "pass"}
    assert "move E5" not in other


def test_genmove_analyze_tells_and_then_plays(gtp: Session) -> None:
    for line in (
        "lz-genmove_analyze W 50",
        "kata-genmove_analyze ownership true",
        "kata-genmove_analyze b",
    ):
        gtp.conversation.say(f"{line}\n")
        assert gtp.conversation.hear_line() == "="
        told = gtp.conversation.hear().split("\n")
        assert told[0].startswith("info move ")
        assert re.fullmatch(r"play [A-HJ][1-9]", told[-1])
        assert gtp.ask(f"play b {told[-1].split()[1]}").endswith("point is occupied")


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
    ):
        gtp.does(line)
    gtp.does("time_settings 0 1 1", "time_left b 0 1", "time_left black 1 1")
    gtp.player.settings.visits = None
    assert re.fullmatch(r"= [A-HJ][1-9]", gtp.ask("genmove b"))


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


def test_gogui_sets_up_and_plays_all_or_nothing(gtp: Session) -> None:
    gtp.does("gogui-setup b A1 w J9", "gogui-setup_player w")
    assert "white to move" in gtp.ask("showboard")
    before = gtp.ask("showboard")
    assert gtp.ask("gogui-play_sequence w E5 b E5").startswith("? illegal move E5")
    assert gtp.ask("showboard") == before
    gtp.does("gogui-play_sequence w E5 b E6", "gogui-interrupt")
    assert len(gtp.ask("quintet-ownership").split("\n")) == 9
    gtp.ask("genmove w")
    assert re.match(r"= [A-HJ][1-9] \d+", gtp.ask("quintet-top_moves"))
    told = gtp.ask("quintet-evaluation")
    assert re.match(r"= info nodes \d+ score est [01]\.\d{4} lead [+-]\d+\.\d pv [A-HJ][1-9]", told)
    assert "dboard/Ownership/quintet-ownership" in gtp.ask("gogui-analyze_commands")


def test_a_move_that_was_not_searched_has_no_evaluation(gtp: Session) -> None:
    assert gtp.ask("quintet-evaluation") == "= "
    gtp.ask("genmove b")
    gtp.does("undo", "clear_board", "play b E5")
    assert gtp.ask("quintet-evaluation") == "= "


def test_what_else_clients_send_is_answered(gtp: Session) -> None:
    gtp.does("kgs-game_over", "cgos-gameover B+3.5", "clear_cache", "stop")
    assert gtp.ask("kgs-chat game someone hello").startswith("= ")
    assert "Quintet" in gtp.ask("gomill-describe_engine")
    assert float(gtp.ask("cputime")[2:]) > 0
    gtp.does("set_position b A1 w B2")
    assert " 1 X" in gtp.ask("showboard")


def test_settings_are_listed_read_and_changed(gtp: Session) -> None:
    for name in gtp.ask("kata-list-params")[2:].split():
        assert gtp.ask(f"kata-get-param {name}").startswith("= ")
    gtp.does("kata-set-param maxVisits 20", "kata-set-param level 3", "kata-set-param seed 5")
    assert gtp.ask("kata-get-param level") == "= 3"
    first = gtp.ask("reg_genmove b")
    gtp.does("kata-set-param seed 5", "clear_cache")
    assert re.fullmatch(r"= [A-HJ][1-9]", first)
    gtp.does("kata-set-param resign false", "kata-set-param maxTime 0.5")


def test_a_hopeless_game_is_resigned_only_where_that_is_wanted(gtp: Session) -> None:
    gtp.does("komi -300", *WALL[:36])
    gtp.player.settings.resign = False
    for _ in range(3):
        assert gtp.ask("reg_genmove w") != "= resign"
    gtp.player.settings.resign = True
    assert gtp.ask("genmove w") == "= resign"
    assert gtp.ask("reg_genmove b") != "= resign"
