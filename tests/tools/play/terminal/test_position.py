from dataclasses import replace

import pytest

from engines import registry
from engines.core.game import Outcome
from tests.tools.play.sessions import person
from tools.play.players import PlayTerms
from tools.play.session import PlaySession
from tools.play.snapshot import ClockView, EvaluationView, Snapshot
from tools.play.terminal.position import (
    columns,
    describe_hints,
    describe_move,
    describe_standing,
    describe_turn,
    described,
    format_clock,
    how_to_begin,
    prompt_of,
    scene_of,
    targets_of,
)


def snapshot(game: str, *moves: str, size: int = 0) -> Snapshot:
    session = PlaySession(PlayTerms(game, size=size, seed=1), (person("Ann"), person("Bo")))
    session.start()
    for move in moves:
        session.throw() if move == "throw" else session.play(move)
    shown = session.snapshot()
    session.close()
    return shown


@pytest.mark.parametrize(
    ("left", "periods", "text"),
    [
        (600.0, 0, "10:00"),
        (3725.4, 0, "1:02:05"),
        (9.57, 0, "9.6"),
        (30.0, 3, "0:30 (3)"),
    ],
)
def test_a_clock_is_written_as_people_read_it(left: float, periods: int, text: str) -> None:
    assert format_clock(ClockView("600", left, periods, running=False)) == text


@pytest.mark.parametrize(
    ("game", "moves", "origin", "count", "ends"),
    [
        ("neutron", ("b1-b4",), "a5", 7, ["a2", "a4"]),
        ("shogi", (), "8h", 0, []),
        ("shogi", (), "2h", 6, ["1h", "3h", "4h", "5h", "6h", "7h"]),
        ("senet", ("throw",), "10", 1, ["11"]),
        ("morris", (), "a1", 1, []),
    ],
)
def test_the_moves_of_a_piece_are_found_with_their_ends(
    game: str, moves: tuple[str, ...], origin: str, count: int, ends: list[str]
) -> None:
    found, targets = targets_of(snapshot(game, *moves), origin)
    assert len(found) == count
    assert sorted(targets) == ends


def test_throws_and_moves_are_written_with_their_side() -> None:
    shown = snapshot("senet", "throw", "10-11")
    assert [describe_move(move, shown) for move in shown.moves] == [
        "Black throws [1]: 1 square",
        "2. Black: 10-11",
    ]
    assert list(describe_turn(shown)) == ["Black to throw (Ann)"]
    assert prompt_of(shown) == "Black, Enter to throw> "


def test_what_a_move_took_is_crossed() -> None:
    shown = snapshot("go", "A2", "A1", "B1", size=5)
    assert ("A1", "cross") in scene_of(shown).marks


@pytest.mark.parametrize(
    ("game", "setup", "text"),
    [
        ("neutron", "", "White to move"),
        (
            "neutron",
            "BBBBB/...../...../.W.../NWWWW b",
            "White wins: the neutron is on White's home row",
        ),
        ("senet", "", "Black to throw"),
        ("senet", "2121212121.................... 1 3", "Black to move with a throw of 3"),
        ("shogi", "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 2", "Black wins: White's king is mated"),
    ],
)
def test_a_position_says_who_is_to_move_or_who_has_won(game: str, setup: str, text: str) -> None:
    rules = registry.rules(game)
    assert describe_standing(rules, rules.start(setup)) == text


def test_an_ending_by_the_history_stands_in_place_of_the_side_to_move() -> None:
    rules = registry.rules("neutron")
    ending = Outcome(None, "repetition")
    text = describe_standing(rules, rules.start(), ending)
    assert text == "Draw: the position has occurred too often"


def test_the_lines_of_a_hint_are_numbered_with_their_values() -> None:
    lines = ("7g7f 3c3d", "2g2f", " ".join(["9g9f"] * 20))
    views = [EvaluationView(0.5, "", line, None, None) for line in lines]
    shown = replace(snapshot("shogi"), hints=(*views[:2], replace(views[2], share=None)))
    assert list(describe_hints(shown)) == [
        "  1. 7g7f  Black 50 %  3c3d",
        "  2. 2g2f  Black 50 %",
        "  3. 9g9f  " + " ".join(["9g9f"] * 8),
    ]
    assert list(describe_hints(snapshot("shogi"))) == []


def test_words_stand_in_columns_of_the_page() -> None:
    assert list(columns(["a", "bb", "cc"], 11)) == ["  a   bb", "  cc"]
    assert list(columns([], 80)) == []


def test_a_game_begins_with_a_line_about_moves_and_the_help() -> None:
    shown = snapshot("go", size=9)
    assert how_to_begin(shown) == "Type a move, such as D4; `help` lists the commands."
    assert how_to_begin(snapshot("senet")).startswith("Press Enter to throw, then type a move")


def test_the_moves_that_a_game_begins_with_as_examples_are_legal() -> None:
    for game, move in (("go", "D4"), ("shogi", "7g7f"), ("morris", "d6"), ("neutron", "b1-b4")):
        shown = snapshot(game)
        assert move in how_to_begin(shown)
        assert move in shown.legal


def test_people_who_watch_two_engines_are_told_how_to_stop_them() -> None:
    shown = snapshot("neutron")
    first, second = (replace(player, person=False) for player in shown.players)
    assert "Ctrl-C stops the game" in how_to_begin(replace(shown, players=(first, second)))


def test_commands_are_described_in_the_width_of_the_terminal() -> None:
    text = "change whether a chain counts as dead"
    assert list(described("dead POINT ...", text, 0)) == [f"  dead POINT ...     {text}"]
    assert list(described("dead POINT ...", text, 40)) == [
        "  dead POINT ...",
        "      change whether a chain counts as",
        "      dead",
    ]
    wide = list(described("player SIDE PLAYER", f"{text}, {text}", 60))
    assert wide == [
        "  player SIDE PLAYER change whether a chain counts as dead,",
        "                     change whether a chain counts as dead",
    ]
