from pathlib import Path

import pytest
from click.testing import CliRunner

from engines.senet.tables import iteration as module
from engines.senet.tables import shipped
from engines.senet.tables.storage import fingerprint, load, path_of
from engines.senet.workshop.ship import main, pack
from tests.engines.senet.solutions import solve

COMPILED = not module.__file__.endswith(".py")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("tables")
    solve(2 if COMPILED else 1, "", directory)
    return directory


@pytest.mark.parametrize("step", [3, 16, 900])
def test_packed_chances_are_off_by_half_a_step_at_most(
    folder: Path, tmp_path: Path, step: int
) -> None:
    classes = {(1, 1): step, (1, 2): step} if COMPILED else {(1, 1): step}
    pack(folder, classes, tmp_path / "packed")
    table = shipped.unpack((tmp_path / "packed").read_bytes())
    for each in classes:
        stored = load(
            path_of(folder, False, False, *each), fingerprint(False, False), *each, checked=True
        )
        worst = max(
            abs(exact - value / 65535)
            for exact, value in zip(stored.values, table.part(*each), strict=True)
        )
        assert worst <= (0.5 * step + 0.01) / 65535


def test_steps_that_are_too_fine_are_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="steps of 1 leave numbers"):
        pack(folder, {(1, 1): 1}, tmp_path / "packed")


def test_the_command_asks_for_all_classes(folder: Path, tmp_path: Path) -> None:
    words = ["900", str(tmp_path / "packed"), "--tables", str(folder)]
    done = CliRunner().invoke(main, words)
    assert isinstance(done.exception, FileNotFoundError)
    assert done.exception.filename.endswith("-3.table" if COMPILED else "-2.table")
