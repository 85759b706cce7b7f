from dataclasses import replace

import pytest

from engines.core.game import Outcome
from engines.core.timing import TimeControl
from engines.shogi.rules.records.csa import read_csa
from engines.shogi.rules.records.kif import read_kif
from engines.shogi.rules.records.record import Ending
from protocols.ask.score import Evaluation
from tools.records.filing import record_name, write_record
from tools.records.game import GameRecord, PlayedMove, Player, Verdict

CLOCK = TimeControl.parse("600+10")
MOVES = (
    PlayedMove(0, "7g7f", 0.0, None, Evaluation.parse("")),
    PlayedMove(1, "3c3d", 12.4, 590.0, Evaluation.parse("score cp 35 depth 7 nodes 900 pv 3c3d")),
    PlayedMove(0, "8h2b+", 1.0, 590.0, Evaluation.parse("score mate 5 depth 3")),
)


def record(outcome: Outcome, verdict: Verdict, moves: tuple[PlayedMove, ...] = MOVES) -> GameRecord:
    return GameRecord(
        game="shogi",
        variant="",
        number=3,
        players=(Player("gps", "gpsshogi", "0.8"), Player("quintet-shogi", "", "")),
        controls=(CLOCK, CLOCK),
        started="2026-11-18T10:00:00+00:00",
        moves=moves,
        outcome=outcome,
        verdict=verdict,
        opening=1,
        opening_name="book.txt:1",
        seed=5,
    )


def test_a_game_is_a_kif_record_with_times_and_scores_from_blacks_side() -> None:
    made = record(Outcome(0, "resignation"), Verdict.RESIGN)
    assert record_name(made) == "shogi-0003.kif"
    data = write_record(made, ("black", "white"))
    parsed = read_kif(data)
    assert parsed.moves() == ["7g7f", "3c3d", "8h2b+"]
    assert (parsed.black, parsed.white) == ("gps [gpsshogi 0.8]", "quintet-shogi")
    first, second, third, end = parsed.main_line()
    assert (first.comments, second.seconds) == ([], 12)
    assert second.comments[0] == "*評価値=-35"
    assert third.comments[0] == "*詰み=先手勝ち:5手"
    assert end.comments == ["resignation"]
    assert data.decode("cp932").splitlines()[1] == "開始日時：2026/11/18 10:00:00"


@pytest.mark.parametrize(
    ("outcome", "verdict", "ending"),
    [
        (Outcome(0, "resignation"), Verdict.RESIGN, Ending.RESIGN),
        (Outcome(0, "time: late"), Verdict.TIME, Ending.TIMEOUT),
        (Outcome(0, "stall: silent"), Verdict.STALL, Ending.TIMEOUT),
        (Outcome(0, "illegal move 5e5d"), Verdict.ILLEGAL, Ending.FOUL_LOSS),
        (Outcome(0, "crash: exited"), Verdict.CRASH, Ending.FOUL_LOSS),
        (Outcome(1, "crash: exited"), Verdict.CRASH, Ending.FOUL_WIN),
        (Outcome(0, "checkmate"), Verdict.NATURAL, Ending.MATE),
        (Outcome(0, "declaration"), Verdict.NATURAL, Ending.DECLARATION),
        (Outcome(None, "repetition"), Verdict.NATURAL, Ending.REPETITION),
        (Outcome(0, "perpetual check"), Verdict.NATURAL, Ending.FOUL_LOSS),
        (Outcome(1, "perpetual check"), Verdict.NATURAL, Ending.FOUL_WIN),
        (Outcome(None, "void: steal"), Verdict.VOID, Ending.INTERRUPT),
        (Outcome(0, "adjudication: lost"), Verdict.ADJUDICATION, Ending.INTERRUPT),
    ],
)
def test_each_verdict_has_its_word_and_stands_in_a_comment(
    outcome: Outcome, verdict: Verdict, ending: Ending
) -> None:
    parsed = read_kif(write_record(record(outcome, verdict), ("black", "white")))
    assert parsed.ending() == ending
    reason = outcome.reason
    kept = reason.startswith(f"{verdict}: ") or verdict == Verdict.RESIGN
    assert parsed.main_line()[-1].comments == [reason if kept else f"{verdict}: {reason}"]


@pytest.mark.parametrize(
    ("control", "text"),
    [
        ("600", "10分"),
        ("600+1x30", "10分+30秒"),
        ("90", "1分30秒"),
        ("30", "30秒"),
        ("10/move", "0分+10秒"),
        ("0.3/move", "0.3/move"),
        ("600+5", "600+5"),
        ("600+3x30", "600+3x30"),
        ("600,nodes=5", "600,nodes=5"),
    ],
)
def test_the_time_is_told_as_japanese_records_do_where_they_can(control: str, text: str) -> None:
    clock = TimeControl.parse(control)
    made = replace(record(Outcome(0, "resignation"), Verdict.RESIGN), controls=(clock, clock))
    parsed = read_kif(write_record(made, ("black", "white")))
    assert parsed.headers["持ち時間"] == text


@pytest.mark.parametrize("reason", ["160 plies", "even for 8 moves"])
def test_an_adjudicated_draw_is_a_draw_in_either_form(reason: str) -> None:
    made = record(Outcome(None, f"adjudication: {reason}"), Verdict.ADJUDICATION)
    kif, csa = (write_record(made, ("black", "white"), form) for form in ("kif", "csa"))
    assert read_kif(kif).ending() == Ending.IMPASSE
    assert read_kif(kif).main_line()[-1].comments == [f"adjudication: {reason}"]
    assert "\nまで3手で持将棋" in kif.decode("cp932").replace("\r", "")
    assert read_csa(csa).ending() == Ending.DRAW
    assert b"\n%HIKIWAKE\n" in csa.replace(b"\r", b"")


def test_a_declaration_is_no_move() -> None:
    declared = (*MOVES, PlayedMove(1, "win", 1.0, 580.0, Evaluation.parse("")))
    made = record(Outcome(1, "declaration"), Verdict.NATURAL, declared)
    parsed = read_kif(write_record(made, ("black", "white")))
    assert parsed.moves() == ["7g7f", "3c3d", "8h2b+"]
    assert parsed.ending() == Ending.DECLARATION


def test_a_game_without_moves_is_a_record() -> None:
    made = record(Outcome(1, "crash: exited with code 3"), Verdict.CRASH, ())
    parsed = read_kif(write_record(made, ("black", "white")))
    assert parsed.ending() == Ending.FOUL_LOSS
