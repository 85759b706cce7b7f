import pytest
from sgfmill import sgf

from engines.core.game import InvalidText
from engines.core.sgf import read_sgf, write_sgf


def test_a_record_is_read_as_it_was_written() -> None:
    nodes = [
        {"FF": ["4"], "GM": ["13"], "PW": ["a]b\\c : d"], "C": ["two\nlines ☗"]},
        {"W": ["b1-b4"], "WL": ["9.5"]},
        {"B": ["c3-c1/b5-b2"]},
    ]
    assert read_sgf(write_sgf(nodes)) == nodes


def test_sgfmill_reads_what_we_write() -> None:
    data = write_sgf([{"FF": ["4"], "GM": ["1"], "SZ": ["9"], "PB": ["x]y"]}, {"B": ["aa"]}])
    game = sgf.Sgf_game.from_bytes(data)
    assert game.get_player_name("b") == "x]y"
    assert game.get_last_node().get_move() == ("b", (8, 0))


def test_the_main_line_is_read_among_variations() -> None:
    data = b"(;FF[4];B[aa](;W[bb];B[cc])(;W[dd]))"
    assert [list(node) for node in read_sgf(data)] == [["FF"], ["B"], ["W"], ["B"]]


def test_the_character_set_is_obeyed() -> None:
    data = "(;CA[Shift_JIS]PB[先手])".encode("cp932")
    assert read_sgf(data)[0]["PB"] == ["先手"]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not an SGF record"),
        (b"(;B[aa", "not an SGF record: line 1, column 4: the value of B has no end"),
        (b"text", "not an SGF record"),
    ],
)
def test_garbage_is_refused_with_the_reason(data: bytes, reason: str) -> None:
    with pytest.raises(InvalidText, match=reason):
        read_sgf(data)
