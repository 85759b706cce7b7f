import pytest

from engines.core.game import InvalidText
from engines.core.sgf import main_line, parse_sgf
from engines.shogi.rules.records.kif import read_kif
from protocols.ask.score import Evaluation, Score
from tools.annotate.judging import Thresholds, judge_moves
from tools.annotate.valuing import Value
from tools.annotate.writing import Annotation, annotate, target_suffix
from tools.records.recorded import read_games

SGF = b"(;GM[1]SZ[9]KM[5.5]AN[me];B[ee]C[good?](;W[cc]BM[1])(;W[gg]))"
KIF = "手合割：平手\n1 ７六歩(77)\n*own words\n2 ３四歩(33)\n3 投了\n".encode()


def value(side: int, share: float, best: str, lead: float | None = None) -> Value:
    score = Score(chance=share, lead=lead)
    return Value(side, best, Evaluation(score, f"{best} then", 5, 70))


def annotated(data: bytes, suffix: str, values: dict[str, Value]) -> bytes:
    annotations = []
    for game in read_games(f"x{suffix}", data):
        moves = list(judge_moves(game.moves, values, Thresholds(), 1, 99, None))
        annotations.append(Annotation(game, values, moves, "engine, depth=1"))
    return annotate(data, suffix, annotations)


VALUES = {"0": value(0, 0.6, "E5", 3.0), "1": value(1, 0.4, "G7", -3.0), "2": value(0, 0.8, "C3")}


def test_sgf_gets_values_marks_and_words_and_keeps_its_own() -> None:
    file = parse_sgf(annotated(SGF, ".sgf", VALUES))
    root, first, second = (node.values for node in main_line(file.roots[0]))
    assert (root["AN"], root["SBKV"], root["SBKS"]) == (["me"], ["60.00"], ["3.0"])
    assert root["C"] == ["annotate: by engine, depth=1"]
    assert (first["SBKV"], first["SBKS"]) == (["60.00"], ["3.0"])
    assert first["C"] == ["good?\nannotate: black 60.0 %, E5 is the engine's choice"]
    assert second["SBKV"] == ["80.00"]
    assert second["BM"] == ["1"]  # The annotator's own mark, where ours would be BM[2].
    assert second["C"] == [
        "annotate: white 20.0 %, blunder, 20.0 % lost; the engine's choice was G7 (40.0 %): G7 then"
    ]
    assert len(file.roots[0].children[0].children) == 2  # The variation is still there.


def test_an_annotation_replaces_an_earlier_one() -> None:
    plain = SGF.replace(b"AN[me]", b"").replace(b"BM[1]", b"")
    once = annotated(plain, ".sgf", VALUES)
    assert b"BM[2]" in once
    assert annotated(once, ".sgf", VALUES) == once
    better = annotated(once, ".sgf", {**VALUES, "2": value(0, 0.6, "C3")})
    assert b"BM" not in better
    assert better.count(b"annotate: white") == 1


def test_shogi_gets_the_comments_of_a_research() -> None:
    cp = Value(1, "8c8d", Evaluation(Score(centipawns=120), "8c8d 2g2f 1a1b 9a9b", 9, 1000))
    mate = Value(0, "2g2f", Evaluation(Score.parse("mate 3"), "2g2f", 9, 1000))
    values = {"0": Value(0, "7g7f", Evaluation(Score(centipawns=35))), "1": cp, "2": mate}
    once = annotated(KIF, ".kif", values)
    record = read_kif(once)
    first, second, _ = record.main_line()
    assert record.root.comments[:2] == ["annotate: by engine, depth=1", "#評価値=35"]
    assert first.comments[:3] == ["own words", "#評価値=-120", "#読み筋=△８四歩▲２六歩△１二香"]
    assert first.comments[-1] == "annotate: black 51.5 %, 7g7f is the engine's choice"
    assert second.comments[0] == "#詰み=先手勝ち:3手"
    assert second.comments[-1] == "annotate: 大悪手"
    assert annotated(once, ".kif", values) == once


def test_the_values_of_the_players_are_kept_where_there_are_no_others() -> None:
    data = b"(;GM[1]SZ[9];B[ee]SBKV[11]SBKS[1.5];W[cc]SBKV[22]SBKS[2.5])"
    values = {"0": value(0, 0.5, "E5"), "1": value(1, 0.25, "C7")}
    _, first, second = main_line(parse_sgf(annotated(data, ".sgf", values)).roots[0])
    assert (first.values["SBKV"], "SBKS" in first.values) == (["75.00"], False)
    assert (second.values["SBKV"], second.values["SBKS"]) == (["22"], ["2.5"])


def test_a_move_without_a_worth_says_why() -> None:
    values = {"0": Value(0, fault="it crashed"), **{k: VALUES[k] for k in ("1", "2")}}
    text = annotated(SGF, ".sgf", values).decode()
    assert "annotate: E5 is not valued: it crashed" in text
    assert text.count("SBKV") == 2


@pytest.mark.parametrize(
    ("suffix", "target"),
    [(".sgf", ".sgf"), (".gib", ".sgf"), (".usi", ".kifu"), (".csa", ".csa"), (".ki2", ".ki2")],
)
def test_formats_without_comments_become_others(suffix: str, target: str) -> None:
    assert target_suffix(suffix) == target


def test_all_games_of_a_file_are_annotated() -> None:
    file = parse_sgf(annotated(SGF + SGF, ".sgf", VALUES))
    assert [root.values["SBKV"] for root in file.roots] == [["60.00"], ["60.00"]]
    csa = b"PI\n+\n+7776FU\n/\nPI\n+\n+2726FU\n"
    assert annotated(csa, ".csa", {}).count(b"annotate: by") == 2


def test_two_moves_in_a_node_share_its_comment() -> None:
    file = parse_sgf(annotated(b"(;GM[1]SZ[9];B[ee]W[cc])", ".sgf", VALUES))
    (_, node) = main_line(file.roots[0])
    assert node.values["C"][0].count("annotate: ") == 2
    assert node.values["SBKV"] == ["80.00"]


def test_what_cannot_be_written_is_refused() -> None:
    with pytest.raises(InvalidText, match="is no point"):
        annotate(b"(;GM[1]SZ[9];B[ee];W[zz])", ".sgf", [annotation()])


def annotation() -> Annotation:
    return Annotation(read_games("x.sgf", b"(;GM[1]SZ[9];B[ee])")[0], {}, [], "engine")
