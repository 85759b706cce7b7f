import random
from pathlib import Path

from engines.shogi.play.search import Thinker
from engines.shogi.workshop.label import LAST, RECORD
from engines.shogi.workshop.selfplay import GamePlan, fill, finished, play


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


def test_plans_differ_and_follow_from_the_seed() -> None:
    plans = [GamePlan.draw(random.Random(seed)) for seed in range(400)]
    assert plans[:5] == [GamePlan.draw(random.Random(seed)) for seed in range(5)]
    handicaps = sum(plan.setup != "" for plan in plans)
    assert 0.1 < handicaps / 400 < 0.35
    assert {plan.setup for plan in plans} == {"", "lance", "bishop", "rook", "two"}
    assert {plan.weaker for plan in plans} == {None, 0, 1}
    assert max(plan.opening for plan in plans) > 30


def test_a_handicap_game_begins_with_white() -> None:
    labels, _ = play(Thinker(4), 20, random.Random(5), GamePlan("lance", 2, 0.0))
    assert labels[0].ply == 2
    assert labels[0].turn == 1


def test_the_weaker_side_labels_nothing() -> None:
    labels, _ = play(Thinker(4), 40, random.Random(7), GamePlan("", 4, 0.5, weaker=0))
    assert {label.turn for label in labels} == {1}
