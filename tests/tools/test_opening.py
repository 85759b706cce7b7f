from pathlib import Path
from typing import Any

import pytest

from engines.core.game import Game, InvalidText
from engines.core.sgf import write_sgf
from engines.neutron.rules import make_rules
from tools.opening import load_openings, pick, play_opening
from tools.referee import Opening

RULES: Any = make_rules()


def lines(*, over: bool = False) -> list[str]:
    """Return openings of a white move and an answer that ends the game, or does not."""
    start = Game(RULES)
    found = []
    for move in start.position.legal_moves():
        game = Game(RULES)
        first = RULES.format(game.position, move)
        game.push(move)
        for answer in game.position.legal_moves():
            second = RULES.format(game.position, answer)
            game.push(answer)
            ended = game.outcome() is not None
            game.undo()
            if ended == over:
                found.append(f"{first} {second}")
                break
    return found[:4]


def text_file(folder: Path, *rows: str) -> Path:
    path = folder / "book.txt"
    path.write_text("\n".join(rows))
    return path


def test_a_text_file_holds_an_opening_a_line(tmp_path: Path) -> None:
    one, two, *_ = lines()
    path = text_file(tmp_path, "# a book", "", f"{one}  # the first", two)
    openings, notices = load_openings(path, RULES)
    assert [opening.name for opening in openings] == ["book.txt:3", "book.txt:4"]
    assert [" ".join(opening.moves) for opening in openings] == [one, two]
    assert notices == []


def test_an_sgf_file_is_one_opening(tmp_path: Path) -> None:
    white, black = lines()[0].split()
    path = tmp_path / "game.sgf"
    path.write_bytes(write_sgf([{"GM": ["13"]}, {"W": [white]}, {"B": [black]}]))
    openings, _ = load_openings(path, RULES)
    assert openings == (Opening("game.sgf", (white, black)),)


def test_a_folder_is_read_whole_and_in_order(tmp_path: Path) -> None:
    one, two, *_ = lines()
    (tmp_path / "b.txt").write_text(two)
    (tmp_path / "a.txt").write_text(one)
    (tmp_path / "notes.md").write_text("no opening")
    openings, _ = load_openings(tmp_path, RULES)
    assert [opening.name for opening in openings] == ["a.txt:1", "b.txt:1"]


def test_openings_are_cut_to_a_number_of_plies(tmp_path: Path) -> None:
    openings, _ = load_openings(text_file(tmp_path, *lines()), RULES, plies=1)
    assert {len(opening.moves) for opening in openings} == {1}


def test_what_leads_to_the_same_position_is_noticed_and_left_out(tmp_path: Path) -> None:
    one, two, *_ = lines()
    openings, notices = load_openings(text_file(tmp_path, one, two, one), RULES)
    assert len(openings) == 2
    assert notices == ["book.txt:3 is the same as book.txt:1: left out"]


def test_a_seed_orders_them_the_same_way_each_time(tmp_path: Path) -> None:
    path = text_file(tmp_path, *lines())

    def names(seed: int) -> list[str]:
        openings, _ = load_openings(path, RULES, order="random", seed=seed)
        return [opening.name for opening in openings]

    assert names(5) == names(5)
    assert len({tuple(names(seed)) for seed in range(8)}) > 1
    assert sorted(names(5)) == [f"book.txt:{number}" for number in range(1, 5)]


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ("a1-a5", "opening book.txt:1, move 1: illegal move a1-a5"),
        ("hello", "opening book.txt:1, move 1: no move: 'hello'"),
        ("# nothing", "no openings in it"),
    ],
)
def test_an_opening_that_cannot_be_played_is_named(
    tmp_path: Path, row: str, complaint: str
) -> None:
    with pytest.raises(InvalidText) as caught:
        load_openings(text_file(tmp_path, row), RULES)
    assert complaint in str(caught.value)


def test_an_opening_that_ends_the_game_is_refused() -> None:
    moves = lines(over=True)[0].split()
    with pytest.raises(InvalidText, match="opening short ends the game"):
        play_opening(Opening("short", tuple(moves)), RULES)


def test_openings_are_used_in_turn() -> None:
    both = (Opening("a"), Opening("b"))
    assert [pick(both, pair).name for pair in range(3)] == ["a", "b", "a"]
    assert pick((), 5) == Opening()
