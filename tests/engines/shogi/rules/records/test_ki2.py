"""KI2: moves without origins, distinguished by words."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.shogi.rules import position as position_module
from engines.shogi.rules.notation import format_move
from engines.shogi.rules.records.ki2 import read_ki2
from engines.shogi.rules.records.ki2_writer import format_ki2_move
from engines.shogi.rules.records.kif import read_kif
from engines.shogi.rules.records.record import Ending, RecordError
from engines.shogi.rules.sfen import START, parse_sfen
from tests.programs import RECORDS

COMPILED = not str(position_module.__file__).endswith(".py")


@given(st.integers(0, 2**32))
@settings(deadline=None, max_examples=40 if COMPILED else 5)
def test_what_is_written_move_by_move_is_read_again(seed: int) -> None:
    generator = random.Random(seed)
    position = parse_sfen(START)
    moves: list[str] = []
    words: list[str] = []
    previous = 0
    for _ in range(120):
        legal = position.legal_moves()
        if not legal:
            break
        move = generator.choice(legal)
        words.append(format_ki2_move(position, move, previous))
        moves.append(format_move(move))
        position.play(move)
        previous = move
    lines = "\n".join(
        "".join(f"{word:<7}" for word in words[at : at + 6]) for at in range(0, 120, 6)
    )
    assert read_ki2(lines + "\n").moves() == moves


@pytest.mark.parametrize(
    ("board", "word", "move"),
    [
        ("9/4k4/9/9/9/9/3G1G3/9/4K4 b - 1", "▲５六金左", "6g5f"),
        ("9/4k4/9/9/9/9/3G1G3/9/4K4 b - 1", "▲５六金右", "4g5f"),
        ("9/4k4/9/9/9/9/3GG4/9/4K4 b - 1", "▲５六金直", "5g5f"),
        ("9/4k4/9/9/9/9/3GG4/9/4K4 b - 1", "▲５六金左", "6g5f"),
        ("9/4k4/9/9/9/3G5/3G5/9/4K4 b - 1", "▲５六金寄", "6f5f"),
        ("9/4k4/9/9/9/3G5/3G5/9/4K4 b - 1", "▲５六金上", "6g5f"),
        ("9/4k4/9/9/3S5/9/3S5/9/4K4 b - 1", "▲５六銀引", "6e5f"),
        ("9/4k4/9/9/3S1S3/9/3S5/9/4K4 b - 1", "▲５六銀左引", "6e5f"),
        ("9/3g1g3/9/9/4k4/9/9/9/4K4 w - 1", "△５三金左", "4b5c"),
        ("9/3g1g3/9/9/4k4/9/9/9/4K4 w - 1", "△５三金右", "6b5c"),
        ("+R7+R/4k4/9/9/9/9/9/9/4K4 b - 1", "▲８二龍", "9a8b"),
        ("9/9/+B1+B6/6k2/9/9/9/9/4K4 b - 1", "▲８四馬右", "7c8d"),
        ("9/4k4/9/9/9/9/9/9/4K4 b G 1", "▲５六金", "G*5f"),
        ("9/4k4/9/9/9/9/4G4/9/4K4 b G 1", "▲５六金", "5g5f"),
        ("9/4k4/9/9/9/9/4G4/9/4K4 b G 1", "▲５六金打", "G*5f"),
        ("9/4k4/9/1S7/9/9/9/9/4K4 b - 1", "▲８三銀成", "8d8c+"),
        ("9/4k4/9/1S7/9/9/9/9/4K4 b - 1", "▲８三銀不成", "8d8c"),
    ],
)
def test_words_tell_men_apart(board: str, word: str, move: str | None) -> None:
    rows = board.split()[0].split("/")
    assert len(rows) == 9
    position = parse_sfen(board)
    legal = {format_ki2_move(position, packed, 0): packed for packed in position.legal_moves()}
    if move is not None:
        assert format_move(legal[word]) == move
    else:
        assert word not in legal


def test_figures_may_be_ascii() -> None:
    record = read_ki2("▲76歩 △34歩 ▲２２角成 △同銀 ▲45角打\n")
    assert record.moves() == ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"]


@pytest.mark.parametrize(
    ("foul", "move"),
    [
        ("▲５五歩打", "P*5e"),  # No pawn is in hand.
        ("▲９九角打", "B*9i"),  # A lance stands there.
        ("▲７七飛", "2h7g"),
        ("▲５七金右", "4i5g"),
        ("▲２六歩成", "2g2f+"),
    ],
)
def test_an_illegal_last_move_is_kept_as_the_foul(foul: str, move: str) -> None:
    text = f"▲７六歩 △３四歩 ▲２二角成 △同銀 {foul}\nまで5手で後手の反則勝ち\n"
    record = read_ki2(text)
    assert (record.moves()[4:], record.foul(), record.ending()) == ([], move, Ending.FOUL_WIN)
    with pytest.raises(RecordError, match="illegal move"):
        read_ki2(text.replace("5手で後手の反則勝ち", "5手で中断"))


@pytest.mark.parametrize("foul", ["▲５三香", "▲５七金", "▲２六と打", "▲４九金成"])
def test_an_illegal_move_that_may_be_several_is_refused(foul: str) -> None:
    with pytest.raises(RecordError, match="illegal move"):
        read_ki2(f"{foul}\nまで1手で後手の反則勝ち\n")


def test_variations_comments_and_the_last_line_are_read() -> None:
    record = read_ki2(
        "先手：A\n\n▲７六歩    △３四歩    ▲２二角成  △同　銀\n*コメント\n&しおり\nまで4手で中断\n"
        "\n変化：3手\n▲２六歩\nまで3手で先手の勝ち\n"
    )
    assert record.moves() == ["7g7f", "3c3d", "8h2b+", "3a2b"]
    assert record.ending() is Ending.INTERRUPT
    assert record.main_line()[3].comments == ["コメント"]
    second = record.main_line()[1]
    assert [format_move(child.move) for child in second.children] == ["8h2b+", "2g2f"]
    assert second.children[1].children[0].ending is Ending.RESIGN


@pytest.mark.parametrize(
    ("line", "text", "reason"),
    [
        (1, "▲７六\n", "not a move"),
        (1, "△３四歩\n", "the other side is to move"),
        (1, "▲７五歩\n", "illegal move ▲７五歩"),
        (1, "▲同　歩\n", "同 without a move"),
        (1, "▲５八金\n", "may be any of"),
        (2, "▲７六歩\nまで2手で中断\n", "the game has 1 move, and"),
        (1, "▲７六歩 what\n", "not a move: 'what'"),
        (3, "▲７六歩\nまで1手で中断\n△３四歩\n", "a move after the game ended"),
    ],
)
def test_a_malformed_record_is_refused_with_its_line(line: int, text: str, reason: str) -> None:
    with pytest.raises(RecordError, match=reason) as caught:
        read_ki2(text)
    assert caught.value.line == line


@pytest.mark.skipif(
    not RECORDS.is_dir(), reason="there are no records of other programs (QUINTET_RECORDS)"
)
def test_records_as_they_occur_are_read_to_their_last_move() -> None:
    lengths = {"7mai.ki2u": 2, "8mai.ki2": 25, "denou3-1.ki2": 98, "fork.ki2": 3}
    lengths["shogihome-ki2-sjis.ki2"] = 6
    for path in sorted((RECORDS / "ki2").iterdir()):
        assert len(read_ki2(path.read_bytes()).moves()) == lengths[path.name], path.name
    fork = read_ki2((RECORDS / "ki2" / "fork.ki2").read_bytes())
    long = read_kif((RECORDS / "kif" / "fork.kif").read_bytes())

    def bare(nodes: list) -> list:  # type: ignore[type-arg]
        return [(node.move, node.ending, bare(node.children)) for node in nodes]

    assert bare(fork.root.children) == bare(long.root.children)
