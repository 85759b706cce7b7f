"""Positions of recorded games with their results, and what evaluations make of them."""

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from engines.shogi.play import weights
from engines.shogi.rules.records.csa import read_csa
from engines.shogi.workshop import examine, foreign
from engines.shogi.workshop.label import LAST, QUIET, RECORD

GAME = "V2.2\nPI\n+\n+7776FU\n-3334FU\n+8822UM\n-3122GI\n+0055KA\n"


@pytest.mark.parametrize(
    ("moves", "ending", "points"),
    [
        (GAME, "%TORYO", 1.0),
        (f"{GAME}-2233GI\n", "%TORYO", 0.0),
        (GAME, "%KACHI", 0.0),
        (GAME, "%TIME_UP", 1.0),
        (GAME, "%SENNICHITE", 0.5),
        (GAME, "%CHUDAN", None),
    ],
)
def test_the_result_follows_from_the_ending(moves: str, ending: str, points: float | None) -> None:
    assert foreign.points(read_csa(f"{moves}{ending}\n")) == points


def test_positions_are_labelled_from_a_ply_on(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "a.csa").write_text(f"{GAME}%TORYO\n")
    (folder / "b.csa").write_text(f"{GAME}%CHUDAN\n")
    (folder / "note.txt").write_text("no record")
    out = tmp_path / "some.labels"
    done = CliRunner().invoke(foreign.main, [str(folder), "--out", str(out), "--first", "1"])
    assert done.exit_code == 0, done.output
    assert "1 games in " in done.stdout
    assert "1 left out" in done.stdout
    raw = out.read_bytes()
    records = [RECORD.unpack(raw[at : at + RECORD.size]) for at in range(0, len(raw), RECORD.size)]
    assert [fields[83] for fields in records] == [1, 0, 1, 0]
    assert [fields[86] for fields in records] == [-1, 1, -1, 1]  # Black won.
    assert [bool(fields[84] & QUIET) for fields in records] == [True, False, False, True]
    assert [bool(fields[84] & LAST) for fields in records] == [False, False, False, True]
    done = CliRunner().invoke(examine.main, [str(out), "--evaluation", str(weights.SHIPPED)])
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("2 quiet positions\n")
    assert "sign right" in done.stdout


def test_a_broken_record_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "broken.csa"
    broken.write_text("V2.2\nPI\n+\n+7775FU\n")
    out = tmp_path / "some.labels"
    done = CliRunner().invoke(foreign.main, [str(broken), "--out", str(out)])
    assert done.exit_code == 1
    assert "broken.csa" in done.output
    done = CliRunner().invoke(examine.main, [str(out)])
    assert done.exit_code == 1
    assert "no quiet positions" in done.output


def test_the_best_scale_is_found() -> None:
    chance = np.random.default_rng(1)
    values = chance.normal(0, 600, 20000)
    results = (chance.random(20000) < 1 / (1 + np.exp(-values / 800))).astype(float)
    seen = examine.Foresight.of(values, results)
    assert seen.scale == 800
    assert 0.5 < seen.right < 0.8
    assert seen.loss < 0.65
    nothing = examine.Foresight.of(np.zeros(4), np.array([0.0, 1.0, 0.5, 0.5]))
    assert nothing.loss == pytest.approx(0.6931, abs=0.0001)
