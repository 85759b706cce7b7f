import pytest

from engines.core.game import Game, IllegalMove, InvalidText
from engines.morris.rules.text import MorrisRules, explanation, make_rules, perft

START = ".../.../.../....../.../.../... w 9 9 0"
# White: a mill on row 1 may be closed by g4-g1; Black: the mill b6 d6 f6 and two men beside it.
MIDDLE = "WW./.../.W./W....W/.B./BBB/B.. w 0 0 7"


def test_the_start_is_written_as_the_rules_say() -> None:
    rules = MorrisRules()
    assert rules.setup(rules.start()) == START
    assert rules.setup(rules.start(START)) == START


def test_a_set_up_comes_back_as_it_was() -> None:
    rules = MorrisRules()
    assert rules.setup(rules.start(MIDDLE)) == MIDDLE
    rules.use_coordinates("standard")
    assert rules.setup(rules.start(MIDDLE)) == MIDDLE


@pytest.mark.parametrize(
    ("setup", "reason"),
    [
        ("w 9 9 0", "a set-up is rows, side to move"),
        ("..../.../.../....../.../.../... w 9 9 0", "the rows are 3, 3, 3, 6, 3, 3 and 3"),
        ("X../.../.../....../.../.../... w 9 9 0", "the rows are 3, 3, 3, 6, 3, 3 and 3"),
        (".../.../.../....../.../.../... x 9 9 0", "the side to move is w or b, not 'x'"),
        (".../.../.../....../.../.../... w 9 -1 0", "Black's hand: expected a whole number"),
        (".../.../.../....../.../.../... w 9 9 many", "quiet plies: expected a whole number"),
        ("W../.../.../....../.../.../... w 9 9 0", "White has 10 men on the board and in hand"),
        ("WW./BB./.../....../.../.../... w 0 0 0", "both sides have fewer than three men"),
        (".../.../.../....../.../.../... w 9 9 3", "quiet plies are counted when all men are"),
        ("WWW/BBB/.../....../.../.../... w 0 0 101", "at most 100 quiet plies, not 101"),
    ],
)
def test_an_impossible_set_up_is_refused(setup: str, reason: str) -> None:
    with pytest.raises(InvalidText, match=reason.replace(".", r"\.")):
        MorrisRules().start(setup)


def test_without_draws_any_number_of_quiet_plies_may_have_passed() -> None:
    position = MorrisRules("no-draws").start("WWW/BBB/.../....../.../.../... w 0 0 101")
    assert position.outcome() is None


@pytest.mark.parametrize(
    ("setup", "text", "reason"),
    [
        (START, "d6-d5", "9 men are still to be placed"),
        ("W../.../.../....../.../.../B.. w 8 8 0", "a1", "a1 is occupied"),
        ("W../.../.../....../.../.../B.. w 8 8 0", "d1xa7", "a7 cannot be removed: it closes no"),
        (MIDDLE, "d2", "no men are left in hand"),
        (MIDDLE, "c3-d2", "c3: no man there"),
        (MIDDLE, "d6-d7", "d6: the man there is the opponent's"),
        (MIDDLE, "d1-a1", "a1 is occupied"),
        (MIDDLE, "d1-f2", "d1 and f2 are not joined by a line"),
        (MIDDLE, "a4-a7", "a7 is occupied"),
        (MIDDLE, "g4-g1", "it closes a mill: name the man to remove, as in d6-d5xc3"),
        (MIDDLE, "g4-g1xb6", "b6 is in a mill while others are not"),
        (MIDDLE, "g4-g1xg7", "no enemy man on g7"),
        (MIDDLE, "g4-g1xd5xa7", "a7 cannot be removed: only one man is removed"),
        (MIDDLE, "g4-g7xd5", "d5 cannot be removed: it closes no mill"),
        ("WW./BBB/.../....../.../.../... w 0 0 0", "a1-a4", "the game is over: fewer than three"),
        ("WWW/BBB/.../....../.../.../... w 0 0 100", "a1-a4", "the game is over: 100 plies"),
    ],
)  # fmt: skip
def test_an_illegal_move_is_refused_with_the_reason(setup: str, text: str, reason: str) -> None:
    rules = MorrisRules()
    with pytest.raises(IllegalMove) as caught:
        rules.parse(rules.start(setup), text)
    assert str(caught.value).startswith(f"illegal move {text}: {reason}")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("d2", "it closes two mills: name the two men to remove, as in d6-d5xc3xe4"),
        ("d2xa4xa4", "the two men to remove are the same"),
        ("d2xa4xb2", "no enemy man on b2"),
    ],
)
def test_double_removal_asks_for_two_men(text: str, reason: str) -> None:
    rules = MorrisRules("double-removal")
    position = rules.start(".W./W.W/.W./B....B/..B/.../.B. w 2 2 0")
    with pytest.raises(IllegalMove, match=reason):
        rules.parse(position, text)
    assert rules.parse(position, "d2xa4xg4") == rules.parse(position, "d2xg4xa4")


@pytest.mark.parametrize(
    "text", ["", "h1", "a8", "a1-", "a1xb2xc3xd2", "pass", "a1-d1-g1", "a1 d1"]
)
def test_what_is_no_move_is_refused_as_text(text: str) -> None:
    rules = MorrisRules()
    with pytest.raises(InvalidText, match="invalid move"):
        rules.parse(rules.start(), text)


def test_points_off_the_lines_do_not_exist() -> None:
    rules = MorrisRules()
    with pytest.raises(InvalidText, match="no such point: d4"):
        rules.parse(rules.start(), "d4")


def test_standard_coordinates_turn_the_rows_over() -> None:
    rules = MorrisRules()
    position = rules.start("W../.../.../....../.../.../... b 8 9 0")
    with pytest.raises(IllegalMove, match="a1 is occupied"):
        rules.parse(position, "a1")
    rules.use_coordinates("standard")
    with pytest.raises(IllegalMove, match="a7 is occupied"):
        rules.parse(position, "A7")
    assert rules.format(position, rules.parse(position, "f6")) == "f6"
    with pytest.raises(InvalidText, match="no such coordinates: 'chess'"):
        rules.use_coordinates("chess")


def test_a_diagram_shows_men_and_hands() -> None:
    rules = MorrisRules()
    lines = rules.diagram(rules.start(MIDDLE)).splitlines()
    assert lines[0] == "    A   B   C   D   E   F   G"
    assert lines[1] == "1   O-----------O-----------."
    assert lines[7] == "4   O---.---.       .---.---O"
    assert lines[11] == "6   |   X-------X-------X   |"
    assert lines[-1] == "O white, X black; in hand: white 0, black 0"
    rules.use_coordinates("standard")
    assert rules.diagram(rules.start(MIDDLE)).splitlines()[1] == "7   O-----------O-----------."


def test_variants_are_named_in_one_order() -> None:
    assert make_rules("double-removal, no-draws").variant == "no-draws,double-removal"
    with pytest.raises(InvalidText, match="no such variant: 'lasker'"):
        make_rules("lasker")
    with pytest.raises(InvalidText, match="the board has 7 rows and columns, not 9"):
        make_rules(size=9)


def test_perft_knows_its_styles() -> None:
    setup = "WW./.../.../....../.../.../BB. w 7 7 0"
    assert perft(make_rules(), setup, 1) == 19 + 2
    assert perft(make_rules(), setup, 1, "apart") == 20
    with pytest.raises(InvalidText, match="no such style: 'turns'"):
        perft(make_rules(), setup, 1, "turns")


def test_a_game_is_written_as_it_was_played() -> None:
    game = Game(make_rules())
    moves = ["d6", "d2", "b6", "f2", "f6xd2", "b2"]
    for move in moves:
        game.play(move)
    assert game.texts() == moves
    assert "mill" in explanation()
