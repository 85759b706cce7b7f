import pytest

from engines.core.game import InvalidText
from engines.core.sgf import MOST_BYTES, main_line
from engines.go.rules.records import server
from engines.go.rules.records.server import ServerGame, format_date, parse_count, read_lines


def test_handicap_stones_are_put_where_the_record_does_not_place_them() -> None:
    game = ServerGame("UTF-8", [])
    game.set_handicap(2, 1)
    game.play("W", 2, 2, 2)
    file = game.finish()
    assert file.roots[0].values["AB"] == ["pd", "dp"]
    assert file.notices == ["the 2 handicap stones are put on the usual points"]


@pytest.mark.parametrize(("x", "y", "third"), [(2, 2, "dd"), (3, 3, "pp")])
def test_the_third_handicap_stone_is_where_the_moves_leave_room(x: int, y: int, third: str) -> None:
    game = ServerGame("UTF-8", [])
    game.set_handicap(3, 1)
    game.play("W", x, y, 2)
    assert game.finish().roots[0].values["AB"] == ["pd", "dp", third]


def test_handicap_stones_among_the_moves_are_not_put_again() -> None:
    game = ServerGame("UTF-8", [])
    game.set_handicap(2, 1)
    game.play("B", 3, 3, 2)
    game.play("B", 15, 15, 3)
    nodes = [node.values for node in main_line(game.finish().roots[0])]
    assert nodes == [{"GM": ["1"], "SZ": ["19"], "HA": ["2"]}, {"B": ["dd"]}, {"B": ["pp"]}]


def test_a_pass_without_a_side_is_that_of_the_side_to_move() -> None:
    game = ServerGame("UTF-8", [])
    assert game.turn == "B"
    game.play_pass("", 1)
    game.play_pass("", 2)
    game.set_handicap(2, 3)
    assert [list(node.values) for node in game.moves] == [["B"], ["W"]]


def test_what_cannot_be_on_the_board_is_refused_with_its_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = ServerGame("UTF-8", [])
    for refused, reason in (
        (lambda: game.set_size(26, 4), "line 4: unacceptable size: 26"),
        (lambda: game.set_handicap(10, 5), "line 5: unacceptable handicap: 10"),
        (lambda: game.play("B", 19, 0, 6), "line 6: a point off the board of 19x19"),
        (lambda: parse_count("1" * 9, 7, "the komi"), "line 7: the komi is no number"),
    ):
        with pytest.raises(InvalidText, match=reason):
            refused()
    monkeypatch.setattr(server, "MOST_MOVES", 1)
    game.play("B", 0, 0, 1)
    with pytest.raises(InvalidText, match="line 8: a stone is set up after the first move"):
        game.set_up("B", 1, 1, 8)
    with pytest.raises(InvalidText, match="line 9: it has more than 1 moves"):
        game.play("W", 1, 1, 9)


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2015- 8-29-22-56-58", "2015-08-29"),
        ("20170316 [09:51]", "2017-03-16"),
        ("2019/03/08,22:09:00", "2019-03-08"),
        ("2019-13-08", ""),
        ("yesterday", ""),
    ],
)
def test_dates_are_written_as_in_sgf(text: str, date: str) -> None:
    assert format_date(text) == date


def test_lines_may_end_in_any_way() -> None:
    lines, used, notices = read_lines("a\rü\r\n\nb".encode("cp1252"), "", "iso-8859-1")
    assert list(lines) == [(1, "a"), (2, "ü"), (3, ""), (4, "b")]
    assert (used, notices) == ("ISO-8859-1", [])


def test_a_file_that_is_too_large_is_refused() -> None:
    with pytest.raises(InvalidText, match="it has more than 32 MiB"):
        read_lines(b"x" * (MOST_BYTES + 1), "")
