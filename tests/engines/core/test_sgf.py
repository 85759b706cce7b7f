import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest
from sgfmill import sgf

from engines.core.game import InvalidText
from engines.core.sgf import SgfNode, main_line, parse_sgf, read_sgf, write_sgf, write_trees
from tests.mutants import mutants


def test_a_record_is_read_as_it_was_written() -> None:
    nodes = [
        {"FF": ["4"], "GM": ["13"], "PW": ["a]b\\c : d"], "C": ["two\nlines ☗"]},
        {"W": ["b1-b4"], "WL": ["9.5"]},
        {"B": ["c3-c1/b5-b2"]},
    ]
    assert read_sgf(write_sgf(nodes)) == nodes


def test_sgfmill_reads_what_we_write() -> None:
    data = write_sgf([{"FF": ["4"], "GM": ["1"], "SZ": ["9"], "PB": ["x]y"]}, {"B": ["aa"]}])
    game = sgf.Sgf_game.from_bytes(data)
    assert game.get_player_name("b") == "x]y"
    assert game.get_last_node().get_move() == ("b", (8, 0))


def test_the_main_line_is_read_among_variations() -> None:
    data = b"(;FF[4];B[aa](;W[bb];B[cc])(;W[dd]))"
    assert [list(node) for node in read_sgf(data)] == [["FF"], ["B"], ["W"], ["B"]]


def test_the_character_set_is_obeyed() -> None:
    data = "(;CA[Shift_JIS]PB[先手])".encode("cp932")
    assert read_sgf(data)[0]["PB"] == ["先手"]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not an SGF record"),
        (b"(;B[aa", "not an SGF record: line 1, column 4: the value of B has no end"),
        (b"text", "not an SGF record"),
    ],
)
def test_garbage_is_refused_with_the_reason(data: bytes, reason: str) -> None:
    with pytest.raises(InvalidText, match=reason):
        read_sgf(data)


def values(data: bytes) -> list[dict[str, list[str]]]:
    return [node.values for node in main_line(parse_sgf(data).roots[0])]


def shape(node: SgfNode) -> object:
    return [shape(child) for child in node.children]


def test_variations_stay_in_their_order() -> None:
    data = b"(;FF[4];B[aa](;W[bb](;B[cc])(;B[dd];W[ee]))(;W[ff]))"
    root = parse_sgf(data).roots[0]
    assert shape(root) == [[[[], [[]]], []]]
    again = parse_sgf(write_trees([root])).roots[0]
    assert shape(again) == shape(root)
    assert [node.values for node in main_line(again)] == [node.values for node in main_line(root)]


@pytest.mark.parametrize(
    "text", ["a]b", "a\\b", "\\", "two\nlines", "a:b", "囲碁", "(;B[aa])", " kept ", ""]
)
def test_values_are_written_as_they_were(text: str) -> None:
    root = SgfNode({"C": [text], "LB": [f"aa:{text}"], "AB": ["aa", "bb"]})
    assert parse_sgf(write_trees([root])).roots[0].values == root.values


def test_escapes_and_line_breaks_are_taken_out() -> None:
    data = b"(;C[a\\]b\\\\c\\:d soft\\\nbreak hard\r\nbreak])"
    assert values(data) == [{"C": ["a]b\\c:d softbreak hard\nbreak"]}]


@pytest.mark.parametrize(
    ("data", "notice"),
    [
        (b"hello\n(;B[aa])", "text before the first game is left out: 'hello'"),
        (b"(;B[aa])\nbye", "text behind the last game is left out: 'bye'"),
        (b"(;B[aa]) and (;W[bb])", "text between games is left out: 'and'"),
        (b"(;B[aa](;W[bb])", "the end is missing: 1 parentheses are not closed"),
        (b"\xef\xbb\xbf(;B[aa])", "the byte order mark is left out"),
        ("(;B[aa])".encode("utf-16"), "the byte order mark is left out"),
    ],
)
def test_tolerated_faults_are_mentioned_in_the_notices(data: bytes, notice: str) -> None:
    file = parse_sgf(data)
    assert file.roots[0].values == {"B": ["aa"]}
    assert list(file.notices) == [notice]


def test_old_names_have_lower_case_letters() -> None:
    assert values(b"(;CoPyright[x]SiZe[9];b[aa])") == [{"CP": ["x"], "SZ": ["9"]}, {"B": ["aa"]}]


def test_spaces_may_stand_anywhere_outside_values() -> None:
    assert values(b" ( ; GM [1] AB [aa]\n[bb]\t) \x1a") == [{"GM": ["1"], "AB": ["aa", "bb"]}]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "no game begins in it: expected (;, the file is empty"),
        (b"[Event x]", "no game begins in it: expected (;; it begins with '[Event x]'"),
        (b"(;B[aa]\n;C[open\n;W", "line 2, column 3: the value of C has no end: '[open"),
        (b"(;B[aa];\n;B)", "line 2, column 3: B has no value: expected [, not ')'"),
        (b"(;B[aa];B", "line 1, column 10: B has no value: expected [, not the end"),
        (b"(;B[aa]\n\n  ,W[bb])", "line 3, column 3: unexpected ',W[bb])', expected a property"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(data: bytes, reason: str) -> None:
    with pytest.raises(InvalidText) as raised:
        parse_sgf(data)
    assert str(raised.value).startswith(reason)


def test_nodes_know_their_lines() -> None:
    assert [node.line for node in main_line(parse_sgf(b"(;B[aa]\n;W[bb]\n\n;B[cc])").roots[0])] == [
        *(1, 2, 4)
    ]


def test_a_long_game_is_no_recursion() -> None:
    data = b"(" + b";B[aa](" * 5000 + b";W[bb]" + b")" * 5001
    assert sum(1 for _ in main_line(parse_sgf(write_trees(parse_sgf(data).roots)).roots[0])) == 5001


@pytest.mark.parametrize("start", [b"(GM[1]", b"junk (GM[1]", b"( GM[1]"])
def test_the_first_semicolon_may_be_missing(start: bytes) -> None:
    data = start + b"SZ[19]\nEV[x];B[aa])"
    assert values(data) == [{"GM": ["1"], "SZ": ["19"], "EV": ["x"]}, {"B": ["aa"]}]
    assert "line 1: the semicolon before the first node is missing" in parse_sgf(data).notices


def test_the_semicolon_of_a_variation_may_be_missing() -> None:
    root = parse_sgf(b"(;B[aa](W[bb];B[cc])(W[dd]))").roots[0]
    assert root.values == {"B": ["aa"]}
    assert [child.values for child in root.children] == [{"W": ["bb"]}, {"W": ["dd"]}]


def test_a_property_that_stands_twice_has_both_values() -> None:
    assert values(b"(;AB[aa]C[a]AB[bb]C[b])") == [{"AB": ["aa", "bb"], "C": ["a", "b"]}]


@pytest.mark.parametrize("unit", [b"(;", b";B[];W[]", b"(;)"])
def test_more_nodes_than_can_be_kept_are_refused(
    unit: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engines.core.sgf.MOST_NODES", 1000)
    assert parse_sgf(b"(;)" + unit * 333).roots
    with pytest.raises(InvalidText, match="it has more than 1000 nodes"):
        parse_sgf(b"(;" + unit * 1000)


def test_more_values_than_can_be_kept_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engines.core.sgf.MOST_VALUES", 1000)
    assert parse_sgf(b"(;AB" + b"[aa]" * 1000 + b")").roots
    with pytest.raises(InvalidText, match="line 1, column 4005: it has more than 1000 values"):
        parse_sgf(b"(;AB" + b"[aa]" * 1000 + b"C[])")


def test_a_file_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engines.core.sgf.MOST_BYTES", 1 << 20)
    with pytest.raises(InvalidText, match="it has more than 1 MiB"):
        parse_sgf(b"(;C[" + b"x" * (1 << 20) + b"])")


def test_a_long_value_needs_no_memory_but_its_own() -> None:
    text = "\\]é" * 300_000
    tracemalloc.start()
    try:
        assert len(values(f"(;C[{text}])".encode())[0]["C"][0]) == 600_000
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


def outline(root: SgfNode) -> list[tuple[int, int]]:
    """Return the numbers of values and children of all nodes; a tree may be deep."""
    found, todo = [], [root]
    while todo:
        node = todo.pop()
        found.append((sum(map(len, node.values.values())), len(node.children)))
        todo += node.children
    return found


FILES = sorted(Path("tests/data/records").glob("*.sgf"))
PIECES = [
    *(b"(", b")", b";", b"[", b"]", b"\\", b"(;", b"[]", b"\0", b"\x1a", b"\xb0]", b"\xff\xfe"),
    *(b"CA[Big5]", b"CA[utf-16]", b"CA[ISO-2022-JP]", b"\x1b$B", b"CA[hz]~{", b"AB[aa:zz]"),
    *("明白".encode(codec) for codec in ("utf-8", "cp932", "euc_jp", "big5", "gb18030", "utf-16")),
]


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_damaged_file_is_read_or_refused(path: Path) -> None:
    read = 0
    tracemalloc.start()
    try:
        for data in mutants(path.read_bytes(), 200, PIECES):
            try:
                roots = parse_sgf(data).roots
            except InvalidText:
                continue
            read += 1
            again = parse_sgf(write_trees(roots)).roots  # What was read can be written.
            assert [outline(root) for root in again] == [outline(root) for root in roots]
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()
    assert read


def test_the_character_sets_of_our_own_records_are_known() -> None:
    charsets = {path.name: parse_sgf(path.read_bytes()).charset for path in FILES}
    assert charsets == {"games.sgf": "UTF-8", "games-euc.sgf": "EUC-JP", "old.sgf": "ISO-8859-1"}


def test_the_first_import_after_an_installation_is_silent(tmp_path: Path) -> None:
    command = [sys.executable, "-X", f"pycache_prefix={tmp_path}", "-c", "import engines.core.sgf"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == ""
