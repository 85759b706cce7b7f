from pathlib import Path

import pytest
from click.testing import CliRunner

from engines.core.game import Move
from engines.neutron.play import tree as module
from engines.neutron.play.search import _rank_turn
from engines.neutron.rules.position import Position
from engines.neutron.rules.text import make_rules
from engines.neutron.tables.retrograde import LOST, OPEN, WON
from engines.neutron.workshop.audit import audit, main

COMPILED = not module.__file__.endswith(".py")
NUMBER = 400 if COMPILED else 20


class Sceptic:
    """Gives every position the same value; only a turn that wins immediately is good."""

    def __init__(self, value: int) -> None:
        self.value = value

    def best_turns(self, position: Position) -> tuple[int, list[Move]]:
        legal = position.legal_moves()
        wins = [move for move in legal if _rank_turn(position, move) == 0]
        return (WON, wins) if wins else (self.value, legal)


@pytest.fixture(autouse=True)
def no_tables_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QUINTET_DATA", str(tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["", "kraus"])
@pytest.mark.parametrize("value", [WON, LOST, OPEN])
def test_wrong_values_do_not_escape(variant: str, value: int) -> None:
    result = audit(Sceptic(value), make_rules(variant), NUMBER)
    assert result.positions == NUMBER
    assert 0 < result.decided <= NUMBER
    assert result.booked > 0
    sources = {line.split(":")[0] for line in result.wrong}
    assert sources >= ({"search"} if value == WON else {"search", "book"})
    assert str(result).endswith(f"; {len(result.wrong)} disagreements")


def test_without_a_table_there_is_nothing_to_compare() -> None:
    refused = CliRunner().invoke(main, ["10", "kraus"])
    assert refused.exit_code == 2
    assert "no table of kraus" in refused.stderr
    assert "Missing argument 'NUMBER'" in CliRunner().invoke(main, []).stderr
