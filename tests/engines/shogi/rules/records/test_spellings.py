import pytest

from engines.core.game import InvalidText
from engines.shogi.rules.notation import format_move, parse_move
from engines.shogi.rules.records.spellings import read_spelling
from engines.shogi.rules.sfen import START, parse_sfen

GOLDS = "4k4/9/9/9/9/9/3G1G3/9/4K4 b G 1"
PROMOTES = "4k4/9/2S6/9/9/9/9/9/4K4 b B 1"


@pytest.mark.parametrize(
    ("sfen", "text", "move"),
    [
        (START, "７六歩", "7g7f"),
        (START, "▲76歩", "7g7f"),
        (START, "7六歩", "7g7f"),
        (START, "P-7f", "7g7f"),
        (START, "P-76", "7g7f"),
        (START, "P7g-7f", "7g7f"),
        (START, "7776FU", "7g7f"),
        (START, "+7776FU", "7g7f"),
        (GOLDS, "56金右", "4g5f"),
        (GOLDS, "56金左", "6g5f"),
        (GOLDS, "58金打", "G*5h"),
        (GOLDS, "G*5h", "G*5h"),
        (GOLDS, "G'58", "G*5h"),
        (GOLDS, "0058KI", "G*5h"),
        (GOLDS, "47金", None),
        (PROMOTES, "７二銀成", "7c7b+"),
        (PROMOTES, "７二銀不成", "7c7b"),
        (PROMOTES, "S-7b+", "7c7b+"),
        (PROMOTES, "S-7b=", "7c7b"),
        (PROMOTES, "7372NG", "7c7b+"),
        (PROMOTES, "55角", "B*5e"),
    ],
)
def test_a_move_is_read_as_people_write_it(sfen: str, text: str, move: str | None) -> None:
    position = parse_sfen(sfen)
    if move is None:
        with pytest.raises(InvalidText, match="no legal move is"):
            read_spelling(position, text)
        return
    found = read_spelling(position, text)
    assert found is not None
    assert format_move(found) == move


def test_an_ambiguous_move_is_asked_about() -> None:
    with pytest.raises(InvalidText, match="may be several moves; type one of") as told:
        read_spelling(parse_sfen(GOLDS), "G-5f")
    assert {"6g5f", "4g5f"} <= set(str(told.value).replace(",", "").split())


def test_the_same_square_needs_a_move_before() -> None:
    position = parse_sfen(START)
    for text in ("7g7f", "3c3d", "8h2b+"):
        position.play(parse_move(text))
    found = read_spelling(position, "同銀", parse_move("8h2b+"))
    assert found is not None
    assert format_move(found) == "3a2b"
    with pytest.raises(InvalidText, match="no move was played before"):
        read_spelling(parse_sfen(START), "同銀")


@pytest.mark.parametrize("text", ["", "7g7f", "hello", "win", "P*5e+x", "7777XX"])
def test_other_texts_are_no_spelling(text: str) -> None:
    assert read_spelling(parse_sfen(START), text) is None
