from pathlib import Path

import pytest

from tools.records.diagrams import RecordDiagrams, Undrawable, draw_record


def diagrams(drawn: RecordDiagrams) -> list[str]:
    """Return the heading of each position and its board, drawn while the position is valid."""
    return [
        "\n".join(filter(None, (each.head.rstrip(), each.rules.diagram(each.position))))
        for each in drawn.positions
    ]


def test_a_game_of_neutron_is_drawn_move_by_move(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[13]PW[one]PB[two]RE[W+R];W[b1-b4]C[0.1 s])")
    drawn = draw_record(path)
    assert drawn.heading == "one - two  W+R"
    assert [diagram.splitlines()[0] for diagram in diagrams(drawn)[1:]] == [
        "1. white b1-b4  0.1 s",
    ]
    assert drawn.notices == []


def test_a_game_of_a_file_is_drawn_by_its_number(tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    path.write_text("(;GM[1]SZ[9]PB[Ann];B[ee])(;GM[13]QG[neutron]PW[Bo];W[b1-b4])")
    drawn = draw_record(path, number=2)
    assert (drawn.game, drawn.heading) == ("neutron", "Bo - ?  ?")
    with pytest.raises(Undrawable, match="it has 2 games, and no game 3"):
        draw_record(path, number=3)


def test_several_games_in_a_file_are_noticed(tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    path.write_text("(;GM[1]SZ[9];B[ee])(;GM[1]SZ[9])")
    drawn = draw_record(path)
    assert len(diagrams(drawn)) == 2
    assert drawn.notices == ["it has 2 games; this is game 1 (--number)"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("(;GM[77];B[aa])", "its game, GM[77], is none of"),
        ("(;GM[13];W[a1-a9])", "move 1: "),
        ("(;GM[13]SZ[x])", "its size, SZ[x], is no number"),
    ],
)
def test_a_record_that_cannot_be_drawn_is_named(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "odd.sgf"
    path.write_text(text)
    with pytest.raises(Undrawable) as caught:
        diagrams(draw_record(path))
    assert str(caught.value).startswith(f"{path}: ")
    assert complaint in str(caught.value)


def test_a_game_of_shogi_is_drawn_without_its_foul(tmp_path: Path) -> None:
    path = tmp_path / "games.csa"
    path.write_text("PI\n+\n+7776FU\n-0055FU\n%-ILLEGAL_ACTION\n/\nPI\n+\n")
    drawn = draw_record(path)
    assert len(diagrams(drawn)) == 2
    assert drawn.notices == [
        "it has 2 games; this is game 1 (--number)",
        "the last move is illegal and not shown: P*5e",
    ]


def test_two_moves_in_a_node_are_drawn_in_their_order(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;SZ[5];B[aa]W[bb]C[both];W[cc]B[dd])")
    heads = [diagram.splitlines()[0] for diagram in diagrams(draw_record(path))[1:]]
    assert heads == ["1. black A5  both", "2. white B4  both", "3. white C3", "4. black D2"]


def test_a_set_up_after_the_last_move_is_drawn(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;SZ[5];B[aa];AW[bb];W[cc];AE[aa])")
    numbers = [position.number for position in draw_record(path).positions]
    assert numbers == [0, 1, 2, 2]
    last = diagrams(draw_record(path))[-1]
    assert last.startswith("set up after move 2\n")
    assert "X" not in last.splitlines()[2]
