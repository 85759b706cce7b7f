"""The list of the games, and that every part it names is there."""

import subprocess
import sys
from pathlib import Path

import pytest

import engines
from engines import registry
from engines.core.game import Game, InvalidText

PARTS = [
    (entry, part)
    for entry in registry.GAMES.values()
    for part in dict.fromkeys(("rules", "explanation", "perft", "bench", *entry.parts))
]


@pytest.mark.parametrize(
    ("entry", "part"), PARTS, ids=[f"{entry.name} {part}" for entry, part in PARTS]
)
def test_every_part_can_be_loaded(entry: registry.Entry, part: str) -> None:
    assert callable(entry.load(part))


def test_a_game_does_not_have_the_parts_of_another() -> None:
    with pytest.raises(KeyError, match="throw"):
        registry.find("go").load("throw")


def test_every_folder_with_rules_is_a_game_of_the_list() -> None:
    folders = {path.parent.name for path in Path(engines.__path__[0]).glob("*/__main__.py")}
    assert folders == set(registry.GAMES)


@pytest.mark.parametrize("name", registry.GAMES)
def test_the_rules_know_their_name_in_the_list(name: str) -> None:
    game = Game(registry.rules(name))
    assert game.rules.name == name
    assert game.outcome() is None


def test_an_unknown_game_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InvalidText, match=r"no such game: 'shogl' .known: go, morris, neutron"):
        registry.find("shogl")


def test_listing_the_games_imports_none_of_them() -> None:
    code = "import sys; from engines import registry; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    loaded = [name for name in done.stdout.split() if name.startswith("engines.")]
    assert not [name for name in loaded if name.split(".")[1] in registry.GAMES]
