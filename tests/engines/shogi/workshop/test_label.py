import pytest

from engines.shogi.rules.notation import parse_move
from engines.shogi.rules.sfen import START, parse_sfen
from engines.shogi.workshop.label import LAST, QUIET, RECORD, Label


def test_a_record_holds_men_hands_side_score_and_result() -> None:
    position = parse_sfen("4k4/9/9/9/9/9/9/9/4K4 w 2RBgp 12")
    label = Label.of(position, parse_move("5a5b"), -321, 11)
    fields = RECORD.unpack(label.pack(1.0, last=True))
    men, (black, white) = fields[:81], fields[81:83]
    assert sum(man != 0 for man in men) == 2
    assert (sum(black), sum(white)) == (3, 2)
    turn, flags, value, result, half_plies = fields[83:]
    assert (turn, value, half_plies) == (1, -321, 5)
    assert result == -1  # Black won, and White is to move.
    assert flags == QUIET | LAST


@pytest.mark.parametrize(
    ("sfen", "move", "quiet"),
    [
        (START, "7g7f", True),
        ("4k4/9/9/9/4p4/4P4/9/9/4K4 b - 1", "5f5e", False),  # A capture.
        ("4k4/9/9/4P4/9/9/9/9/4K4 b - 1", "5d5c+", False),  # A promotion.
        ("4k4/4R4/9/9/9/9/9/9/4K4 w - 1", "5a4b", False),  # In check.
    ],
)
def test_captures_promotions_and_checks_are_not_quiet(sfen: str, move: str, quiet: bool) -> None:
    assert Label.of(parse_sfen(sfen), parse_move(move), 0, 0).quiet == quiet


@pytest.mark.parametrize(("points", "black"), [(1.0, 1), (0.5, 0), (0.0, -1)])
def test_the_result_is_for_the_side_to_move(points: float, black: int) -> None:
    for turn, sign in (("b", 1), ("w", -1)):
        label = Label.of(parse_sfen(f"4k4/9/9/9/9/9/9/9/4K4 {turn} - 1"), 0, 0, 0)
        assert RECORD.unpack(label.pack(points, last=False))[86] == sign * black
