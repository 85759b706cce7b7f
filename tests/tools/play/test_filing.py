from pathlib import Path

import pytest

from engines.core.game import InvalidText
from engines.core.sgf import parse_sgf
from engines.shogi.rules.records.csa import iterate_csa
from engines.shogi.rules.records.kif import read_kif
from tests.tools.play.sessions import engine, person, playing
from tools.play.autosave import new_keeper, read_kept
from tools.play.filing import CannotSave, load_file, suffixes
from tools.play.players import PlayTerms
from tools.play.session import CannotPlay, PlaySession
from tools.play.snapshot import Phase, Snapshot
from tools.play.view import CannotLook
from tools.records.converting import convert_data
from tools.records.recorded import read_game

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


SOURCE = "(;GM[1]SZ[5]PC[Here]XX[kept];B[cc]C[centre](;W[bb]C[one])(;W[dd]C[other];B[aa]))"


def load(session: PlaySession, path: Path) -> Snapshot:
    session.load(load_file(path), path.name)
    return session.snapshot()


def test_a_loaded_record_is_shown_with_its_words_and_variations(tmp_path: Path) -> None:
    source = tmp_path / "old.sgf"
    source.write_text(SOURCE.replace("PC[Here]", "PC[\x1b[2J]PB[Ann]C[before]"))
    with playing(PlayTerms("go", size=5), person(), person()) as (session, _):
        shown = load(session, source)
        assert [player.name for player in shown.players] == ["Ann", "person"]
        assert shown.record is not None
        assert shown.record.headers == (("Place", "?[2J"),)
        assert shown.comment == "one"
        assert [(move.branches, move.commented) for move in shown.moves] == [(0, True), (1, True)]
        session.go_to(0)
        assert session.snapshot().comment == "before"
        session.go_to(1)
        shown = session.snapshot()
        assert shown.comment == "centre"
        lines = [(each.number, each.text, each.moves) for each in shown.branches]
        assert lines == [(0, "B4", 1), (1, "D2", 2)]
        session.choose_branch(1)
        shown = session.snapshot()
        assert ([move.text for move in shown.moves], shown.ply) == (["C3", "D2", "A5"], 2)
        assert shown.comment == "other"
        with pytest.raises(CannotLook, match="no variation begins here"):
            session.choose_branch(1)
        session.go_to(1)
        with pytest.raises(CannotLook, match=r"no variation 2 begins here \(known: 0, 1\)"):
            session.choose_branch(2)
        session.choose_branch(1)
        assert [move.text for move in session.snapshot().moves] == ["C3", "B4"]


def test_a_loaded_record_keeps_all_that_it_held_when_it_is_saved(tmp_path: Path) -> None:
    source, target = tmp_path / "old.sgf", tmp_path / "new.sgf"
    source.write_text(SOURCE)
    with playing(PlayTerms("go", size=5), person(), person()) as (session, _):
        load(session, source)
        session.go_to(1)
        session.choose_branch(1)
        session.continue_from(2)
        session.play("B1")
        assert session.save(target) == []
        assert [player.name for player in session.snapshot().players] == ["person", "person"]
    (root,) = parse_sgf(target.read_bytes()).roots
    assert root.values == {
        "GM": ["1"],
        "SZ": ["5"],
        "PC": ["Here"],
        "XX": ["kept"],
        "CA": ["UTF-8"],
    }
    (first,) = root.children
    assert [child.values for child in first.children] == [
        {"W": ["bb"], "C": ["one"]},
        {"W": ["dd"], "C": ["other"]},
    ]
    moves = [child.values["B"] for child in first.children[1].children]
    assert moves == [["aa"], ["be"]]


def test_it_is_said_what_another_kind_of_format_loses(tmp_path: Path) -> None:
    source = tmp_path / "old.kif"
    text = "棋戦：名人戦\n記録係：乙\n先手：甲\n   1 ７六歩(77)\n*words\n"
    source.write_text(text, encoding="utf-8")
    said = "1 header left out: SGF has no place for 記録係"
    with playing(PlayTerms("shogi"), person(), person()) as (session, _):
        load(session, source)
        data, losses = session.export(".sgf")
        assert losses == [said]
        assert b"C[words]" in data
        assert session.save(tmp_path / "saved.sgf") == [said]
        assert session.snapshot().messages[-1].text == f"not saved: {said}"
        data, losses = session.export(".csa")
        assert losses == ["1 header left out: CSA has no place for 記録係"]
        assert "名人戦".encode() in data


def test_a_record_that_is_played_on_survives_a_crash_with_its_words(tmp_path: Path) -> None:
    source = tmp_path / "old.sgf"
    source.write_text(SOURCE)
    terms = PlayTerms("go", size=5)
    session = PlaySession(terms, (person(), person()), keeper=new_keeper(tmp_path))
    load(session, source)
    session.continue_from(1)
    session.play("A1")
    session.close()
    assert session.keeper is not None
    restored = PlaySession.restore(read_kept(session.keeper.path))
    restored.start()
    try:
        assert [move.text for move in restored.snapshot().moves] == ["C3", "A1"]
        data, losses = restored.export(".sgf")
        assert losses == []
        assert b"XX[kept]" in data
        assert b"C[other]" in data
    finally:
        restored.close()


def test_senet_keeps_its_variations_with_their_throws(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("one.sgf", "two.sgf")]
    with playing(PlayTerms("senet", seed=1), person(), person()) as (session, _):
        session.throw()
        session.play("10-11")
        session.throw()
        session.play(session.snapshot().legal[0])
        session.continue_from(3)
        session.play(session.snapshot().legal[-1])
        session.save(paths[0])
        shown = load(session, paths[0])
        (tail,) = session.history.tails
        assert (tail.at, tail.moves[0].side) == (3, 0), "the throw is the same"
        session.go_to(3)
        session.save(paths[1])
        session.choose_branch(1)
        assert session.snapshot().moves != shown.moves
    assert paths[0].read_bytes() == paths[1].read_bytes()


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
    again = load_file(path)
    assert [(each.at, len(each.variations)) for each in again.variations] == [(1, 1)]


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


def test_the_second_game_of_a_collection_is_saved_in_every_format(tmp_path: Path) -> None:
    data = b"V2.2\nPI\n+\n+7776FU\n/\nV2.2\nPI\n+\n+2726FU\n"
    recorded = read_game("games.csa", data, 2)
    with playing(PlayTerms("shogi"), person(), person(), start=False) as (session, _):
        session.load(recorded, "games.csa")
        session.continue_from()
        session.play("8c8d")
        kif, losses = session.export(".kif")
        assert losses == ["1 more game of the file: .kif holds one"]
        csa, losses = session.export(".csa")
        assert losses == []
    assert read_kif(kif).moves() == ["2g2f", "8c8d"]
    assert [each.moves() for each in iterate_csa(csa)] == [["7g7f"], ["2g2f", "8c8d"]]


@pytest.mark.parametrize(("source", "target"), [(".kif", ".sgf"), (".sgf", ".kif")])
def test_a_loaded_record_of_shogi_keeps_its_names_in_another_format(
    source: str, target: str, tmp_path: Path
) -> None:
    kif = (
        "開始日時：2026/11/19\n棋戦：名人戦\n先手：Anna\n後手：Bo\n*before\n"
        "1 ７六歩(77)\n*one\n2 ３四歩(33)\n"
    )
    old, new = tmp_path / f"old{source}", tmp_path / f"new{target}"
    old.write_bytes(convert_data(kif.encode(), "kif", source[1:]).files[0])
    with playing(PlayTerms("shogi"), person(), person()) as (session, _):
        load(session, old)
        session.continue_from(2)
        session.play("2g2f")
        assert session.save(new) == []
    saved = load_file(new)
    assert saved.names == ("Anna", "Bo")
    assert [move.text for move in saved.moves] == ["7g7f", "3c3d", "2g2f"]
    assert (saved.comment, saved.moves[0].comment) == ("before", "one")
    assert {"名人戦", "2026-11-19" if target == ".sgf" else "2026/11/19"} <= {
        value for _, value in saved.headers
    }
