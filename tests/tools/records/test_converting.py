from pathlib import Path

import pytest

from engines.core.sgf import read_sgf
from engines.go.rules.records.sgf import parse_game
from tools.records.converting import CannotConvert, Conversion, convert_record, files_of
from tools.records.reading import read_record


@pytest.fixture
def sgf(tmp_path: Path) -> Path:
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[1];B[qd])")
    return path


def test_sgf_becomes_clean_sgf_with_notices(sgf: Path, tmp_path: Path) -> None:
    target = tmp_path / "clean.sgf"
    assert convert_record(sgf, target).notices == ["SZ is missing: 19 is assumed"]
    assert target.read_bytes().startswith(b"(;FF[4]")


def test_shogi_changes_its_format(tmp_path: Path) -> None:
    source, target = tmp_path / "game.usi", tmp_path / "game.csa"
    source.write_text("position startpos moves 7g7f\n")
    assert convert_record(source, target).losses == []
    assert b"+7776FU" in target.read_bytes()


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("game.csa", "it is no game of shogi, and CSA holds no other"),
        ("game.xyz", "no such format: '.xyz'"),
        ("game.sgf", "is there already (--force)"),
    ],
)
def test_a_target_that_cannot_be_written_is_named(
    sgf: Path, tmp_path: Path, name: str, complaint: str
) -> None:
    with pytest.raises(CannotConvert) as caught:
        convert_record(sgf, tmp_path / name)
    assert complaint in str(caught.value)


def test_shogi_takes_no_character_set(tmp_path: Path) -> None:
    source = tmp_path / "game.usi"
    source.write_text("position startpos\n")
    with pytest.raises(CannotConvert, match=r"--encoding is for records of Go"):
        convert_record(source, tmp_path / "game.kif", charset="utf-8")


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.csa"
    path.write_text("V2.2\nPI\n+\n+7776FU\n%-ILLEGAL_ACTION\n/\nPI\n+\n+2725FU\n%+ILLEGAL_ACTION\n")
    return path


def test_all_games_of_a_file_are_converted(games: Path, tmp_path: Path) -> None:
    assert convert_record(games, tmp_path / "copy.csa").losses == []
    text = (tmp_path / "copy.csa").read_text("utf-8")
    assert text.endswith(games.read_text().removeprefix("V2.2\n"))


def test_games_of_a_collection_become_numbered_files(games: Path, tmp_path: Path) -> None:
    conversion = convert_record(games, tmp_path / "copy.kif")
    assert [str(loss) for loss in conversion.losses] == [
        "1 ending changed: KIF writes foul action as foul loss",
    ]
    first, second = (read_record(tmp_path / f"copy-{number}.kif") for number in (1, 2))
    assert (first.moves(), second.foul()) == (["7g7f"], "2g2e")
    assert not (tmp_path / "copy.kif").exists()
    with pytest.raises(CannotConvert, match=r"copy-1\.kif is there already"):
        convert_record(games, tmp_path / "copy.kif")


def test_a_conversion_is_shown_without_its_content(games: Path, tmp_path: Path) -> None:
    conversion = convert_record(games, tmp_path / "copy.kif")
    sizes = ", ".join(f"<{len(file)} bytes>" for file in conversion.files)
    shown = repr(conversion)
    assert shown.startswith(f"Conversion(files=[{sizes}], notices=(), losses=[Loss(thing='ending'")
    assert "\\x" not in shown


def test_numbered_files_sort_by_their_numbers(tmp_path: Path) -> None:
    conversion = Conversion([b""] * 12)
    names = [path.name for path in files_of(conversion, tmp_path / "a.kif")]
    assert names[0] == "a-01.kif"
    assert names == sorted(names)


def test_a_foul_is_kept_where_the_format_has_it(games: Path, tmp_path: Path) -> None:
    games.write_text("PI\n+\n+2725FU\n%ILLEGAL_MOVE\n")
    assert convert_record(games, tmp_path / "copy.kif").losses == []
    assert "反則勝ち" in (tmp_path / "copy.kif").read_text("cp932")
    losses = convert_record(games, tmp_path / "copy.usi").losses
    assert [str(loss) for loss in losses] == ["1 move left out: USI cannot hold it"]


@pytest.mark.parametrize("name", ["game.KI2U", "game.jkf", "game.kifu"])
def test_suffixes_tell_the_format(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    texts = {
        ".jkf": '{"header": {}, "moves": [{}]}',
        ".KI2U": "▲76歩\n",
        ".kifu": "1 ７六歩(77)\n",
    }
    path.write_text(texts[path.suffix], encoding="utf-8")
    assert convert_record(path, tmp_path / "game.csa").losses == []


def test_a_version_of_csa_can_be_asked_for(tmp_path: Path) -> None:
    source, target = tmp_path / "a.csa", tmp_path / "b.csa"
    source.write_text("V3.0\nPI\n+\n+7776FU\nT1.5\n")
    for version, name in (("csa", b"V3.0"), ("csa3", b"V3.0"), ("csa2", b"V2.2")):
        conversion = convert_record(source, target, to=version, overwrite=True)
        assert name in target.read_bytes()
        expected = ["1 time changed: CSA 2.2 has whole seconds"] if version == "csa2" else []
        assert [str(loss) for loss in conversion.losses] == expected
    source.write_text("V2.2\nPI\n+\n+7776FU\nT1\n")
    assert convert_record(source, target, to="csa3", overwrite=True).losses == []
    assert b"V3.0" in target.read_bytes()
    with pytest.raises(CannotConvert, match="no such format"):
        convert_record(source, tmp_path / "b.csa3")


@pytest.mark.parametrize(
    ("name", "moves"), [("game.gib", 23), ("game.ugf", 23), ("handicap.ngf", 19)]
)
def test_records_of_go_servers_become_sgf(name: str, moves: int, tmp_path: Path) -> None:
    source, target = Path("tests/data/records") / name, tmp_path / "game.sgf"
    conversion = convert_record(source, target)
    nodes = read_sgf(target.read_bytes())
    assert (len(nodes), list(conversion.losses)) == (1 + moves, [])
    assert nodes[0]["CA"] == ["UTF-8"]
    assert parse_game(target.read_bytes())[1].played
    with pytest.raises(
        CannotConvert, match=r"cannot be written as \.kif \(a \.\w+ becomes \.sgf\)"
    ):
        convert_record(source, tmp_path / "game.kif")
