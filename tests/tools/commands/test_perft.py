import json
from dataclasses import replace

import pytest
from click.testing import CliRunner, Result

from engines import registry
from tools.cli import main


def quintet(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def test_perft_counts_ply_by_ply() -> None:
    result = quintet("perft", "neutron", "--depth", "3")
    assert (result.exit_code, result.stdout) == (0, "1 13\n2 99\n3 1022\n")


def test_perft_counts_turns() -> None:
    assert quintet("perft", "neutron", "--depth", "2", "--turns").stdout == "1 13\n2 1026\n"


def test_perft_from_a_position() -> None:
    result = quintet(
        "perft", "neutron", "--depth", "1", "--position", "BBBBB/...../..N../...../WWWWW w"
    )
    assert result.stdout == "1 8\n"


def test_perft_in_json() -> None:
    lines = quintet("perft", "neutron", "--depth", "2", "--json").output.splitlines()
    events = [json.loads(line) for line in lines]
    assert events[1] == {"event": "perft", "depth": 2, "count": 99, "known": 99}
    assert events[-1]["event"] == "summary"
    assert events[-1]["verified"] == 2


@pytest.mark.parametrize(
    ("words", "counts"),
    [
        (("go", "--size", "2"), "1 5\n2 20\n3 64\n"),
        (("go", "--size", "3", "--variant", "japanese"), "1 10\n2 90\n3 729\n"),
        (("shogi",), "1 30\n2 900\n3 25470\n"),
        (("morris", "--apart"), "1 24\n2 552\n3 12144\n"),
        (("neutron",), "1 13\n2 99\n3 1022\n"),
        (("senet", "--variant", "pass"), "1 5\n2 5\n3 25\n"),
    ],
)
def test_perft_compares_with_the_known_counts(words: tuple[str, ...], counts: str) -> None:
    result = quintet("perft", *words, "--depth", "3")
    assert result.exit_code == 0
    assert result.stdout == counts
    assert result.stderr.startswith("3 of 3 counts verified")


def test_perft_of_a_position_is_compared_with_nothing() -> None:
    result = quintet("perft", "senet", "--depth", "1", "--position", "2.1" + "." * 27 + " 1 -")
    assert result.exit_code == 0
    assert result.stderr == "no known counts\n"


def test_a_count_that_is_not_the_known_one_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = replace(registry.GAMES["neutron"], counts={("", 0, ""): (13, 100)})
    monkeypatch.setattr("tools.bench.perft.registry.find", lambda name: entry)
    result = quintet("perft", "neutron", "--depth", "2")
    assert result.exit_code == 1
    assert result.stdout == "1 13\n2 99\n"
    assert "ply 2: counted 99, the known count is 100" in result.stderr


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("neutron", "--depth", "1", "--apart", "--turns"), "exclude each other"),
        (("neutron", "--depth", "1", "--apart"), "--apart means nothing in neutron"),
        (("neutron", "--depth", "1", "--variant", "x"), "no such variant: 'x'"),
        (("neutron", "--depth", "1", "--size", "9"), "size"),
        (("neutron", "--depth", "1", "--position", "x"), "expected"),
        (("neutron", "--depth", "0"), "expected a whole number of at least 1, not '0'"),
        (("chess", "--depth", "1"), "expected go, morris, neutron, senet or shogi, not 'chess'"),
        (("neutron",), "Missing option '--depth'"),
    ],
)
def test_perft_says_what_is_wrong(words: tuple[str, ...], complaint: str) -> None:
    result = quintet("perft", *words)
    assert result.exit_code == 2
    assert complaint in result.output
