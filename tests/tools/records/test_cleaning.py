import json
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sgfmill import sgf

from engines.core.game import InvalidText
from engines.core.sgf import main_line, parse_sgf, read_sgf
from tests.mutants import mutants
from tests.programs import RECORDS, node_modules, peer
from tests.tools.records.test_peers import READER
from tools.cli import main
from tools.records.cleaning import clean_trees


def clean(data: bytes) -> tuple[list[dict[str, list[str]]], list[str]]:
    cleaned, notices = clean_trees(parse_sgf(data))
    return read_sgf(cleaned), notices


def quintet(*words: str | Path) -> Result:
    return CliRunner().invoke(main, list(map(str, words)))


def foreign() -> list[Path]:
    folder = RECORDS / "sgf"
    if not folder.is_dir():
        pytest.skip("no foreign records here")
    return sorted(folder.iterdir())


def test_the_root_says_what_it_is() -> None:
    nodes, notices = clean(b"(;CoPyright[x]GaMe[1];B[qd])")
    assert nodes[0] == {"FF": ["4"], "GM": ["1"], "CA": ["UTF-8"], "SZ": ["19"], "CP": ["x"]}
    assert notices == ["SZ is missing: 19 is assumed"]


@pytest.mark.parametrize(
    ("data", "last", "notice"),
    [
        (b"(;SZ[9];B[tt])", {"B": [""]}, "1 passes, written tt, are written as empty moves"),
        (b"(;SZ[9];B[CC])", {"B": ["cc"]}, "1 points are written in lower case"),
        (b"(;SZ[9];AB[aa : BB])", {"AB": ["aa:bb"]}, "1 points are written in lower case"),
        (b"(;SZ[21];B[tt])", {"B": ["tt"]}, ""),
        (b"(;SZ[9];C[a]C[b])", {"C": ["a\nb"]}, ""),
        (b"(;SZ[9];KM[5]KM[6])", {"KM": ["5"]}, "line 1: of several KM, the first is kept: KM[5]"),
        (b"(;GM[13];W[b1-b4])", {"W": ["b1-b4"]}, ""),
    ],
)
def test_quirks_are_put_right_and_named(
    data: bytes, last: dict[str, list[str]], notice: str
) -> None:
    nodes, notices = clean(data)
    assert nodes[-1] == last
    assert notices == ([notice] if notice else [])


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        ("b+3.5", "B+3.5"),
        ("W+resign", "W+Resign"),
        ("draw", "Draw"),
        ("Jigo", "0"),
        ("Draw", "Draw"),
        ("B+R", "B+R"),
        ("?", "?"),
    ],
)
def test_results_are_spelt_as_sgf_does(value: str, meant: str) -> None:
    assert clean(f"(;SZ[9]RE[{value}])".encode())[0][0]["RE"] == [meant]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"(;SZ[9]\n;B[aa]\n;W[zz])", "line 3: W[zz] is no point of 9x9"),
        (b"(;SZ[9]\n;AB[tt])", "line 2: AB[tt] is no point of 9x9"),
        (b"(;SZ[9];B[aa:bb])", "line 1: B[aa:bb] is no point of 9x9"),
        (b"(;SZ[nine];B[aa])", "line 1: SZ[nine]: expected a size up to 52, or two"),
        (b"(;SZ[9]\n;B[aa]B[bb])", "line 2: two moves of B in one node"),
    ],
)
def test_what_cannot_be_right_is_refused_with_its_line(data: bytes, reason: str) -> None:
    with pytest.raises(InvalidText) as raised:
        clean_trees(parse_sgf(data))
    assert str(raised.value) == reason


def test_all_games_and_variations_stay() -> None:
    data, _ = clean_trees(parse_sgf(b"(;SZ[9];B[aa](;W[bb])(;W[cc]))(;SZ[9];B[dd])"))
    first, second = parse_sgf(data).roots
    assert [child.values for child in first.children[0].children] == [{"W": ["bb"]}, {"W": ["cc"]}]
    assert [node.values for node in main_line(second)][1:] == [{"B": ["dd"]}]


def test_foreign_records_become_clean_and_stay_what_they_were(tmp_path: Path) -> None:
    for path in foreign():
        target = tmp_path / path.name
        result = quintet("convert", path, target)
        assert result.exit_code == 0, result.output
        before = [len(node) for node in read_sgf(path.read_bytes())][1:]
        assert [len(node) for node in read_sgf(target.read_bytes())][1:] == before
        game = sgf.Sgf_game.from_bytes(target.read_bytes())
        assert game.get_charset() == "UTF-8"
        assert quintet("convert", target, tmp_path / "again.sgf", "--force").output == ""
        assert (tmp_path / "again.sgf").read_bytes() == target.read_bytes()
        assert quintet("show", target).exit_code == 0
        assert quintet("show", path, "--ply", "1").exit_code == 0


def test_sabaki_reads_what_was_cleaned(tmp_path: Path) -> None:
    modules = node_modules("@sabaki/sgf")
    targets = [tmp_path / path.name for path in foreign()]
    for path, target in zip(foreign(), targets, strict=True):
        quintet("convert", path, target)
    done = subprocess.run(
        [peer("node"), "-e", READER, str(modules), *map(str, targets)],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    answers = json.loads(done.stdout)
    for target in targets:
        assert answers[str(target)]["nodes"] == read_sgf(target.read_bytes())


@pytest.mark.parametrize("charset", ["Shift_JIS", "EUC-KR", "GB18030", "Big5"])
def test_the_command_writes_utf_8_and_says_what_it_guessed(tmp_path: Path, charset: str) -> None:
    text = {
        "Shift_JIS": "黒の勝ち",
        "EUC-KR": "흑이 이겼다",
        "GB18030": "黑胜了",
        "Big5": "黑棋勝",
    }[charset]
    source, target = tmp_path / "in.sgf", tmp_path / "out.sgf"
    source.write_bytes(f"(;SZ[9]C[{text}];B[aa])".encode(charset))
    result = quintet("convert", source, target)
    assert result.output == f"{source}: the character set is guessed: {charset}\n"
    assert text in target.read_text(encoding="utf-8")
    assert "CA[UTF-8]" in target.read_text(encoding="utf-8")
    target.unlink()
    assert quintet("convert", source, target, "--encoding", charset).output == ""
    assert text in target.read_text(encoding="utf-8")


def test_mistakes_lose_nothing(tmp_path: Path) -> None:
    source, target = tmp_path / "in.sgf", tmp_path / "out.sgf"
    source.write_bytes(b"(;SZ[9]\n;B[a")
    for words, complaint in (
        ((source, target), "line 2, column 3: the value of B has no end"),
        ((source, tmp_path / "out.gib"), ".sgf cannot be written as .gib (a .sgf becomes .sgf, "),
        ((source, target, "--encoding", "klingon"), "unknown character set 'klingon'"),
    ):
        result = quintet("convert", *words)
        assert (result.exit_code, complaint in result.output) == (2, True), result.output
        assert not target.exists()


def test_positions_are_drawn_whoever_moves_and_whatever_is_set_up(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_bytes(b"junk (;GM[1]SZ[5]AB[aa][bb]PL[W]PB[x];W[cc];W[dd]C[well];AE[cc]AW[ee];B[])")
    result = quintet("show", path, "--all")
    assert result.exit_code == 0, result.output
    assert "text before the first game is left out: 'junk'" in result.output
    frames = result.output.split("\n\n")
    assert [frame.splitlines()[0] for frame in frames[2:]] == [
        "1. white C3",
        "2. white D2  well",
        "3. black pass",
    ]
    assert " 5 ●─┬─┬─┬─┐ 5" in frames[1]
    assert " 3 ├─┼(○)┼─┤ 3" in frames[2]
    assert [" 3 ├─┼─┼─┼─┤ 3" in frames[4], " 1 └─┴─┴─┴─○ 1" in frames[4]] == [True, True]


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"(;SZ[5];B[aa];W[aa])", "move 2, A5: point is occupied"),
        (b"(;GM[2];B[aa])", "its game, GM[2], is none of go"),
        (b"(;SZ[99])", "unacceptable size: SZ[99]"),
        (b"no record", "no game begins in it"),
    ],
)
def test_what_cannot_be_drawn_is_named(tmp_path: Path, data: bytes, complaint: str) -> None:
    path = tmp_path / "game.sgf"
    path.write_bytes(data)
    result = quintet("show", path)
    assert (result.exit_code, complaint in result.output) == (2, True), result.output


@pytest.mark.parametrize(
    "path", sorted(Path("tests/data/records").glob("*.sgf")), ids=lambda path: path.name
)
def test_a_damaged_file_is_cleaned_or_refused(path: Path) -> None:
    cleaned = 0
    for data in mutants(
        path.read_bytes(), 100, [b"GM[x]", b"SZ[0]", b"B[]W[]", b"C[\\]", b"RE[?]"]
    ):
        try:
            once, _ = clean_trees(parse_sgf(data))
        except InvalidText:
            continue
        cleaned += 1
        assert clean_trees(parse_sgf(once))[0] == once  # What is clean stays as it is.
    assert cleaned


def test_a_doubled_property_keeps_both_values_if_it_may() -> None:
    data, notices = clean_trees(
        parse_sgf(b"(;SZ[9]AB[aa]C[a]GC[b]PB[p]AB[bb]C[c]GC[d]PB[p]KM[5]KM[6])")
    )
    assert b"AB[aa][bb]" in data
    assert b"C[a\nc]" in data
    assert b"GC[b\nd]" in data
    assert b"PB[p]" in data
    assert notices == ["line 1: of several KM, the first is kept: KM[5]"]
