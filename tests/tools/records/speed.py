"""Records per CPU-second of our readers, and of other programs' on the same records, in one run.

`python -m tests.tools.records.speed` prints a table. The records are made anew: one game of 120
moves in each format of shogi, and one of 200 moves in each format of Go. sgfmill is a dependency of
ours; python-shogi is measured if it is installed, tsshogi if `QUINTET_NODE_MODULES` names the
folder that holds it.
"""

import json
import os
import random
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from sgfmill import sgf

from engines.core.sgf import SgfFile, write_sgf
from engines.go.rules.text import GoRules, make_rules
from engines.shogi.rules.notation import format_move
from engines.shogi.rules.position import Position
from engines.shogi.rules.records.record import Record
from engines.shogi.rules.sfen import START, parse_sfen
from tools.records.reading import READERS, TREES, WRITERS

_SECONDS: Final = 1.0  # Each reader is measured for so long.
_SHOGI_MOVES: Final = 120
_GO_MOVES: Final = 200
_LETTERS: Final = "abcdefghijklmnopqrs"
_TSSHOGI: Final = """
const {importKIF, importKI2, importCSA, importJKFString} = require(process.argv[1] + '/tsshogi')
const read = {'.kif': importKIF, '.ki2': importKI2, '.csa': importCSA, '.jkf': importJKFString}
const texts = JSON.parse(require('fs').readFileSync(0))
for (const [suffix, text] of Object.entries(texts)) {
    const spent = () => { const {user, system} = process.cpuUsage(); return (user + system) / 1e6 }
    const begun = spent()
    let count = 0, seconds = 0
    do {
        const record = read[suffix](text)
        if (record instanceof Error) throw record
        count++
        seconds = spent() - begun
    } while (seconds < 1)
    console.log(JSON.stringify([suffix, count / seconds]))
}
"""


def shogi_records(seed: int = 1) -> dict[str, bytes]:
    """Return a game of random moves in each format of shogi."""
    generator = random.Random(seed)
    position: Position = parse_sfen(START)
    moves: list[str] = []
    while len(moves) < _SHOGI_MOVES:
        if not (legal := list(position.legal_moves())):
            return shogi_records(seed + 1)
        move = generator.choice(legal)
        moves.append(format_move(move))
        position.play(move)
    record = Record.from_usi(f"position startpos moves {' '.join(moves)} resign")
    record.black, record.white = "先手の名前", "White"
    return {suffix: write(record) for suffix, write in WRITERS.items()}


def go_records(seed: int = 1) -> dict[str, bytes]:
    """Return a game of random moves in each format of Go."""
    rules: GoRules = make_rules()
    generator, position = random.Random(seed), rules.start()
    points: list[tuple[int, int]] = []
    while len(points) < _GO_MOVES:
        legal = [move for move in position.legal_moves() if move < position.board.area]
        move = generator.choice(legal)
        position.play(move)
        points.append((move % rules.width, move // rules.width))
    header = {"GM": ["1"], "SZ": ["19"], "PB": ["Black"], "PW": ["White"]}
    nodes = [{"BW"[n % 2]: [_LETTERS[x] + _LETTERS[y]]} for n, (x, y) in enumerate(points)]
    gib = [f"STO 0 {n + 2} {1 + n % 2} {x} {y}" for n, (x, y) in enumerate(points)]
    ngf = [f"PMAA{'BW'[n % 2]}{chr(66 + x)}{chr(66 + y)}" for n, (x, y) in enumerate(points)]
    ugf = [
        f"{chr(65 + x)}{chr(83 - y)},{'BW'[n % 2]}1,{n + 1},0" for n, (x, y) in enumerate(points)
    ]
    heads = ["", "19", "White 1d", "Black 1d", "", "0", "0", "6", "20260101", "0", "", "200"]
    return {
        ".sgf": write_sgf([header, *nodes]),
        ".gib": "\n".join(["\\HS", "\\[GAMENAME=x\\]", "\\HE", "\\GS", *gib, "\\GE"]).encode(),
        ".ngf": "\n".join([*heads, *ngf]).encode(),
        ".ugf": "\n".join(["[Header]", "CoordinateType=IGS", "[Data]", *ugf]).encode(),
    }


def rate(read: Callable[[bytes], object], data: bytes) -> float:
    """Return how many times per second of CPU a record is read."""
    read(data)
    begun, count = time.process_time(), 0
    while (seconds := time.process_time() - begun) < _SECONDS:
        read(data)
        count += 1
    return count / seconds


def _own(shogi: Mapping[str, bytes], go: Mapping[str, bytes]) -> Iterator[tuple[str, str, float]]:
    for suffix, data in go.items():
        yield "ours", suffix, rate(partial(_read_tree, suffix), data)
    for suffix, data in shogi.items():
        yield "ours", suffix, rate(READERS[suffix], data)


def _read_tree(suffix: str, data: bytes) -> SgfFile:
    return TREES[suffix](data, "")


def _sgfmill(data: bytes) -> list[Any]:
    game = sgf.Sgf_game.from_bytes(data)
    return [node.get_move() for node in game.get_main_sequence()]


def _python_shogi(records: Mapping[str, bytes]) -> Iterator[tuple[str, str, float]]:
    try:
        parsers = {".kif": import_module("shogi.KIF"), ".csa": import_module("shogi.CSA")}
    except ImportError:
        return
    for suffix, module in parsers.items():
        charset = "cp932" if suffix == ".kif" else "utf-8"
        yield "python-shogi", suffix, rate(partial(_parse, module, charset), records[suffix])


def _parse(module: Any, charset: str, data: bytes) -> object:
    return module.Parser.parse_str(data.decode(charset))


def _tsshogi(records: Mapping[str, bytes]) -> Iterator[tuple[str, str, float]]:
    folder = Path(os.environ.get("QUINTET_NODE_MODULES", "node_modules"))
    node = shutil.which("node")
    if node is None or not (folder / "tsshogi").is_dir():
        return
    texts = {
        ".kif": records[".kifu"].decode(),
        ".ki2": records[".ki2u"].decode(),
        ".csa": records[".csa"].decode(),
        ".jkf": records[".jkf"].decode(),
    }
    told = subprocess.run(
        [node, "-e", _TSSHOGI, str(folder.resolve())],
        input=json.dumps(texts).encode(),
        stdout=subprocess.PIPE,
        check=True,
    )
    for line in told.stdout.splitlines():
        suffix, figure = json.loads(line)
        yield "tsshogi", suffix, figure


def measure() -> Sequence[tuple[str, str, float]]:
    """Return reader, format and records per second of CPU."""
    shogi, go = shogi_records(), go_records()
    return [
        *_own(shogi, go),
        ("sgfmill", ".sgf", rate(_sgfmill, go[".sgf"])),
        *_python_shogi(shogi),
        *_tsshogi(shogi),
    ]


def main() -> None:
    """Print the table."""
    for reader, suffix, figure in measure():
        print(f"{suffix:6} {reader:14} {figure:8.0f} records/s")


if __name__ == "__main__":
    main()
