import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import tools.boards
import tools.play
from engines import registry
from engines.core.game import Outcome
from protocols.ask.score import Score
from tools.play.texts import ENGLISH, describe_result, describe_score, rules_of, say_count
from tools.records.game import Verdict

WHITE_FIRST = ("white", "black")
BLACK_FIRST = ("black", "white")


@pytest.mark.parametrize(
    ("outcome", "sides", "sentence"),
    [
        (Outcome(0, "neutron home"), WHITE_FIRST, "White wins: the neutron is on White's home row"),
        (
            Outcome(1, "far row"),
            WHITE_FIRST,
            "Black wins: all men of Black are on White's home row",
        ),
        (
            Outcome(None, "neutron blocked", both=True),
            WHITE_FIRST,
            "Both win: the neutron cannot move",
        ),
        (Outcome(0, "B+3.5"), BLACK_FIRST, "Black wins: by 3.5 points"),
        (Outcome(1, "W+1"), BLACK_FIRST, "White wins: by 1 point"),
        (Outcome(None, "0"), BLACK_FIRST, "Draw: both sides have the same number of points"),
        (
            Outcome(None, "no result"),
            BLACK_FIRST,
            "No result: the position has occurred three times",
        ),
        (Outcome(0, "checkmate"), BLACK_FIRST, "Black wins: White's king is mated"),
        (Outcome(1, "no legal move"), WHITE_FIRST, "Black wins: White has no legal move"),
        (
            Outcome(None, "100 plies without a capture"),
            WHITE_FIRST,
            "Draw: 100 plies without a capture",
        ),
    ],
)
def test_an_ending_reads_as_a_sentence(
    outcome: Outcome, sides: tuple[str, str], sentence: str
) -> None:
    assert describe_result(outcome, Verdict.NATURAL, sides) == sentence


def test_an_ending_off_the_board_names_who_gave_up() -> None:
    lost = Outcome(1, "resignation")
    assert describe_result(lost, Verdict.RESIGN, BLACK_FIRST) == "White wins: Black resigned"
    late = Outcome(1, "time")
    assert describe_result(late, Verdict.TIME, BLACK_FIRST) == "White wins: Black has no time left"


def test_no_sentence_is_empty() -> None:
    assert all(ENGLISH.values())


@pytest.mark.parametrize(
    ("score", "mover", "text"),
    [
        ("cp -79", 0, "-0.79 pawns for Black"),
        ("cp -79", 1, "+0.79 pawns for Black"),
        ("cp 0", 1, "+0.00 pawns for Black"),
        ("cp 300 lowerbound", 0, "about +3.00 pawns for Black"),
        ("mate 5", 0, "Black wins by force in 5"),
        ("mate -4", 0, "White wins by force in 4"),
        ("mate +", 1, "White wins by force"),
        ("exact draw", 0, "a forced draw"),
        ("exact win 11", 1, "White wins by force in 11"),
        ("est 0.573 lead +1.5", 1, "White leads by 1.5"),
        ("est 0.573 lead -1.5", 1, "Black leads by 1.5"),
        ("est 0.573", 1, ""),
    ],
)
def test_a_score_says_whose_it_is(score: str, mover: int, text: str) -> None:
    parsed = Score.parse(score)
    assert parsed is not None
    assert describe_score(parsed, mover, BLACK_FIRST) == text


def test_the_lines_of_the_rules_are_paragraphs_and_items() -> None:
    for game in registry.GAMES:
        lines = rules_of(game).splitlines()
        assert all(line.endswith(".") and not line.startswith(" ") for line in lines), lines
        printed = registry.find(game).load("explanation")().split()
        assert rules_of(game).split() == printed
    assert sum(line.startswith("- ") for line in rules_of("senet").splitlines()) == 6


def test_one_thing_has_a_sentence_of_its_own() -> None:
    assert say_count("loaded.open", 1, name="a.sgf") == "a.sgf: 1 move"
    assert say_count("loaded.open", 0, name="a.sgf") == "a.sgf: 0 moves"
    assert "There is 1 stone" in say_count("menu.nigiri", 1, parity="odd", side="Black")
    assert all(key[:-4] in ENGLISH for key in ENGLISH if key.endswith(".one"))


def sentences(path: Path) -> Iterator[str]:
    """Yield the words in a module that an error would show to a person."""
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Raise) or not isinstance(node.exc, ast.Call):
            continue
        if isinstance(node.exc.func, ast.Name) and node.exc.func.id == "BadMessage":
            continue  # The page sends no bad message; its text is for whoever changes the page.
        for part in [each for word in node.exc.args for each in ast.walk(word)]:
            if isinstance(part, ast.Constant) and " " in str(part.value).strip(" :,"):
                yield f"{path.name}, line {part.lineno}: {part.value!r}"


def test_no_error_of_the_faces_has_words_outside_the_texts() -> None:
    modules = [
        path
        for package in (tools.play, tools.boards)
        for path in Path(package.__path__[0]).rglob("*.py")
    ]
    assert len(modules) > 40
    assert [found for path in modules for found in sentences(path)] == []
