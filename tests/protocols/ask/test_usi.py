import time
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest

from protocols.ask.detect import ClockTime, Option, Reply, UsiClient, close_clients
from protocols.ask.score import Evaluation, Score
from protocols.ask.usi import parse_info
from protocols.child.process import Process
from protocols.errors import CannotSay, EngineExited, EngineNonsense, EngineRefused, EngineTimeout
from tests.programs import peer
from tests.protocols import fakes
from tests.protocols.controls import Control

LONG = 20.0


def later() -> float:
    return time.monotonic() + LONG


class Dialogue:
    """A client with a scripted engine, and what was sent to it."""

    def __init__(self, replies: tuple[str, ...]) -> None:
        self.sent: list[str] = []
        self.client = UsiClient(Process(fakes.command("scripted", *replies), trace=self._note))

    def _note(self, way: str, text: str) -> None:
        if way == ">":
            self.sent.append(text)


Begin = Callable[..., Dialogue]

READY = ("readyok\n", "")  # isready, usinewgame
RANKS = [f"cp 1 m{rank}" for rank in range(2, 10)]
FIXED = Control("move", 1.0)


@pytest.fixture
def begin() -> Iterator[Begin]:
    dialogues: list[Dialogue] = []

    def start(*replies: str) -> Dialogue:
        dialogues.append(Dialogue(replies))
        return dialogues[-1]

    yield start
    close_clients([dialogue.client for dialogue in dialogues], 0.0)


def test_greeting_reads_name_author_and_options(begin: Begin) -> None:
    dialogue = begin(
        "hello\nid name Shogi X 1.2\nid author Somebody\n"
        "option name USI_Hash type spin default 16 min 1 max 1024\n"
        "option name USI_Ponder type check default true\n"
        "option name Style type combo default Normal var Solid var Normal var Very Risky\n"
        "option name Book File type filename default <empty>\n"
        "option name Clear type button\n"
        "option name Greeting type string default good day\n"
        "option nonsense\noption name Broken\noption name Bare type \nusiok\n"
    )
    dialogue.client.greet(later())
    assert (dialogue.client.name, dialogue.client.author) == ("Shogi X 1.2", "Somebody")
    assert list(dialogue.client.options.values()) == [
        Option("USI_Hash", "spin", "16", 1, 1024),
        Option("USI_Ponder", "check", "true"),
        Option("Style", "combo", "Normal", choices=("Solid", "Normal", "Very Risky")),
        Option("Book File", "filename"),
        Option("Clear", "button"),
        Option("Greeting", "string", "good day"),
    ]


def test_options_are_set_only_as_declared(begin: Begin) -> None:
    client = begin().client
    client.options = {
        option.name: option
        for option in (
            Option("Hash", "spin", "16", 1, 64),
            Option("Ponder", "check"),
            Option("Style", "combo", choices=("A", "B")),
            Option("Clear", "button"),
            Option("Book", "filename"),
        )
    }
    sent: list[str] = []
    client.process.trace = lambda way, text: sent.append(text)
    for name, value in [
        *(("Hash", "64"), ("Ponder", "false"), ("Style", "B")),
        *(("Clear", ""), ("Book", ""), ("Book", "a b.bin")),
    ]:
        client.set_option(name, value, later())
    assert sent == [
        "setoption name Hash value 64",
        "setoption name Ponder value false",
        "setoption name Style value B",
        "setoption name Clear",
        "setoption name Book value <empty>",
        "setoption name Book value a b.bin",
    ]
    for name, value, message in [
        ("Hash", "65", "'65' is not a whole number from 1 to 64"),
        ("Hash", "many", "not a whole number"),
        ("Ponder", "yes", "not true or false"),
        ("Style", "C", "not one of A, B"),
        ("MultiPV", "2", r"no such option \(known: Book, Clear, Hash, Ponder, Style\)"),
    ]:
        with pytest.raises(EngineRefused, match=message):
            client.set_option(name, value, later())


def test_a_game_goes_from_ready_to_bestmove(begin: Begin) -> None:
    dialogue = begin(
        *READY,
        *("", "info depth 3 nodes 77 score cp 35 pv 7g7f 3c3d\nbestmove 7g7f ponder 3c3d\n"),
        *("", "bestmove 2g2f\n"),
    )
    dialogue.client.new_game(later(), control=FIXED)
    reply = dialogue.client.genmove("b", later())
    evaluation = Evaluation(Score(centipawns=35), "7g7f 3c3d", 3, 77)
    assert reply == Reply("7g7f", reply.seconds, evaluation, "3c3d", reply.looked)
    dialogue.client.play("w", "8c8d", later())
    assert dialogue.client.genmove("b", later()).move == "2g2f"
    assert dialogue.sent == [
        *("isready", "usinewgame"),
        *("position startpos", "go btime 0 wtime 0 byoyomi 1000"),
        *("position startpos moves 7g7f 8c8d", "go btime 0 wtime 0 byoyomi 1000"),
    ]


@pytest.mark.parametrize(
    ("position", "sent"),
    [
        ("", "position startpos"),
        ("startpos", "position startpos"),
        ("8k/9/9/9/9/9/9/9/K8 b - 1", "position sfen 8k/9/9/9/9/9/9/9/K8 b - 1"),
        ("sfen 8k/9/9/9/9/9/9/9/K8 b - 1", "position sfen 8k/9/9/9/9/9/9/9/K8 b - 1"),
    ],
)
def test_a_game_may_start_anywhere(begin: Begin, position: str, sent: str) -> None:
    dialogue = begin(*READY, "", "bestmove resign\n", "", "bestmove win\n")
    dialogue.client.new_game(later(), position=position, control=FIXED)
    assert dialogue.client.genmove("b", later()).move == "resign"
    assert dialogue.client.genmove("b", later()).move == "win"
    assert dialogue.sent[2] == dialogue.sent[4] == sent


def test_a_command_of_the_users_own_is_sent_as_it_is(begin: Begin) -> None:
    dialogue = begin("")
    dialogue.client.tell("debug on", later())
    assert dialogue.sent == ["debug on"]


def test_moves_are_taken_back(begin: Begin) -> None:
    dialogue = begin(*READY, "", "bestmove 3c3d\n")
    dialogue.client.new_game(later(), control=FIXED)
    with pytest.raises(EngineRefused, match="no move to take back"):
        dialogue.client.undo(later())
    for move in ("7g7f", "8c8d"):
        dialogue.client.play("b", move, later())
    dialogue.client.undo(later())
    dialogue.client.genmove("w", later())
    assert dialogue.sent[2] == "position startpos moves 7g7f"


@pytest.mark.parametrize(
    ("control", "own", "other", "go"),
    [
        (
            Control("sudden", 60.0),
            ClockTime(59.5),
            ClockTime(58.0),
            "btime 58000 wtime 59500 byoyomi 0",
        ),
        (Control("sudden", 60.0), None, None, "btime 60000 wtime 60000 byoyomi 0"),
        (
            Control("hourglass", 9.0),
            ClockTime(9.3),
            ClockTime(8.7),
            "btime 8700 wtime 9300 byoyomi 0",
        ),
        (
            Control("increment", 60.0, 5.0),
            ClockTime(59.0),
            ClockTime(4.0),
            "btime 0 wtime 54000 binc 5000 winc 5000",
        ),
        (
            Control("byoyomi", 60.0, 0.3, 5),
            ClockTime(0.3, 4),
            ClockTime(1.0),
            "btime 1000 wtime 0 byoyomi 300",
        ),
        (Control("move", 0.5), ClockTime(0.5), None, "btime 0 wtime 0 byoyomi 500"),
        (Control(depth=8), None, None, "depth 8"),
        (Control(nodes=1000), ClockTime(5.0), None, "nodes 1000"),
        (Control("move", 1.0, visits=9), None, None, "btime 0 wtime 0 byoyomi 1000 nodes 9"),
    ],
    ids=str,
)
def test_go_carries_exactly_the_fields_in_use(
    begin: Begin, control: Control, own: ClockTime | None, other: ClockTime | None, go: str
) -> None:
    dialogue = begin(*READY, "", "bestmove 3c3d\n")
    dialogue.client.new_game(later(), control=control)
    dialogue.client.genmove("w", later(), own, other)
    assert dialogue.sent[-1] == f"go {go}"


def test_what_usi_cannot_say_is_an_error_of_the_caller(begin: Begin) -> None:
    dialogue = begin(*READY)
    with pytest.raises(CannotSay, match="no words for a Canadian clock"):
        dialogue.client.new_game(later(), control=Control("canadian", 9.0, 9.0, 5))
    with pytest.raises(CannotSay, match="no setting 'komi'"):
        dialogue.client.new_game(later(), settings={"komi": "5"})
    dialogue.client.new_game(later(), control=Control())
    with pytest.raises(CannotSay, match="would think for ever"):
        dialogue.client.genmove("b", later())


def test_what_a_game_left_behind_is_drained_before_the_next(begin: Begin) -> None:
    dialogue = begin("info string saving\nbestmove 1g1f\nreadyok\n", "", "", "bestmove 7g7f\n")
    dialogue.client.new_game(later(), control=FIXED)
    assert dialogue.client.genmove("b", later()).move == "7g7f"


def test_a_second_bestmove_is_not_taken_for_the_next_answer(begin: Begin) -> None:
    dialogue = begin(*READY, "", "bestmove 7g7f\nbestmove 2g2f\n")
    dialogue.client.new_game(later(), control=FIXED)
    assert dialogue.client.genmove("b", later()).move == "7g7f"
    with pytest.raises(EngineNonsense, match="'bestmove 2g2f' before it was asked"):
        dialogue.client.genmove("b", later())


def test_an_expected_move_is_a_ponderhit(begin: Begin) -> None:
    dialogue = begin(
        *READY,
        *("", "bestmove 7g7f ponder 3c3d\n"),
        *("", "info depth 9 score cp 50 pv 2g2f\n", "bestmove 2g2f\n"),
    )
    client = dialogue.client
    client.new_game(later(), control=FIXED)
    assert client.genmove("b", later()).expected == "3c3d"
    client.ponder("b", "3c3d", later(), None, None)
    client.note("w", "3c3d")
    reply = client.genmove("b", later())
    assert (reply.move, str(reply.evaluation.score)) == ("2g2f", "cp 50")
    assert dialogue.sent[4:] == [
        *("position startpos moves 7g7f 3c3d", "go ponder btime 0 wtime 0 byoyomi 1000"),
        "ponderhit",
    ]


def test_another_move_stops_the_pondering_and_its_answer_is_dropped(begin: Begin) -> None:
    dialogue = begin(
        *READY,
        *("", "bestmove 7g7f ponder 3c3d\n"),
        *("", "info score cp 900\n", "info score cp 800\nbestmove 9i9h\n"),
        *("", "info score cp 7 pv 2g2f\nbestmove 2g2f\n"),
    )
    client = dialogue.client
    client.new_game(later(), control=Control("increment", 60.0, 2.0))
    client.genmove("b", later(), ClockTime(60.0), ClockTime(60.0))
    client.ponder("b", "3c3d", later(), ClockTime(55.0), ClockTime(60.0))
    client.note("w", "8c8d")
    reply = client.genmove("b", later(), ClockTime(55.0), ClockTime(50.0))
    assert (reply.move, str(reply.evaluation.score)) == ("2g2f", "cp 7")
    assert dialogue.sent[4:] == [
        "position startpos moves 7g7f 3c3d",
        "go ponder btime 53000 wtime 58000 binc 2000 winc 2000",
        "stop",
        "position startpos moves 7g7f 8c8d",
        "go btime 53000 wtime 48000 binc 2000 winc 2000",
    ]


def test_an_answer_before_the_ponderhit_is_nonsense(begin: Begin) -> None:
    dialogue = begin(*READY, "", "bestmove 7g7f ponder 3c3d\n", "", "bestmove 2g2f\n", "readyok\n")
    client = dialogue.client
    client.new_game(later(), control=FIXED)
    client.genmove("b", later())
    client.ponder("b", "3c3d", later(), None, None)
    client.note("w", "3c3d")
    client.process.send(later(), "isready")
    assert client.process.read_line(later()) == "bestmove 2g2f"
    client.process._lines.appendleft(b"bestmove 2g2f")
    with pytest.raises(EngineNonsense, match="before it was asked"):
        client.genmove("b", later())


@pytest.mark.parametrize(
    ("won", "word"), [(True, "gameover win"), (False, "gameover lose"), (None, "gameover draw")]
)
def test_the_end_of_a_game_stops_the_pondering(begin: Begin, won: bool | None, word: str) -> None:
    dialogue = begin(*READY, "", "bestmove 7g7f ponder 3c3d\n", "", "", "bestmove 9i9h\n", "")
    client = dialogue.client
    client.new_game(later(), control=FIXED)
    client.genmove("b", later())
    client.end_game(won, later())
    client.ponder("b", "3c3d", later(), None, None)
    client.end_game(won, later())
    assert dialogue.sent[4:5] + dialogue.sent[-2:] == [word, "stop", word]


def test_pondering_is_switched_on_where_there_is_a_switch(begin: Begin) -> None:
    dialogue = begin("option name USI_Ponder type check default false\nusiok\n", "")
    dialogue.client.greet(later())
    dialogue.client.allow_pondering(later())
    assert dialogue.sent == ["usi", "setoption name USI_Ponder value true"]
    plain = begin("usiok\n")
    plain.client.greet(later())
    plain.client.allow_pondering(later())
    assert plain.sent == ["usi"]


@pytest.mark.parametrize("line", ["bestmove", "bestmove ", "bestmoves 7g7f"])
def test_a_bestmove_without_a_move_is_nonsense(begin: Begin, line: str) -> None:
    dialogue = begin(*READY, "", f"{line}\n")
    dialogue.client.new_game(later(), control=FIXED)
    with pytest.raises(EngineNonsense, match="where `bestmove MOVE` was expected"):
        dialogue.client.genmove("b", later())


def test_info_for_ever_and_no_move_times_out() -> None:
    client = UsiClient(Process(fakes.command("chatty")))
    with pytest.raises(EngineTimeout):
        client.greet(time.monotonic() + 0.3)
    client.close(0.0)


def test_an_exit_during_the_search_is_seen(begin: Begin) -> None:
    dialogue = begin(*READY, "", "exit")
    dialogue.client.new_game(later(), control=FIXED)
    with pytest.raises(EngineExited, match="exited with code 9"):
        dialogue.client.genmove("b", later())


@pytest.mark.parametrize(
    ("lines", "score", "pv"),
    [
        (("depth 1 score cp 5 pv a", "depth 2 score cp 6 pv a b"), "cp 6", "a b"),
        (("score cp 5 multipv 1 pv a", "score cp 9 multipv 2 pv b"), "cp 5", "a"),
        (("score mate -4 pv a", "string score cp 7 pv a", "currmove a"), "mate -4", "a"),
        (("score mate + pv a b",), "mate +", "a b"),
        (("score cp 5 pv a", "score cp 60 lowerbound pv a"), "cp 5", "a"),
        (("score cp 5 pv c", "score cp 60 lowerbound pv a"), "cp 60 lowerbound", "a"),
        (("score cp 60 upperbound pv c",), "cp 60 upperbound", "c"),
        (("depth 5", "score cp 12 time 5"), "cp 12", ""),
        (("score what pv a",), "", "a"),
        ((), "", ""),
    ],
)
def test_the_evaluation_is_that_of_the_move_played(
    begin: Begin, lines: tuple[str, ...], score: str, pv: str
) -> None:
    dialogue = begin(*READY, "", "".join(f"info {line}\n" for line in lines) + "bestmove a\n")
    dialogue.client.new_game(later(), control=FIXED)
    evaluation = dialogue.client.genmove("b", later()).evaluation
    assert (str(evaluation.score or ""), evaluation.line) == (score, pv)


@pytest.mark.parametrize(
    ("lines", "others"),
    [
        (("multipv 1 score cp 5 pv a x", "multipv 2 score cp 3 pv b y"), ["cp 3 b y"]),
        (("score cp 9 multipv 3 pv c", "score cp 9 multipv 2 pv b"), ["cp 9 b", "cp 9 c"]),
        (("multipv 2 score cp 3 pv b", "multipv 2 score cp 4 pv c"), ["cp 4 c"]),
        (("multipv 2 score cp 3 pv a x", "multipv 3 score mate -2 pv d"), ["mate -2 d"]),
        (("multipv 2 score cp 3 pv b", "multipv 3 score cp 2 pv b z"), ["cp 3 b"]),
        (("multipv 2 score cp 3", "multipv 10 score cp 2 pv b", "multipv x pv c"), []),
        (("string multipv 2 pv b", "pv a multipv 2 b"), []),
        (tuple(f"multipv {rank} score cp 1 pv m{rank}" for rank in range(99, 1, -1)), RANKS),
    ],
)
def test_the_other_lines_are_those_of_other_moves(
    begin: Begin, lines: tuple[str, ...], others: list[str]
) -> None:
    dialogue = begin(*READY, "", "".join(f"info {line}\n" for line in lines) + "bestmove a\n")
    dialogue.client.new_game(later(), control=FIXED)
    reply = dialogue.client.genmove("b", later())
    assert [f"{each.score} {each.line}" for each in reply.others] == others


def test_many_lines_of_play_do_not_push_out_the_first(begin: Begin) -> None:
    first = "info multipv 1 score cp 5 pv a\n"
    rest = "".join(f"info multipv {rank} score cp 1 pv m{rank}\n" for rank in range(2, 400))
    dialogue = begin(*READY, "", f"{first}{rest}bestmove a\n")
    dialogue.client.new_game(later(), control=FIXED)
    reply = dialogue.client.genmove("b", later())
    assert (str(reply.evaluation.score), len(reply.others)) == ("cp 5", 8)


def test_numbers_that_are_none_are_left_out() -> None:
    expected = Evaluation(Score(centipawns=5))
    assert parse_info("info depth x nodes score cp 5") == expected
    assert parse_info(f"info depth {'9' * 5000} nodes ² score cp 5") == expected


@pytest.mark.slow
def test_gpsshogi_plays_on_and_resigns_nothing() -> None:
    client = UsiClient(Process([peer("gpsusi"), "-N", "1"]))
    try:
        client.greet(later())
        assert client.name.startswith("gpsshogi")
        assert client.options["LimitDepth"].kind == "spin"
        client.set_option("LimitDepth", "4", later())
        for control in (Control("move", 0.5), Control("byoyomi", 0.0, 0.5, 1)):
            client.new_game(later(), control=control)
            moves = [client.genmove(side, later(), ClockTime(0.5, 1)).move for side in "bwb"]
            assert all(first != second for first, second in pairwise(moves))
            assert all(len(move) in (4, 5) for move in moves)
    finally:
        client.close()
    assert client.process.ending() == "exited with code 0"


def test_a_fixed_time_is_told_as_movetime_only_if_asked_for(begin: Begin) -> None:
    dialogue = begin(*READY, "", "bestmove 7g7f\n", "", "bestmove 2g2f\n")
    dialogue.client.new_game(later(), control=FIXED)
    for movetime in (True, False):
        dialogue.client.movetime = movetime
        dialogue.client.genmove("b", later())
    assert dialogue.sent[3::2] == ["go movetime 1000", "go btime 0 wtime 0 byoyomi 1000"]


@pytest.mark.parametrize("number", ["9" * 5000, "1_000", "٣٥", "²", "inf", "0x10", ""])
def test_a_limit_of_an_option_that_is_no_number_limits_nothing(number: str) -> None:
    option = Option.parse(f"option name Hash type spin default 16 min {number} max 64")
    assert option == Option("Hash", "spin", "16", None, 64)


def test_an_engine_cannot_declare_options_for_ever(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocols.ask.usi._MOST_OPTIONS", 9)
    options = [f"option name O{number} type button\n" for number in range(10)]
    begin(f"{''.join(options[:9])}usiok\n").client.greet(later())
    with pytest.raises(EngineNonsense, match="more than 9 options"):
        begin(f"{''.join(options)}usiok\n").client.greet(later())
