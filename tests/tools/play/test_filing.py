from pathlib import Path

import pytest

from engines.core.game import InvalidText
from engines.core.sgf import parse_sgf
from engines.shogi.rules.records.kif import read_kif
from tests.tools.play.sessions import engine, person, playing
from tools.play.filing import CannotSave, load_file, suffixes
from tools.play.players import PlayTerms
from tools.play.session import CannotPlay
from tools.play.snapshot import Phase

MOVES = {
    "go": ("C3", "pass", "B2"),
    "morris": ("a1", "d1", "a4", "g1", "a7xd1"),
    "neutron": ("b1-b4", "c3-b2/a5-a2"),
    "shogi": ("7g7f", "3c3d", "8h2b+"),
}


@pytest.mark.parametrize("game", sorted(MOVES))
def test_a_saved_game_is_loaded_with_its_moves_and_names(game: str, tmp_path: Path) -> None:
    size = 5 if game == "go" else 0
    for suffix in suffixes(game):
        path = tmp_path / f"game{suffix}"
        with playing(PlayTerms(game, size=size), person("Ann"), person("Bo")) as (session, _):
            for move in MOVES[game]:
                session.play(move)
            session.resign()
            session.save(path)
        recorded = load_file(path)
        assert recorded.game == game
        assert tuple(move.text for move in recorded.moves) == MOVES[game]
        with playing(PlayTerms(game, size=size), person(), person()) as (session, _):
            session.load(recorded, path.name)
            shown = session.snapshot()
            assert shown.phase == Phase.STEPPING
            assert [move.text for move in shown.moves] == list(MOVES[game])
            if suffix in (".sgf", ".kif"):
                assert recorded.names == ("Ann", "Bo")
                assert shown.result is not None
                assert "resigned" in shown.result.sentence
            session.continue_from(2)
            assert session.snapshot().plies == 2
            assert session.snapshot().legal


def test_it_is_said_what_a_loaded_record_loses_when_it_is_saved(tmp_path: Path) -> None:
    source = tmp_path / "old.sgf"
    source.write_text("(;GM[1]SZ[5]PC[Here];B[cc]C[centre](;W[bb])(;W[dd]))")
    with playing(PlayTerms("go", size=5), person(), person()) as (session, _):
        assert session.save(tmp_path / "new.sgf") == []
        session.load(load_file(source), source.name)
        said = "comments, headers and variations of old.sgf, of which only the moves were loaded"
        assert session.save(tmp_path / "saved.sgf") == [said]
        assert session.export(".sgf")[1] == [said]
        assert session.snapshot().messages[-1].text == f"not saved: {said}"


def test_senet_keeps_its_throws_and_its_seed(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    with playing(PlayTerms("senet", seed=1), person(), person()) as (session, _):
        for _ in range(3):
            while session.snapshot().to_throw:
                session.throw()
            session.play(session.snapshot().legal[0])
        moves = [move.text for move in session.snapshot().moves]
        session.save(path)
    recorded = load_file(path)
    assert [move.text for move in recorded.moves] == moves
    assert recorded.seed == 1


def test_a_tail_is_saved_as_a_variation(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    with playing(PlayTerms("morris"), person(), person()) as (session, _):
        for move in ("a1", "d1", "g1", "b2"):
            session.play(move)
        session.continue_from(3)
        session.play("d2")
        session.continue_from(1)
        session.play("a7")
        session.save(path)
        assert session.snapshot().messages[-1].text == f"saved as {path}"
    root = parse_sgf(path.read_bytes()).roots[0]
    (first,) = root.children
    played, tail = first.children
    assert (played.values["B"], tail.values["B"]) == (["a7"], ["d1"])
    (third,) = tail.children
    assert [child.values["B"] for child in third.children] == [["d2"], ["b2"]]
    assert load_file(path).notices == ("only the main line is read, and not 2 variations",)


def test_a_tail_of_senet_repeats_the_throw_before_it(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    with playing(PlayTerms("senet", seed=1), person(), person()) as (session, _):
        session.throw()
        session.play("10-11")
        session.throw()
        session.play(session.snapshot().legal[0])
        session.continue_from(3)
        session.play(session.snapshot().legal[-1])
        session.save(path)
    first = parse_sgf(path.read_bytes()).roots[0].children[0]
    assert [child.values["B"][0][:2] for child in first.children] == ["5:", "5:"]


def test_a_tail_of_shogi_is_a_variation_of_kif_and_lost_in_csa(tmp_path: Path) -> None:
    with playing(PlayTerms("shogi"), person(), person()) as (session, _):
        for move in ("7g7f", "3c3d", "2g2f"):
            session.play(move)
        session.continue_from(1)
        session.play("8c8d")
        data, losses = session.export(".kif")
        assert losses == []
        _, losses = session.export(".csa")
        assert any("variation" in loss for loss in losses)
        with pytest.raises(InvalidText, match=r"'\.txt' is no format for shogi"):
            session.export(".txt")
    record = read_kif(data)
    assert record.moves() == ["7g7f", "8c8d"]
    assert len(record.root.children[0].children) == 2


def test_garbage_is_refused_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "bad.sgf"
    path.write_bytes(b"(;GM[13]QG[neutron]\n;W[b1-b4];B[b1-b5])")
    with pytest.raises(InvalidText, match=r"bad\.sgf: move 2: illegal move"):
        load_file(path)
    path.write_bytes(b"(;GM[13\n")
    with pytest.raises(InvalidText, match="line 1, column"):
        load_file(path)
    path = tmp_path / "bad.xyz"
    path.write_bytes(b"")
    with pytest.raises(InvalidText, match=r"expected \.sgf, \.gib"):
        load_file(path)
    with pytest.raises(InvalidText, match="No such file"):
        load_file(tmp_path / "none.sgf")


def test_a_record_of_another_game_is_refused_where_an_engine_plays(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_bytes(b"(;GM[13]QG[neutron];W[b1-b4])")
    terms = PlayTerms("morris")
    with (
        playing(terms, person(), engine("morris"), start=False) as (session, _),
        pytest.raises(CannotPlay, match="the engine of Black plays morris"),
    ):
        session.load(load_file(path))


def test_a_file_that_cannot_be_written_says_why(tmp_path: Path) -> None:
    with playing(PlayTerms("neutron"), person(), person()) as (session, _):
        with pytest.raises(CannotSave, match=r"No such file or directory|Is a directory"):
            session.save(tmp_path / "missing" / "game.sgf")
        assert not list(tmp_path.iterdir())
