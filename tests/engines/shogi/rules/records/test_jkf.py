import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.core.game import InvalidText
from engines.shogi.rules.notation import format_move, parse_move
from engines.shogi.rules.records.jkf import read_jkf, write_jkf
from engines.shogi.rules.records.kif import read_kif, write_kif
from engines.shogi.rules.records.record import Ending, Node, Record
from engines.shogi.rules.sfen import START, handicap_names, handicap_sfen
from tests.engines.shogi.rules.records.test_kif import COMPILED, grow


def step(move: str, piece: str = "FU", **more: Any) -> dict[str, Any]:
    """Make a move from its squares, `7776`, or `0076` for a drop."""
    file, rank, x, y = map(int, move)
    fields: dict[str, Any] = {"to": {"x": x, "y": y}, "piece": piece}
    if file:
        fields["from"] = {"x": file, "y": rank}
    return {"move": fields | more.pop("fields", {}), **more}


def read(*moves: dict[str, Any], **fields: Any) -> Any:
    return read_jkf(json.dumps({"header": {}, "moves": [{}, *moves], **fields}))


def test_headers_moves_times_comments_and_the_ending_are_read() -> None:
    record = read(
        step("7776", comments=["one", "two"], time={"now": {"m": 1, "s": 5}}),
        step("3334", time={"now": {"h": 1, "m": 0, "s": 0.25}, "total": {"m": 0, "s": 0}}),
        step("8822", "KA", fields={"promote": True, "capture": "KA", "color": 0}),
        step("3122", "GI", fields={"same": True}),
        step("0045", "KA"),
        {"special": "TORYO"},
        header={"先手": "A", "後手": "B", "棋戦": "C", "手合割": "平手"},
    )
    assert (record.black, record.white, record.headers) == ("A", "B", {"棋戦": "C"})
    assert record.moves() == ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"]
    assert record.ending() is Ending.RESIGN
    assert [node.seconds for node in record.main_line()[:3]] == [65, 3600.25, None]
    assert record.main_line()[0].comments == ["one", "two"]
    assert read_jkf('{"header": {}, "moves": [{"comments": ["start"]}]}').root.comments == ["start"]


def test_variations_keep_their_order() -> None:
    record = read(
        step("7776", forks=[[step("2726")], [step("5756"), step("3334", forks=[[step("8384")]])]]),
        step("3334", forks=[[step("8384"), {"special": "CHUDAN"}]]),
        step("2726"),
    )
    assert record.moves() == ["7g7f", "3c3d", "2g2f"]
    firsts = record.root.children
    assert [format_move(node.move) for node in firsts] == ["7g7f", "2g2f", "5g5f"]
    for node in (firsts[0], firsts[2]):
        assert [format_move(child.move) for child in node.children] == ["3c3d", "8c8d"]
    assert firsts[0].children[1].children[0].ending is Ending.INTERRUPT
    assert read_kif(write_kif(record)) == record


def test_a_game_starts_from_a_handicap_or_a_board() -> None:
    assert read(initial={"preset": "2"}).start == handicap_sfen("two")
    board: list[list[dict[str, Any]]] = [[{} for _ in range(9)] for _ in range(9)]
    board[4][0] = {"color": 1, "kind": "OU"}
    board[4][2] = {"color": 0, "kind": "TO"}
    data = {"color": 0, "board": board, "hands": [{"KI": 1, "FU": 0}, {"FU": 17}]}
    record = read(step("0052", "KI"), initial={"preset": "OTHER", "data": data})
    assert record.start == "4k4/9/4+P4/9/9/9/9/9/9 b G17p 1"
    assert record.moves() == ["G*5b"]


@pytest.mark.parametrize(
    ("word", "ending"),
    [
        ("ILLEGAL_ACTION", Ending.FOUL_WIN),
        ("+ILLEGAL_ACTION", Ending.FOUL_WIN),
        ("ILLEGAL_MOVE", Ending.FOUL_LOSS),
    ],
)
def test_an_illegal_last_move_is_kept_as_the_foul(word: str, ending: Ending) -> None:
    record = read(step("7775"), {"special": word})
    assert (record.moves(), record.foul(), record.ending()) == ([], "7g7e", ending)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "line 1: the file is empty"),
        ("[" * 100_000, "not JSON that can be read: it is nested too deeply"),
        ('{"header":\n1}', "header is no dict: '1'"),
        ("[]", "the file is no dict"),
        ('{"moves": [{}, 7]}', "move 1 is no dict"),
        ('{"header": {"先手": 1}}', "header '先手' is no str"),
        ('{"initial": {"preset": "3_L"}}', "no such preset: '3_L'"),
        ('{"initial": {"preset": "OTHER"}}', "initial.data is no dict"),
    ],
)
def test_what_is_no_jkf_is_refused(text: str, reason: str) -> None:
    with pytest.raises(InvalidText) as raised:
        read_jkf(text)
    assert reason in str(raised.value)


@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        ([step("7775")], "move 1: illegal move 7g7e"),
        ([step("7776", "KI")], "move 1: no KI on 77"),
        ([step("7776", "XX")], "not a man: 'XX'"),
        ([step("7776", fields={"color": 1})], "move 1: the other side is to move"),
        ([step("7776", fields={"color": 2})], "not a side, 0 or 1: '2'"),
        ([{"move": {"piece": "FU"}}], "move 1: a move without its target"),
        ([{"move": {"piece": "OU", "to": {"x": 5, "y": 8}}}], "move 1: a move without its origin"),
        ([step("4958", "KI", fields={"promote": True})], "move 1: KI cannot promote"),
        ([step("7770")], "move 1: no square: 7, 0"),
        ([step("7776"), {}], "move 2: neither a move nor a word"),
        ([{"special": "WHAT"}], "move 1: not an ending: 'WHAT'"),
        ([{"special": "TORYO"}, step("7776")], "move 2: a move after the game ended"),
        ([step("7776", time={"now": {"m": -1}})], "move 1: not a time"),
        ([step("7776", time={"now": None})], "move 1: time is no dict"),
        ([step("7776", forks=[7])], "move 1: a fork is no list"),
        ([step("7775"), {"special": "-ILLEGAL_ACTION"}], "move 1: illegal move 7g7e"),
    ],
)
def test_a_bad_move_is_refused_with_its_number(moves: list[dict[str, Any]], reason: str) -> None:
    with pytest.raises(InvalidText) as raised:
        read(*moves)
    assert reason in str(raised.value)


KIF = """先手：A
*はじめ
1 ７六歩(77) (0:05/00:00:05)
2 ３四歩(33)
3 ２二角成(88) (75:30/01:15:35)
4 同　銀(31)
5 投了
*終
変化：5手
5 ４五角打
変化：1手
1 ５八金(49)
"""


def test_all_that_the_schema_has_is_written() -> None:
    written = json.loads(write_jkf(read_kif(KIF)))
    assert written["header"] == {"先手": "A"}
    assert written["initial"] == {"preset": "HIRATE"}
    start, first, _, third, fourth, end = written["moves"]
    assert start == {"comments": ["はじめ"]}
    pawn = {"color": 0, "from": {"x": 7, "y": 7}, "to": {"x": 7, "y": 6}, "piece": "FU"}
    gold = {"color": 0, "from": {"x": 4, "y": 9}, "to": {"x": 5, "y": 8}, "piece": "KI"}
    seconds = {"h": 0, "m": 0, "s": 5}
    assert first["move"] == pawn
    assert first["time"] == {"now": seconds, "total": seconds}
    assert first["forks"] == [[{"move": gold | {"relative": "R"}}]]
    assert (third["move"]["promote"], third["move"]["capture"]) == (True, "KA")
    assert third["time"]["now"] == {"h": 1, "m": 15, "s": 30}
    assert third["time"]["total"] == {"h": 1, "m": 15, "s": 35}
    assert (fourth["move"]["same"], fourth["move"]["capture"]) == (True, "UM")
    drop = {"move": {"color": 0, "to": {"x": 4, "y": 5}, "piece": "KA"}}
    assert end == {"comments": ["終"], "special": "TORYO", "forks": [[drop]]}


def timeless(node: Node) -> list[object]:
    own: list[object] = [node.move, node.ending, node.foul, node.seconds, node.comments]
    return own + [timeless(child) for child in node.children]


@given(st.integers(0, 2**32))
@settings(deadline=None, max_examples=40 if COMPILED else 5)
def test_trees_are_read_as_they_were_written(seed: int) -> None:
    names = handicap_names()
    record = grow(handicap_sfen(names[seed % len(names)]) if seed % 2 else START, seed)
    copy = read_jkf(write_jkf(record))
    assert timeless(copy.root) == timeless(record.root)
    assert copy.start == record.start


@pytest.mark.parametrize("ending", Ending)
def test_each_ending_is_written_by_a_word_of_the_schema(ending: Ending) -> None:
    record = Record.from_usi("position startpos moves 7g7f", ending)
    word = json.loads(write_jkf(record))["moves"][-1]["special"]
    known = "TORYO CHUDAN SENNICHITE TIME_UP ILLEGAL_MOVE +ILLEGAL_ACTION -ILLEGAL_ACTION JISHOGI"
    assert word in [*known.split(), "KACHI", "HIKIWAKE", "TSUMI", "FUZUMI", "ERROR"]
    assert read_jkf(write_jkf(record)).ending() is not None


def test_variations_in_variations_without_end_are_refused() -> None:
    record = Record()
    node = record.root
    shuttle = [parse_move(text) for text in ("4i5h", "6a5b", "5h4i", "5b6a")]
    others = [parse_move(text) for text in ("6i7h", "4a3b", "6i7h", "4a3b")]
    for depth in range(4000):
        node.children = [Node(others[depth % 4]), Node(shuttle[depth % 4])]
        node = node.children[1]
    with pytest.raises(InvalidText, match="nested too deeply"):
        write_jkf(record)
