from dataclasses import replace

from engines.core.game import Outcome
from engines.core.sgf import read_sgf
from engines.core.timing import TimeControl
from protocols.ask.score import Evaluation
from tools.records.game import GameRecord, PlayedMove, Player, Verdict
from tools.records.sgf import to_sgf

MOVES = (
    PlayedMove(0, "b1-b4", 0.25, 59.75, Evaluation.parse("score est 0.600 depth 4")),
    PlayedMove(1, "c3-c1/b5-b2", 1.5, 58.5, Evaluation.parse("")),
)


def record(
    outcome: Outcome, verdict: Verdict = Verdict.NATURAL, control: str = "60", setup: str = ""
) -> GameRecord:
    return GameRecord(
        game="neutron",
        variant="kraus",
        number=7,
        players=(Player("first", "quintet-neutron", "0.1"), Player("second", "second", "")),
        controls=(TimeControl.parse(control), TimeControl.parse(control)),
        started="2026-11-18T10:00:00+01:00",
        moves=MOVES,
        outcome=outcome,
        verdict=verdict,
        setup=setup,
    )


def nodes(made: GameRecord) -> list[dict[str, list[str]]]:
    return read_sgf(to_sgf(made, ("white", "black")))


def test_the_root_says_who_played_what_and_how_it_ended() -> None:
    root = nodes(record(Outcome(0, "neutron home")))[0]
    assert root["FF"] == ["4"]
    assert root["GM"] == ["13"]
    assert root["PW"] == ["first [quintet-neutron 0.1]"]
    assert root["PB"] == ["second"]
    assert root["RU"] == ["kraus"]
    assert root["RE"] == ["W+"]
    assert root["DT"] == ["2026-11-18"]
    assert root["TM"] == ["60"]
    assert root["QE"] == ["natural: neutron home"]


def test_each_move_has_its_time_and_its_evaluation() -> None:
    _, first, second = nodes(record(Outcome(0, "neutron home")))
    assert first == {
        "W": ["b1-b4"],
        "WL": ["59.750"],
        "C": ["0.250 s\nscore est 0.600 depth 4"],
    }
    assert second["B"] == ["c3-c1/b5-b2"]
    assert second["C"] == ["1.500 s\nWhite wins: neutron home"]


def test_the_result_names_the_way_of_losing() -> None:
    forms = {
        Verdict.NATURAL: "B+",
        Verdict.RESIGN: "B+R",
        Verdict.TIME: "B+T",
        Verdict.STALL: "B+T",
        Verdict.ADJUDICATION: "B+",
        Verdict.CRASH: "B+F",
        Verdict.ILLEGAL: "B+F",
        Verdict.PROTOCOL: "B+F",
    }
    for verdict, form in forms.items():
        root = nodes(record(Outcome(1, "reason"), verdict))[0]
        assert root["RE"] == [form]
        assert root["QE"] == [f"{verdict}: reason"]


def test_a_void_game_has_no_result() -> None:
    void = nodes(record(Outcome(None, "void: steal time"), Verdict.VOID))
    assert void[0]["RE"] == ["Void"]
    assert void[-1]["C"][0].endswith("No result: void: steal time")


def test_an_opening_and_the_seed_stand_in_the_root() -> None:
    made = replace(
        record(Outcome(0, "x")), opening=1, opening_name="book.txt:3", seed=77, attempt=1
    )
    root, first, _ = nodes(made)
    assert (root["ON"], root["QO"], root["QS"]) == (["book.txt:3"], ["1"], ["77"])
    assert "C" not in first


def test_throws_stand_before_the_moves_they_allow() -> None:
    throws = (PlayedMove(2, "4", 0.0, None, Evaluation.parse("")), MOVES[0])
    _, first = nodes(replace(record(Outcome(0, "x")), moves=throws))
    assert first["W"] == ["4:b1-b4"]


def test_each_side_may_have_a_clock_of_its_own() -> None:
    controls = (TimeControl.parse("60"), TimeControl.parse("10+1"))
    root = nodes(replace(record(Outcome(0, "x")), controls=controls))[0]
    assert root["OT"] == ["W 60 B 10+1"]


def test_draws_and_shared_wins_are_draws_in_sgf() -> None:
    assert nodes(record(Outcome(None, "repetition")))[0]["RE"] == ["Draw"]
    shared = nodes(record(Outcome(None, "neutron blocked", both=True)))
    assert shared[0]["RE"] == ["Draw"]
    assert shared[-1]["C"][0].endswith("Both win: neutron blocked")


def test_a_set_up_stands_in_the_root() -> None:
    assert nodes(record(Outcome(0, "x"), setup="BBBBB/...../..N../...../WWWWW w"))[0]["QP"]


def test_time_controls_in_the_words_of_sgf() -> None:
    properties = {}
    for control in ("60", "60+1", "60+5x30", "60+25/300", "1/move", "60h", "depth=3"):
        root = nodes(record(Outcome(0, "x"), control=control))[0]
        properties[control] = (root.get("TM"), root.get("OT"))
    assert properties == {
        "60": (["60"], None),
        "60+1": (["60"], ["60+1"]),
        "60+5x30": (["60"], ["5x30 byo-yomi"]),
        "60+25/300": (["60"], ["25 moves / 300 sec"]),
        "1/move": (["0"], ["1/move"]),
        "60h": (["60"], ["60h"]),
        "depth=3": (None, ["depth=3"]),
    }


def test_a_game_without_moves_is_a_record() -> None:
    made = record(Outcome(0, "crash: exit code 3"), Verdict.CRASH)
    empty = replace(made, moves=())
    (root,) = nodes(empty)
    assert root["C"] == ["White wins: crash: exit code 3"]


def test_a_go_engines_evaluation_is_told_to_sabaki_for_black() -> None:
    moves = (
        PlayedMove(
            0, "C3", 0.1, None, Evaluation.parse("score est 0.6000 lead +1.5 nodes 10 pv C3")
        ),
        PlayedMove(
            1, "D4", 0.1, None, Evaluation.parse("score est 0.3000 lead -4.0 nodes 10 pv D4")
        ),
        PlayedMove(0, "pass", 0.1, None, Evaluation.parse("score est 1")),
        PlayedMove(1, "pass", 0.1, None, Evaluation.parse("")),
    )
    made = replace(
        record(Outcome(0, "B+3.5")),
        game="go",
        variant="",
        size=5,
        moves=moves,
        verdict=Verdict.RESIGN,
    )
    evaluations = [
        (node.get("SBKV"), node.get("SBKS"))
        for node in read_sgf(to_sgf(made, ("black", "white")))[1:]
    ]
    assert evaluations == [
        (["60.00"], ["1.5"]),
        (["70.00"], ["4.0"]),
        (["100.00"], None),
        (None, None),
    ]
