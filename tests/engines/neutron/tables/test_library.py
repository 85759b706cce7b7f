import os
from pathlib import Path

import pytest

from engines.core.game import Game
from engines.core.search import Limits, Report
from engines.core.solving import SolveRequest
from engines.neutron.play.search import Search
from engines.neutron.rules.position import Position
from engines.neutron.rules.text import make_rules
from engines.neutron.tables import retrograde as module
from engines.neutron.tables.library import Library
from engines.neutron.tables.retrograde import LOST, OPEN, WON
from engines.neutron.tables.solve import Solution, path_of

COMPILED = not module.__file__.endswith(".py")
MEN = 2 if COMPILED else 1


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("tables")
    for variant in ("", "kraus"):
        list(Solution(SolveRequest(None, variant, "", directory, 1, 10), MEN).run(lambda *_: None))
    return directory


def position(white: int, black: int, neutron: int, turn: int, *, kraus: bool = False) -> Position:
    return Position(white, black, neutron, turn, False, kraus)


@pytest.mark.parametrize("kraus", [False, True])
def test_the_best_turns_lead_to_what_the_position_is_worth(folder: Path, kraus: bool) -> None:
    library = Library(folder, kraus, MEN)
    seen = set()
    men = (0b11 if MEN == 2 else 0b1), (0b11 << 15 if MEN == 2 else 0b1 << 16)
    for neutron in range(5, 15):
        for turn in (0, 1):
            root = position(*men, neutron, turn, kraus=kraus)
            best = library.best_turns(root)
            assert best is not None
            value, turns = best
            seen.add(value)
            for move in turns:
                root.play(move)
                if root.ending() == 0:
                    after = library.best_turns(root)
                    assert after is not None
                    assert after[0] == -value
                root.undo()
            others = set(root.legal_moves()) - set(turns)
            assert turns
            assert value != LOST or not others
    assert WON in seen
    assert seen <= {WON, LOST, OPEN}


def test_without_a_file_nothing_is_known(tmp_path: Path) -> None:
    assert Library(tmp_path, kraus=False).best_turns(make_rules().start()) is None


def test_no_folder_is_as_good_as_an_empty_one(capfd: pytest.CaptureFixture[str]) -> None:
    for place in (os.devnull, "/nowhere"):
        assert Library(Path(place), kraus=False).best_turns(make_rules().start()) is None
    assert capfd.readouterr().err == ""


def test_a_file_of_other_rules_is_named_and_not_used(
    tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path_of(tmp_path, "").write_bytes(path_of(folder, "kraus").read_bytes()[:8192])
    library = Library(tmp_path, kraus=False, men=MEN)
    assert library.best_turns(make_rules().start()) is None
    Library(tmp_path, kraus=False, men=MEN)  # As with every new game.
    assert capsys.readouterr().err.count("quintet-neutron: table not used: ") == 1


def test_what_is_no_file_is_named_and_not_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = path_of(tmp_path, "kraus")
    path.mkdir()
    assert Library(tmp_path, kraus=True).best_turns(make_rules("kraus").start()) is None
    message = capsys.readouterr().err
    assert message.startswith(f"quintet-neutron: table not used: {path}: ")
    assert "Errno" not in message


class Oracle:
    """Knows that the start is a draw, and which one turn keeps it."""

    def __init__(self, directory: Path, kraus: bool) -> None:
        assert not kraus

    def best_turns(self, root: Position) -> tuple[int, list[int]]:
        return OPEN, [root.legal_moves()[3]]


def test_a_search_keeps_to_what_the_table_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engines.neutron.play.search.Library", Oracle)
    game = Game(make_rules())
    game.play("a1-b2")  # Off the book.
    reports: list[Report] = []
    move = Search(table_bits=12).search(
        game, Limits(depth=2), stop=lambda: False, report=reports.append
    )
    assert move == game.position.legal_moves()[3]
    assert str(reports[-1].score) == "exact draw"
