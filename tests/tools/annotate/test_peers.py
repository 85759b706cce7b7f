"""Annotated records as the programs read them that draw their graphs."""

import json
import subprocess
from pathlib import Path
from typing import Any

from tests.programs import node_modules, peer
from tests.tools.annotate.test_variations import GO, values
from tests.tools.annotate.test_variations import annotated as with_lines
from tests.tools.annotate.test_writing import KIF, SGF, VALUES, annotated, value
from tests.tools.records.test_peers import READER
from tools.annotate.valuing import Value

TSSHOGI = """
const {importKIF} = require(process.argv[1] + '/tsshogi')
const record = importKIF(require('fs').readFileSync(process.argv[2], 'utf8'))
if (record instanceof Error) throw record
const told = []
record.forEach(node => told.push(node.comment))
console.log(JSON.stringify(told))
"""

BRANCHES = """
const {importKIF} = require(process.argv[1] + '/tsshogi')
const record = importKIF(require('fs').readFileSync(process.argv[2], 'utf8'))
if (record instanceof Error) throw record
record.goto(2)
const first = record.current.comment
record.switchBranchByIndex(1)
console.log(JSON.stringify([first, record.current.comment.trim()]))
"""
CHILDREN = """
const [root] = require(process.argv[1] + '/@sabaki/sgf').parseFile(process.argv[2])
console.log(JSON.stringify(root.children[0].children.map(node => node.data.W)))
"""


def ask(script: str, folder: Path, file: Path) -> Any:
    told = subprocess.run(
        [peer("node"), "-e", script, str(folder), str(file)], stdout=subprocess.PIPE, check=True
    )
    return json.loads(told.stdout)


def test_sabaki_finds_the_values_of_its_graph(tmp_path: Path) -> None:
    folder, path = node_modules("@sabaki/sgf"), tmp_path / "game.sgf"
    path.write_bytes(annotated(SGF.replace(b"BM[1]", b""), ".sgf", VALUES))
    nodes = ask(READER, folder, path)[str(path)]["nodes"]
    assert [node["SBKV"] for node in nodes] == [["60.00"], ["60.00"], ["80.00"]]
    assert nodes[0]["SBKS"] == ["3.0"]
    assert nodes[2]["BM"] == ["2"]


def test_the_library_of_shogihome_finds_the_comments_of_a_research(tmp_path: Path) -> None:
    folder, path = node_modules("tsshogi"), tmp_path / "game.kifu"
    values = {"0": value(0, 0.5, "7g7f"), "1": Value(1, "8c8d", VALUES["1"].evaluation)}
    path.write_text(annotated(KIF, ".kifu", values).decode(), encoding="utf-8")
    start, first, *_ = ask(TSSHOGI, folder, path)
    assert "#読み筋=▲７六歩" in start.splitlines()
    assert first.splitlines()[0] == "own words"
    assert "#深さ=5" in first


def test_the_library_of_shogihome_finds_the_variation(tmp_path: Path) -> None:
    folder, path = node_modules("tsshogi"), tmp_path / "game.kifu"
    found = {"1": value(1, 0.5, "8c8d"), "2": value(0, 0.9, "2g2f")}
    path.write_bytes(with_lines(KIF, found, ".kifu"))
    first, better = ask(BRANCHES, folder, path)
    assert first.splitlines()[0] != better
    assert better == "annotate: better line of 1 move by engine, depth=1: white 50.0 %"


def test_sabaki_finds_the_variation(tmp_path: Path) -> None:
    folder, path = node_modules("@sabaki/sgf"), tmp_path / "game.sgf"
    path.write_bytes(with_lines(GO, values("G7 C3")))
    assert ask(CHILDREN, folder, path) == [["cc"], ["gc"]]
