"""KI2, as it is written."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.shogi.rules.notation import format_move, parse_move
from engines.shogi.rules.records.ki2 import read_ki2
from engines.shogi.rules.records.ki2_writer import format_ki2_move, write_ki2
from engines.shogi.rules.records.kif import read_kif
from engines.shogi.rules.records.record import Ending, Grower, Node, Record
from engines.shogi.rules.sfen import START, parse_sfen
from tests.engines.shogi.rules.records.test_kif import COMPILED, grow

KIF = """場所：東京
先手：A
後手：B
*はじめ
1 ７六歩(77) (0:05/00:00:05)
2 ３四歩(33)
3 ２二角成(88)
*取る
&しおり
4 同　銀(31)
5 ２六歩(27)
6 ８四歩(83)
7 ２五歩(26)
8 ８五歩(84)
9 ７八金(69)
10 投了
*終
変化：3手
3 ２六歩(27)
4 中断
"""
KI2 = """場所：東京
手合割：平手
先手：A
後手：B

*はじめ
▲７六歩    △３四歩    ▲２二角成
*取る
&しおり
△同　銀    ▲２六歩    △８四歩    ▲２五歩    △８五歩    ▲７八金
まで9手で先手の勝ち
*終

変化：3手
▲２六歩
まで3手で中断
"""


def test_moves_are_in_rows_between_comments_and_variations() -> None:
    record = read_kif(KIF)
    assert write_ki2(record, "utf-8").decode("utf-8") == KI2.replace("\n", "\r\n")
    assert write_ki2(record).decode("cp932") == KI2.replace("\n", "\r\n")


def timeless(node: Node) -> list[object]:
    own: list[object] = [node.move, node.ending, node.comments, node.bookmark]
    return own + [timeless(child) for child in node.children]


@given(st.integers(0, 2**32))
@settings(deadline=None, max_examples=60 if COMPILED else 5)
def test_trees_are_read_as_they_were_written(seed: int) -> None:
    record = grow(START, seed)
    assert timeless(read_ki2(write_ki2(record, "utf-8")).root) == timeless(record.root)


@pytest.mark.parametrize(
    ("board", "move", "word"),
    [
        # A pinned man counts, because other readers do not know of pins.
        ("4r4/9/9/9/9/9/4G1G2/4K4/9 b - 1", "3g4g", "▲４七金右"),
        ("4r4/9/9/9/4G4/9/4K4/6G2/9 b G 1", "G*4d", "▲４四金打"),
        ("k2r5/9/9/9/9/9/9/3+B+B4/3K5 b - 1", "5h5g", "▲５七馬右"),
        ("4k4/9/9/9/9/9/9/3GGG3/4K4 b - 1", "5h5g", "▲５七金直"),
        ("4k4/9/9/9/9/9/9/3GGG3/4K4 b - 1", "6h5g", "▲５七金左"),
        ("4k4/9/9/9/4G4/3G5/3GG4/9/4K4 b - 1", "6g5f", "▲５六金左上"),
        ("4k4/9/9/9/4G4/3G5/3GG4/9/4K4 b - 1", "6f5f", "▲５六金寄"),
        ("4k4/9/9/9/4G4/3G5/3GG4/9/4K4 b - 1", "5e5f", "▲５六金引"),
        ("k8/9/4+R4/9/9/9/9/9/4+R3K b - 1", "5i5h", "▲５八龍上"),
        ("k8/9/9/9/9/9/9/4+R+R3/8K b - 1", "5h5g", "▲５七龍左"),
        ("k8/9/9/9/9/9/9/4+R+R3/8K b - 1", "4h5g", "▲５七龍右"),
        ("4k4/1P7/9/9/9/9/9/9/8K b - 1", "8b8a+", "▲８一歩成"),
        ("8K/9/9/9/9/9/1s7/9/4k4 w - 1", "8g8h", "△８八銀不成"),
        ("8K/9/9/9/9/1s7/9/9/4k4 w - 1", "8f8g+", "△８七銀成"),
        ("8K/9/9/9/1s7/9/9/9/4k4 w - 1", "8e8f", "△８六銀"),
    ],
)
def test_words_tell_men_apart_as_other_readers_expect(board: str, move: str, word: str) -> None:
    position = parse_sfen(board)
    packed = next(each for each in position.legal_moves() if format_move(each) == move)
    assert format_ki2_move(position, packed, 0) == word
    record = Record(board)
    Grower(record).play(packed, 1)
    assert read_ki2(write_ki2(record)).moves() == [move]


@pytest.mark.parametrize("ending", Ending)
def test_an_ending_is_written_if_every_reader_knows_its_word(ending: Ending) -> None:
    record = Record.from_usi("position startpos moves 7g7f", ending)
    others = {Ending.DRAW: Ending.IMPASSE, Ending.MAX_MOVES: Ending.IMPASSE}
    others |= {Ending.ERROR: Ending.INTERRUPT, Ending.FOUL_ACTION: Ending.FOUL_LOSS}
    unknown = [Ending.DECLARATION, Ending.TRY, Ending.WIN_BY_DEFAULT, Ending.LOSS_BY_DEFAULT]
    read = read_ki2(write_ki2(record)).ending()
    assert read is (None if ending in unknown else others.get(ending, ending))


def test_an_ending_without_a_word_keeps_its_place_before_a_variation() -> None:
    record = read_kif("1 ７六歩(77)\n2 入玉勝ち\n変化：2手\n2 ３四歩(33)\n")
    children = read_ki2(write_ki2(record)).root.children[0].children
    assert [child.ending for child in children] == [Ending.INTERRUPT, None]


@pytest.mark.parametrize("foul", ["P*5e", "B*9e", "2h7g", "4i5f", "2g2f+", "5i5h", "3i3h+"])
def test_a_foul_is_written_before_the_ending_that_tells_of_it(foul: str) -> None:
    record = Record.from_usi("position startpos moves 7g7f 3c3d 8h2b+ 3a2b 6i6h 8c8d")
    grower = Grower(record)
    for node in record.main_line():
        grower.position.play(node.move)
        grower.path.append(node)
    grower.attempt(parse_move(foul), 1)
    grower.end(Ending.FOUL_WIN, 1)
    copy = read_ki2(write_ki2(record))
    assert copy.moves() == record.moves()
    assert copy.foul() == record.foul()
    assert copy.ending() is record.ending()
