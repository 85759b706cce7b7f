import pytest

from protocols.ask.score import Evaluation, moves_of
from protocols.ask.text import plain
from protocols.ask.usi import parse_info


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("GNU Go", "GNU Go"),
        ("two\nlines\tand  more ", "two lines and more"),
        ("\x1b[2Jgone\x9b\u202e", "?[2Jgone??"),
        ("漢字 ☗", "漢字 ☗"),
        ("x" * 10_000, "x" * 300),
        ("", ""),
    ],
)
def test_text_of_engines_is_one_printable_line(text: str, shown: str) -> None:
    assert plain(text) == shown


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("7g7f  3c3d", "7g7f 3c3d"),
        ("7g7f depth 9", "7g7f"),
        ("7g7f\x0b3c3d", "7g7f 3c3d"),
        ("7g7f \x1b[2J 3c3d", "7g7f"),
        ("7g7f ３c3d", "7g7f"),
        (" ".join(["7g7f"] * 10_000), " ".join(["7g7f"] * 799)),
        ("", ""),
    ],
)
def test_a_line_of_play_ends_at_what_is_no_move(text: str, line: str) -> None:
    assert moves_of(text) == line
    evaluation = parse_info(f"info depth 3 pv {text}")
    assert evaluation.line == line
    assert Evaluation.parse(str(evaluation)) == evaluation
