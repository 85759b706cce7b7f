from dataclasses import replace

import pytest

from engines import registry
from engines.core.game import InvalidText
from tools.bench.perft import Perft, PerftCount


def test_counts_stand_beside_the_known_ones() -> None:
    assert list(Perft("neutron").counts(2)) == [PerftCount(1, 13, 13), PerftCount(2, 99, 99)]
    assert not PerftCount(1, 13, None).wrong


def test_a_count_from_a_position_has_no_known_one() -> None:
    [count] = Perft("senet", position="2.1" + "." * 27 + " 1 -").counts(1)
    assert count.known is None


def test_a_wrong_count_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = replace(registry.GAMES["neutron"], counts={("", 0, ""): (14,)})
    monkeypatch.setattr("tools.bench.perft.registry.find", lambda name: entry)
    [count] = Perft("neutron").counts(1)
    assert count.wrong


def test_a_style_that_the_game_does_not_have_is_refused() -> None:
    with pytest.raises(InvalidText, match="--apart means nothing in neutron"):
        Perft("neutron", style="apart")
