from collections.abc import Callable

import pytest

from engines.core.game import IllegalMove, InvalidText
from engines.core.player import Equipment, Player
from engines.morris import __main__ as morris
from engines.neutron import __main__ as neutron
from engines.senet import __main__ as senet
from protocols.serve.gogui import GoGuiGame, serve_both, serve_unshown
from protocols.serve.session import Channel
from tests.protocols.conversation import converse


def asked(lines: str, program: Callable[[], Equipment], ruler: GoGuiGame) -> list[str]:
    player = Player(program())
    player.set_option("seed", "1")

    def serve(channel: Channel) -> None:
        serve_both(player, channel, (InvalidText, IllegalMove), ruler)

    output = converse(serve, "".join(f"{line.strip()}\n" for line in lines.split(";")))
    return output.removesuffix("\n\n").split("\n\n")


def ask_morris(lines: str) -> list[str]:
    return asked(lines, morris.equipment, morris.RULER)


def ask_neutron(lines: str) -> list[str]:
    return asked(lines, neutron.equipment, neutron.RULER)


def test_gogui_attaches_and_sees_an_empty_board() -> None:
    replies = ask_morris(
        "list_commands; gogui-rules_game_id; gogui-rules_board_size; boardsize 7; clear_board;"
        "komi 6.5; time_settings 600 60 5; gogui-rules_board; gogui-rules_side_to_move;"
        "gogui-rules_legal_moves; gogui-rules_final_result"
    )
    assert {"gogui-rules_legal_moves", "play", "genmove", "legal"} <= set(replies[0].split())
    assert replies[1:7] == ["= Ninemensmorris", "= 7", "= ", "= ", "= ", "= "]
    board = [".??.??.", "?.?.?.?", "??...??", "...?...", "??...??", "?.?.?.?", ".??.??."]
    assert replies[7].splitlines() == ["= ", *board]
    assert replies[8] == "= white"
    assert len(replies[9].removeprefix("= ").split()) == 24
    assert replies[10] == "= none"


def test_a_mill_is_two_plays_and_rows_count_from_below() -> None:
    replies = ask_morris(
        "gogui-rules_game_id; play w A7; play b A1; play w D7; play b D1; play w G7;"
        "gogui-rules_side_to_move; gogui-rules_legal_moves; gogui-rules_board_gfx; play b A4;"
        "play w D1; gogui-rules_side_to_move; gogui-rules_board; position"
    )
    assert replies[6:8] == ["= white", "= A1 D1"]
    assert replies[8].splitlines()[1] == "CIRCLE G7"
    assert replies[9] == "? it is white's turn, not black's"
    assert replies[10:12] == ["= ", "= black"]
    assert replies[12].splitlines()[1] == "O??O??O"
    assert replies[12].splitlines()[-1] == "X??.??."
    assert replies[13] == "= WWW/.../.../....../.../.../B.. b 6 7 0"


def test_a_move_that_was_begun_is_taken_back_point_by_point() -> None:
    replies = ask_morris(
        "gogui-rules_game_id; position W../W../.../.W..../.B./.../B.B w 0 0 3;"
        "play w A7; gogui-rules_legal_moves; undo; gogui-rules_legal_moves; play w A7; play w D7;"
        "undo; gogui-rules_legal_moves; play w D7; undo; undo; undo; gogui-rules_legal_moves"
    )
    assert replies[3] == replies[9]
    assert "D7" in replies[3]
    assert "A7" not in replies[3].split()
    assert replies[5] == "= A7 B4 B6"
    assert replies[13] == "? cannot undo: the history begins here"
    assert replies[14] == replies[5]


def test_the_engine_names_its_move_point_by_point() -> None:
    replies = ask_neutron(
        "limit depth 1; gogui-rules_game_id; play w B1; play w B4; gogui-rules_side_to_move;"
        "genmove b; genmove b; genmove b; genmove b; gogui-rules_side_to_move; position"
    )
    points = [reply.removeprefix("= ") for reply in replies[5:9]]
    assert replies[4] == "= black"
    assert replies[9] == "= white"
    assert points[0] == "C3"
    assert replies[10] != "= BBBBB/.W.../..N../...../W.WWW b"
    replay = "".join(f"; play b {point}" for point in points)
    again = ask_neutron(f"gogui-rules_game_id; play w B1; play w B4{replay}; position")
    assert again[-1] == replies[10]


def test_the_neutron_is_a_mark() -> None:
    replies = ask_neutron("gogui-rules_game_id; gogui-rules_board; gogui-rules_board_gfx")
    assert replies[1].splitlines()[1:] == ["XXXXX", ".....", ".....", ".....", "OOOOO"]
    assert replies[2].splitlines() == ["= COLOR #c04040 C3", "LABEL C3 N"]


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        ("play w B7", "? no such point: b7"),
        ("play w 17", "? no such point: '17' (expected one as D7)"),
        ("play w", "? expected COLOUR POINT"),
        ("gg-undo 1", "? cannot undo: the history begins here"),
        ("gg-undo none", "? expected a number of points to take back"),
        ("gogui-play_sequence w A7 b", "? expected COLOUR POINT COLOUR POINT ..."),
        ("play b A7", "? it is white's turn, not black's"),
        ("boardsize 19", "? unacceptable size: the board has 7 rows"),
        ("time_settings 5", "? expected MAIN BYOYOMI STONES"),
        ("time_settings 0 1 0", "= "),
        ("undo", "? cannot undo: the history begins here"),
        (
            "newgame flat",
            "? no such variant: 'flat' (known: no-draws, no-flying, double-removal; leave it out "
            "for the usual rules)",
        ),
    ],
)
def test_what_gogui_may_ask_is_answered(line: str, reply: str) -> None:
    assert ask_morris(f"gogui-rules_game_id; {line}")[1] == reply


@pytest.mark.parametrize(
    ("points", "reason"),
    [
        ("play w G7", "g7-g7: g7: no man there"),
        ("play w D1", "d1-d1: d1: the man there is the opponent's"),
        ("play w F6", "f6-f6: f6: the man there has no free point beside it"),
        ("play w D7; play w A7", "d7-a7: a7 is occupied"),
        ("play w D7; play w A4", "d7-a4: d7 and a4 are not joined by a line"),
        ("play w A7; play w A4; play w A4", "a7-a4xa4: no enemy man on a4"),
        ("play w A7; play w A4; play w E4", "a7-a4xe4: e4 is in a mill while others are not"),
    ],
)
def test_a_wrong_point_is_refused_with_the_reason(points: str, reason: str) -> None:
    setup = "WW./.BW/.../.WWBBB/W../.B./WB. w 0 0 0"
    assert ask_morris(f"gogui-rules_game_id; position {setup}; {points}")[-1] == (
        f"? illegal move {reason}"
    )


@pytest.mark.parametrize(
    ("points", "reason"),
    [
        ("play w C3", "the neutron is on c3, a man must move"),
        ("play w A2", "illegal move a2-a2"),
    ],
)
def test_neutron_tells_why_too(points: str, reason: str) -> None:
    assert reason in ask_neutron(f"gogui-rules_game_id; {points}")[-1]


def test_a_sequence_is_played_as_a_whole_or_not_at_all() -> None:
    replies = ask_morris(
        "gogui-rules_game_id; gogui-play_sequence w A7 b A1 w D7 b D1 w G7 w A1; position;"
        "gogui-play_sequence b A1 w A1; position; gg-undo 2; position; gg-undo 5; gg-undo 4;"
        "position"
    )
    assert replies[2] == "= WWW/.../.../....../.../.../.B. b 6 7 0"
    assert replies[3].startswith("? illegal move a1: a1 is occupied")
    assert replies[4] == replies[2]
    assert replies[6] == "= WW./.../.../....../.../.../BB. w 7 7 0"
    assert replies[7:] == [
        "? cannot undo: the history begins here",
        "= ",
        "= .../.../.../....../.../.../... w 9 9 0",
    ]


def test_sequences_wait_for_gogui() -> None:
    assert (
        ask_morris("gg-undo 1; gogui-play_sequence w A7")
        == ["? expected gogui-rules_game_id first, as GoGui sends it"] * 2
    )


def test_a_move_that_was_begun_must_be_ended_by_who_began_it() -> None:
    replies = ask_morris(
        "gogui-rules_game_id; position WW./.../.../....../.../.../BB. w 7 7 0;"
        "play w G7; genmove w; newgame; gogui-rules_side_to_move; play w G7; play b G1"
    )
    assert replies[3] == "? the last move is not complete"
    assert replies[4:] == ["= ", "= white", "= ", "= "]


def test_without_gogui_commands_mean_what_the_line_protocol_says() -> None:
    replies = ask_morris("play d6; time_settings 600+5; play b d5; undo 2; position")
    assert replies == ["= "] * 4 + ["= .../.../.../....../.../.../... w 9 9 0"]


def test_gogui_is_told_that_it_cannot_show_a_game_without_a_board() -> None:
    player = Player(senet.equipment())

    def serve(channel: Channel) -> None:
        serve_unshown(player, channel, (InvalidText, IllegalMove))

    lines = "known_command gogui-rules_game_id\nroll 5\nboardsize 9\nclear_board\nlegal\n"
    replies = converse(serve, lines).removesuffix("\n\n").split("\n\n")
    refusal = "? senet has no board that a Go program can show; play it with: quintet play senet"
    assert replies == ["= false", "= 5", refusal, refusal, "= 10-16"]
