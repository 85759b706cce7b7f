"""Records against tsshogi and json-kifu-format: they read ours as we do, we read theirs."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from engines.shogi.rules.notation import format_move, parse_move
from engines.shogi.rules.records.csa import read_csa, write_csa
from engines.shogi.rules.records.jkf import write_jkf
from engines.shogi.rules.records.ki2 import read_ki2
from engines.shogi.rules.records.ki2_writer import write_ki2
from engines.shogi.rules.records.kif import read_kif, write_kif
from engines.shogi.rules.records.record import Ending, Grower, Node, Record
from engines.shogi.rules.sfen import START, handicap_names, handicap_sfen
from tests.engines.shogi.rules.records.test_kif import grow
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


def bare(nodes: list[dict[str, Any]], words: dict[Ending, str]) -> list[Any]:
    """Return moves and comments, without what json-kifu-format reads wrongly in KI2.

    It sets up no position for variations that begin where the main line has an ending.
    """
    if nodes and nodes[0]["move"] in words.values():
        nodes = nodes[:1]
    return [(node["move"], node["comments"], bare(node["children"], words)) for node in nodes]


@pytest.mark.parametrize("peer", ["tsshogi", "jkf"])
def test_peers_read_our_ki2_with_variations_as_we_do(peer: str) -> None:
    words = TSSHOGI if peer == "tsshogi" else {ending: names[0] for ending, names in JKF.items()}
    records = samples()
    texts = [write_ki2(record, "utf-8").decode("utf-8") for record in records]
    replies = ask([{"peer": peer, "format": "ki2", "text": text} for text in texts])
    for record, reply in zip(records, replies, strict=True):
        assert "error" not in reply, reply
        ours = bare(shape(record.root, words)["children"], words)
        assert bare(reply["tree"]["children"], words) == ours
        if peer == "tsshogi":
            assert reply["sfen"].split()[:3] == record.start.split()[:3]


def alike(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Bring times, which may be written in two ways, into one, and do likewise with forks."""
    copies = []
    for step in steps:
        copy = {**step}
        if "time" in step:
            times = step["time"].values()
            copy["time"] = [time.get("h", 0) * 3600 + time["m"] * 60 + time["s"] for time in times]
        if "forks" in step:
            copy["forks"] = [alike(fork) for fork in step["forks"]]
        copies.append(copy)
    return copies


def test_our_jkf_is_what_json_kifu_format_makes_of_our_kif() -> None:
    records = samples()
    texts = [write_kif(record, "utf-8").decode("utf-8") for record in records]
    replies = ask([{"peer": "jkf", "format": "kif", "text": text} for text in texts])
    for record, reply in zip(records, replies, strict=True):
        ours = json.loads(write_jkf(record))
        assert alike(ours["moves"]) == alike(reply["jkf"]["moves"])
        if reply["jkf"]["initial"]["preset"] != "OTHER":
            assert ours["initial"] == reply["jkf"]["initial"]


@pytest.mark.parametrize("peer", ["tsshogi", "jkf"])
def test_peers_read_our_jkf_as_we_do(peer: str) -> None:
    words = TSSHOGI if peer == "tsshogi" else {ending: names[0] for ending, names in JKF.items()}
    records = samples()
    texts = [write_jkf(record).decode("utf-8") for record in records]
    replies = ask([{"peer": peer, "format": "jkf", "text": text} for text in texts])
    for record, reply in zip(records, replies, strict=True):
        assert "error" not in reply, reply
        ours = shape(record.root, words)["children"]
        assert texts_only(reply["tree"]["children"]) == texts_only(ours)
        if peer == "tsshogi":
            assert reply["sfen"].split()[:3] == record.start.split()[:3]


def texts_only(nodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Leave out the empty lines of comments, which tsshogi drops."""
    return [
        node
        | {"comments": list(filter(None, node["comments"]))}
        | {"children": texts_only(node["children"])}
        for node in nodes
    ]


@pytest.mark.parametrize("plies", [2, 3])
def test_peers_know_every_ending_in_ki2_that_they_can(plies: int) -> None:
    texts = [write_ki2(ended(ending, plies), "utf-8").decode("utf-8") for ending in Ending]
    readers: dict[str, dict[Ending, Any]] = {
        "tsshogi": TSSHOGI,
        "jkf": {**JKF, Ending.SEALED: ("CHUDAN",)},
    }
    for reader, words in readers.items():
        replies = ask([{"peer": reader, "format": "ki2", "text": text} for text in texts])
        for text, reply in zip(texts, replies, strict=True):
            assert "error" not in reply, (text, reply)
            known = read_ki2(text).ending()
            read = [step[0] for step in main_line(reply["tree"])][plies:]
            if known is None:
                assert read == []
            elif known in words:
                assert read[0] in words[known]


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
        for (*_, theirs), (*_, comments) in zip(read, written, strict=True):
            if peer == "jkf":
                assert theirs == [f"*{comment}" for comment in comments]
            else:
                assert theirs == [comment for comment in comments if comment]


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


@pytest.mark.parametrize("foul", ["P*5e", "2g2e", "5i5g"])
def test_tsshogi_keeps_a_foul_that_we_write(foul: str) -> None:
    record = ended(Ending.FOUL_WIN, 2)
    node = record.main_line()[1]
    end = node.children.pop()
    node.children.append(Node(parse_move(foul), foul=True, seconds=3, children=[end]))
    kif = write_kif(record, "utf-8").decode("utf-8")
    csa = write_csa(record).decode("utf-8")
    replies = ask(
        [
            {"peer": "tsshogi", "format": "kif", "text": kif},
            {"peer": "tsshogi", "format": "csa", "text": csa},
        ]
    )
    for reply in replies:
        steps = [step[:2] for step in main_line(reply["tree"])]
        assert steps[2:3] == [(foul, 3)], reply
    assert [step[0] for step in main_line(replies[0]["tree"])][3] == "foulWin"
    assert read_kif(replies[0]["kif"]).foul() == foul
    assert read_csa(replies[1]["csa"]).foul() == foul


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
