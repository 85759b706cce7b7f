import random

import pytest

from engines.core.game import Game, IllegalMove, InvalidText
from engines.go.rules import board as module
from engines.go.rules.ruleset import RULE_SETS
from engines.go.rules.text import (
    GoRules,
    handicap_moves,
    make_rules,
    parse_komi,
    perft,
    size_number,
    star_points,
)

# From the lone stone on A1 of 2x2 back to it, Black's last move a capture of three.
CYCLE = ("B2", "A2", "B1", "A1", "A2", "A1")

COMPILED = not str(module.__file__).endswith(".py")


@pytest.mark.parametrize(
    ("variant", "size", "counts"),
    [
        ("japanese", 3, [10, 90, 729, 5200, 32736, 175160]),
        ("japanese", 4, [17, 272, 4096, 57728, 760176]),
        ("japanese", 2, [5, 20, 64, 140, 268, 512, 992, 2256]),
        ("chinese", 2, [5, 20, 64, 140, 268, 512, 912, 1848]),
    ],
)
def test_perft_counts_are_the_known_ones(variant: str, size: int, counts: list[int]) -> None:
    most = 10**6 if COMPILED else 40_000
    for depth, count in enumerate(counts, 1):
        if count <= most:
            assert perft(make_rules(variant, size), "", depth, "") == count


def test_a_rectangular_board_has_a_number_for_its_size() -> None:
    assert [size_number(9, 9), size_number(9, 13), size_number(25, 2)] == [9, 913, 2502]
    for width, height in ((9, 13), (13, 9), (25, 2), (7, 7)):
        rules = make_rules("", size_number(width, height))
        assert (rules.width, rules.height) == (width, height)
    for size in (1, 26, 100, 101, 900, 926, 2613):
        with pytest.raises(InvalidText, match="unacceptable size"):
            make_rules("", size)


def test_perft_counts_no_line_that_passes_ended() -> None:
    assert perft(make_rules("", 3), "", 0, "") == 1
    with pytest.raises(InvalidText, match="no such way"):
        perft(make_rules("", 3), "", 2, "turns")


@pytest.mark.parametrize("size", [2, 9, 19, 25])
def test_every_vertex_is_read_as_it_is_written(size: int) -> None:
    rules = make_rules("", size)
    position = rules.start()
    for move in range(size * size + 1):
        assert rules.parse_move(rules.format(position, move)) == move
        assert rules.parse_move(rules.format(position, move).lower()) == move


def test_vertices_count_columns_without_i_and_rows_from_below() -> None:
    rules = make_rules("", 19)
    assert rules.parse_vertex("A19") == 0
    assert rules.parse_vertex("t1") == 360
    assert rules.parse_vertex("K10") == 180
    assert make_rules("", 25).format_vertex(24) == "Z25"


@pytest.mark.parametrize("text", ["I5", "", "D", "4D", "D4x", "D-4", "D 4", "D٤", "resign", "D123"])
def test_what_is_no_vertex_is_invalid(text: str) -> None:
    with pytest.raises(InvalidText, match="invalid vertex"):
        make_rules("", 9).parse_vertex(text)


@pytest.mark.parametrize("text", ["K1", "A10", "A0", "Z25"])
def test_points_off_the_board_are_named_so(text: str) -> None:
    with pytest.raises(InvalidText, match=r"off the board \(A1 to J9\)"):
        make_rules("", 9).parse_vertex(text)


@pytest.mark.parametrize(
    ("setup", "variant", "move", "why"),
    [
        ("X3/4/4/4 w", "", "A4", "point is occupied"),
        ("1X2/X3/4/4 w", "", "A4", "suicide"),
        ("OX2/1X2/X3/4 w", "tromp-taylor", "A3", ""),
        ("OX2/1X2/X3/4 w", "", "A3", "suicide"),
    ],
)
def test_an_illegal_move_says_why(setup: str, variant: str, move: str, why: str) -> None:
    rules = make_rules(variant, 4)
    position = rules.start(setup)
    if not why:
        assert rules.parse(position, move) == rules.parse_vertex(move)
        return
    with pytest.raises(IllegalMove, match=f"illegal move {move}: {why}"):
        rules.parse(position, move)


def test_ko_and_superko_are_distinguished() -> None:
    rules = make_rules("japanese", 4)
    game = Game(rules, "1XO1/XO1O/1XO1/4 b")
    game.play("C3")
    with pytest.raises(IllegalMove, match="illegal move B3: ko"):
        game.play("B3")
    for move in ("A1", "D1", "B3"):
        game.play(move)
    game = Game(make_rules("", 2))
    for move in ("A1", *CYCLE[:-1]):
        game.play(move)
    with pytest.raises(IllegalMove, match="illegal move A1: superko"):
        game.play("A1")


def test_a_set_up_is_written_as_it_is_read() -> None:
    source = random.Random(2)
    for size, variant in ((5, "japanese"), (13, ""), (7, "tromp-taylor")):
        rules = make_rules(variant, size)
        position = rules.start()
        for _ in range(3 * size):
            position.play(source.choice(position.legal_moves()[:-1]))
        text = rules.setup(position)
        again = rules.start(text)
        assert rules.setup(again) == text
        assert again.key() == position.key()
        assert rules.diagram(again).splitlines()[-1] == rules.diagram(position).splitlines()[-1]


@pytest.mark.parametrize(
    ("setup", "message"),
    [
        ("2/2", "2 rows where the board has 3"),
        ("3/3/4", "row '4' does not have 3 points"),
        ("3/3/XXXX", "row 'XXXX' does not have 3 points"),
        ("3/3/2Y", "unknown sign in a row: 'Y'"),
        ("3/3/3 red", "unknown word in a set-up: 'red'"),
        ("3/3/3 komi=x", "komi is no number: 'x'"),
        ("3/3/3 captured=1", "captured is B,W"),
        ("X2/3/3 ko=A3", "the ko stands on a stone"),
        ("XO1/O2/3", "A3 has no liberty"),
    ],
)
def test_a_bad_set_up_is_refused_with_the_reason(setup: str, message: str) -> None:
    with pytest.raises(InvalidText, match=message):
        make_rules("", 3).start(setup)


def test_a_set_up_keeps_ko_prisoners_handicap_and_komi() -> None:
    rules = make_rules("japanese", 4)
    text = "1XO1/X1XO/1XO1/4 w komi=0.5 handicap=2 captured=0,1 ko=B3"
    position = rules.start(text)
    assert rules.setup(position) == text
    with pytest.raises(IllegalMove, match="ko"):
        rules.parse(position, "B3")


def test_the_third_occurrence_is_no_result_without_superko_only() -> None:
    game = Game(make_rules("japanese", 2))
    for move in ("A1", *CYCLE, *CYCLE):
        assert game.outcome() is None
        game.play(move)
    ended = game.outcome()
    assert ended is not None
    assert (ended.winner, ended.reason) == (None, "no result")
    with pytest.raises(IllegalMove, match="the game is over: no result"):
        game.play("B2")
    game.undo()
    assert game.outcome() is None
    open_end = make_rules("", 2)
    assert open_end.ending(game) is None


def test_handicaps_stand_where_gnu_go_puts_them() -> None:
    def vertices(size: int, count: int) -> str:
        return " ".join(
            make_rules("", size).format_vertex(m) for m in handicap_moves(size, size, count)
        )

    assert vertices(19, 2) == "Q16 D4"
    assert vertices(19, 3) == "Q16 D4 D16"
    assert vertices(19, 5) == "Q16 D4 D16 Q4 K10"
    assert vertices(19, 6) == "Q16 D4 D16 Q4 D10 Q10"
    assert vertices(19, 7) == "Q16 D4 D16 Q4 D10 Q10 K10"
    assert vertices(19, 9) == "Q16 D4 D16 Q4 D10 Q10 K16 K4 K10"
    assert set(vertices(13, 9).split()) == {"D10", "K10", "D4", "K4", "G7", "D7", "K7", "G10", "G4"}
    assert set(vertices(9, 9).split()) == {"C7", "G7", "C3", "G3", "E5", "C5", "G5", "E7", "E3"}
    assert len(star_points(7, 7)) == len(star_points(18, 18)) == 4
    assert star_points(6, 6) == []


@pytest.mark.parametrize(("size", "count"), [(19, 1), (19, 10), (7, 5), (6, 2), (18, 5)])
def test_impossible_handicaps_are_refused(size: int, count: int) -> None:
    with pytest.raises(InvalidText, match="invalid handicap"):
        handicap_moves(size, size, count)


def test_the_diagram_marks_the_last_move_and_has_no_empty_line() -> None:
    rules = make_rules("", 9)
    game = Game(rules)
    game.play("E5")
    lines = rules.diagram(game.position).splitlines()
    assert lines[0] == "   A B C D E F G H J"
    assert lines[5] == " 5 . . + .(X). + . . 5"
    assert lines[3] == " 7 . . + . + . + . . 7"
    assert all(line.strip() for line in lines)
    game.play("J9")
    assert rules.diagram(game.position).splitlines()[1] == " 9 . . . . . . . .(O)9"


@pytest.mark.parametrize("size", [1, 26, -3])
def test_sizes_out_of_range_are_refused(size: int) -> None:
    with pytest.raises(InvalidText, match="unacceptable size"):
        make_rules("", size)


def test_boards_may_be_rectangular() -> None:
    rules = GoRules(RULE_SETS["chinese"], 3, 5)
    position = rules.start()
    assert rules.format(position, 0) == "A5"
    assert len(position.legal_moves()) == 16


def test_komi_is_a_number_of_this_world() -> None:
    assert parse_komi("-7.5") == -7.5
    for text in ("x", "6,5", ""):
        with pytest.raises(InvalidText, match="no number"):
            parse_komi(text)
    for text in ("nan", "inf", "1e9"):
        with pytest.raises(InvalidText, match="unacceptable komi"):
            parse_komi(text)
