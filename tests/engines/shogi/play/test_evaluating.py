"""Which evaluation plays: networks and weights by file, and the weights where no network is."""

from dataclasses import replace
from pathlib import Path

import pytest

from engines.core.weights import WeightsError
from engines.shogi.play import evaluating, weights
from engines.shogi.play.evaluating import Choice, load, shipped
from engines.shogi.play.fitted import Fitted
from engines.shogi.play.network.network import NetworkEvaluation
from engines.shogi.play.search import Task, Thinker
from engines.shogi.play.table import TranspositionTable
from engines.shogi.play.worker import Worker
from engines.shogi.rules.sfen import START, parse_sfen
from tests.engines.shogi.play.network.random_network import random_layers
from tests.engines.shogi.wandering import wander_and_note


def test_a_shipped_network_plays(tmp_path: Path) -> None:
    file = tmp_path / "net.bin"
    file.write_bytes(random_layers().pack())
    choice = shipped(file)
    assert isinstance(choice.make(), NetworkEvaluation)
    assert choice.complaint == ""


def test_the_fitted_weights_play_where_there_is_no_network(tmp_path: Path) -> None:
    choice = shipped(tmp_path / "none.bin")
    assert isinstance(choice.make(), Fitted)
    assert choice.complaint == ""


def test_a_broken_network_is_named_and_the_fitted_weights_play(tmp_path: Path) -> None:
    file = tmp_path / "net.bin"
    file.write_bytes(b"no network")
    choice = shipped(file)
    assert isinstance(choice.make(), Fitted)
    assert str(file) in choice.complaint
    assert choice.complaint.endswith("evaluating by weights without a network")
    assert Thinker(1, evaluation=choice).think(Task(parse_sfen(START), lambda: False, nodes=50))


def test_files_are_told_apart(tmp_path: Path) -> None:
    file = tmp_path / "some.bin"
    file.write_bytes(random_layers().pack())
    assert isinstance(load(file).make(), NetworkEvaluation)
    assert isinstance(load(weights.SHIPPED).make(), Fitted)
    file.write_bytes(b"neither")
    with pytest.raises(WeightsError, match=r"some\.bin"):
        load(file)
    with pytest.raises(OSError, match="none"):
        load(tmp_path / "none")


@pytest.mark.slow
def test_a_correction_is_added_to_the_fitted_evaluation(tmp_path: Path) -> None:
    file = tmp_path / "some.bin"
    values = []
    for layers in (random_layers(), replace(random_layers(), corrects=True)):
        file.write_bytes(layers.pack())
        values.append(followed(load(file)))
    for network, mixed, fitted in zip(*values, followed(load(weights.SHIPPED)), strict=True):
        assert mixed == network + fitted


def followed(choice: Choice) -> list[int]:
    """Return the values of the positions of a game, first forwards and then backwards."""
    position, moves = wander_and_note(12, 100)
    worker = Worker(position, TranspositionTable(1))
    worker.evaluate_by(choice.make())
    worker.begin(parse_sfen(START))
    values = []
    for move in moves:
        worker.follow(move)
        values.append(worker.static_value())
    for _ in moves:
        worker.take_back()
        values.append(worker.static_value())
    return values


def test_another_evaluation_forgets_the_searches_of_the_last(tmp_path: Path) -> None:
    file = tmp_path / "net.bin"
    file.write_bytes(random_layers().pack())
    thinker = Thinker(1)
    task = Task(parse_sfen(START), lambda: False, depth=3)
    before = thinker.think(task)[0]
    thinker.evaluate_by(load(file))
    other = thinker.think(task)[0]
    assert other.score != before.score
    thinker.evaluate_by(None)
    after = thinker.think(task)[0]
    assert (after.score, after.line, after.nodes) == (before.score, before.line, before.nodes)
    assert evaluating.shipped() is evaluating.shipped()
