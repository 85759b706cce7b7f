import io
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from tools.play.autosave import Keeper, folder, unfinished
from tools.play.terminal.menu import GAMES, Menu, Quit
from tools.play.terminal.screen import Screen


class Answers:
    """A person with prepared answers."""

    def __init__(self, *answers: str) -> None:
        self._answers: Iterator[str] = iter(answers)
        self.asked: list[str] = []

    def read(
        self, message: str, words: Sequence[str] = (), stale: Callable[[], bool] = lambda: False
    ) -> str:
        self.asked.append(message)
        return next(self._answers)

    def cancel(self) -> None:
        pass


def menu(*answers: str) -> tuple[Menu, io.StringIO, Answers]:
    output, person = io.StringIO(), Answers(*answers)
    return Menu(Screen(output), person), output, person


@pytest.fixture(autouse=True)
def data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("QUINTET_DATA", str(tmp_path))
    return folder()


def test_two_computers_of_go_are_arranged_with_size_rules_and_handicap() -> None:
    chooser, output, _ = menu("1", "3", "3", "2", "two", "2", "", "3", "1")
    made = chooser.arrange()
    assert (made.terms.game, made.terms.size, made.terms.variant) == ("go", 9, "japanese")
    assert "handicap=2" in made.terms.setup
    assert [player.label for player in made.players] == ["Go 3", "Go 1"]
    assert "two" in output.getvalue(), "a wrong handicap is refused, and asked again"


def test_levels_are_chosen_by_their_names_and_asked_again() -> None:
    chooser, output, person = menu("4", "3", "1", "", "stubborn", "11", "7")
    made = chooser.arrange()
    assert [player.label for player in made.players] == ["Neutron stubborn", "Neutron 7"]
    assert "no such level: 11 (known: random, stubborn, 1, 2," in output.getvalue()
    assert person.asked[-1] == "Level [5]: "


def test_a_wrong_clock_is_asked_again_and_the_handicap_is_not() -> None:
    chooser, output, person = menu("2", "2", "1", "lance", "soon", "600")
    made = chooser.arrange()
    assert (made.terms.setup, str(made.terms.controls[0])) == ("lance", "600")
    assert "time control 'soon'" in output.getvalue()
    assert sum("Handicap" in question for question in person.asked) == 1


def test_nigiri_names_the_stones_and_the_colour() -> None:
    chooser, output, _ = menu("1", "1", "4", "1", "", "600+5", "1", "3", "1")
    made = chooser.arrange()
    assert [player.is_person for player in made.players].count(True) == 1
    assert "you are " in output.getvalue()
    assert str(made.terms.controls[1]) == "600+5"


def test_a_handicap_of_shogi_is_chosen_by_name() -> None:
    chooser, _, person = menu("2", "2", "1", "lance", "")
    assert chooser.arrange().terms.setup == "lance"
    assert any("lance" in question for question in person.asked)


def test_the_last_entry_leaves() -> None:
    chooser, _, _ = menu(str(len(GAMES) + 1))
    with pytest.raises(Quit):
        chooser.arrange()


STATE = {
    "format": 1,
    "game": "neutron",
    "variant": "",
    "size": 0,
    "setup": "",
    "seed": 1,
    "controls": ["", ""],
    "thinking": "1/move",
    "players": [["Ann"], ["Bo"]],
    "started": "2026-11-19T22:30:17+00:00",
    "moves": [[0, "b1-b4", 0.0, None, ""]],
    "tails": [],
    "clocks": [[0.0, 0.0, 0], [0.0, 0.0, 0]],
    "ended": None,
    "dead": None,
}


def leave_games(data: Path, *names: str) -> None:
    data.mkdir(parents=True, exist_ok=True)
    for name in names:
        (data / f"{name}.play").write_text(json.dumps({**STATE, "players": [[name], ["Bo"]]}))


def test_a_damaged_game_is_named_and_another_one_can_be_chosen(data: Path) -> None:
    leave_games(data, "0")
    (data / "2.play").write_text("{}")
    illegal = {**STATE, "moves": [[0, "b1-b5", 0.0, None, ""]]}
    (data / "1.play").write_text(json.dumps(illegal))
    chooser, output, _ = menu("1", "2", "3")
    session = chooser.unfinished()
    assert session is not None
    assert [move.text for move in session.snapshot().moves] == ["b1-b4"]
    assert "2.play: damaged" in output.getvalue()
    assert "illegal move b1-b5" in output.getvalue()
    assert unfinished() == [data / "2.play", data / "1.play"], "their locks were given back"
    session.close()
    Keeper(data / "0.play").close(keep=False)


def test_unfinished_games_are_one_list_with_the_newest_first(data: Path) -> None:
    leave_games(data, *(f"game{number:02}" for number in range(12)))
    chooser, output, person = menu("")
    assert chooser.unfinished() is None
    lines = output.getvalue().splitlines()
    assert lines[0] == "Unfinished games"
    assert lines[1] == "   1  2026-11-19 22:30  Neutron: game11 - Bo, up to move 1"
    assert lines[10].startswith("  10  2026-11-19 22:30  Neutron: game02 ")
    assert lines[11:] == ["older ones that are not listed: 2"]
    assert len(person.asked) == 1


def test_an_unfinished_game_is_deleted_by_its_number(data: Path) -> None:
    leave_games(data, "a", "b", "c")
    (data / "d.play").write_text("{}")
    chooser, output, _ = menu("d 2", "D1", "delete 3", "d2", "")
    assert chooser.unfinished() is None
    assert output.getvalue().count("deleted") == 3
    assert "expected a number from 1 to 2, alone or after d; Enter for" in output.getvalue()
    assert [path.name for path in unfinished()] == ["b.play"]


def test_an_answer_that_is_no_number_of_the_list_is_refused(data: Path) -> None:
    leave_games(data, "a")
    chooser, output, person = menu("0", "2", "y", "d", "d 2", "")
    assert chooser.unfinished() is None
    assert output.getvalue().count("expected a number from 1 to 1") == 5
    assert output.getvalue().count("Unfinished games") == 1
    assert len(person.asked) == 6
    assert len(unfinished()) == 1


@pytest.mark.parametrize("word", ["q", "Quit", "exit"])
def test_every_question_can_be_left_by_a_word(data: Path, word: str) -> None:
    leave_games(data, "a")
    chooser, _, _ = menu(word)
    with pytest.raises(Quit):
        chooser.unfinished()
    for answers in ((), ("1", "3"), ("2", "2", "1"), ("2", "2", "1", ""), ("4", "3", "1", "")):
        chooser, _, _ = menu(*answers, word)
        with pytest.raises(Quit):
            chooser.arrange()


def test_help_explains_the_question_and_asks_again(data: Path) -> None:
    leave_games(data, "a")
    chooser, output, _ = menu("help", "?", "")
    assert chooser.unfinished() is None
    assert output.getvalue().count("d and a number deletes it, Enter goes on to a new game") == 2
    chooser, output, _ = menu("help", "6")
    with pytest.raises(Quit):
        chooser.arrange()
    assert "q leaves" in output.getvalue()


def test_a_game_that_another_program_has_taken_leaves_the_list(data: Path) -> None:
    leave_games(data, "a", "b")
    taken: list[Keeper] = []

    class Late(Answers):
        def read(
            self, message: str, words: Sequence[str] = (), stale: Callable[[], bool] = lambda: False
        ) -> str:
            if not taken:
                taken.append(Keeper(data / "b.play"))
            return super().read(message, words, stale)

    output = io.StringIO()
    assert Menu(Screen(output), Late("1", "")).unfinished() is None
    taken[0].close(keep=False)
    assert "another process plays this game" in output.getvalue()
    assert output.getvalue().count("b - Bo") == 1


def test_without_unfinished_games_nothing_is_said_of_them(data: Path) -> None:
    chooser, output, person = menu()
    assert chooser.unfinished() is None
    chooser.mention_unfinished()
    assert (output.getvalue(), person.asked) == ("", [])
    leave_games(data, "a", "b")
    chooser.mention_unfinished()
    assert output.getvalue().startswith("Unfinished games: 2. ")
