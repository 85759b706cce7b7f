"""KIF: what our writer writes, what our reader reads and refuses."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.shogi.rules import position as position_module
from engines.shogi.rules.notation import format_move, parse_move
from engines.shogi.rules.records.kif import read_kif, write_kif
from engines.shogi.rules.records.record import Ending, Grower, Node, Record, RecordError
from engines.shogi.rules.sfen import START, format_sfen, handicap_names, handicap_sfen
from tests.programs import RECORDS

COMPILED = not str(position_module.__file__).endswith(".py")
GOLDEN = """\
#KIF version=2.0 encoding=UTF-8
開始日時：2026/11/18 06:37:53
終了日時：2026/11/18 06:40:00
棋戦：テスト対局
持ち時間：10分+30秒
手合割：平手
先手：EngineA
後手：EngineB
手数----指手---------消費時間--
*開始コメント
   1 ７六歩(77)   ( 0:16/00:00:16)
*先手の一手目
**評価値=35
   2 ３四歩(33)   ( 0:00/00:00:00)
   3 ２二角成(88) ( 0:03/00:00:19)
   4 同　銀(31)   ( 1:05/00:01:05)
   5 ４五角打     ( 0:01/00:00:20)
   6 投了         ( 0:03/00:01:08)
まで5手で先手の勝ち
"""


def grow(start: str, seed: int, *, branches: int = 4) -> Record:
    """Make a record of random moves with variations, comments, times and endings."""
    generator = random.Random(seed)
    record = Record(start)
    grower = Grower(record)

    def extend(plies: int) -> None:
        for _ in range(plies):
            moves = grower.position.legal_moves()
            if not moves:
                break
            known = {child.move for child in grower.node.children}
            fresh = [move for move in moves if move not in known]
            if not fresh:
                break
            grower.play(generator.choice(fresh), 1, generator.choice((None, 0, 7, 75, 4000)))
            if generator.random() < 0.2:
                grower.node.comments += ["一手", "", "*評価値=-12"][: generator.randint(1, 3)]
            if generator.random() < 0.05:
                grower.node.bookmark = "しおり"

    extend(generator.randint(0, 40))
    if generator.random() < 0.7:
        grower.end(generator.choice([Ending.RESIGN, Ending.MATE, Ending.TIMEOUT]), 1, 3)
    for _ in range(branches if len(grower.path) > 2 else 0):
        ply = generator.randint(1, len(grower.path) - 1)
        grower.branch(ply, 1)
        extend(generator.randint(1, 6))
    return record


def texts(node: Node) -> list[object]:
    return [node.move, node.ending, node.seconds, node.comments, node.bookmark] + [
        texts(child) for child in node.children
    ]


def test_the_writer_writes_what_every_reader_knows() -> None:
    record = read_kif(GOLDEN)
    assert write_kif(record, "utf-8").decode("utf-8") == GOLDEN.replace("\n", "\r\n")
    in_cp932 = write_kif(record).decode("cp932")
    assert in_cp932.startswith("#KIF version=2.0 encoding=Shift_JIS\r\n")
    assert in_cp932.endswith("まで5手で先手の勝ち\r\n")


def test_the_reader_finds_headers_times_comments_and_the_ending() -> None:
    record = read_kif(GOLDEN.encode("utf-8-sig"))
    assert (record.black, record.white) == ("EngineA", "EngineB")
    assert record.headers["持ち時間"] == "10分+30秒"
    assert record.moves() == ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"]
    assert [node.seconds for node in record.main_line()] == [16, 0, 3, 65, 1, 3]
    assert record.root.comments == ["開始コメント"]
    assert record.main_line()[0].comments == ["先手の一手目", "*評価値=35"]
    assert record.ending() is Ending.RESIGN


@pytest.mark.slow
@given(st.integers(0, 2**32), st.sampled_from([START, *map(handicap_sfen, handicap_names())]))
@settings(deadline=None, max_examples=50 if COMPILED else 8)
def test_what_is_written_is_read_again(seed: int, start: str) -> None:
    record = grow(start, seed)
    record.black, record.white = "先手の人", "後手の人"
    record.headers["棋戦"] = "第１局"
    for encoding in ("cp932", "utf-8"):
        again = read_kif(write_kif(record, encoding))
        assert sorted(map(str, texts(again.root))) == sorted(map(str, texts(record.root)))
        assert again.start == record.start
        assert (again.black, again.white) == (record.black, record.white)
        assert again.headers == record.headers
        assert write_kif(again, encoding) == write_kif(record, encoding)


def test_variations_may_nest_as_deep_as_a_game_is_long() -> None:
    grower = Grower(Record("r3k4/9/9/9/9/9/9/9/4K3R b - 1"))
    for ply in range(1, 700):
        *_, first, second = grower.position.legal_moves()
        grower.play(first, 1)
        grower.branch(ply, 1)
        grower.play(second, 1)
    written = write_kif(grower.record)
    assert written.decode("cp932").count("変化：") == 699
    assert write_kif(read_kif(written)) == written


@pytest.mark.slow
def test_any_position_is_drawn_and_read_again() -> None:
    generator = random.Random(3)
    record = Record()
    grower = Grower(record)
    for _ in range(150):
        moves = grower.position.legal_moves()
        if not moves:
            break
        grower.play(generator.choice(moves), 1)
        start = format_sfen(grower.position).rpartition(" ")[0] + " 1"
        assert read_kif(write_kif(Record(start))).start == start


def test_letters_that_cp932_lacks_become_their_twins() -> None:
    record = Record(black="☗é—〜−☖")
    assert "先手：▲?―～－△" in write_kif(record).decode("cp932")
    assert read_kif(write_kif(record, "utf-8")).black == "☗é—〜−☖"


def test_headers_and_comments_cannot_break_the_format() -> None:
    record = Record(black="a\nb", headers={"棋戦": "x\r\ny"})
    record.root.comments = ["one\ntwo"]
    record.root.bookmark = "three\nfour"
    again = read_kif(write_kif(record))
    assert again.black == "a b"
    assert again.headers == {"棋戦": "x y"}
    assert again.root.comments == ["one", "two"]
    assert again.root.bookmark == "three four"


@pytest.mark.parametrize("ending", list(Ending))
def test_every_ending_is_read_again_as_one_that_kif_has(ending: Ending) -> None:
    record = Record()
    grower = Grower(record)
    grower.play(parse_move("7g7f"), 1)
    grower.end(ending)
    written = read_kif(write_kif(record)).ending()
    merged = {
        Ending.DRAW: Ending.IMPASSE,
        Ending.MAX_MOVES: Ending.IMPASSE,
        Ending.ERROR: Ending.INTERRUPT,
        Ending.FOUL_ACTION: Ending.FOUL_LOSS,
    }
    assert written == merged.get(ending, ending)
    text = write_kif(record).decode("cp932")
    assert ("まで" in text) == (
        ending
        not in (
            *(Ending.DECLARATION, Ending.TRY, Ending.WIN_BY_DEFAULT, Ending.LOSS_BY_DEFAULT),
            *(Ending.NO_MATE, Ending.SEALED),
        )
    )


@pytest.mark.parametrize(
    ("line", "text", "reason"),
    [
        (2, "先手：A\nwhat is this\n", "not a line of a record"),
        (1, "手合割：詰将棋\n手数----指手--\n", "no such handicap"),
        (2, "手数----指手--\n   1 ７六歩(78)\n", "no 歩 on 78"),
        (2, "手数----指手--\n   1 ７五歩(77)\n", "illegal move 7g7e"),
        (2, "手数----指手--\n   2 ７六歩(77)\n", "move 2 where move 1 is due"),
        (2, "手数----指手--\n   1 同　歩(77)\n", "同 without a move"),
        (2, "手数----指手--\n   1 投降\n", "not a move: '投降'"),
        (2, "手数----指手--\n   1 ７六歩(77) (a:b)\n", "not a move"),
        (2, "手数----指手--\n   1 ７六歩(77) (0:01/00:00:01) x\n", "not a move"),
        (3, "手数----指手--\n   1 投了\n   2 ７六歩(77)\n", "a move after the game ended"),
        (3, "手数----指手--\n   1 ７六歩(77)\nまで3手で先手の勝ち\n", "the game has 1 move, and"),
        (3, "手数----指手--\n   1 ７六歩(77)\nまで1手で後手の勝ち\n", "does not fit"),
        (3, "手数----指手--\n   1 ７六歩(77)\nまで1手で大変\n", "not an ending"),
        (2, "手数----指手--\n変化：1手\n", "a variation at ply 1"),
        (1, "先手の持駒：飛三\n手数----指手--\n", "9 rows, not 0"),
        (1, "先手の持駒：玉\n", "not a hand: '玉'"),
        (1, "先手の持駒：飛百\n", "not a hand"),
        (1, "| ・ ・|一\n手数----指手--\n", "9 rows, not 1"),
        (1, "後手番\n手数----指手--\n", "White is to move"),
        (2, "先手番\n後手番\n", "contradicts an earlier line for the side to move"),
        (2, "先手の持駒：金\n下手の持駒：銀\n", "a second hand of 下手"),
        (2, "手数----指手--\n   1 ７六と打\n", "not a drop"),
        (2, "手合割：香落ち\n手合割：角落ち\n", "a second handicap"),
        (2, f"手数----指手--\n{'9' * 5000} ７六歩(77)\n", "not a line of a record"),
        (2, f"手数----指手--\n1 ７六歩(77) ({'9' * 5000}:00)\n", "not a move"),
        (2, f"手数----指手--\n変化：{'9' * 5000}手\n", "not a line of a record"),
        (2, f"手数----指手--\nまで{'9' * 5000}手で千日手\n", "not an ending"),
        (1, "手数＝99999999999  まで\n", "not a line of a record"),
        (
            3,
            "手数----指手--\n   1 投了\nまで0手で持将棋\n",
            "contradicts the ending before it: resign",
        ),
        (
            3,
            "手数----指手--\n   1 持将棋\nまで0手で後手の勝ち\n",
            "contradicts the ending before it",
        ),
        (
            3,
            "手数----指手--\n   1 入玉勝ち\nまで0手で後手の勝ち\n",
            "contradicts the ending before it",
        ),
    ],
)
def test_a_malformed_record_is_refused_with_its_line(line: int, text: str, reason: str) -> None:
    with pytest.raises(RecordError, match=reason) as caught:
        read_kif(text)
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("| ・ ・ ・ ・ ・ ・ ・ ・ ・|四", "not row 3 of a board"),
        ("| ・ ・ ・ ・ ・ ・ ・ ・|三", "not row 3 of a board"),
        ("| ・ ・ ・ ・v・ ・ ・ ・ ・|三", "not a man: 'v・' in row 3"),
        ("| ・ ・ ・ ・ 兵 ・ ・ ・ ・|三", "not a man: ' 兵' in row 3"),
    ],
)
def test_a_board_that_is_drawn_wrongly_is_refused_with_the_line_of_the_row(
    row: str, reason: str
) -> None:
    lines = [f"|{' ・' * 9}|{rank}" for rank in "一二三四五六七八九"]
    assert read_kif("\n".join(lines)).start.startswith("9/9/9/9/9/9/9/9/9 b")
    lines[2] = row
    with pytest.raises(RecordError, match=f"^line 3: {reason}"):
        read_kif("\n".join((*lines, "先手番", "先手：A")))


@pytest.mark.parametrize(
    ("word", "summary", "ending"),
    [
        ("入玉勝ち", "まで0手で先手の勝ち", Ending.DECLARATION),
        ("反則勝ち", "まで0手で先手の勝ち", Ending.FOUL_WIN),
        ("詰み", "まで0手で後手の勝ち", Ending.MATE),
        ("切れ負け", "まで0手で時間切れにより後手の勝ち", Ending.TIMEOUT),
        ("千日手", "まで0手で先手の反則負け", Ending.REPETITION),  # Of perpetual check.
        ("中断", "まで0手で後手の勝ち", Ending.INTERRUPT),
    ],
)
def test_a_summary_that_agrees_with_the_ending_is_taken(
    word: str, summary: str, ending: Ending
) -> None:
    assert read_kif(f"手数----指手--\n   1 {word}\n{summary}\n").ending() is ending


MOVES = "手数----指手--\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角成(88)\n"


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("   4 同　銀(31)", "3a2b"),
        ("   4 同銀　(31)", "3a2b"),
        ("   4 同銀(31)", "3a2b"),
        ("   4 22銀 (31)", "3a2b"),
        ("   4 ２二銀　不成(31)", "3a2b"),
        ("   4 ８八角　打", ""),
    ],
)
def test_blanks_may_stand_within_a_move(text: str, move: str) -> None:
    if move:
        assert read_kif(f"{MOVES}{text}\n").moves()[3:] == [move]
    else:
        with pytest.raises(RecordError, match=r"illegal move B\*8h"):
            read_kif(f"{MOVES}{text}\n")


@pytest.mark.parametrize(
    ("time", "seconds"),
    [
        ("( 0:7/)", 7),
        ("( 0:07/00:00:07)", 7),
        ("(00:07 / 00:00:07)", 7),
        ("( 1:02:03/)", 3723),
        ("(75:30)", 4530),
        ("( 0:07.250/00:00:07)", 7.25),
    ],
)
def test_times_have_several_forms(time: str, seconds: float) -> None:
    assert read_kif(f"手数----指手--\n1 ７六歩(77) {time}\n").main_line()[0].seconds == seconds


def test_a_number_that_comes_again_begins_a_variation() -> None:
    record = read_kif(f"{MOVES}   2 ８四歩(83)\n   3 ２六歩(27)\n   3 投了\n   1 ５六歩(57)\n")
    assert record.moves() == ["7g7f", "3c3d", "8h2b+"]
    first, other = record.root.children
    assert format_move(other.move) == "5g5f"
    assert [format_move(node.move) for node in first.children] == ["3c3d", "8c8d"]
    assert [node.ending for node in first.children[1].children] == [None, Ending.RESIGN]
    assert read_kif(write_kif(record)) == record


@pytest.mark.parametrize("summary", ["", "まで4手で先手の反則勝ち\n", "まで3手で先手の反則勝ち\n"])
@pytest.mark.parametrize(
    ("foul", "move"),
    [
        ("５五歩打", "P*5e"),  # No pawn is in hand.
        ("同　玉(51)", "5a2b"),
        ("３二と(22)", ""),  # There is no such man.
        ("５二玉(59)", "5i5b"),  # It is not one's own.
    ],
)
def test_an_illegal_last_move_is_kept_as_the_foul(foul: str, move: str, summary: str) -> None:
    text = f"{MOVES}   4 {foul} (0:05/00:00:05)\n*why\n   5 反則勝ち (0:01/00:00:01)\n{summary}"
    if not move:
        with pytest.raises(RecordError, match="no と on 22"):
            read_kif(text)
        return
    record = read_kif(text)
    assert record.moves() == ["7g7f", "3c3d", "8h2b+"]
    assert (record.foul(), record.ending()) == (move, Ending.FOUL_WIN)
    assert [node.seconds for node in record.main_line()[3:]] == [5, 1]
    assert record.main_line()[3].comments == ["why"]
    assert read_kif(write_kif(record)) == record
    assert "まで4手で先手の反則勝ち" in write_kif(record).decode("cp932")
    assert record.usi() == "position startpos moves 7g7f 3c3d 8h2b+"


@pytest.mark.parametrize(
    "rest",
    [
        "",
        "   5 投了\n",
        "   5 ７六歩(77)\n",
        "まで4手で先手の勝ち\n",
        "変化：1手\n   1 ５六歩(57)\n",
    ],
)
def test_nothing_else_explains_an_illegal_move(rest: str) -> None:
    with pytest.raises(RecordError, match=r"illegal move P\*5e after ply 3") as caught:
        read_kif(f"{MOVES}   4 ５五歩打\n{rest}")
    assert caught.value.line == 5


def test_a_variation_may_end_with_a_foul_too() -> None:
    text = f"{MOVES}\n変化：2手\n   2 ３五歩(33)\n   3 反則勝ち\n\n変化：1手\n   1 ５六歩(57)\n"
    record = read_kif(text)
    foul = record.root.children[0].children[1]
    assert (foul.foul, [node.ending for node in foul.children]) == (True, [Ending.FOUL_WIN])
    assert len(record.root.children) == 2
    assert read_kif(write_kif(record)) == record


def test_what_cannot_promote_is_refused() -> None:
    with pytest.raises(RecordError, match="金 cannot promote"):
        read_kif("手数----指手--\n   1 ５八金成(49)\n   2 反則勝ち\n")


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "cp932", "euc_jp", "utf-16", "utf-16-le", "utf-16-be", "iso2022_jp"],
)
def test_every_japanese_encoding_is_read(encoding: str) -> None:
    text = GOLDEN.replace("encoding=UTF-8", "encoding=Shift_JIS")
    assert read_kif(text.encode(encoding)) == read_kif(GOLDEN)


def test_bytes_of_no_encoding_are_refused_with_their_line() -> None:
    with pytest.raises(RecordError, match="neither UTF-8 nor CP932") as caught:
        read_kif("先手：A\n".encode("cp932") + b"\x81\xff\n")
    assert caught.value.line == 2


@given(st.integers(0, len(GOLDEN) - 1), st.sampled_from("　 歩0+:：*)\n同打成７"))
@settings(deadline=None)
def test_a_damaged_record_is_read_or_refused(at: int, letter: str) -> None:
    try:
        record = read_kif(GOLDEN[:at] + letter + GOLDEN[at + 1 :])
    except RecordError as error:
        if error.line == 0:
            raise
    else:
        read_kif(write_kif(record))


@pytest.mark.skipif(
    not RECORDS.is_dir(), reason="there are no records of other programs (QUINTET_RECORDS)"
)
def test_records_as_they_occur_are_read_to_their_last_move() -> None:
    lengths = {
        "9fu.kif": (61, Ending.MATE),
        "doh_branch.kifu": (3, Ending.INTERRUPT),
        "fork.kif": (3, Ending.RESIGN),
        "henka.kif": (12, Ending.INTERRUPT),
        "illegal.kif": (2, Ending.FOUL_LOSS),
        "kifu_for_iphone.kif": (3, Ending.MATE),
        "last_comment.kif": (3, None),
        "no_henka.kif": (11, None),
        "noeol.kif": (3, Ending.INTERRUPT),
        "ryuou201409020101.kif": (117, Ending.RESIGN),
        "shogidokoro.kifu": (19, None),
        "shogihome-floodgate.kif": (6, Ending.RESIGN),
        "shogihome-kif-sjis.kif": (6, Ending.RESIGN),
        "shogihome-kifu-utf8.kifu": (19, None),
    }
    for path in sorted((RECORDS / "kif").iterdir()):
        record = read_kif(path.read_bytes())
        assert (len(record.moves()), record.ending()) == lengths[path.name], path.name
        for encoding in ("cp932", "utf-8"):
            assert read_kif(write_kif(record, encoding)).root == record.root
