"""Positions near those of games, labelled without a search."""

import random
from pathlib import Path

from click.testing import CliRunner

from engines.shogi.play import weights
from engines.shogi.play.evaluating import load
from engines.shogi.play.table import TranspositionTable
from engines.shogi.play.worker import Worker
from engines.shogi.rules.sfen import START, format_sfen, parse_sfen
from engines.shogi.workshop.glances import Glancer, main
from engines.shogi.workshop.label import QUIET, RECORD, Label, position_of
from tests.engines.shogi.wandering import wander

FITTED = load(weights.SHIPPED)


def test_a_position_comes_back_from_its_label() -> None:
    position = wander(7, 90)
    label = Label.of(position, 0, 5, 11)
    again = format_sfen(position_of(label.pack(1.0, last=True)))
    assert again.split()[:3] == format_sfen(position).split()[:3]


def test_values_are_those_of_the_evaluation() -> None:
    found = list(Glancer(FITTED, 0).walk(parse_sfen(START), 40, random.Random(3)))
    assert len(found) > 20
    for label in found:
        assert label.quiet
        position = position_of(label.pack(0.5, last=True))
        assert not position.is_check()
        assert Worker(position, TranspositionTable(1)).static_value() == label.value


def test_short_searches_see_what_hangs() -> None:
    hanging = parse_sfen("4k4/9/9/9/4r4/9/9/4R4/4K4 b P 1")
    label = Glancer(FITTED, 200).label(hanging, 1)
    assert label is not None
    assert not label.quiet  # The best move takes the rook.
    assert label.value > 1000
    assert Glancer(FITTED, 200).label(hanging, 1) == label
    mate = parse_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")
    assert Glancer(FITTED, 200).label(mate, 1) is None


def test_the_command_writes_as_many_as_wanted(tmp_path: Path) -> None:
    source, target = tmp_path / "games.labels", tmp_path / "glances.labels"
    source.write_bytes(Label.of(parse_sfen(START), 0, 0, 0).pack(1.0, last=True))
    words = [str(source), str(target), "--count", "50", "--evaluation", str(weights.SHIPPED)]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    raw = target.read_bytes()
    assert 50 <= len(raw) // RECORD.size < 54
    assert all(flags & QUIET for flags in raw[96 :: RECORD.size])


def test_a_file_without_labels_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "empty.labels"
    source.write_bytes(b"")
    done = CliRunner().invoke(main, [str(source), str(tmp_path / "out")])
    assert done.exit_code == 1
    assert "holds no labels" in done.output
