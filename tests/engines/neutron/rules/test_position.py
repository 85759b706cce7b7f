import random

import pytest
from hypothesis import given

from engines.core.game import Outcome, count_leaves
from engines.neutron.rules.position import BOTH, GOES_ON, Position
from engines.neutron.rules.text import make_rules
from tests.engines.neutron.walks import COMPILED, choices, unhurried, variants, walk

HALVES = [1, 13, 99, 1022, 4932, 57418, 234062, 2574188]
TURNS = [1, 13, 1026, 58092, 2617450]

VECTORS = [
    # Rows 5 to 1, moves of the neutron, turns.
    ("BBBBB/...../..N../...../WWWWW", 8, 95),
    (".B.../.WBW./.BNB./.WBW./W....", 0, 0),
    (".B.B./..BW./.WNBW/.WWB./.....", 1, 1),
    ("B.BBB/.B.../..N../W..../WW.WW", 7, 73),
    ("BBB.B/...../N.B../.W.../W.WWW", 4, 57),
]


@pytest.mark.parametrize("variant", ["", "kraus"])
def test_half_moves_from_the_start_are_counted(variant: str) -> None:
    position = make_rules(variant).start()
    deepest = 7 if COMPILED else 6
    assert [position.perft(depth) for depth in range(deepest + 1)] == HALVES[: deepest + 1]


@pytest.mark.parametrize("variant", ["", "kraus"])
def test_turns_from_the_start_are_counted(variant: str) -> None:
    position = make_rules(variant).start()
    deepest = 4 if COMPILED else 3
    assert [position.perft_turns(depth) for depth in range(deepest + 1)] == TURNS[: deepest + 1]


@pytest.mark.parametrize("variant", ["", "kraus"])
@pytest.mark.parametrize(("rows", "neutron_moves", "turns"), VECTORS)
def test_known_positions_have_their_moves(
    variant: str, rows: str, neutron_moves: int, turns: int
) -> None:
    position = make_rules(variant).start(f"{rows} w")
    assert position.perft(1) == neutron_moves
    assert position.perft_turns(1) == turns
    assert len(position.legal_moves()) == turns


@unhurried
@given(variants, choices)
def test_counting_turns_agrees_with_playing_them(variant: str, numbers: list[int]) -> None:
    position = walk(variant, numbers).position
    assert position.perft_turns(2) == count_leaves(position, 2)


@unhurried
@given(variants, choices)
def test_two_halves_are_a_turn_unless_the_neutron_ends_it(variant: str, numbers: list[int]) -> None:
    position = walk(variant, numbers).position
    if not position.only_man:
        short = sum(move >> 15 == 31 for move in position.legal_moves())
        assert position.perft(2) == position.perft_turns(1) - short


@unhurried
@given(variants, choices)
def test_undo_restores_everything(variant: str, numbers: list[int]) -> None:
    rules = make_rules(variant)
    game = walk(variant, numbers)
    position = game.position
    before = (rules.setup(position), position.key(), position.outcome())
    for move in position.legal_moves():
        position.play(move)
        position.undo()
        assert (rules.setup(position), position.key(), position.outcome()) == before
    while game.moves:
        game.undo()
    assert rules.setup(position) == rules.setup(rules.start())


@unhurried
@given(variants, choices)
def test_key_equals_that_of_the_same_position_set_up(variant: str, numbers: list[int]) -> None:
    rules = make_rules(variant)
    position = walk(variant, numbers).position
    assert rules.start(rules.setup(position)).key() == position.key()
    assert 0 <= position.key() < 1 << 57


@unhurried
@given(variants, choices)
def test_mirrored_positions_have_mirrored_moves(variant: str, numbers: list[int]) -> None:
    rules = make_rules(variant)
    position = walk(variant, numbers).position
    mirrored = position.mirrored()
    swap = str.maketrans("abcde", "edcba")
    expected = {rules.format(position, move).translate(swap) for move in position.legal_moves()}
    assert {rules.format(mirrored, move) for move in mirrored.legal_moves()} == expected
    assert mirrored.mirrored().key() == position.key()
    assert mirrored.outcome() == position.outcome()


@unhurried
@given(variants, choices)
def test_a_copy_goes_its_own_way(variant: str, numbers: list[int]) -> None:
    game = walk(variant, numbers)
    twin = game.position.copy()
    key = game.position.key()
    for _ in game.moves:
        twin.undo()
    assert twin.key() == make_rules().start().key()
    assert game.position.key() == key


@pytest.mark.parametrize(
    ("setup", "default", "kraus"),
    [
        ("BBBBB/...../.N.../...../WWWWW w", None, None),
        (
            "BBBB./.B.../...../WWWWW/N.... w",
            Outcome(0, "neutron home"),
            Outcome(0, "neutron home"),
        ),
        (
            "N.BBB/BB.../...../...../WWWWW w",
            Outcome(1, "neutron home"),
            Outcome(1, "neutron home"),
        ),
        ("WWWWW/...../..N../...../BBBBB b", Outcome(0, "far row"), None),
        ("BBBB./....B/..N../...../WWWWW w", None, None),
        (
            ".B.../.WBW./.BNB./.WBW./W.... w",
            Outcome(None, "neutron blocked", both=True),
            Outcome(1, "neutron blocked"),
        ),
        (
            ".B.../.WBW./.BNB./.WBW./W.... b",
            Outcome(None, "neutron blocked", both=True),
            Outcome(0, "neutron blocked"),
        ),
        (
            "WWB../WWB../WBN../BB.../..... w man",
            Outcome(None, "no move", both=True),
            Outcome(1, "no move"),
        ),
    ],
)
def test_a_position_shows_how_it_ended(
    setup: str, default: Outcome | None, kraus: Outcome | None
) -> None:
    assert make_rules().start(setup).outcome() == default
    assert make_rules("kraus").start(setup).outcome() == kraus


def test_the_neutron_at_home_comes_before_the_far_row() -> None:
    assert make_rules().start("WWWWW/...../...../B..../NBBBB b").outcome() == Outcome(
        0, "neutron home"
    )
    assert make_rules().start("WWWWN/W..../...../...../BBBBB w").outcome() == Outcome(
        1, "neutron home"
    )


def test_the_far_row_comes_before_the_blocked_neutron() -> None:
    setup = "WWWWW/.B.BN/...BB/....B/..... b"
    assert make_rules().start(setup).outcome() == Outcome(0, "far row")
    assert make_rules("kraus").start(setup).outcome() == Outcome(0, "neutron blocked")


def test_the_first_turn_of_kraus_does_not_need_the_neutron() -> None:
    setup = ".B.../.WBW./.BNB./.WBW./W.... w man"
    assert make_rules("kraus").start(setup).outcome() is None
    assert make_rules().start(setup).outcome() == Outcome(None, "neutron blocked", both=True)


def test_random_games_end_and_the_same_seed_plays_the_same_game() -> None:
    position = make_rules().start()
    endings = [position.play_out(seed) for seed in range(60)]
    assert endings == [position.play_out(seed) for seed in range(60)]
    assert set(endings) >= {1, 2}
    assert GOES_ON not in endings
    assert BOTH == 3
    assert isinstance(position, Position)


def test_many_random_games_are_those_of_the_first_seeds() -> None:
    position = make_rules().start()
    endings = [position.play_out(seed) for seed in range(60)]
    assert position.play_games(60) == endings.count(1)


def test_random_games_end_as_those_that_list_every_turn() -> None:
    # From here White wins far more often than Black, by the neutron and by a fifth man.
    setup = "WWWW./....W/..N../B...B/..BBB w"
    rules = make_rules()
    games = 400 if COMPILED else 60
    generator = random.Random(8)
    listed = 0
    for _ in range(games):
        position = rules.start(setup)
        while position.ending() == GOES_ON:
            position.play(generator.choice(position.legal_moves()))
        listed += position.ending() == 1
    position = rules.start(setup)
    drawn = sum(position.play_out(seed) == 1 for seed in range(games))
    deviation = (games * 0.5) ** 0.5  # Of the difference, at most.
    assert abs(listed - drawn) < 5 * deviation


def test_a_random_game_from_an_ended_one_is_over() -> None:
    assert make_rules().start("WWWWW/...../..N../BB.../..BBB w").play_out(1) == 1
