import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.core.game import Game, IllegalMove, InvalidText, Outcome
from engines.neutron.rules.text import (
    START,
    VARIANTS,
    explanation,
    format_square,
    make_rules,
    parse_square,
    perft,
)
from tests.engines.neutron.walks import choices, unhurried, variants, walk


@unhurried
@given(variants, choices)
def test_legal_moves_are_read_as_they_are_written(variant: str, numbers: list[int]) -> None:
    rules = make_rules(variant)
    position = walk(variant, numbers).position
    moves = position.legal_moves()
    texts = [rules.format(position, move) for move in moves]
    assert [rules.parse(position, text) for text in texts] == moves
    assert len(set(texts)) == len(texts)


@unhurried
@given(variants, choices, st.lists(st.integers(0, 24), min_size=4, max_size=4))
def test_what_is_read_is_legal(variant: str, numbers: list[int], squares: list[int]) -> None:
    rules = make_rules(variant)
    position = walk(variant, numbers).position
    names = [format_square(square) for square in squares]
    for text in (f"{names[0]}-{names[1]}", f"{names[0]}-{names[1]}/{names[2]}-{names[3]}"):
        try:
            move = rules.parse(position, text)
        except IllegalMove:
            continue
        assert move in position.legal_moves()


@unhurried
@given(variants, choices)
def test_set_ups_are_read_as_they_are_written(variant: str, numbers: list[int]) -> None:
    rules = make_rules(variant)
    position = walk(variant, numbers).position
    text = rules.setup(position)
    twin = rules.start(text)
    assert rules.setup(twin) == text
    assert twin.legal_moves() == position.legal_moves()
    assert twin.outcome() == position.outcome()


def test_the_start_is_written_as_the_rules_say() -> None:
    assert START == "BBBBB/...../..N../...../WWWWW w man"
    assert make_rules().setup(make_rules().start()) == START


def test_the_board_is_drawn_with_row_5_at_the_top() -> None:
    rules = make_rules()
    game = Game(rules)
    game.play("b1-b4")
    assert rules.diagram(game.position) == (
        "   a b c d e\n"
        " 5 B B B B B 5\n"
        " 4 . W . . . 4\n"
        " 3 . . N . . 3\n"
        " 2 . . . . . 2\n"
        " 1 W . W W W 1\n"
        "   a b c d e"
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("c3-c1", "the neutron is on c3, a man must move"),
        ("c3-c2/b1-b4", "only a man moves on this turn"),
        ("b2-b3", "no man stands on b2"),
        ("b5-b2", "the man on b5 is black's"),
        ("b1-b1", "b1-b1 is no step at all"),
        ("b1-b3", "a piece slides to the end, here to b4"),
        ("b1-c3", "c3 is occupied"),
        ("b1-d2", "b1-d2 is no straight line"),
        ("b1-b5", "b5 is occupied"),
        ("c1-c4", "c3 is in the way"),
    ],
)
def test_illegal_first_turns_say_why(text: str, reason: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        make_rules().parse(make_rules().start(), text)
    assert str(caught.value) == f"illegal move {text}: {reason}"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("b5-b2", "the neutron moves first: it is on c3"),
        ("b5-b2/c3-c4", "the neutron moves first: it is on c3"),
        ("c3-c2", "a man must move too"),
        ("c3-c1/a5-a2", "c1 is occupied"),
        ("c3-d3/a5-a2", "a piece slides to the end, here to e3"),
        ("c3-c2/c2-c3", "the neutron is on c2, a man must move"),
        ("c3-c2/a1-a4", "the man on a1 is white's"),
        ("c3-c2/d4-d2", "no man stands on d4"),
        ("c3-c2/c5-c2", "c2 is occupied"),
        ("c3-c2/c5-c4", "a piece slides to the end, here to c3"),
        ("c3-d5/a5-a2", "d5 is occupied"),
    ],
)
def test_illegal_later_turns_say_why(text: str, reason: str) -> None:
    game = Game(make_rules())
    game.play("b1-b4")
    with pytest.raises(IllegalMove) as caught:
        game.play(text)
    assert str(caught.value) == f"illegal move {text}: {reason}"
    assert game.texts() == ["b1-b4"]


def test_a_turn_that_the_neutron_ends_has_no_second_half() -> None:
    rules = make_rules()
    setup = "B.BBB/.B.../..N../W..../WW.WW w"
    with pytest.raises(IllegalMove, match="c3-c1/a1-a2: the neutron ends the game"):
        rules.parse(rules.start(setup), "c3-c1/a1-a2")
    game = Game(rules, setup)
    game.play(" C3-C1 ")
    assert game.outcome() == Outcome(0, "neutron home")
    with pytest.raises(IllegalMove, match="the game is over: neutron home"):
        game.play("c1-c3")
    with pytest.raises(IllegalMove, match="the game is over: neutron home"):
        rules.parse(game.position, "c1-c3")


def test_the_neutron_may_be_carried_to_the_enemy() -> None:
    game = Game(make_rules(), "B.BBB/.B.../..N../W..../WW.WW b")
    game.play("c3-c1")
    assert game.outcome() == Outcome(0, "neutron home")


@pytest.mark.parametrize(
    ("variant", "outcome"),
    [("", Outcome(None, "no move", both=True)), ("kraus", Outcome(1, "no move"))],
)
def test_no_man_can_move_after_the_neutron(variant: str, outcome: Outcome) -> None:
    # White's men fill the corner; the neutron's slide to c4 shuts them in.
    rules = make_rules(variant)
    setup = "WWB../WW.N./WBB../BB.../..... w"
    with pytest.raises(IllegalMove, match="d4-c4/b4-c4: no man can move after it"):
        rules.parse(rules.start(setup), "d4-c4/b4-c4")
    game = Game(rules, setup)
    game.play("d4-c4")
    assert game.outcome() == outcome
    assert game.position.legal_moves() == []
    game.undo()
    assert rules.setup(game.position) == setup


@pytest.mark.parametrize("text", ["", "foo", "b1b4", "b1-b4/", "c3-c1/b1-b4/a1-a2", "b1 - b4"])
def test_text_that_is_no_move_says_what_was_expected(text: str) -> None:
    with pytest.raises(InvalidText, match="expected c3-c1/b1-b4"):
        make_rules().parse(make_rules().start(), text)


@pytest.mark.parametrize("text", ["f1-f4", "a6-a2", "a0-a2", "b1-b11"])
def test_squares_off_the_board_are_named(text: str) -> None:
    with pytest.raises(InvalidText, match=r"no such square: \w+ \(expected a1 to e5\)"):
        make_rules().parse(make_rules().start(), text)


@pytest.mark.parametrize(
    ("setup", "reason"),
    [
        ("BBBBB/...../..N../...../WWWWW", "expected rows 5 to 1, w or b"),
        ("BBBBB/...../..N../...../WWWWW white", "expected rows 5 to 1, w or b"),
        ("BBBBB/...../..N../...../WWWWW w woman", "expected rows 5 to 1, w or b"),
        ("BBBBB/...../..N../WWWWW w", "expected five rows of five squares"),
        ("BBBBB/....../..N../..../WWWWW w", "expected five rows of five squares"),
        ("BBBBB/...../..X../...../WWWWW w", "not 'X'"),
        ("BBBBB/...../..N../...../WWWW. w", "expected 5 white men, not 4"),
        ("BBBBB/..B../..N../...../WWWWW w", "expected 5 black men, not 6"),
        ("BBBBB/...../...../...../WWWWW w", "expected 1 neutron, not 0"),
    ],
)
def test_wrong_set_ups_say_why(setup: str, reason: str) -> None:
    with pytest.raises(InvalidText) as caught:
        make_rules().start(setup)
    assert reason in str(caught.value)


@pytest.mark.parametrize("variant", ["", "kraus"])
def test_the_third_repetition_is_a_draw(variant: str) -> None:
    rules = make_rules(variant)
    game = Game(rules, "WBB.B/....N/WB.../..B../WW.W. b")
    for round_trip in range(2):
        assert len(game.occurrences()) == round_trip + 1
        for text in ("e4-d3/e5-b2", "d3-c3/a3-b4", "c3-e3/b2-e5", "e3-e4/b4-a3"):
            assert game.outcome() is None
            game.play(text)
    assert game.occurrences() == [0, 4, 8]
    assert game.outcome() == Outcome(None, "repetition")
    with pytest.raises(IllegalMove, match="the game is over: repetition"):
        game.play("e4-d3/e5-b2")
    game.undo()
    assert game.outcome() is None


def test_variants_and_sizes_are_named_when_wrong() -> None:
    assert VARIANTS == ("kraus",)
    assert make_rules("kraus", 5).variant == "kraus"
    with pytest.raises(
        InvalidText, match=r"'krauss' \(known: kraus; leave it out for the usual rules\)"
    ):
        make_rules("krauss")
    with pytest.raises(InvalidText, match="no such size: 6"):
        make_rules("", 6)


def test_perft_counts_half_moves_or_turns() -> None:
    rules = make_rules()
    assert perft(rules, "", 4) == 4932
    assert perft(rules, "", 3, "turns") == 58092
    assert perft(rules, "B.BBB/.B.../..N../W..../WW.WW w", 1, "turns") == 73
    with pytest.raises(InvalidText, match="no such style: 'halves'"):
        perft(rules, "", 1, "halves")


def test_squares_are_read_as_they_are_written() -> None:
    assert [parse_square(format_square(square)) for square in range(25)] == list(range(25))
    assert format_square(0) == "a1"
    assert format_square(24) == "e5"


def test_the_explanation_names_both_rule_sets() -> None:
    assert "both players win" in explanation()
    assert "kraus" in explanation()
    assert "" not in explanation().split("\n")
