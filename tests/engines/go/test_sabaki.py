"""The real GTP controller of Sabaki, and its SGF reader, against the program."""

import json
import re
import subprocess
from typing import Any

import pytest

from engines.go.rules.records.sgf import format_game
from engines.go.rules.text import make_rules
from tests.programs import node_modules, own_program, peer

CONTROLLER = """
const {Controller} = require(process.argv[1] + '/@sabaki/gtp')
const [path, ...args] = process.argv.slice(2)
const engine = new Controller(path, args)
const report = {stderr: 0, lines: {}}
engine.on('stderr', () => report.stderr++)
const ask = (name, ...args) => engine.sendCommand({name, args})
async function analyze(name, pause) {
    report.lines[name] = []
    let first
    const started = new Promise(resolve => first = resolve)
    const began = Date.now()
    const streaming = engine.sendCommand({name, args: ['B', '10']}, ({line}) => {
        if (!line.startsWith('info ')) return
        report.lines[name].push(line)
        first()
    })
    await started
    report[name + '-first'] = Date.now() - began
    await new Promise(resolve => setTimeout(resolve, pause))
    const aborted = Date.now()
    const reply = await ask('protocol_version')
    await streaming
    report[name + '-abort'] = Date.now() - aborted
    report[name + '-after'] = reply.content
}
(async () => {
    const began = Date.now()
    engine.start()
    const first = ['name', 'version', 'protocol_version', 'list_commands']
    const boot = await Promise.all(first.map(name => ask(name)))
    report.boot = Date.now() - began
    report.name = boot[0].content
    report.commands = boot[3].content.split('\\n')
    const sync = await Promise.all([
        ask('komi', '6.5'), ask('boardsize', '9'), ask('clear_board'),
        ask('set_free_handicap', 'C3', 'G7'), ask('play', 'W', 'E5'), ask('play', 'B', 'pass'),
        ask('undo'), ask('play', 'B', 'E6'), ask('kata-set-param', 'maxVisits', '30'),
    ])
    report.errors = sync.filter(reply => reply.error).length
    const moving = []
    const moved = await engine.sendCommand({name: 'kata-genmove_analyze', args: ['W', '50']},
        ({line}) => moving.push(line))
    report.play = moving.filter(line => line.startsWith('play ')).map(line => line.slice(5).trim())
    report.moveError = moved.error
    report.genmove = (await ask('genmove', 'B')).content
    report.wrong = await ask('play', 'B', 'E5')
    await analyze('kata-analyze', 200)
    await analyze('lz-analyze', 200)
    const ending = Date.now()
    await engine.stop()
    report.quit = Date.now() - ending
    console.log(JSON.stringify(report))
})()
"""

READER = """
const sgf = require(process.argv[1] + '/@sabaki/sgf')
const text = require('fs').readFileSync(0, 'utf8')
const nodes = []
for (let node = sgf.parse(text)[0]; node; node = node.children[0]) nodes.push(node.data)
console.log(JSON.stringify(nodes))
"""


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    modules = node_modules("@sabaki/gtp")
    done = subprocess.run(
        [peer("node"), "-e", CONTROLLER, str(modules), *own_program("quintet-go")],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def test_attaching_synchronising_and_detaching_work(report: dict[str, Any]) -> None:
    assert report["name"] == "Quintet Go"
    assert report["commands"][0] == "protocol_version"
    assert {"undo", "set_free_handicap", "kata-genmove_analyze"} <= set(report["commands"])
    assert report["errors"] == 0
    assert report["stderr"] == 0
    # Generous: these machines are shared; alone it boots in a quarter of a second.
    assert report["boot"] < 10_000
    assert report["quit"] < 3_000


def test_moves_are_generated_in_both_ways(report: dict[str, Any]) -> None:
    assert report["moveError"] is False
    assert len(report["play"]) == 1
    assert re.fullmatch(r"[A-HJ][1-9]", report["play"][0])
    assert re.fullmatch(r"[A-HJ][1-9]", report["genmove"])
    assert report["wrong"]["error"] is True
    assert report["wrong"]["content"] == "illegal move E5: point is occupied"


@pytest.mark.parametrize("name", ["kata-analyze", "lz-analyze"])
def test_analysis_is_what_sabaki_parses(report: dict[str, Any], name: str) -> None:
    assert report[f"{name}-after"] == "2"
    assert report[f"{name}-abort"] < 2_000
    assert report["lines"][name]
    for line in report["lines"][name]:
        for part in re.split(r"\s*info\s+", line.strip())[1:]:
            # Sabaki takes the words before `pv` in pairs, and wants the line to end with it.
            words, _, line_of_play = part.partition(" pv ")
            pairs = words.split()
            assert len(pairs) % 2 == 0
            values = dict(zip(pairs[::2], pairs[1::2], strict=True))
            assert ("." in values["winrate"]) is (name == "kata-analyze")
            assert re.fullmatch(r"((pass|[A-Z]\d+)\s*)+", line_of_play)


def test_sabaki_reads_our_records() -> None:
    modules = node_modules("@sabaki/sgf")
    rules = make_rules("japanese", 9)
    position = rules.start()
    position.put([(1, 20), (1, 60)], 1)
    position.handicap = 2
    for move in (40, 81, 0):
        position.play(move)
    done = subprocess.run(
        [peer("node"), "-e", READER, str(modules)],
        input=format_game(rules, position, "W+R").decode("ascii"),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    nodes = json.loads(done.stdout)
    assert nodes[0]["SZ"] == ["9"]
    assert sorted(nodes[0]["AB"]) == ["cc", "gg"]
    assert nodes[0]["RE"] == ["W+R"]
    assert nodes[1:] == [{"W": ["ee"]}, {"B": [""]}, {"W": ["aa"]}]
