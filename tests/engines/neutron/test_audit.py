from pathlib import Path

import pytest

from engines.core.game import Move
from engines.neutron import tree as module
from engines.neutron.audit import audit, main
from engines.neutron.position import Position
from engines.neutron.retrograde import LOST, OPEN, WON
from engines.neutron.rules import make_rules
from engines.neutron.search import _rank_turn

COMPILED = not module.__file__.endswith(".py")
NUMBER = 400 if COMPILED else 20


class Sceptic:
    """Takes every position for the same; a turn that wins at once is the only good one."""

    def __init__(self, value: int) -> None:
        self.value = value

    def best_turns(self, position: Position) -> tuple[int, list[Move]]:
        legal = position.legal_moves()
        wins = [move for move in legal if _rank_turn(position, move) == 0]
        return (WON, wins) if wins else (self.value, legal)


@pytest.fixture(autouse=True)
def no_tables_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QUINTET_DATA", str(tmp_path))


@pytest.mark.parametrize("variant", ["", "kraus"])
@pytest.mark.parametrize("value", [WON, LOST, OPEN])
def test_wrong_values_do_not_escape(variant: str, value: int) -> None:
    found = audit(Sceptic(value), make_rules(variant), NUMBER)
    assert found.positions == NUMBER
    assert 0 < found.decided <= NUMBER
    assert found.booked > 0
    told = {line.split(":")[0] for line in found.wrong}
    assert told >= ({"search"} if value == WON else {"search", "book"})
    assert str(found).endswith(f"; {len(found.wrong)} disagreements")


def test_without_a_table_there_is_nothing_to_compare() -> None:
    with pytest.raises(ValueError, match="no table of kraus"):
        main(["10", "kraus"])
    with pytest.raises(SystemExit, match="NUMBER"):
        main([])
