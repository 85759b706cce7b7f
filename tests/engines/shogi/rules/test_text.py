"""The text side of shogi: moves, reasons, repetition, declarations, handicaps."""

import pytest

from engines.core.game import Game, IllegalMove, InvalidText, Outcome
from engines.shogi.rules.sfen import START
from engines.shogi.rules.text import ShogiRules, explanation, make_rules, perft

ENTERED = "+R+R+BGKGS2/+B+P+P+P+P4/9/9/9/9/9/9/4k4"


def game_after(moves: str, setup: str = "", variant: str = "") -> Game[object]:  # type: ignore[type-var]
    game = Game(ShogiRules(variant), setup)
    for text in moves.split():
        game.play(text)
    return game  # type: ignore[return-value]


def test_moves_are_read_and_written_alike() -> None:
    rules = make_rules()
    position = rules.start()
    for move in position.legal_moves():
        assert rules.parse(position, rules.format(position, move)) == move


@pytest.mark.parametrize(
    "text", ["", "7g7", "7g7f ", "0a1a", "7j7f", "p*5e", "K*5e", "7g7f-", "resign"]
)
def test_what_is_no_move_is_invalid_text(text: str) -> None:
    rules = make_rules()
    with pytest.raises(InvalidText):
        rules.parse(rules.start(), text)


@pytest.mark.parametrize(
    ("setup", "text", "reason"),
    [
        ("", "7f7e", "7f is empty"),
        ("", "3c3d", "is the opponent's"),
        ("", "9i9g", "a man of the same side is on 9g"),
        ("", "7g7e", "does not move that way"),
        ("", "8h2b", "does not move that way"),
        ("", "7g7f+", "cannot promote here"),
        ("", "P*5e", "no P in hand"),
        ("4k4/P8/9/9/9/9/9/9/4K4 b - 1", "9b9a", "must promote"),
        ("4k4/9/G8/9/9/9/9/9/4K4 b - 1", "9c9b+", "cannot promote here"),
        ("4k4/9/9/9/4P4/9/9/9/4K4 b P 1", "P*5c", "a second pawn on the file"),
        ("4k4/9/9/9/4P4/9/9/9/4K4 b P 1", "P*5i", "5i is occupied"),
        ("4k4/9/9/9/9/9/9/9/4K4 b N 1", "N*5b", "could never move again"),
        ("7nk/9/8S/9/9/9/9/9/4K4 b P 1", "P*1b", "a pawn drop must not mate"),
        ("4r3k/9/9/9/9/9/9/4G4/4K4 b P 1", "5h6h", "the king would be in check"),
        ("k3r4/9/9/9/9/9/9/9/4K4 b P 1", "P*1e", "the king would be in check"),
        ("k8/9/1R7/9/9/9/9/9/4K4 w - 1", "9a8a", "the king would be in check"),
        ("k8/9/1+R7/9/9/9/9/9/4K4 w - 1", "9a9b", "the game is over"),
    ],
)
def test_an_illegal_move_says_why(setup: str, text: str, reason: str) -> None:
    rules = make_rules()
    with pytest.raises(IllegalMove, match=reason):
        rules.parse(rules.start(setup), text)


def test_the_fourth_occurrence_is_a_draw() -> None:
    shuffle = "2h3h 8b7b 3h2h 7b8b "
    game = game_after(shuffle * 2 + "2h3h 8b7b 3h2h")
    assert game.outcome() is None
    game.play("7b8b")
    assert game.outcome() == Outcome(None, "repetition")
    with pytest.raises(IllegalMove, match="the game is over"):
        game.play("2h3h")
    game.undo()
    assert game.outcome() is None


PERPETUAL = "9/9/8k/9/9/9/9/6R2/K8 b - 1"


def test_perpetual_check_loses_for_whoever_gives_it() -> None:
    # The rook checks on files 1 and 2 while the king runs between them.
    checks = "3h1h 1c2c 1h2h 2c1c 2h1h 1c2c 1h2h 2c1c 2h1h 1c2c 1h2h 2c1c 2h1h"
    game = game_after(checks, PERPETUAL)
    assert game.outcome() == Outcome(1, "perpetual check")


def test_the_evading_side_may_complete_the_repetition_and_still_wins() -> None:
    start = "9/9/7k1/9/9/9/9/7R1/K8 w - 1"
    game = game_after("2c1c 2h1h 1c2c 1h2h 2c1c 2h1h 1c2c 1h2h 2c1c 2h1h 1c2c 1h2h", start)
    assert game.outcome() == Outcome(1, "perpetual check")


def test_one_quiet_move_in_between_makes_it_a_draw() -> None:
    quiet = "3h1h 1c2c 1h3h 2c1c "
    game = game_after(quiet * 3, PERPETUAL)
    assert game.outcome() == Outcome(None, "repetition")


@pytest.mark.parametrize(
    ("setup", "variant", "winner"),
    [
        (f"{ENTERED} b G2S4N4L9P4p 1", "", 0),
        (f"{ENTERED} b - 1", "", "27 points, and it needs 28"),
        ("4K4/+P+P+P+P+P4/+P+P+P+P+P4/9/9/9/9/9/4k4 b 2R7P 1", "", "27 points"),
        ("4K4/+P+P+P+P+P4/+P+P+P+P+P4/9/9/9/9/9/4k4 b 2R8P 1", "", 0),
        ("4K4/9/9/9/9/9/+p+p+p+p+p4/+p+p+p+p+p4/4k4 w 2r7p 1", "", 1),
        ("4K4/9/9/9/9/9/+p+p+p+p+p4/+p+p+p+p+p4/4k4 w 2r6p 1", "", "26 points"),
        (
            "4K4/+P+P+P+P+P4/+P+P+P+P5/9/9/9/9/9/4k4 b 2R2B4G4S 1",
            "",
            "its king and ten more men must be in",
        ),
        (
            "9/+P+P+P+P+P4/+P+P+P+P+P4/4K4/9/9/9/9/4k4 b 2R2B4G4S 1",
            "",
            "its king and ten more men must be in",
        ),
        ("4K3r/+P+P+P+P+P4/+P+P+P+P+P4/9/9/9/9/9/4k4 b R2B4G4S 1", "", "must not be in check"),
        ("4K4/+P+P+P+P+P4/+P+P+P+P+P4/9/9/9/9/9/4k4 b 2RB6P 1", "24-point", 0),
        ("4K4/+P+P+P+P+P4/+P+P+P+P+P4/9/9/9/9/9/4k4 b 2R8P 1", "24-point", None),
        ("4K4/+P+P+P+P+P4/+P+P+P+P+P4/9/9/9/9/9/4k4 b 2R4P 1", "24-point", None),
        ("4K4/+P+P+P+P+P4/+P+P+P+P+P4/9/9/9/9/9/4k4 b 2R3P 1", "24-point", "it needs 24"),
        (f"{ENTERED} b - 1", "try", "none under try"),
        (f"{ENTERED} b - 1", "no-declaration", "none under no-declaration"),
    ],
)
def test_a_declaration_is_counted(setup: str, variant: str, winner: int | str | None) -> None:
    game = Game(ShogiRules(variant), setup)
    if isinstance(winner, str):
        with pytest.raises(IllegalMove, match=winner):
            game.play("win")
        assert game.outcome() is None
        return
    before = game.rules.setup(game.position)
    game.play("win")
    assert game.outcome() == Outcome(winner, "declaration")
    assert game.position.legal_moves() == []
    assert game.copy().outcome() == Outcome(winner, "declaration")
    assert game.texts() == ["win"]
    game.undo()
    assert game.outcome() is None
    assert game.rules.setup(game.position) == before


def test_a_king_on_the_try_square_wins_under_its_variant_only() -> None:
    setup = "9/4K4/9/9/9/9/4k4/9/9 b - 1"
    assert game_after("5b5a", setup, "try").outcome() == Outcome(0, "try")
    assert game_after("5b5a", setup).outcome() is None
    assert game_after("5b6b 5g5h 6b7b 5h5i", setup, "try").outcome() == Outcome(1, "try")
    assert game_after("5b6b 5g5f", "4r4/4K4/9/9/9/9/4k4/9/9 b - 1", "try").outcome() is None


def test_mate_and_no_legal_move_lose() -> None:
    mated = game_after("G*5b", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1")
    assert mated.outcome() == Outcome(0, "checkmate")
    stuck = Game(ShogiRules(), "8k/9/7+R1/9/9/9/9/9/K8 w - 1")
    assert stuck.outcome() == Outcome(0, "no legal move")


def test_handicaps_are_set_ups_by_name() -> None:
    rules = make_rules()
    assert rules.start("two").turn == 1
    assert rules.setup(rules.start("")) == START
    with pytest.raises(InvalidText):
        rules.start("seven")


def test_unknown_variants_sizes_and_styles_are_refused() -> None:
    with pytest.raises(InvalidText, match="known: 24-point"):
        make_rules("28-point")
    with pytest.raises(InvalidText, match="not 8"):
        make_rules("", 8)
    with pytest.raises(InvalidText, match="turns"):
        perft(make_rules(), "", 1, "turns")
    assert perft(make_rules("", 9), "", 2) == 900


def test_the_diagram_is_ascii_without_an_empty_line() -> None:
    rules = make_rules()
    drawn = rules.diagram(rules.start(f"{ENTERED} b G2Sp 1"))
    assert drawn.isascii()
    assert all(line.strip() for line in drawn.split("\n"))
    assert "G1 S2" in drawn
    assert "+R" in drawn
    assert "Declaration" in explanation()
