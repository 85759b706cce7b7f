"""Records against tsshogi and json-kifu-format: they read ours as we do, we read theirs."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from engines.shogi.csa import read_csa, write_csa
from engines.shogi.ki2 import read_ki2
from engines.shogi.kif import read_kif, write_kif
from engines.shogi.notation import format_move, parse_move
from engines.shogi.record import Ending, Grower, Node, Record
from engines.shogi.sfen import START, handicap_names, handicap_sfen
from tests.engines.shogi.test_kif import grow
from tests.programs import node_modules, peer

pytestmark = pytest.mark.peer("tsshogi and json-kifu-format")

SCRIPT = Path(__file__).with_name("peers.cjs")
# How each peer calls an ending that it read in KIF, and in CSA; None where it knows no word.
TSSHOGI = {
    Ending.RESIGN: "resign",
    Ending.INTERRUPT: "interrupt",
    Ending.REPETITION: "repetitionDraw",
    Ending.IMPASSE: "impass",
    Ending.MATE: "mate",
    Ending.NO_MATE: "noMate",
    Ending.TIMEOUT: "timeout",
    Ending.FOUL_LOSS: "foulLose",
    Ending.FOUL_WIN: "foulWin",
    Ending.DECLARATION: "enteringOfKing",
    Ending.WIN_BY_DEFAULT: "winByDefault",
    Ending.LOSS_BY_DEFAULT: "loseByDefault",
}
JKF = {
    Ending.RESIGN: ("TORYO",),
    Ending.INTERRUPT: ("CHUDAN",),
    Ending.REPETITION: ("SENNICHITE",),
    Ending.IMPASSE: ("JISHOGI",),
    Ending.MATE: ("TSUMI",),
    Ending.NO_MATE: ("FUZUMI",),
    Ending.TIMEOUT: ("TIME_UP",),
    Ending.FOUL_LOSS: ("ILLEGAL_MOVE",),
    Ending.FOUL_WIN: ("ILLEGAL_ACTION", "+ILLEGAL_ACTION", "-ILLEGAL_ACTION"),
}
IN_CSA = {
    Ending.RESIGN: "TORYO",
    Ending.INTERRUPT: "CHUDAN",
    Ending.REPETITION: "SENNICHITE",
    Ending.IMPASSE: "JISHOGI",
    Ending.MATE: "TSUMI",
    Ending.NO_MATE: "FUZUMI",
    Ending.TIMEOUT: "TIME_UP",
    Ending.FOUL_LOSS: "ILLEGAL_MOVE",
    Ending.DECLARATION: "KACHI",
    Ending.DRAW: "HIKIWAKE",
    Ending.MAX_MOVES: "MAX_MOVES",
}


def ask(questions: list[dict[str, str]]) -> list[dict[str, Any]]:
    modules = node_modules("tsshogi", "json-kifu-format")
    done = subprocess.run(
        [peer("node"), str(SCRIPT)],
        env={**os.environ, "NODE_PATH": str(modules)},
        input="".join(json.dumps(question) + "\n" for question in questions),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def samples() -> list[Record]:
    starts = [START, *(handicap_sfen(name) for name in handicap_names())]
    starts.append("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1")
    records = [grow(starts[seed % len(starts)], seed) for seed in range(40)]
    for record in records:
        record.black, record.white = "一人", "Engine B"
        strip_bookmarks(record.root)
    return records


def strip_bookmarks(node: Node) -> None:
    """Drop what the peers' trees do not show."""
    node.bookmark = ""
    for child in node.children:
        strip_bookmarks(child)


def shape(node: Node, words: dict[Ending, str]) -> dict[str, Any]:
    return {
        "move": words[node.ending] if node.ending else format_move(node.move),
        "seconds": node.seconds or 0,
        "comments": node.comments,
        "children": [shape(child, words) for child in node.children],
    }


def main_line(tree: dict[str, Any]) -> list[tuple[str, float, list[str]]]:
    steps = []
    while tree["children"]:
        tree = tree["children"][0]
        steps.append((tree.get("move", ""), tree["seconds"], tree["comments"]))
    return steps


@pytest.mark.parametrize("peer", ["tsshogi", "jkf"])
def test_peers_read_our_kif_with_variations_as_we_do(peer: str) -> None:
    words = TSSHOGI if peer == "tsshogi" else {ending: names[0] for ending, names in JKF.items()}
    records = samples()
    texts = [write_kif(record, "utf-8").decode("utf-8") for record in records]
    replies = ask([{"peer": peer, "format": "kif", "text": text} for text in texts])
    for record, reply in zip(records, replies, strict=True):
        assert "error" not in reply, reply
        assert reply["tree"]["children"] == shape(record.root, words)["children"]
        assert reply["tree"]["comments"] == record.root.comments
        if peer == "tsshogi":
            assert reply["sfen"].split()[:3] == record.start.split()[:3]


@pytest.mark.parametrize("peer", ["tsshogi", "jkf"])
def test_peers_read_our_csa_as_we_do(peer: str) -> None:
    records = [grow(START, seed, branches=0) for seed in range(100, 130)]
    texts = [write_csa(record).decode("utf-8") for record in records]
    replies = ask([{"peer": peer, "format": "csa", "text": text} for text in texts])
    words = TSSHOGI if peer == "tsshogi" else IN_CSA
    for record, reply in zip(records, replies, strict=True):
        assert "error" not in reply, reply
        read, written = main_line(reply["tree"]), main_line(shape(record.root, words))
        assert [step[:2] for step in read] == [step[:2] for step in written]
        # The one keeps the mark of a comment, the other drops empty lines.
        for (*_, found), (*_, comments) in zip(read, written, strict=True):
            if peer == "jkf":
                assert found == [f"*{comment}" for comment in comments]
            else:
                assert found == [comment for comment in comments if comment]


def ended(ending: Ending, plies: int) -> Record:
    record = Record()
    grower = Grower(record)
    for text in ("7g7f", "3c3d", "8h2b+")[:plies]:
        grower.play(parse_move(text), 1, 5)
    grower.end(ending, 1, 2)
    return record


@pytest.mark.parametrize("plies", [2, 3])
@pytest.mark.parametrize("ending", list(Ending))
def test_peers_know_every_terminal_word_that_they_can(ending: Ending, plies: int) -> None:
    record = ended(ending, plies)
    kif = write_kif(record, "utf-8").decode("utf-8")
    csa = write_csa(record).decode("utf-8")
    replies = ask(
        [
            {"peer": "tsshogi", "format": "kif", "text": kif},
            {"peer": "jkf", "format": "kif", "text": kif},
            {"peer": "tsshogi", "format": "csa", "text": csa},
            {"peer": "jkf", "format": "csa", "text": csa},
        ]
    )
    for reply in replies:
        assert "error" not in reply, (kif, csa, reply)
        assert [step[0] for step in main_line(reply["tree"])][:plies] == record.moves()
    if ending in TSSHOGI:
        # What it writes for that word, we read as that ending again.
        assert read_kif(replies[0]["kif"]).ending() is read_kif(kif).ending()
        if ending in IN_CSA:
            assert read_csa(replies[2]["csa"]).ending() is read_csa(csa).ending()
    words = [main_line(reply["tree"])[plies:] for reply in replies]
    if ending in TSSHOGI:
        assert words[0] == [(TSSHOGI[ending], 2, [])]
    if ending in JKF:
        assert words[1][0][0] in JKF[ending]
        assert words[1][0][1:] == (2, [])
    if ending in IN_CSA:
        assert words[3] == [(IN_CSA[ending], 2, [])]
        if ending in TSSHOGI:
            assert words[2] == [(TSSHOGI[ending], 2, [])]


def test_we_read_what_tsshogi_writes() -> None:
    records = samples()
    texts = [write_kif(record, "utf-8").decode("utf-8") for record in records]
    replies = ask([{"peer": "tsshogi", "format": "kif", "text": text} for text in texts])
    for record, reply in zip(records, replies, strict=True):
        theirs = read_kif(reply["kif"])
        assert shape(theirs.root, TSSHOGI) == shape(record.root, TSSHOGI)
        assert theirs.start.split()[:3] == record.start.split()[:3]
        assert read_csa(reply["csa"]).moves() == record.moves()
        short = read_ki2(reply["ki2"])
        assert short.moves() == record.moves()
        assert short.ending() == record.ending()
