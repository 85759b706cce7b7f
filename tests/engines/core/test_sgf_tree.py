import pytest

from engines.core.game import InvalidText
from engines.core.sgf_tree import SgfNode, main_line, parse_sgf, write_trees


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
def test_what_is_forgiven_is_told(data: bytes, notice: str) -> None:
    found = parse_sgf(data)
    assert found.roots[0].values == {"B": ["aa"]}
    assert list(found.notices) == [notice]


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
