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
    chooser, output, _ = menu("1", "3", "3", "2", "two", "", "2", "", "3", "1")
    made = chooser.arrange()
    assert (made.terms.game, made.terms.size, made.terms.variant) == ("go", 9, "japanese")
    assert "handicap=2" in made.terms.setup
    assert [player.label for player in made.players] == ["Go 3", "Go 1"]
    assert "two" in output.getvalue(), "a wrong handicap is refused, and asked again"


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


def test_a_damaged_game_is_named_and_the_next_one_is_offered(data: Path) -> None:
    data.mkdir(parents=True)
    (data / "2.play").write_text("{}")
    state = {
        "format": 1,
        "game": "neutron",
        "variant": "",
        "size": 0,
        "setup": "",
        "seed": 1,
        "controls": ["", ""],
        "thinking": "1/move",
        "players": [["Ann"], ["Bo"]],
        "started": "",
        "moves": [[0, "b1-b5", 0.0, None, ""]],
        "tails": [],
        "clocks": [[0.0, 0.0, 0], [0.0, 0.0, 0]],
        "ended": None,
        "dead": None,
    }
    (data / "1.play").write_text(json.dumps(state))
    state["moves"] = [[0, "b1-b4", 0.0, None, ""]]
    (data / "0.play").write_text(json.dumps(state))
    chooser, output, person = menu("y", "y")
    session = chooser.unfinished()
    assert session is not None
    assert [move.text for move in session.snapshot().moves] == ["b1-b4"]
    assert "2.play: damaged" in output.getvalue()
    assert "illegal move b1-b5" in output.getvalue()
    assert person.asked[0].startswith("Neutron: Ann - Bo, up to move 1")
    assert data / "1.play" in unfinished(), "its lock was given back"
    session.close()
    Keeper(data / "0.play").close(keep=False)
