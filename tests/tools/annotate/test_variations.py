import re
from collections.abc import Mapping

import pytest

from engines.core.sgf import SgfNode, parse_sgf
from engines.shogi.rules.records.kif import read_kif
from protocols.ask.score import Evaluation, Score
from tools.annotate.judging import Thresholds, judge_moves
from tools.annotate.valuing import Value
from tools.annotate.variations import better_lines, is_annotation
from tools.annotate.writing import Annotation, annotate, holds_variations
from tools.records.recorded import RecordedGame, read_game

GO = b"(;GM[1]SZ[9]KM[5.5];B[ee];W[cc];B[gg])"
KIF = "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n".encode()
NOTE = "annotate: better line of"


def value(side: int, share: float, line: str, best: str = "") -> Value:
    return Value(side, best or line.split()[0], Evaluation(Score(chance=share), line))


def values(line: str, best: str = "") -> Mapping[str, Value]:
    """Return values by which the second move is a blunder, and the others are the engine's own."""
    return {
        "0": value(0, 0.5, "E5"),
        "1": value(1, 0.5, line, best),
        "2": value(0, 0.8, "G3"),
        "3": value(1, 0.2, "A1"),
    }


def lines(game: RecordedGame, found: Mapping[str, Value], longest: int = 5) -> list[str]:
    moves = list(judge_moves(game.moves, found, Thresholds(), 1, 99, None))
    variations = better_lines(game, moves, "engine, depth=1", longest)
    return [" ".join(move.text for move in each.moves) for each in variations]


def annotated(
    data: bytes, found: Mapping[str, Value], suffix: str = ".sgf", longest: int = 5
) -> bytes:
    game = read_game(f"x{suffix}", data)
    moves = list(judge_moves(game.moves, found, Thresholds(), 1, 99, None))
    author = "engine, depth=1"
    made = Annotation(game, found, moves, author, better_lines(game, moves, author, longest))
    return annotate(data, suffix, [made])


def beside(data: bytes) -> list[SgfNode]:
    """Return the nodes beside the second move of a record, itself the first."""
    return parse_sgf(data).roots[0].children[0].children


def test_the_line_is_a_variation_beside_the_mistake_with_engine_and_value() -> None:
    played, better = beside(annotated(GO, values("G7 C3 pass")))
    assert played.values["W"] == ["cc"]
    assert better.values == {
        "W": ["gc"],
        "C": ["annotate: better line of 3 moves by engine, depth=1: white 50.0 %"],
    }
    (second,) = better.children
    (third,) = second.children
    assert (second.values, third.values) == ({"B": ["cg"]}, {"W": [""]})


@pytest.mark.parametrize(
    ("line", "best", "longest", "expected"),
    [
        ("G7 C3 B2", "", 2, ["G7 C3"]),
        ("G7 C3 B2", "", 0, []),
        ("G7 E5 B2", "", 5, ["G7"]),  # The point is occupied.
        ("G7 nonsense", "", 5, ["G7"]),
        ("C3 B2", "G7", 5, ["G7"]),  # The line is not that of the choice.
        ("resign", "", 5, []),
    ],
)
def test_a_line_is_as_long_as_wanted_and_possible(
    line: str, best: str, longest: int, expected: list[str]
) -> None:
    assert lines(read_game("x.sgf", GO), values(line, best), longest) == expected


def test_moves_that_are_no_mistakes_have_no_variation() -> None:
    small = {**values("G7"), "2": value(0, 0.54, "G3")}
    assert lines(read_game("x.sgf", GO), small) == []
    doubtful = {**values("G7"), "2": value(0, 0.55, "G3")}
    assert lines(read_game("x.sgf", GO), doubtful) == ["G7"]


def test_an_annotated_record_has_each_variation_once_when_it_is_annotated_again() -> None:
    once = annotated(GO, values("G7 C3"))
    assert annotated(once, values("G7 C3")) == once
    other = annotated(once, values("C3"))
    assert [node.values["W"] for node in beside(other)] == [["cc"], ["cg"]]
    assert len(beside(annotated(once, values("G7 C3"), longest=0))) == 1


@pytest.mark.parametrize(
    "change",
    [
        (b"W[gc]", b"W[gc]LB[gc:A]"),
        (b"W[gc]C[", b"W[gc]C[My words.\n"),
        (b";B[cg]", b";B[cg];W[aa]"),
        (b";B[cg]", b"(;B[cg])(;B[aa])"),
        (b";B[cg]", b""),
        (b";B[cg]", b";B[cg]N[here]"),
        (b";B[cg]", b";B[cg];C[words behind it]"),
    ],
)
def test_a_variation_that_a_person_has_changed_is_kept(change: tuple[bytes, bytes]) -> None:
    once = annotated(GO, values("G7 C3"))
    assert change[0] in once
    mine = once.replace(*change)
    again = annotated(mine, values("G7 C3"))
    assert len(beside(again)) == 2
    assert annotated(again, values("G7 C3")) == again
    assert [node.values["W"] for node in beside(annotated(mine, values("A1")))] == [
        *(["cc"], ["gc"], ["ai"])
    ]


def test_a_variation_of_the_record_with_the_same_move_is_left_as_it_is() -> None:
    data = GO.replace(b";W[cc];B[gg]", b"(;W[cc];B[gg])(;W[gc]C[mine])")
    _, mine = beside(annotated(data, values("G7 C3")))
    assert (mine.values, mine.children) == ({"W": ["gc"], "C": ["mine"]}, [])
    assert len(beside(annotated(data, values("A1")))) == 3


def test_a_node_with_two_moves_is_left_and_its_first_move_repeated() -> None:
    data = b"(;GM[1]SZ[9]KM[5.5];B[ee]W[cc];B[gg])"
    once = annotated(data, values("G7 C3"))
    _, other = parse_sgf(once).roots[0].children
    assert other.values == {"B": ["ee"]}
    assert other.children[0].values["W"] == ["gc"]
    assert annotated(once, values("G7 C3")) == once


def test_a_comment_between_two_moves_stays_before_the_variation() -> None:
    data = GO.replace(b";W[cc]", b";C[between];W[cc]")
    once = annotated(data, values("G7"))
    (between,) = beside(once)
    assert [node.values["W"] for node in between.children] == [["cc"], ["gc"]]
    assert annotated(once, values("G7")) == once


def test_a_line_of_senet_ends_before_the_throw_and_repeats_the_one_before_it() -> None:
    data = b"(;GM[99]QG[senet];B[3:10-13];W[4:9-13])"
    found = {
        "1": value(1, 0.8, "7-11 10-11"),
        "2+": Value(1, evaluation=Evaluation(Score(chance=0.4))),
    }
    once = annotated(data, found)
    _, other = beside(once)
    assert other.values["W"] == ["4:7-11"]
    assert (other.children, NOTE + " 1 move by" in other.values["C"][0]) == ([], True)
    assert annotated(once, found) == once


def test_shogi_gets_variations_in_kif_and_in_kif_from_usi() -> None:
    found = {"1": value(1, 0.5, "8c8d 2g2f 8d8e"), "2": value(0, 0.8, "2g2f")}
    once = annotated(KIF, found, ".kif", 2)
    first = read_kif(once).root.children[0]
    played, better = first.children
    assert better.comments == ["annotate: better line of 2 moves by engine, depth=1: white 50.0 %"]
    assert (len(better.children), len(played.children)) == (1, 1)
    assert "変化：2手" in once.decode("cp932")
    assert annotated(once, found, ".kif", 2) == once
    usi = b"position startpos moves 7g7f 3c3d 2g2f\n"
    assert NOTE in annotated(usi, found, ".usi").decode()


@pytest.mark.parametrize("change", [r"\g<0>&my place\n", "   3 ２六歩(27)\n*my words\n"])
def test_a_changed_variation_of_shogi_is_kept(change: str) -> None:
    found = {"1": value(1, 0.5, "8c8d 2g2f 8d8e"), "2": value(0, 0.8, "2g2f")}
    text = annotated(KIF, found, ".kifu", 2).decode().replace("\r\n", "\n")
    mine = re.sub(r"   3 [^\n]*\n\Z", change, text)
    assert mine != text
    once = annotated(mine.encode(), found, ".kifu", 2)
    assert len(read_kif(once).root.children[0].children) == 2
    assert annotated(mine.encode(), {}, ".kifu").decode().count(NOTE) == 1
    assert NOTE not in annotated(text.encode(), {}, ".kifu").decode()


def test_csa_has_the_line_in_its_comments_only() -> None:
    data = b"V2.2\nPI\n+\n+7776FU\n-3334FU\n+2726FU\n"
    found = {"1": value(1, 0.5, "8c8d 2g2f"), "2": value(0, 0.8, "2g2f")}
    text = annotated(data, found, ".csa").decode()
    assert NOTE not in text
    assert "8c8d 2g2f" in text
    held = [holds_variations(suffix) for suffix in (".csa", ".usi", ".gib", ".jkf")]
    assert held == [False, True, True, True]


def test_a_variation_of_the_players_is_told_from_one_of_an_annotation() -> None:
    (ours,) = read_game("x.sgf", annotated(GO, values("G7 C3"))).variations
    assert is_annotation(ours)
    data = GO.replace(b";W[cc];B[gg]", b"(;W[cc];B[gg])(;W[gc])")
    (theirs,) = read_game("x.sgf", data).variations
    assert not is_annotation(theirs)
