"""Records of real matches, finished and broken, as sgfmill and Sabaki read them."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sgfmill import sgf

from engines.core.sgf import read_sgf
from tests.programs import node_modules, peer
from tests.tools.fakes import ROOT
from tools.cli import main
from tools.journal.events import read_game
from tools.journal.journal import read_journal
from tools.records.filing import record_name
from tools.records.game import GameRecord
from tools.roster.seats import ENGINE_POOL

READER = """
const sgf = require(process.argv[1] + '/@sabaki/sgf')
const told = {}
for (const file of process.argv.slice(2)) {
    const nodes = []
    const roots = sgf.parseFile(file)
    for (let node = roots[0]; node; node = node.children[0]) nodes.push(node.data)
    told[file] = {roots: roots.length, nodes}
}
console.log(JSON.stringify(told))
"""


def fake(*words: str) -> str:
    return " ".join((sys.executable, "-m", "tests.tools.fake_go", *words))


GO = ("--game", "go", "--protocol", "gtp", "--size", "9", "--scoring", "all-alive")
MATCHES: Mapping[str, tuple[str, ...]] = {
    "byoyomi": (fake("C3"), fake("G7"), *GO, "--time", "0+3x30"),
    "canadian": (fake("C3"), fake("G7", "D4"), *GO, "--time", "0+5/30", "--time", "60+1"),
    "handicap": (fake("E5"), fake("D4"), *GO, "--handicap", "2", "--rules", "aga"),
    "resign": (fake("C3", "resign"), fake("G7"), *GO),
    "crash": (fake("C3", "die"), fake("G7", "C3"), *GO, "--time", "1/move"),
    "neutron": ("neutron", "--time", "depth=2"),
    "morris": ("morris", "--time", "60+1,depth=1", "--max-plies", "30"),
    "senet": ("senet", "--time", "60+1,depth=1", "--max-plies", "60"),
}


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, GameRecord]:
    """Play each match of two games and return its games by their files."""
    folder = tmp_path_factory.mktemp("records")
    games = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        for name, words in MATCHES.items():
            out = folder / name
            result = CliRunner().invoke(main, ["match", *words, "--out", str(out), "--seed", "5"])
            ENGINE_POOL.close()
            assert result.exit_code in (0, 1), result.output
            for event in read_journal(out):
                if event["event"] == "game":
                    record = read_game(event)
                    games[out / record_name(record)] = record
    return games


@pytest.fixture(scope="module")
def sabaki(records: dict[Path, GameRecord]) -> dict[str, Any]:
    """Return what Sabaki reads in each record."""
    modules = node_modules("@sabaki/sgf")
    done = subprocess.run(
        [peer("node"), "-e", READER, str(modules), *map(str, records)],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    answers: dict[str, Any] = json.loads(done.stdout)
    return answers


def test_every_match_has_its_records(records: dict[Path, GameRecord]) -> None:
    assert len(records) == 2 * len(MATCHES)
    assert {record.verdict for path, record in records.items() if path.parent.name == "crash"} == {
        "crash",
        "illegal",
    }


def test_sgfmill_reads_every_record(records: dict[Path, GameRecord]) -> None:
    for path, record in records.items():
        game = sgf.Sgf_game.from_bytes(path.read_bytes())
        root, nodes = game.get_root(), game.get_main_sequence()
        moves = [move for move in record.moves if move.side != 2]
        assert len(nodes) == 1 + len(moves), path
        assert root.get("RE") == read_sgf(path.read_bytes())[0]["RE"][0]
        winner = record.outcome.winner
        if record.game == "go":
            assert game.get_winner() == (None if winner is None else "bw"[winner])
            for node, move in zip(nodes[1:], moves, strict=True):
                colour, point = node.get_move()
                assert colour == "bw"[move.side]
                assert (point is None) == (move.text == "pass")
        for node, move in zip(nodes[1:], moves, strict=True):
            letter = "B" if node.has_property("B") else "W"
            if move.left is not None:
                assert node.get(f"{letter}L") == pytest.approx(move.left, abs=0.001)
            assert f"{move.seconds:.3f} s" in node.get("C")


def test_sabaki_reads_the_same(records: dict[Path, GameRecord], sabaki: dict[str, Any]) -> None:
    for path in records:
        answer = sabaki[str(path)]
        assert answer["roots"] == 1
        assert answer["nodes"] == read_sgf(path.read_bytes()), path


@pytest.mark.parametrize("name", MATCHES)
def test_the_root_tells_the_match(records: dict[Path, GameRecord], name: str) -> None:
    for path, record in records.items():
        if path.parent.name != name:
            continue
        root = read_sgf(path.read_bytes())[0]
        number = {"go": "1", "morris": "5", "neutron": "13", "senet": "99"}[record.game]
        assert (root["FF"], root["GM"], root["CA"]) == (["4"], [number], ["UTF-8"])
        assert root["QS"] == [str(record.seed)]
        assert {"PB", "PW", "DT", "RE", "AP", "RU", "QE"} <= set(root)
        assert (
            record.players[0].version in root["PB" if record.game in ("go", "senet") else "PW"][0]
        )


def _node(records: dict[Path, GameRecord], name: str, game: int, place: int) -> dict[str, Any]:
    path = next(p for p in records if p.parent.name == name and f"000{game}" in p.name)
    return dict(read_sgf(path.read_bytes())[place])


def test_clocks_are_told_as_other_programs_tell_them(records: dict[Path, GameRecord]) -> None:
    root, first = (_node(records, "byoyomi", 1, place) for place in (0, 1))
    assert (root["TM"], root["OT"]) == (["0"], ["3x30 byo-yomi"])
    assert (first["BL"], first["OB"]) == (["30.000"], ["3"])
    root, first, second = (_node(records, "canadian", 1, place) for place in (0, 1, 2))
    assert root["OT"] == ["B 0+5/30 W 60+1"]
    assert first["OB"] == ["4"]
    assert "OW" not in second
    assert _node(records, "crash", 1, 0)["OT"] == ["1/move"]


def test_results_are_told_in_sgfs_words(records: dict[Path, GameRecord]) -> None:
    def results(name: str) -> list[str]:
        return [_node(records, name, game, 0)["RE"][0] for game in (1, 2)]

    assert results("resign") == ["W+R", "B+R"]
    assert results("crash") == ["W+F", "W+F"]
    assert results("byoyomi") == ["W+7.5", "W+7.5"]
    # Three stones against one, komi 0.5, and White's point for two handicap stones.
    assert results("handicap") == ["B+0.5", "B+0.5"]
    root = _node(records, "handicap", 1, 0)
    assert (root["HA"], root["PL"], root["RU"]) == (["2"], ["W"], ["AGA"])
    assert root["QC"] == ["all stones count as alive"]
