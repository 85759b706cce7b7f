from collections.abc import Sequence

import pytest

from protocols.ask.detect import ClockTime, LineClient
from protocols.ask.gtp import GtpClient
from protocols.ask.score import Evaluation, Score
from protocols.child.process import Process
from protocols.errors import (
    CannotSay,
    EngineRefused,
)
from tests.programs import peer
from tests.protocols.ask.scripted import LONG, Begin, later
from tests.protocols.controls import Control


def test_a_game_of_go_is_set_up_in_one_write(begin: Begin) -> None:
    commands = ["time_settings", "kata-set-rules", "set_free_handicap"]
    dialogue = begin(*[""] * 7, commands=commands)
    dialogue.client.new_game(
        later(),
        variant="japanese",
        settings={"size": "19", "komi": "6.5", "handicap": "D4 Q16"},
        control=Control("sudden", 600.0),
    )
    assert dialogue.sent == [
        "kata-set-rules japanese",
        "boardsize 19",
        "clear_board",
        "kata-set-rules japanese",
        "komi 6.5",
        "time_settings 600 0 0",
        "set_free_handicap D4 Q16",
    ]


def test_only_what_is_given_and_known_is_told(begin: Begin) -> None:
    dialogue = begin("", "", "")
    dialogue.client.new_game(
        later(), variant="japanese", settings={"handicap": "4"}, control=Control("sudden", 60.0)
    )
    assert dialogue.sent == ["clear_board", "fixed_handicap 4"]


def test_rules_have_other_names_on_kgs(begin: Begin) -> None:
    dialogue = begin(*[""] * 3, commands=["kgs-rules"])
    dialogue.client.new_game(later(), variant="new-zealand")
    assert dialogue.sent == ["kgs-rules new_zealand", "clear_board", "kgs-rules new_zealand"]


def test_exact_rules_are_told_before_names(begin: Begin) -> None:
    dialogue = begin("?{id} no\n\n", *[""] * 5, commands=["kata-set-rules", "kgs-rules"])
    settings = {"rules": '{"ko":"SIMPLE"}', "kgs-rules": ""}
    for _ in range(2):  # A refused command is not tried again.
        dialogue.client.new_game(later(), variant="japanese", settings=settings)
    assert dialogue.sent == [
        'kata-set-rules {"ko":"SIMPLE"}',
        "kata-set-rules japanese",
        *("clear_board", "kata-set-rules japanese") * 2,
    ]


def test_an_engine_that_takes_no_rules_is_known_and_not_pressed(begin: Begin) -> None:
    dialogue = begin("?{id} no\n\n", "", commands=["kgs-rules"])
    assert isinstance(dialogue.client, GtpClient)
    assert not dialogue.client.tell_rules(later(), "cgos", "{}", "")
    assert not dialogue.client.tell_rules(later(), "aga", "{}", "aga")
    dialogue.client.new_game(later(), variant="aga", settings={"rules": "{}", "kgs-rules": "aga"})
    assert dialogue.sent == ["kgs-rules aga", "clear_board"]


def test_handicap_stones_are_played_where_no_command_sets_them(begin: Begin) -> None:
    dialogue = begin("", "", "", "C3 G7", commands=["place_free_handicap"])
    dialogue.client.new_game(later(), settings={"handicap": "D4 Q16"})
    assert dialogue.sent == ["clear_board", "play b D4", "play b Q16"]
    assert isinstance(dialogue.client, GtpClient)
    assert dialogue.client.place_handicap(2, later()) == ["C3", "G7"]


@pytest.mark.parametrize(
    ("size", "commands", "sent"),
    [
        ("9x9", [], "boardsize 9"),
        ("9x13", ["rectangular_boardsize"], "rectangular_boardsize 9 13"),
    ],
)
def test_boards_need_not_be_square(
    begin: Begin, size: str, commands: Sequence[str], sent: str
) -> None:
    dialogue = begin("", "", commands=commands)
    dialogue.client.new_game(later(), settings={"size": size})
    assert dialogue.sent == [sent, "clear_board"]


def test_a_rectangular_board_is_refused_for_an_engine_without_a_command_for_it(
    begin: Begin,
) -> None:
    dialogue = begin()
    with pytest.raises(CannotSay, match="it knows only square boards"):
        dialogue.client.new_game(later(), settings={"size": "9x13"})
    assert dialogue.sent == []


def test_a_refused_set_up_is_raised_after_all_replies_are_read(begin: Begin) -> None:
    dialogue = begin("?{id} unacceptable size\n\n", "", "", "x")
    with pytest.raises(EngineRefused, match="boardsize 52: unacceptable size"):
        dialogue.client.new_game(later(), settings={"size": "52", "komi": "7"})
    assert dialogue.client.command("name", later()) == "x"


KATA = ["time_settings", "kgs-time_settings", "kata-time_settings"]


@pytest.mark.parametrize(
    ("control", "commands", "sent"),
    [
        (Control(), KATA[:1], "time_settings 0 1 0"),
        (Control("sudden", 0.5), KATA[:1], "time_settings 1 0 0"),
        (Control("sudden", 0.5), KATA, "kata-time_settings absolute 0.5"),
        (Control("increment", 600.0, 5.0), KATA[:1], "time_settings 600 0 0"),
        (Control("increment", 600.0, 5.0), KATA, "kata-time_settings fischer 600 5"),
        (Control("byoyomi", 600.0, 30.0, 5), KATA[:1], "time_settings 600 30 1"),
        (Control("byoyomi", 0.0, 30.0, 5), KATA[:2], "kgs-time_settings byoyomi 0 30 5"),
        (Control("byoyomi", 600.0, 30.0, 5), KATA, "kata-time_settings byoyomi 600 30 5"),
        (Control("canadian", 600.0, 300.0, 25), KATA[:1], "time_settings 600 300 25"),
        (Control("move", 2.0), KATA[:1], "time_settings 0 2 1"),
        (Control("move", 0.1), KATA, "kata-time_settings byoyomi 0 0.1 1"),
        (Control("hourglass", 60.0), KATA, "time_settings 60 0 0"),
        (Control(visits=200), ["kata-set-param"], "kata-set-param maxVisits 200"),
        (Control(nodes=300), ["kata-set-param"], "kata-set-param maxVisits 300"),
    ],
    ids=str,
)
def test_clocks_are_told_in_the_best_words_that_the_engine_knows(
    begin: Begin, control: Control, commands: Sequence[str], sent: str
) -> None:
    dialogue = begin("", "", commands=commands)
    dialogue.client.new_game(later(), control=control)
    assert dialogue.sent == ["clear_board", sent]


def test_an_engine_that_takes_decimals_is_told_them(begin: Begin) -> None:
    dialogue = begin("", "", "", "D4", commands=["kata-time_settings", "time_left"])
    dialogue.client.new_game(later(), control=Control("sudden", 0.5))
    dialogue.client.genmove("b", later(), ClockTime(0.456))
    assert dialogue.sent[-2:] == ["time_left b 0.46 0", "genmove b"]


@pytest.mark.parametrize(("commands", "periods"), [(KATA[:1], 1), (KATA[:2], 4)])
def test_periods_are_told_as_the_engine_understood_them(
    begin: Begin, commands: Sequence[str], periods: int
) -> None:
    dialogue = begin("", "", "", "D4", commands=[*commands, "time_left"])
    dialogue.client.new_game(later(), control=Control("byoyomi", 60.0, 30.0, 5))
    dialogue.client.genmove("b", later(), ClockTime(29.5, 4))
    assert dialogue.sent[-2] == f"time_left b 29 {periods}"


def test_what_gtp_cannot_say_is_an_error_of_the_caller(begin: Begin) -> None:
    client = begin().client
    with pytest.raises(CannotSay, match="no command for a position"):
        client.new_game(later(), position="B D4")
    with pytest.raises(
        CannotSay, match=r"no setting 'dice' \(known: size, komi, rules, kgs-rules, handicap\)"
    ):
        client.new_game(later(), settings={"dice": "4"})
    with pytest.raises(CannotSay, match="no command for a depth"):
        client.new_game(later(), control=Control(depth=3))
    with pytest.raises(CannotSay, match="has no kata-set-param for a number of visits"):
        client.new_game(later(), control=Control(visits=3))


def test_options_are_commands_or_parameters(begin: Begin) -> None:
    dialogue = begin("", "", commands=["level", "kata-set-param"])
    dialogue.client.set_option("level", "3", later())
    dialogue.client.set_option("maxTime", "1", later())
    assert dialogue.sent == ["level 3", "kata-set-param maxTime 1"]
    with pytest.raises(EngineRefused, match="has no such command"):
        begin().client.set_option("level", "3", later())
    with pytest.raises(EngineRefused, match="gtp knows no dice"):
        dialogue.client.roll(4, later())


def test_a_client_says_quit(begin: Begin) -> None:
    dialogue = begin()
    dialogue.client.close(LONG)
    assert dialogue.sent == ["quit"]
    assert dialogue.client.process.ending() == "exited with code 0"


def test_gnu_go_plays_a_move() -> None:
    client = GtpClient(Process([peer("gnugo"), "--mode", "gtp", "--level", "1"]))
    try:
        client.greet(later())
        assert client.name == "GNU Go"
        assert client.known("time_left")
        client.new_game(
            later(), settings={"size": "5", "komi": "0.5"}, control=Control("byoyomi", 9.0, 5.0, 3)
        )
        client.play("b", "C3", later())
        move = client.genmove("w", later(), ClockTime(9.0), ClockTime(9.0)).move
        assert move in client.command("list_stones white", later()).split()
        with pytest.raises(EngineRefused, match="illegal move"):
            client.play("b", move, later())
        client.undo(later())
        assert client.command("list_stones white", later()) == ""
        client.set_option("level", "2", later())
    finally:
        client.close()
    assert client.process.ending() == "exited with code 0"


def test_an_engine_that_evaluates_is_asked_in_the_same_write(begin: Begin) -> None:
    info = "info nodes 12 score est 0.5100 lead +0.3 pv D4 Q16"
    dialogue = begin("D4", info, commands=["quintet-evaluation"])
    reply = dialogue.client.genmove("b", later())
    assert dialogue.sent == ["genmove b", "quintet-evaluation"]
    assert reply.move == "D4"
    assert reply.evaluation == Evaluation(Score(chance=0.51, lead=0.3), "D4 Q16", None, 12)


def test_pondering_uses_the_switch_that_an_engine_has(begin: Begin) -> None:
    dialogue = begin("?{id} no\n\n", "", commands=["kata-set-param"])
    dialogue.client.allow_pondering(later())
    assert dialogue.sent == ["kata-set-param ponderingEnabled true", "kata-set-param ponder true"]
    dialogue = begin("", commands=["lz-setoption", "kata-set-param"])
    dialogue.client.allow_pondering(later())
    assert dialogue.sent == ["lz-setoption name pondering value true"]
    dialogue = begin(commands=["kata-set"])
    dialogue.client.allow_pondering(later())
    assert dialogue.sent == []
    with pytest.raises(CannotSay, match="the protocol line has no pondering"):
        begin(kind=LineClient).client.allow_pondering(later())
