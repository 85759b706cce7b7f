from pathlib import Path

import pytest

from engines.core.game import InvalidText
from tools.records.game import Verdict
from tools.records.recorded import read_file, read_game


def test_a_foreign_game_of_go_is_read_with_its_set_up_and_result() -> None:
    data = b"(;GM[1]SZ[9]KM[0.5]HA[2]AB[gc][cg]PB[A]PW[B]RE[W+R];W[ee];B[];W[tt])"
    recorded = read_game("game.sgf", data)
    assert (recorded.game, recorded.size, recorded.names) == ("go", 9, ("A", "B"))
    assert [move.text for move in recorded.moves] == ["E5", "pass", "pass"]
    assert "handicap=2" in recorded.setup
    assert recorded.ended is not None
    assert recorded.ended[1] == Verdict.RESIGN


@pytest.mark.parametrize(
    ("rest", "moves", "notice"),
    [
        (";B[ee];B[ff]", 1, "move 2 and the rest are left out: it is out of turn"),
        (";B[ee];W[ff];AB[aa];B[bb]", 2, "stones are set up after move 2"),
    ],
)
def test_what_cannot_be_played_is_left_out_with_a_notice(
    rest: str, moves: int, notice: str
) -> None:
    recorded = read_game("game.SGF", f"(;GM[1]SZ[9]{rest})".encode())
    assert len(recorded.moves) == moves
    assert any(notice in each for each in recorded.notices)


def test_times_and_evaluations_of_our_records_are_read() -> None:
    data = b"(;GM[13]QG[neutron];W[b1-b4]C[1.500 s\nscore est 0.6 depth 4]WL[58.5];B[c3-b2/a5-a2])"
    first, second = read_game("game.sgf", data).moves
    assert (first.seconds, first.left, first.evaluation.depth) == (1.5, 58.5, 4)
    assert (second.seconds, second.left, bool(second.evaluation)) == (0.0, None, False)


def test_text_of_a_record_has_no_control_characters() -> None:
    data = b"(;GM[13]QG[neutron]PW[\x1b[2J]PB[\x07<script>];W[b1-b4])"
    names = read_game("game.sgf", data).names
    assert all(name.isprintable() for name in names)


def test_a_shogi_game_that_was_resigned_names_the_winner() -> None:
    recorded = read_game("game.usi", b"position startpos moves 7g7f 3c3d resign\n")
    assert recorded.ended is not None
    assert recorded.ended[0].winner == 1
    assert recorded.moves[1].side == 1


def test_a_rectangular_board_is_read() -> None:
    recorded = read_game("game.sgf", b"(;GM[1]SZ[9:13];B[aa];W[im])")
    assert recorded.size == 913
    assert [move.text for move in recorded.moves] == ["A13", "J1"]


def test_a_record_of_a_go_server_is_read() -> None:
    path = Path("tests/data/records/handicap.ngf")
    game = read_game(path.name, path.read_bytes())
    assert (game.game, game.size, len(game.moves), game.moves[0].side) == ("go", 19, 19, 1)
    assert "the 3 handicap stones are put on the usual points" in game.notices


def test_variations_comments_and_headers_are_read() -> None:
    data = b"(;GM[1]SZ[9]EV[Cup]GC[long\nago]C[before]"
    data += b";B[ee]C[one](;W[ff];B[aa])(;W[gg](;B[bb])(;B[cc])))"
    recorded = read_game("game.sgf", data)
    assert [move.text for move in recorded.moves] == ["E5", "F4", "A9"]
    assert (recorded.comment, recorded.moves[0].comment) == ("before", "one")
    assert recorded.headers == (("EV", "Cup"), ("GC", "long\nago"))
    (variation,) = recorded.variations
    assert (variation.at, [move.text for move in variation.moves]) == (1, ["G3", "B8"])
    (inner,) = variation.variations
    assert (inner.at, [move.text for move in inner.moves]) == (2, ["C7"])


def test_words_in_nodes_without_moves_belong_to_the_position_before_them() -> None:
    data = b"(;GM[1]SZ[9]C[a];C[b];B[ee]C[c];C[d];W[ff])"
    recorded = read_game("game.sgf", data)
    assert recorded.comment == "a\nb"
    assert [move.comment for move in recorded.moves] == ["c\nd", ""]


def test_an_illegal_move_in_a_variation_ends_the_variation_before_it() -> None:
    recorded = read_game("game.sgf", b"(;GM[1]SZ[9];B[ee](;W[ff])(;W[gg];B[gg])(;B[aa]))")
    assert [len(each.moves) for each in recorded.variations] == [1]


def test_variations_nested_without_end_are_read_in_part() -> None:
    data = b"(;GM[1]SZ[9];B[ee]" + 300 * b"(;W[ff])(;W[gg];B[ef];W[eg];B[fe]" + 301 * b")"
    recorded = read_game("game.sgf", data)
    assert len(recorded.moves) == 2
    depth, lines = 0, recorded.variations
    while lines:
        depth, lines = depth + 1, lines[-1].variations
    assert 1 <= depth <= 40


def test_an_illegal_move_of_shogi_loses_the_game() -> None:
    data = b"V2.2\nPI\n+\n+7776FU\n-3334FU\n+2822HI\n%ILLEGAL_MOVE\n"
    recorded = read_game("game.csa", data)
    assert len(recorded.moves) == 2
    assert recorded.ended is not None
    assert (recorded.ended[0].winner, recorded.ended[1]) == (1, Verdict.ILLEGAL)


GAMES = (
    b"(;GM[1]SZ[9]PB[Ann]PW[Bo]RE[B+R];B[ee];W[ff])(;GM[1]SZ[9];B[cc])"
    b"(;GM[13]QG[neutron]PW[Eve\x1b]PB[Max]RE[?];W[b1-b4])"
)


def test_the_games_of_a_file_are_listed_and_read_by_their_numbers() -> None:
    file = read_file("games.sgf", GAMES)
    assert file.titles == ("Ann - Bo, B+R", "? - ?", "Eve? - Max")
    last = file.game(3)
    assert (last.game, last.names) == ("neutron", ("Eve?", "Max"))
    assert last.notices == ("it has 3 games; this is game 3",)
    assert last.source is not None
    assert last.source.number == 3
    for number in (0, 4):
        with pytest.raises(InvalidText, match=f"it has 3 games, and no game {number}"):
            file.game(number)
    with pytest.raises(InvalidText, match="it has 1 game, and no game 2"):
        read_game("game.sgf", b"(;GM[1]SZ[9];B[ee])", 2)


def test_the_games_of_a_file_of_csa_are_listed() -> None:
    data = b"V2.2\nN+Ann\nN-Bo\nPI\n+\n+7776FU\n%TORYO\n/\nV2.2\nPI\n+\n+2726FU\n"
    file = read_file("games.csa", data)
    assert file.titles == ("Ann - Bo, resign", "? - ?")
    assert [move.text for move in file.game(2).moves] == ["2g2f"]
