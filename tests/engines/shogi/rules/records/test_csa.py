"""CSA: what our writer writes, what our reader reads and refuses."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.shogi.rules import position as position_module
from engines.shogi.rules.notation import parse_move
from engines.shogi.rules.records.csa import iterate_csa, read_csa, write_csa, write_csa_games
from engines.shogi.rules.records.kif import read_kif, write_kif
from engines.shogi.rules.records.record import FOULS, Ending, Grower, Record, RecordError
from engines.shogi.rules.sfen import START, format_sfen, handicap_names, handicap_sfen
from tests.engines.shogi.rules.records.test_kif import grow
from tests.programs import RECORDS

COMPILED = not str(position_module.__file__).endswith(".py")
GOLDEN = """\
'CSA encoding=UTF-8
V2.2
N+EngineA
N-EngineB
$EVENT:Test
$START_TIME:2026/11/18 06:37:53
$TIME_LIMIT:00:10+30
PI
+
+7776FU
T16
'*評価値=35
'** 35 -3334FU
-3334FU
T0
+8822UM
T3
-3122GI
T65
%TORYO
T3
"""


def test_the_golden_record_is_read_and_written_alike() -> None:
    record = read_csa(GOLDEN)
    assert record.moves() == ["7g7f", "3c3d", "8h2b+", "3a2b"]
    assert record.headers["持ち時間"] == "00:10+30"
    assert record.main_line()[0].comments == ["評価値=35", "* 35 -3334FU"]
    assert [node.seconds for node in record.main_line()] == [16, 0, 3, 65, 3]
    assert write_csa(record).decode("utf-8") == GOLDEN


@given(st.integers(0, 2**32), st.sampled_from([START, *map(handicap_sfen, handicap_names())]))
@settings(deadline=None, max_examples=50 if COMPILED else 8)
def test_what_is_written_is_read_again(seed: int, start: str) -> None:
    record = grow(start, seed, branches=0)
    again = read_csa(write_csa(record))
    assert again.start == record.start
    assert [(node.move, node.ending, node.seconds) for node in again.main_line()] == [
        (node.move, node.ending, node.seconds) for node in record.main_line()
    ]
    assert write_csa(again) == write_csa(record)


def test_any_position_is_written_and_read_again() -> None:
    generator = random.Random(4)
    grower = Grower(Record())
    for _ in range(150):
        moves = grower.position.legal_moves()
        if not moves:
            break
        grower.play(generator.choice(moves), 1)
        start = format_sfen(grower.position).rpartition(" ")[0] + " 1"
        assert read_csa(write_csa(Record(start), "cp932")).start == start


def test_names_headers_and_comments_cannot_break_the_format() -> None:
    record = Record(black="A\nV3", white="B\r\n%TORYO", headers={"棋戦": "C\n+7776FU"})
    record.root.comments.append("D\n+7776FU")
    again = read_csa(write_csa(record))
    assert (again.black, again.white) == ("A V3", "B %TORYO")
    assert again.headers == {"棋戦": "C +7776FU"}
    assert again.root.comments == ["D", "+7776FU"]
    assert again.moves() == []


@pytest.mark.parametrize("ending", list(Ending))
def test_every_ending_is_read_again_as_one_that_csa_has(ending: Ending) -> None:
    grower = Grower(Record())
    grower.play(parse_move("7g7f"), 1)
    grower.end(ending)
    merged = {
        Ending.TRY: Ending.DECLARATION,
        Ending.WIN_BY_DEFAULT: Ending.ERROR,
        Ending.LOSS_BY_DEFAULT: Ending.RESIGN,
        Ending.SEALED: Ending.INTERRUPT,
    }
    assert read_csa(write_csa(grower.record)).ending() == merged.get(ending, ending)


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("10分+30秒", "$TIME_LIMIT:00:10+30"),
        ("6時間", "$TIME_LIMIT:06:00+00"),
        ("00:25+00", "$TIME_LIMIT:00:25+00"),
        ("各５時間", ""),
        ("", ""),
    ],
)
def test_a_time_limit_is_written_where_it_has_csas_form(given: str, written: str) -> None:
    text = write_csa(Record(headers={"持ち時間": given})).decode("utf-8")
    assert ("TIME_LIMIT" in text) == bool(written)
    assert written in text


def test_other_forms_of_the_standard_are_read() -> None:
    record = read_csa("V3.0\n'x\nPI82HI22KA\n-\n-3142GI,T1.5\n+7776FU\nT12\n%+ILLEGAL_ACTION\n")
    assert record.start == handicap_sfen("two")
    assert [node.seconds for node in record.main_line()] == [1.5, 12, None]
    assert record.ending() is Ending.FOUL_WIN
    assert read_csa("PI\n+\n+7776FU\n%-ILLEGAL_ACTION\n").ending() is Ending.FOUL_ACTION
    single = read_csa("P-51OU\nP+53TO00KI\nP-00AL\n+\n+0052KI\n%TSUMI\n/\nPI\n+\n")
    assert single.start == "4k4/9/4+P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"
    assert single.moves() == ["G*5b"]
    assert read_csa("'nothing else\n").moves() == []
    commented = read_csa("'*before\n'not for programs\nPI\n'*within\n+\n'*after\n+7776FU\n'*then\n")
    assert commented.root.comments == ["before", "within", "after"]
    assert commented.main_line()[0].comments == ["then"]


@pytest.mark.parametrize("word", ["%+ILLEGAL_ACTION", "%-ILLEGAL_ACTION", "%ILLEGAL_MOVE"])
@pytest.mark.parametrize("moves", ["", "+7776FU\n", "+7776FU\n-3334FU\n"])
def test_illegal_actions_are_written_back_as_they_were(moves: str, word: str) -> None:
    data = write_csa(read_csa(f"PI\n+\n{moves}{word}\n"))
    assert data.decode("utf-8").endswith(f"+\n{moves}{word}\n")


@pytest.mark.parametrize("word", ["%+ILLEGAL_ACTION", "%ILLEGAL_MOVE"])
@pytest.mark.parametrize("foul", ["+2725FU", "+0055FU", "+3435FU", "+5152OU"])
def test_an_illegal_last_move_is_kept_as_the_foul(foul: str, word: str) -> None:
    record = read_csa(f"PI\n+\n+7776FU\n-3334FU\n{foul},T3,'*why\n{word}\n")
    assert record.moves() == ["7g7f", "3c3d"]
    assert record.foul()
    _, _, last, ending = record.main_line()
    assert (last.foul, last.seconds, last.comments) == (True, 3, ["why"])
    assert ending.ending in FOULS
    assert write_csa(record).decode("utf-8").endswith(f"{foul}\nT3\n'*why\n{word}\n")
    assert read_kif(write_kif(record)).foul() == record.foul()
    assert read_kif(write_kif(record)).ending() is Ending.FOUL_WIN


@pytest.mark.parametrize("rest", ["", "%TORYO\n", "%-ILLEGAL_ACTION\n", "-3334FU\n", "/\n"])
def test_no_other_ending_explains_an_illegal_move(rest: str) -> None:
    with pytest.raises(RecordError, match="illegal move 7g7e after ply 0") as caught:
        list(iterate_csa(f"PI\n+\n+7775FU\n{rest}"))
    assert caught.value.line == 3


def test_a_comment_may_follow_a_comma() -> None:
    text = "PI\n+\n+7776FU,'* 30 -3334FU, +2726FU\n-3334FU,T5,'not for programs\n%KACHI,'* win\n"
    nodes = read_csa(text).main_line()
    assert [node.comments for node in nodes] == [[" 30 -3334FU, +2726FU"], [], [" win"]]
    assert nodes[1].seconds == 5


@pytest.mark.parametrize("note", ["$NOTE:one, 1\n$NOTE:two", "$NOTE:one, 1\ntwo"])
def test_a_note_has_several_lines(note: str) -> None:
    record = read_csa(f"V3.0\n{note}\n$TIME:600+10+5\n$MAX_MOVES:256\nPI\n+\n+7776FU\n")
    assert record.headers == {
        "備考": "one, 1\ntwo",
        "持ち時間": "600+10+5",
        "MAX_MOVES": "256",
    }
    assert read_csa(write_csa(record, version="3.0")) == record


def test_version_3_keeps_thousandths_of_seconds() -> None:
    record = read_csa("V3.0\nPI\n+\n+7776FU\nT1.234\n-3334FU\nT2\n+2726FU\nT0.500\n")
    assert [node.seconds for node in record.main_line()] == [1.234, 2, 0.5]
    assert read_csa(write_csa(record, version="3.0")) == record
    assert [node.seconds for node in read_csa(write_csa(record)).main_line()] == [1, 2, 0]


def test_a_file_has_several_games() -> None:
    games = list(
        iterate_csa(
            "'CSA\nV2.2\nN+A\nPI\n+\n+7776FU\n%TORYO\n/\n\nN+B\nPI82HI\n-\n-3334FU\n/\n'end\n"
        )
    )
    assert [(game.black, game.moves()) for game in games] == [("A", ["7g7f"]), ("B", ["3c3d"])]
    assert list(iterate_csa(write_csa_games(games))) == games
    assert read_csa(write_csa_games(games)) == games[0]
    assert len(list(iterate_csa("'end\n"))) == 1


@pytest.mark.parametrize(
    ("line", "text", "reason"),
    [
        (1, "+7776FU\n", "before the side to move"),
        (2, "PI\nX\n", "not a statement"),
        (2, "PI\n-\n", ""),
        (3, "PI\n+\n+7775FU\n", "illegal move 7g7e"),
        (3, "PI\n+\n-3334FU\n", "the other side"),
        (3, "PI\n+\n+7776KI\n", "no KI can come from 77"),
        (3, "PI\n+\n+7776XX\n", "not a move"),
        (3, "PI\n+\n+7076FU\n", "not a move"),
        (3, "PI\n+\n+0076TO\n", "not a drop"),
        (4, "PI\n+\n+7776FU\nTx\n", "not a time"),
        (3, "PI\n+\n%WHAT\n", "not an ending"),
        (4, "PI\n+\n%TORYO\n+7776FU\n", "a move after the game ended"),
        (3, "PI\n+\n+\n", "a second line for the side to move"),
        (3, "PI\n+\nPI\n", "a board after"),
        (1, "PI55FU\n", "no such man"),
        (1, "P+00XX\n", "not a man"),
        (1, "P+00OU\n", "not a man in hand"),
        (1, "P2 *  * \n", "row 2 where row 1"),
        (2, "P1 *  *  *  *  *  *  *  *  * \n+\n", "9 rows, not 1"),
        (1, "P1-XX *  *  *  *  *  *  *  * \n", "not a man"),
        (1, "$EVENT\n", "not a header"),
        (1, "-\n", "White is to move"),
        (2, "P+11FU12FU55OU\n+\n", ""),
        (2, "P+00FU00FU55OU51OU\n+\n", "two kings"),
        (2, "P+59OU11KY\nP-11KY\n+\n", "a second man"),
        (2, "P+59OU11KA22KA33KA\nP-00AL\n+\n", "there are only 2 KA, not 3"),
        (2, "PI\nPI82HI\n-\n", "a start position after another board"),
        (2, "PI\nP1 *  *  *  *  *  *  *  *  * \n+\n", "a row after another board"),
        (2, "PI82HI\n", "no side to move"),
        (3, "PI\n+\nT5\n+7776FU\n", "a time before the first move"),
        (5, "PI\n+\n+7776FU\nT1\nT2\n", "a second time"),
        (4, f"PI\n+\n+7776FU\nT{'9' * 400}\n", "not a time"),
    ],
)
def test_a_malformed_record_is_refused_with_its_line(line: int, text: str, reason: str) -> None:
    if not reason:
        assert read_csa(text).moves() == []  # Strange, and allowed.
        return
    with pytest.raises(RecordError, match=reason) as caught:
        read_csa(text)
    assert caught.value.line == line


@given(st.integers(0, len(GOLDEN) - 1), st.sampled_from("+-0T%,'P\nX $N"))
@settings(deadline=None)
def test_a_damaged_record_is_read_or_refused(at: int, letter: str) -> None:
    try:
        record = read_csa(GOLDEN[:at] + letter + GOLDEN[at + 1 :])
    except RecordError as error:
        if not 1 <= error.line <= 22:
            raise
    else:
        read_csa(write_csa(record))


@pytest.mark.skipif(
    not RECORDS.is_dir(), reason="there are no records of other programs (QUINTET_RECORDS)"
)
def test_records_as_they_occur_are_read_to_their_last_move() -> None:
    lengths = {
        "9fu_komabetsu.csa": (61, Ending.MATE),
        "chudan.csa": (3, Ending.INTERRUPT),
        "example.csa": (2, Ending.INTERRUPT),
        "illegal_lose.csa": (2, Ending.FOUL_LOSS),
        "shogihome-csa-sjis.csa": (20, None),
        "shogihome-floodgate.csa": (6, Ending.RESIGN),
        "v2.csa": (196, Ending.RESIGN),
    }
    for path in sorted((RECORDS / "csa").iterdir()):
        record = read_csa(path.read_bytes())
        assert (len(record.moves()), record.ending()) == lengths[path.name], path.name
        assert read_csa(write_csa(record)).root == record.root


def test_more_games_or_moves_than_can_be_kept_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    games = "PI\n+\n+7776FU\n-3334FU\n/\n"
    monkeypatch.setattr("engines.shogi.rules.records.csa.MOST_GAMES", 3)
    assert len(list(iterate_csa(games * 3))) == 3
    with pytest.raises(RecordError, match="line 20: it has more than 3 games"):
        list(iterate_csa(games * 4))
    monkeypatch.setattr("engines.shogi.rules.records.csa.MOST_IN_ALL", 3)
    with pytest.raises(RecordError, match="line 10: it has more than 3 games or 3 moves"):
        list(iterate_csa(games * 2))
