from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from engines.senet.play import net as module
from engines.senet.rules.track import count
from engines.senet.tables import shipped
from engines.senet.workshop.distil import choices, distil, main, scatter
from tests.engines.senet.solutions import solve

COMPILED = not module.__file__.endswith(".py")
POSITIONS = 20_000 if COMPILED else 300


def mask(*squares: int) -> int:
    return sum(1 << (square - 1) for square in squares)


def test_a_net_comes_closer_to_the_tables_it_learns_from(tmp_path: Path) -> None:
    solve(1, "", tmp_path)
    reports: list[tuple[float, str]] = []
    error = distil(
        tmp_path,
        POSITIONS,
        tmp_path / "net.bin",
        3,
        lambda done, text: reports.append((done, text)),
    )
    assert reports[-1] == (1.0, f"error {error:.4f}")
    assert error < 0.05
    weights = (tmp_path / "net.bin").read_bytes()
    assert len(weights) == len(shipped.net_weights())
    assert weights != shipped.net_weights()
    again = tmp_path / "again.bin"
    distil(tmp_path, POSITIONS, again, 3)
    assert again.read_bytes() == weights


def test_without_tables_there_is_nothing_to_learn(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no tables of Senet"):
        distil(tmp_path, 100, tmp_path / "net.bin")
    words = ["100", str(tmp_path / "net.bin"), "--tables", str(tmp_path)]
    assert "no tables of Senet" in CliRunner().invoke(main, words).stderr


def test_the_command_says_how_far_off_the_net_is(tmp_path: Path) -> None:
    solve(1, "", tmp_path)
    words = ["2e2", str(tmp_path / "net.bin"), "--tables", str(tmp_path)]
    result = CliRunner().invoke(main, words)
    assert result.stdout.startswith("root mean square error 0.0")
    assert "100.0 %  error 0.0" in result.stderr


def test_men_are_scattered_over_free_squares() -> None:
    generator = Random(1)
    for _ in range(200):
        own, enemy = scatter(generator, (3, 4))
        assert count(own) == 3
        assert count(enemy) == 4
        assert own & enemy == 0
        assert (own | enemy) & mask(27) == 0


def test_choices_are_moves_with_what_follows() -> None:
    assert choices(mask(29), mask(3), 1) == [(mask(29), 0, mask(3))]
    assert choices(mask(4, 6), mask(5), 1) == [
        (mask(4), mask(5, 6), mask(4)),
        (mask(6), mask(4, 7), mask(5)),
    ]
