"""CSA: what our writer writes, what our reader reads and refuses."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.shogi import position as position_module
from engines.shogi.csa import read_csa, write_csa
from engines.shogi.notation import parse_move
from engines.shogi.record import Ending, Grower, Record, RecordError
from engines.shogi.sfen import START, format_sfen, handicap_names, handicap_sfen
from tests.engines.shogi.test_kif import grow
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
        Ending.FOUL_WIN: Ending.ERROR,
        Ending.TRY: Ending.DECLARATION,
        Ending.WIN_BY_DEFAULT: Ending.ERROR,
        Ending.LOSS_BY_DEFAULT: Ending.RESIGN,
        Ending.SEALED: Ending.INTERRUPT,
    }
    assert read_csa(write_csa(grower.record)).ending() == merged.get(ending, ending)


@pytest.mark.parametrize(
    ("told", "written"),
    [
        ("10分+30秒", "$TIME_LIMIT:00:10+30"),
        ("6時間", "$TIME_LIMIT:06:00+00"),
        ("00:25+00", "$TIME_LIMIT:00:25+00"),
        ("各５時間", ""),
        ("", ""),
    ],
)
def test_a_time_limit_is_written_where_it_has_csas_form(told: str, written: str) -> None:
    text = write_csa(Record(headers={"持ち時間": told})).decode("utf-8")
    assert ("TIME_LIMIT" in text) == bool(written)
    assert written in text


def test_other_forms_of_the_standard_are_read() -> None:
    record = read_csa("V3.0\n'x\nPI82HI22KA\n-\n-3142GI,T1.5\n+7776FU\nT12\n%+ILLEGAL_ACTION\n")
    assert record.start == handicap_sfen("two")
    assert [node.seconds for node in record.main_line()] == [1.5, 12, None]
    assert record.ending() is Ending.FOUL_WIN
    assert read_csa("PI\n+\n+7776FU\n%-ILLEGAL_ACTION\n").ending() is Ending.FOUL_LOSS
    single = read_csa("P-51OU\nP+53TO00KI\nP-00AL\n+\n+0052KI\n%TSUMI\n/\nPI\n+\n")
    assert single.start == "4k4/9/4+P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"
    assert single.moves() == ["G*5b"]
    assert read_csa("").moves() == []
    told = read_csa("'*before\n'not for programs\nPI\n'*within\n+\n'*after\n+7776FU\n'*then\n")
    assert told.root.comments == ["before", "within", "after"]
    assert told.main_line()[0].comments == ["then"]


@pytest.mark.parametrize(
    ("line", "text", "reason"),
    [
        (1, "+7776FU\n", "before the side to move"),
        (2, "PI\nX\n", "no statement"),
        (2, "PI\n-\n", ""),
        (3, "PI\n+\n+7775FU\n", "illegal move 7g7e"),
        (3, "PI\n+\n-3334FU\n", "the other side"),
        (3, "PI\n+\n+7776KI\n", "no KI can come from 77"),
        (3, "PI\n+\n+7776XX\n", "no move"),
        (3, "PI\n+\n+7076FU\n", "no move"),
        (3, "PI\n+\n+0076TO\n", "no drop"),
        (4, "PI\n+\n+7776FU\nTx\n", "no time"),
        (3, "PI\n+\n%WHAT\n", "no ending"),
        (4, "PI\n+\n%TORYO\n+7776FU\n", "a move after the game ended"),
        (3, "PI\n+\n+\n", "told twice"),
        (3, "PI\n+\nPI\n", "a board after"),
        (1, "PI55FU\n", "no such man"),
        (1, "P+00XX\n", "no man"),
        (1, "P+00OU\n", "no man for a hand"),
        (1, "P2 *  * \n", "row 2 where row 1"),
        (2, "P1 *  *  *  *  *  *  *  *  * \n+\n", "9 rows, not 1"),
        (1, "P1-XX *  *  *  *  *  *  *  * \n", "no man"),
        (1, "$EVENT\n", "no header"),
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
        (4, f"PI\n+\n+7776FU\nT{'9' * 400}\n", "no time"),
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


@pytest.mark.skipif(not RECORDS.is_dir(), reason="the collection of records is not here")
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
