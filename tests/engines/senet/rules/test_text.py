import random

import pytest

from engines.core.game import CHANCE, FIRST, SECOND, Game, IllegalMove, InvalidText
from engines.senet.rules.text import SenetRules, explanation, make_rules, perft

RULES = make_rules()
START = "2121212121.................... 1 - first"


def board(men: dict[int, str]) -> str:
    return "".join(men.get(square, ".") for square in range(1, 31))


def test_the_start_is_the_one_of_the_rules() -> None:
    position = RULES.start()
    assert RULES.setup(position) == START
    assert position.men(FIRST) == [2, 4, 6, 8, 10]
    assert position.men(SECOND) == [1, 3, 5, 7, 9]
    assert position.turn == CHANCE
    free = make_rules("free-first")
    assert free.setup(free.start()) == START.removesuffix(" first")


@pytest.mark.parametrize(
    "text",
    [
        START,
        "2121212121.................... 1 5 first",
        "...........1......2........1.. 2 3",
        "............................1. 1 -",
        "2............................. 1 -",
    ],
)
def test_set_ups_are_read_and_written_back(text: str) -> None:
    assert RULES.setup(RULES.start(text)) == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2121", "expected 30 squares"),
        ("2121212121................... 1 -", "must be 30 squares"),
        ("212121212x.................... 1 -", "must be 30 squares"),
        ("2121212121.................... 3 -", "must be 1 or 2, not '3'"),
        ("2121212121.................... 1 6", "must be 1 to 5 or -, not '6'"),
        ("2121212121.................... 1 - last", "expected 30 squares"),
        ("2121212121.................... 2 - first", "only side 1"),
        ("2121212121................1... 1 -", "no man can stand on 27"),
        ("2121212121...................1 1 -", "no man can stand on 27 or 30"),
        ("21212121211................... 1 -", "side 1 has more than 5 men"),
        (".............................. 1 -", "both sides cannot have all men off"),
        ("1............................. 1 3", "the game is over"),
        ("111..2........................ 2 5 first", "only side 1"),
        (".........11222................ 1 1", "a throw of 1 allows no move"),
    ],
)
def test_impossible_set_ups_are_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(InvalidText, match=reason):
        RULES.start(text)


def test_a_forced_man_is_refused_where_the_variant_knows_none() -> None:
    with pytest.raises(InvalidText, match="free-first"):
        make_rules("free-first").start(START)


@pytest.mark.parametrize(
    ("setup", "text", "reason"),
    [
        (START, "10-16", "roll first"),
        ("2121212121.................... 1 5 first", "8-14", "played with the front man, on 10"),
        ("2121212121.................... 1 5", "10-12", "a throw of 5 moves 6, not 2"),
        ("2121212121.................... 1 5", "9-15", "black has no man on 9"),
        ("2121212121.................... 2 5", "10-16", "white has no man on 10"),
        ("2121212121.................... 1 2", "2-4", "4 is occupied by black"),
        (
            board({5: "1", 7: "2", 8: "2", 12: "1"}) + " 1 2",
            "5-7",
            "the man of white on 7 is protected",
        ),
        (
            board({5: "2", 8: "1", 9: "1", 12: "2"}) + " 2 3",
            "5-8",
            "the man of black on 8 is protected",
        ),
        (board({5: "1", 28: "1", 1: "2"}) + " 1 4", "28-off", "by the exact throw, from 28 by 2"),
        (START, "6", "no such throw: 6"),
        ("2121212121.................... 1 5", "3", "black has thrown 5, must move"),
        ("2............................. 1 -", "3", "the game is over"),
    ],
)
def test_an_illegal_move_is_refused_with_the_reason(setup: str, text: str, reason: str) -> None:
    with pytest.raises((IllegalMove, InvalidText), match=reason):
        RULES.parse(RULES.start(setup), text)


@pytest.mark.parametrize(
    "text", ["", "10", "a", "10-", "0-3", "30-off", "29-30", "5-5", "9-8", "pass"]
)
def test_what_is_no_move_is_invalid_or_out_of_turn(text: str) -> None:
    position = RULES.start("2121212121.................... 1 5")
    with pytest.raises(InvalidText):
        RULES.parse(position, text)


def test_moves_name_the_square_thrown_to_even_into_the_trap() -> None:
    position = RULES.start(board({24: "1", 25: "1", 26: "1", 1: "2"}) + " 1 1")
    assert [RULES.format(position, move) for move in position.legal_moves()] == ["26-27"]
    position.play(RULES.parse(position, "26-27"))
    assert position.men(FIRST) == [15, 24, 25]


def test_men_leave_beyond_the_end_under_over_only() -> None:
    text = board({28: "1", 1: "2"}) + " 1 4"
    with pytest.raises(InvalidText, match="allows no move"):
        RULES.start(text)
    over = make_rules("over")
    position = over.start(text)
    assert [over.format(position, move) for move in position.legal_moves()] == ["28-off"]
    assert over.parse(position, "28-off") == 28


@pytest.mark.parametrize("variant", ["", "pass", "free-first,over", "pass,free-first,over"])
def test_every_legal_move_of_random_games_is_read_back(variant: str) -> None:
    rules = make_rules(variant)
    assert rules.variant == variant
    generator = random.Random(11)
    for _ in range(5):
        game = Game(rules)
        while game.outcome() is None:
            position = game.position
            moves = position.legal_moves()
            texts = [rules.format(position, move) for move in moves]
            assert len(set(texts)) == len(moves)
            assert [rules.parse(position, text) for text in texts] == list(moves)
            assert rules.setup(rules.start(rules.setup(position))) == rules.setup(position)
            game.play(generator.choice(texts))
        twin = Game(rules)
        for text in game.texts():
            twin.play(text)
        assert twin.outcome() == game.outcome()


def test_variants_are_named_in_one_order() -> None:
    assert make_rules(" over , pass").variant == "pass,over"
    with pytest.raises(InvalidText, match=r"no such variant: 'kraus' \(known: pass, free-first"):
        make_rules("pass,kraus")
    with pytest.raises(InvalidText, match="no sizes"):
        make_rules("", 9)


def test_the_diagram_shows_three_rows_as_the_track_runs() -> None:
    position = RULES.start(board({1: "2", 10: "1", 11: "1", 20: "2", 29: "1"}) + " 2 5")
    assert RULES.diagram(position).splitlines() == [
        " 1  O  .  .  .  .  .  .  .  .  X  10",
        "20  O  .  .  .  .  .  .  .  .  X  11",
        "21  .  .  .  .  .  .  T  .  X  .  30",
        "white (O) has thrown 5: 6 squares",
    ]
    assert RULES.diagram(RULES.start(board({1: "2", 10: "1"}) + " 1 1")).endswith(
        "thrown 1: 1 square"
    )
    assert RULES.diagram(RULES.start()).endswith("black (X) throws")
    assert RULES.diagram(RULES.start("2" + "." * 29 + " 1 -")).endswith("black has won")


def test_perft_has_no_styles() -> None:
    assert perft(RULES, "", 4) == 87
    with pytest.raises(InvalidText, match="turns"):
        perft(RULES, "", 4, "turns")


def test_the_explanation_names_every_variant() -> None:
    text = explanation()
    assert all(name in text for name in ("pass", "free-first", "over", "27", "24-off"))
    assert text.isascii()


def test_the_sides_have_names() -> None:
    rules = SenetRules()
    assert (rules.name, rules.sides, rules.ending(Game(rules))) == (
        "senet",
        ("black", "white"),
        None,
    )
