from dataclasses import replace

import pytest

from engines.core.game import Outcome
from engines.core.timing import TimeControl
from engines.shogi.kif import read_kif
from engines.shogi.record import Ending
from tools.filing import record_name, write_record
from tools.record import GameRecord, PlayedMove, Player, Verdict

CLOCK = TimeControl.parse("600+10")
MOVES = (
    PlayedMove(0, "7g7f", 0.0, None, ""),
    PlayedMove(1, "3c3d", 12.4, 590.0, "score cp 35 depth 7 nodes 900 pv 3c3d"),
    PlayedMove(0, "8h2b+", 1.0, 590.0, "score mate 5 depth 3"),
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
    found = read_kif(data)
    assert found.moves() == ["7g7f", "3c3d", "8h2b+"]
    assert (found.black, found.white) == ("gps [gpsshogi 0.8]", "quintet-shogi")
    first, second, third, end = found.main_line()
    assert (first.comments, second.seconds) == ([], 12)
    assert second.comments[0] == "*評価値=-35"
    assert third.comments[0] == "*詰み=先手勝ち:5手"
    assert end.comments == ["resign: resignation"]
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
    found = read_kif(write_record(record(outcome, verdict), ("black", "white")))
    assert found.ending() == ending
    told = outcome.reason
    kept = told.startswith(f"{verdict}: ")
    assert found.main_line()[-1].comments == [told if kept else f"{verdict}: {told}"]


@pytest.mark.parametrize(
    ("control", "told"),
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
def test_the_time_is_told_as_japanese_records_do_where_they_can(control: str, told: str) -> None:
    clock = TimeControl.parse(control)
    made = replace(record(Outcome(0, "resignation"), Verdict.RESIGN), controls=(clock, clock))
    found = read_kif(write_record(made, ("black", "white")))
    assert found.headers["持ち時間"] == told


def test_a_draw_by_length_is_no_impasse_in_either_form() -> None:
    made = record(Outcome(None, "adjudication: 3 plies"), Verdict.ADJUDICATION)
    kif, csa = (write_record(made, ("black", "white"), form) for form in ("kif", "csa"))
    assert read_kif(kif).ending() == Ending.INTERRUPT
    assert "adjudication: 3 plies" in kif.decode("cp932")
    assert b"\n%MAX_MOVES\n" in csa.replace(b"\r", b"")


def test_a_declaration_is_no_move() -> None:
    declared = (*MOVES, PlayedMove(1, "win", 1.0, 580.0, ""))
    made = record(Outcome(1, "declaration"), Verdict.NATURAL, declared)
    found = read_kif(write_record(made, ("black", "white")))
    assert found.moves() == ["7g7f", "3c3d", "8h2b+"]
    assert found.ending() == Ending.DECLARATION


def test_a_game_without_moves_is_a_record() -> None:
    made = record(Outcome(1, "crash: exited with code 3"), Verdict.CRASH, ())
    found = read_kif(write_record(made, ("black", "white")))
    assert found.ending() == Ending.FOUL_LOSS
