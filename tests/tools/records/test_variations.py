import pytest

from engines.core.game import InvalidText
from engines.core.sgf import SgfNode, parse_sgf
from tools.records.variations import find_line, parse_path

# Two variations at move 2, of which the second has one at move 3; one at move 3 of the main line.
TREE = b"(;SZ[9];B[aa](;W[bb](;B[cc];W[dd])(;B[ce]))(;W[be];AB[ii];B[ch])(;W[bf](;B[cf])(;B[cg])))"


def count(node: SgfNode) -> int:
    return sum(key in node.values for key in "BW")


def line(path: str) -> tuple[list[str], list[int]]:
    found = find_line(parse_sgf(TREE).roots[0], parse_path(path) if path else (), count)
    return [node.values.get("B", node.values.get("W", ["-"]))[0] for node in found.nodes[1:]], list(
        found.branches
    )


@pytest.mark.parametrize(
    ("path", "moves", "branches"),
    [
        ("", "aa bb cc dd", [2, 2, 3]),
        ("1", "aa be - ch", []),
        ("2", "aa bf cf", [3]),
        ("2.1", "aa bf cg", []),
        ("3", "aa bb ce", []),
    ],
)
def test_a_path_names_a_line_and_its_own_variations(
    path: str, moves: str, branches: list[int]
) -> None:
    assert line(path) == (moves.split(), branches)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("4", r"no variation 4: the main line has 3 variations: 1 at move 2, 2 at .*, 3 at move 3"),
        ("0", "no variation 0"),
        ("2.2", "no variation 2.2: variation 2 has 1 variation: 1 at move 3"),
        ("1.1", "no variation 1.1: variation 1 has no variations"),
        ("2.1.1", "no variation 2.1.1: variation 2.1 has no variations"),
        ("x", "not a variation: 'x'"),
        ("1.", "not a variation"),
        ("-1", "not a variation"),
        ("٣", "not a variation"),
        ("1" * 5000, "not a variation"),
    ],
)
def test_a_path_that_names_nothing_is_refused(path: str, reason: str) -> None:
    with pytest.raises(InvalidText, match=reason):
        line(path)


def test_many_variations_are_not_all_listed() -> None:
    root = parse_sgf(b"(;" + b"(;B[aa])" * 40 + b")").roots[0]
    text = find_line(root, (), count).describe()
    assert text.startswith("39 variations: 1 at move 1, ")
    assert text.endswith("12 at move 1 and 27 more")
