from collections.abc import Callable

import pytest

from engines.core.game import IllegalMove, InvalidText
from engines.core.player import Player
from protocols.serve.line import serve_line
from protocols.serve.session import Channel
from tests.engines.core.toy import dice_equipment, heap_equipment
from tests.protocols.conversation import Conversation, converse


def server(*, dice: bool = False) -> Callable[[Channel], None]:
    player = Player(dice_equipment() if dice else heap_equipment())
    return lambda channel: serve_line(player, channel, (InvalidText, IllegalMove))


def replies(*lines: str, dice: bool = False) -> list[str]:
    answered = converse(server(dice=dice), "".join(f"{line}\n" for line in lines))
    return answered.rstrip("\n").split("\n\n")


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        ("game", "= heap"),
        ("name", "= quintet-heap"),
        ("version", "= 1.0 (interpreted)"),
        ("variants", "= default\nshort"),
        ("newgame short", "= "),
        ("newgame level=1", "= "),
        ("newgame short level=1 words=many", "= "),
        ("newgame long", "? no such variant: 'long' (known: short)"),
        ("newgame short fast", "? expected key=value, not 'fast'"),
        ("newgame short level=9", "? level: expected 1 2, not '9'"),
        ("position", "= 7"),
        ("position 4", "= "),
        ("position four", "? expected a number, not 'four'"),
        ("turn", "= white"),
        ("legal", "= 0 1 2"),
        ("play 1", "= "),
        ("play w 1", "= "),
        ("play WHITE 1", "= "),
        ("play b 1", "? it is white's turn, not black's"),
        ("play", "? expected [SIDE] MOVE"),
        ("play w", "? expected [SIDE] MOVE"),
        ("play 1 2", "? expected [SIDE] MOVE"),
        ("play 9", "? expected 0, 1 or 2, not '9'"),
        ("undo", "? cannot undo: the history begins here"),
        ("undo 0", "? number of moves: expected a whole number of at least 1, not '0'"),
        ("undo x", "? number of moves: expected a whole number of at least 1, not 'x'"),
        ("roll", "? there are no dice in heap"),
        ("genmove", "= 1"),
        ("genmove w", "= 1"),
        ("genmove b", "? it is white's turn, not black's"),
        ("genmove now", "? expected [SIDE]"),
        ("reg_genmove", "= 1"),
        ("evaluation", "= "),
        ("analyze", "=\ninfo depth 1 nodes 3 time 1 score exact win 1 pv 1"),
        ("analyze w 10", "=\ninfo depth 1 nodes 3 time 1 score exact win 1 pv 1"),
        ("analyze w soon", "? centiseconds: expected a whole number of at least 1, not 'soon'"),
        ("limit depth 3", "= "),
        ("limit seconds 0.5", "= "),
        ("limit depth", "? expected depth, nodes or seconds, and a number (0: no limit)"),
        ("limit plies 3", "? expected depth, nodes or seconds, and a number (0: no limit)"),
        ("limit depth 1.5", "? depth: expected a whole number of at least 0, not '1.5'"),
        ("limit seconds nan", "? seconds: expected a number of at least 0, not 'nan'"),
        ("limit seconds 1e99", "? seconds: expected a number of at least 0, not '1e99'"),
        ("time_settings 600+5x30", "= "),
        ("time_settings none", "= "),
        ("time_settings", "? expected a time control, or none"),
        ("time_left b 12.5", "= "),
        ("time_left white 12 3", "= "),
        ("time_left", "? expected SIDE SECONDS [PERIODS]"),
        ("time_left b", "? seconds: expected a number of at least 0, not ''"),
        ("time_left b 1 x", "? periods: expected a whole number of at least 0, not 'x'"),
        ("result", "= none"),
        ("final_score", "= none"),
        ("showboard", "= \n*******\nwhite"),
        (
            "option",
            "= level 2 (1 2)\nseed random (a whole number, or random)\nwords few (few many)",
        ),
        ("option level", "= 2 (1 2)"),
        ("option level 1", "= "),
        ("option level 3", "? level: expected 1 2, not '3'"),
        ("option colour", "? no such option: 'colour' (known: level, seed, words)"),
        ("option colour red", "? no such option: 'colour' (known: level, seed, words)"),
        ("perft 3", "= 3"),
        ("perft 100", "? depth: expected at most 99, not 100"),
        ("perft 0", "? depth: expected a whole number of at least 1, not '0'"),
        ("perft 3 4", "? too many words: '4'"),
        ("roll 1 2", "? too many words: '2'"),
        ("undo 1 x", "? too many words: 'x'"),
        ("analyze 10 20", "? too many words: '20'"),
        ("time_left w 10 1 5", "? too many words: '5'"),
        ("perft", "? depth: expected a whole number of at least 1, not ''"),
    ],
)
def test_a_command_has_its_reply(line: str, reply: str) -> None:
    assert converse(server(), f"{line}\n") == f"{reply}\n\n"


@pytest.mark.parametrize("text", ["soon", "600 5", "600 30 5"])
def test_a_wrong_time_control_is_refused(text: str) -> None:
    assert replies(f"time_settings {text}")[0].startswith(f"? time control '{text}': expected")


def test_a_whole_game() -> None:
    answers = replies("play 2", "play b 2", "genmove", "turn", "play 2", "result", "turn", "play 1")
    assert answers == [
        "= ",
        "= ",
        "= 1",
        "= black",
        "= ",
        "= black heap empty",
        "= over",
        "? the game is over: heap empty",
    ]


def test_a_game_with_dice() -> None:
    answers = replies(
        "turn",
        "play 1",
        "roll 3",
        "roll 2",
        "turn",
        "legal",
        "play w 2",
        "turn",
        "undo",
        "turn",
        dice=True,
    )
    assert answers == [
        "= white roll",
        "? roll first",
        "? not 3",
        "= 2",
        "= white",
        "= 0 2",
        "= ",
        "= black roll",
        "= ",
        "= white roll",
    ]


def test_analysis_waits_for_input_once_it_knows_everything() -> None:
    conversation = Conversation(server())
    conversation.say("3 analyze 1\n")
    assert conversation.hear_line() == "=3"
    assert conversation.hear_line().startswith("info depth 1")
    conversation.say("4 turn\n")
    assert conversation.hear_line() == ""
    assert conversation.hear() == "=4 white"
    conversation.hang_up()
    assert conversation.finish() == ""
