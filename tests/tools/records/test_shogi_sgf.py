"""Shogi as SGF and back: everything is kept, or said to be lost."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.core.game import InvalidText
from engines.core.sgf import parse_sgf
from engines.shogi.rules.records.kif import read_kif, write_kif
from engines.shogi.rules.records.record import Ending
from tests.engines.shogi.rules.records.test_kif import COMPILED
from tests.tools.records.test_roundtrips import sample, whole
from tools.records.converting import convert_data
from tools.records.recorded import read_game
from tools.records.shogi_sgf.reading import sgf_to_record
from tools.records.shogi_sgf.writing import record_to_sgf

KIF = """\
開始日時：2026/11/19
棋戦：名人戦
持ち時間：10分+30秒
先手：Anna
後手：Bernd
*before
1 ７六歩(77) (0:03/00:00:03)
*one
*two
2 ３四歩(33)
&here
3 投了
*at the end
変化：2手
2 ８四歩(83)
"""


@given(st.integers(0, 2**32))
@settings(deadline=None, max_examples=20 if COMPILED else 3)
def test_what_sgf_does_not_keep_is_said(seed: int) -> None:
    before = sample(seed)
    data = write_kif(before, "utf-8")
    before = read_kif(data)
    made = convert_data(data, "kif", "sgf")
    (root,) = parse_sgf(made.files[0]).roots
    after, left_out = sgf_to_record(root, "KIF")
    assert left_out == []
    assert (whole(after) == whole(before)) == (not made.losses), made.losses
    back = convert_data(made.files[0], "sgf", "kifu")
    assert (whole(read_kif(back.files[0])) == whole(after)) == (not back.losses), back.losses
    assert read_game("game.sgf", made.files[0]).game == "shogi"


def test_names_headers_comments_times_and_variations_come_back() -> None:
    made = convert_data(KIF.encode(), "kif", "sgf")
    assert made.losses == []
    text = made.files[0].decode()
    for part in ("PB[Anna]", "PW[Bernd]", "DT[2026-11-19]", "EV[名人戦]", "RE[W+R]", "W[3c3d]"):
        assert part in text
    recorded = read_game("game.sgf", made.files[0])
    assert recorded.names == ("Anna", "Bernd")
    assert recorded.moves[0].comment == "one\ntwo"
    assert len(recorded.variations) == 1
    back = convert_data(made.files[0], "sgf", "kifu")
    assert (back.losses, whole(read_kif(back.files[0]))) == ([], whole(read_kif(KIF.encode())))


@pytest.mark.parametrize("ending", Ending)
def test_each_ending_comes_back(ending: Ending) -> None:
    record = read_kif("1 ７六歩(77)\n2 ３四歩(33)\n".encode())
    record.main_line()[-1].children.append(type(record.root)(ending=ending))
    after, _ = sgf_to_record(record_to_sgf(record), "KIF")
    assert whole(after) == whole(record)


@pytest.mark.parametrize(
    ("result", "ending"),
    [
        ("RE[B+R]", Ending.RESIGN),
        ("RE[B+T]QE[time: time]", Ending.TIMEOUT),
        ("RE[B+F]QE[crash: exit code 1]", Ending.FOUL_LOSS),
        ("RE[W+F]QE[protocol: nonsense]", Ending.FOUL_WIN),
        ("RE[B+]QE[natural: checkmate]", Ending.MATE),
        ("RE[Draw]QE[natural: repetition]", Ending.REPETITION),
        ("RE[?]", Ending.INTERRUPT),
        ("", None),
    ],
)
def test_the_result_of_a_game_becomes_its_ending(result: str, ending: Ending | None) -> None:
    (root,) = parse_sgf(f"(;GM[8]{result};B[7g7f])".encode()).roots
    assert sgf_to_record(root, "KIF")[0].ending() == ending


def test_an_illegal_move_is_left_out_and_said() -> None:
    text = "1 ７六歩(77)\n2 ３四歩(33)\n3 ５五金(69)\n4 反則負け\n"
    made = convert_data(text.encode(), "kif", "sgf")
    assert [str(loss) for loss in made.losses] == ["1 move left out: SGF cannot hold it"]
    assert b"RE[W+F]" in made.files[0]


def test_values_without_a_place_are_counted() -> None:
    made = convert_data(b"(;GM[8]BR[9p];B[7g7f]BL[3];W[3c3d]WL[3])", "sgf", "kif")
    assert [str(loss) for loss in made.losses] == [
        "1 value of BR left out: KIF has no place for it",
        "1 value of BL left out: KIF has no place for it",
        "1 value of WL left out: KIF has no place for it",
    ]


def test_evaluations_become_remarks_of_shogi() -> None:
    text = b"(;GM[8];B[7g7f]C[0.500 s\ndepth 3 score cp 40\nfine])"
    kif = convert_data(text, "sgf", "kifu").files[0].decode()
    assert "評価値" in kif or "40" in kif
    assert "*fine" in kif


def test_several_games_become_numbered_files_and_one_file() -> None:
    made = convert_data(b"(;GM[8];B[7g7f])(;GM[8];B[2g2f])", "sgf", "kif")
    assert len(made.files) == 2
    games = convert_data(b"(;GM[8];B[7g7f])(;GM[8];B[2g2f])", "sgf", "csa")
    assert convert_data(games.files[0], "csa", "sgf").files[0].count(b"GM[8]") == 2


def test_another_game_is_refused() -> None:
    with pytest.raises(InvalidText, match="is no game of shogi, and KIF holds no other"):
        convert_data(b"(;GM[1];B[aa])", "sgf", "kif")


def test_a_move_that_is_not_possible_is_named() -> None:
    with pytest.raises(InvalidText, match="move 2: "):
        convert_data(b"(;GM[8];B[7g7f];W[7g7f])", "sgf", "kif")


def test_a_variation_that_is_not_possible_is_left_out_and_said() -> None:
    made = convert_data(b"(;GM[8];B[7g7f](;W[3c3d])(;W[7g7f];B[2g2f]))", "sgf", "kif")
    assert [str(loss) for loss in made.losses] == [
        "1 variation left out: its moves are not possible"
    ]
