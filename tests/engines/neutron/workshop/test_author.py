from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from engines.neutron.rules.text import fold, make_rules
from engines.neutron.tables.book import entries
from engines.neutron.workshop import author
from engines.neutron.workshop.author import Author, Unproved

RULES = make_rules("kraus")


def late() -> tuple[str, int]:
    """Return a position of the book that is won in three turns."""
    return next(
        (position, turns)
        for (variant, position), (_, turns) in entries().items()
        if variant == "kraus" and turns == 3
    )


def test_the_strategy_from_a_late_position_is_written_down() -> None:
    setup, turns = late()
    lines = list(Author(RULES).write(setup))
    assert lines[0].startswith(f"kraus {fold(RULES, RULES.start(setup))} ")
    assert lines[0].endswith(f" {turns}")
    assert len(lines) == len(set(lines))
    for line in lines[1:]:
        assert int(line.split()[-1]) <= turns - 2


def test_a_position_that_is_not_won_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(author, "NODES", 2000)
    setup = "BBBBB/...../..N../...../WWWWW w man"
    with pytest.raises(Unproved, match=r"BBBBB/\.\.\.\.\./"):
        list(Author(RULES).write(setup))


def test_the_file_is_sorted_and_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Short(Author):
        def write(self, setup: str = "") -> Iterator[str]:
            for letter in "za":
                yield f"{self._rules.variant or '-'} {letter}"

    monkeypatch.setattr(author, "Author", Short)
    done = CliRunner().invoke(author.main, [str(tmp_path / "book.txt")])
    assert done.exit_code == 0
    assert done.stderr.endswith("4 kraus a\n")
    assert (tmp_path / "book.txt").read_text() == "- a\n- z\nkraus a\nkraus z\n"
