import pytest

from engines.shogi.rules.notation import parse_move
from engines.shogi.rules.records.kakinoki import (
    Heading,
    draw_board,
    number_name,
    parse_number_name,
    read_summary,
    side_names,
    write_start,
    write_summary,
)
from engines.shogi.rules.records.record import Ending, Grower, Record, RecordError
from engines.shogi.rules.sfen import START, format_sfen, handicap_sfen, parse_sfen

SETUP = "ln1gk2nl/1r4gs1/p1pppp1pp/1p4p2/7P1/2P6/PP1PPPP1P/1SG4R1/LN2KGSNL w Bb 14"


def read_back(record: Record) -> Record:
    """Write the start of a record and read it."""
    heading = Heading()
    for number, line in enumerate(write_start(record), start=1):
        assert heading.read(number, line)
    return heading.finish()


def test_numbers_are_read_as_they_are_written() -> None:
    names = ["一", "十", "十一", "十八", "二十", "九十九"]
    assert [number_name(number) for number in (1, 10, 11, 18, 20, 99)] == names
    assert [parse_number_name(number_name(number)) for number in range(1, 100)] == list(
        range(1, 100)
    )
    with pytest.raises(ValueError, match="substring not found"):
        parse_number_name("百")


def test_a_board_is_drawn_with_hands_and_read_again() -> None:
    position = parse_sfen(SETUP)
    lines = list(draw_board(position))
    assert sum(line.startswith("|") for line in lines) == 9
    start = read_back(Record(SETUP)).start
    assert start.split()[:3] == format_sfen(position).split()[:3]


@pytest.mark.parametrize("name", ["lance", "bishop", "two", "six"])
def test_handicaps_are_named_and_change_what_the_sides_are_called(name: str) -> None:
    record = Record(handicap_sfen(name))
    assert any(line.startswith("手合割：") for line in write_start(record))
    assert read_back(record).start == record.start
    assert side_names(record) == ("下手", "上手")
    assert side_names(Record(START)) == ("先手", "後手")


def test_a_summary_is_read_as_the_ending_that_it_was_written_for() -> None:
    record = Record(START)
    line = write_summary(record, Ending.RESIGN, 1, 5)
    assert line.startswith("まで5手で")
    grower = Grower(record)
    for move in ("7g7f", "3c3d", "2g2f", "8c8d", "2f2e"):
        grower.play(parse_move(move), 1)
    assert read_summary(grower, line, 9) == Ending.RESIGN
    assert read_summary(grower, "*a comment", 9) is None
    grower.play(parse_move("8d8e"), 1)
    with pytest.raises(RecordError, match="line 9: the game has 6 moves"):
        read_summary(grower, line, 9)


@pytest.mark.parametrize(
    ("line", "key", "value"),
    [
        ("手合割:平手", "", ""),
        ("棋戦:第１局：決勝", "棋戦", "第１局：決勝"),
        ("開始日時：2026/11/18 06:37:53", "開始日時", "2026/11/18 06:37:53"),
        ("備考：http://example.org/", "備考", "http://example.org/"),
    ],
)
def test_either_colon_ends_the_key_of_a_header(line: str, key: str, value: str) -> None:
    heading = Heading()
    assert heading.read(1, line)
    assert heading.finish().headers == ({key: value} if key else {})


def test_a_comment_before_the_headers_is_no_header() -> None:
    heading = Heading()
    lines = ["*先手：the stronger side", "&しおり", "先手：A"]
    assert all(heading.read(number, line) for number, line in enumerate(lines, 1))
    record = heading.finish()
    assert (record.black, record.headers) == ("A", {})
    assert (record.root.comments, record.root.bookmark) == (["先手：the stronger side"], "しおり")
