"""Go in SGF: points, and the moves of an opening."""

import pytest

from engines import registry
from engines.core.game import InvalidText
from engines.core.sgf import read_sgf
from tools.records import go as sgf_go
from tools.records.go import go_rules


def test_points_in_sgf_and_back() -> None:
    rules = go_rules(registry.rules("go", "", 19))
    for ours, sgf in (("Q16", "pd"), ("A1", "as"), ("T19", "sa"), ("pass", "")):
        assert sgf_go.format_point(ours, rules) == sgf
        assert sgf_go.parse_point(sgf, rules) == ours
    assert sgf_go.parse_point("tt", rules) == "pass"
    assert sgf_go.parse_point("zz", rules) == "zz"


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (b"(;SZ[9];B[cc];W[])", ["C7", "pass"]),
        (b"(;SZ[9]QP[komi=6];B[tt])", ["pass"]),
        (b"(;SZ[9]HA[2]QP[6X2/9/9/9/9/9/2X6/9/9 w handicap=2]AB[gc];W[ee])", ["E5"]),
        (b"(;SZ[19];B[cc])", "its board is SZ[19]; this match is on 9"),
        (b"(;GM[2]SZ[9];B[cc])", "not a game of Go: GM[2]"),
        (b"(;SZ[9]AB[cc];W[dd])", "stones are set up in it; an opening is moves (see --handicap)"),
        (b"(;SZ[9];B[cc];B[dd])", "move 2 is black's out of turn"),
    ],
)
def test_an_opening_is_moves_in_turn(record: bytes, expected: list[str] | str) -> None:
    rules = go_rules(registry.rules("go", "", 9))
    if isinstance(expected, list):
        assert sgf_go.opening_moves(read_sgf(record), rules) == expected
        return
    with pytest.raises(InvalidText) as raised:
        sgf_go.opening_moves(read_sgf(record), rules)
    assert str(raised.value) == expected
