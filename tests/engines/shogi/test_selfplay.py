from pathlib import Path

from engines.shogi.label import LAST, RECORD
from engines.shogi.selfplay import fill, finished


def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.labels", tmp_path / "parts.labels"
    assert list(fill(whole, 2, 20, 3)) == [1, 2]
    assert list(fill(parts, 1, 20, 3)) == [1]
    raw = parts.read_bytes()
    assert raw[-RECORD.size + 96] & LAST
    parts.write_bytes(raw + raw[: RECORD.size] + b"torn")
    assert finished(parts) == 1
    assert list(fill(parts, 2, 20, 3)) == [2]
    assert parts.read_bytes() == whole.read_bytes()


def test_another_seed_plays_other_games(tmp_path: Path) -> None:
    one, other = tmp_path / "one.labels", tmp_path / "other.labels"
    list(fill(one, 1, 20, 1))
    list(fill(other, 1, 20, 2))
    assert one.read_bytes() != other.read_bytes()
