from pathlib import Path

import pytest

from engines.senet.tables import iteration as module
from engines.senet.tables.storage import TableError, fingerprint, load, path_of, save
from engines.senet.tables.table import FLOAT, ChanceTable
from tests.engines.senet.solutions import solve

COMPILED = not module.__file__.endswith(".py")


RULES = fingerprint(passing=False, over=False)


def test_a_class_is_not_taken_for_its_mirror(tmp_path: Path) -> None:
    values = ChanceTable([(1, 2)], FLOAT).values
    for each in ((1, 2), (2, 1)):
        header = {"rules": RULES, "class": each}
        save(path_of(tmp_path, False, False, *each), values, header)
        load(path_of(tmp_path, False, False, *each), RULES, *each, checked=True)
    path_of(tmp_path, False, False, 1, 2).replace(path_of(tmp_path, False, False, 2, 1))
    with pytest.raises(TableError, match=r"expected the class 2-1, not \[1, 2\]"):
        load(path_of(tmp_path, False, False, 2, 1), RULES, 2, 1, checked=False)


def test_files_of_other_rules_are_refused(folder: Path) -> None:
    path = path_of(folder, False, False, 1, 1)
    with pytest.raises(TableError, match="made under other rules"):
        load(path, fingerprint(passing=True, over=False), 1, 1, checked=True)


def test_each_variant_has_a_fingerprint_of_its_own() -> None:
    prints = {fingerprint(passing, over) for passing in (False, True) for over in (False, True)}
    assert len(prints) == 4


def test_damage_is_found(tmp_path: Path) -> None:
    solve(1, "", tmp_path)
    path = path_of(tmp_path, False, False, 1, 1)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(TableError, match="checksum"):
        load(path, RULES, 1, 1, checked=True)
    with pytest.raises(TableError, match="checksum"):
        solve(1, "", tmp_path)
    path.write_bytes(whole[:-4])
    with pytest.raises(TableError, match="expected 756 values"):
        load(path, RULES, 1, 1, checked=False)
    for junk in (b"", b"no table", b"[1]" + b" " * 5000, b"{}" + b" " * 5000):
        path.write_bytes(junk)
        with pytest.raises(TableError, match="no table of Senet"):
            load(path, RULES, 1, 1, checked=False)


def test_a_file_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="too long"):
        save(tmp_path / "x.table", ChanceTable([(1, 1)], FLOAT).values, {"rules": "x" * 5000})
    assert list(tmp_path.iterdir()) == []
