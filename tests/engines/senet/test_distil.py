from pathlib import Path
from random import Random

import pytest

from engines.senet import net as module
from engines.senet import shipped
from engines.senet.distil import choices, distil, main, scatter
from engines.senet.track import count
from tests.engines.senet.solutions import solve

COMPILED = not module.__file__.endswith(".py")
POSITIONS = 20_000 if COMPILED else 300


def mask(*squares: int) -> int:
    return sum(1 << (square - 1) for square in squares)


def test_a_net_comes_closer_to_the_tables_it_learns_from(tmp_path: Path) -> None:
    solve(1, "", tmp_path)
    told: list[tuple[float, str]] = []
    error = distil(
        tmp_path, POSITIONS, tmp_path / "net.bin", 3, lambda done, text: told.append((done, text))
    )
    assert told[-1] == (1.0, f"error {error:.4f}")
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


def test_the_command_says_how_far_off_the_net_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    solve(1, "", tmp_path)
    main(["200", str(tmp_path / "net.bin"), str(tmp_path)])
    told = capsys.readouterr()
    assert told.out.startswith("root mean square error 0.0")
    assert "100.0 %  error 0.0" in told.err


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
