from collections.abc import Iterator, Sequence
from dataclasses import replace

from engines import registry
from engines.core.game import Game, Outcome
from engines.core.sgf import parse_sgf
from engines.core.timing import TimeControl
from engines.shogi.rules.notation import format_move, parse_move
from engines.shogi.rules.records.csa import read_csa
from engines.shogi.rules.records.kif import read_kif, write_kif
from engines.shogi.rules.records.record import Node
from tools.records.game import GameRecord, PlayedMove, Player, Variation, Verdict
from tools.records.grafting import add_variation, graft_sgf, graft_shogi
from tools.records.reading import WRITERS
from tools.records.recorded import RecordedGame, Source, read_game, shogi_tree

SGF = (
    "(;GM[1]FF[4]SZ[9]KM[6.5]PB[Ann]PW[Bo]EV[Cup]XY[private]LB[aa:x]C[start]\n"
    ";B[ee]C[centre]TR[ee](;W[ff]N[named];C[end of line])(;W[gg]C[other];B[bb]))\n"
)


def loaded(text: str, name: str = "game.sgf") -> tuple[RecordedGame, Source]:
    recorded = read_game(name, text.encode())
    assert recorded.source is not None
    return recorded, recorded.source


def played(recorded: RecordedGame, *texts: str, at: int = 99) -> GameRecord:
    """Return a game that goes on with some moves after the first moves of a record."""
    kept = recorded.moves[:at]
    new = tuple(
        PlayedMove((len(kept) + number) % 2, text, 0.0, None) for number, text in enumerate(texts)
    )
    rest = recorded.moves[at:]
    mine = tuple(each for each in recorded.variations if each.at <= at)
    beside = (Variation(at, rest),) if rest else ()
    return GameRecord(
        game=recorded.game,
        variant=recorded.variant,
        size=recorded.size,
        number=0,
        players=(Player("a", "a", ""), Player("b", "b", "")),
        controls=(TimeControl(), TimeControl()),
        started="2026-11-20T00:00:00",
        setup=recorded.setup,
        moves=(*kept, *new),
        outcome=Outcome(None, "unfinished"),
        verdict=Verdict.UNFINISHED,
        variations=(*mine, *beside),
    )


def test_a_file_that_was_not_played_on_is_written_back_as_it_was() -> None:
    recorded, source = loaded(SGF)
    (before,), (after,) = (
        parse_sgf(data).roots for data in (SGF.encode(), graft_sgf(source, played(recorded)))
    )
    assert after.values.pop("CA") == ["UTF-8"]
    todo = [(before, after)]
    while todo:
        one, other = todo.pop()
        assert one.values == other.values
        todo += zip(one.children, other.children, strict=True)


def test_moves_behind_the_end_of_a_line_go_on_there() -> None:
    recorded, source = loaded(SGF)
    (root,) = parse_sgf(graft_sgf(source, played(recorded, "C3"))).roots
    main = root.children[0].children[0]
    assert main.values == {"W": ["ff"], "N": ["named"]}
    assert main.children[0].values == {"C": ["end of line"]}
    assert main.children[0].children[0].values == {"B": ["cg"]}


def test_another_move_in_the_middle_becomes_the_last_variation() -> None:
    recorded, source = loaded(SGF)
    (root,) = parse_sgf(graft_sgf(source, played(recorded, "A1", "B1", at=1))).roots
    first = root.children[0]
    assert [child.values["W"] for child in first.children] == [["ff"], ["gg"], ["ai"]]
    assert first.children[2].children[0].values == {"B": ["bi"]}


def test_an_open_game_gets_its_result_and_another_result_is_kept() -> None:
    recorded, source = loaded(SGF)
    ended = replace(
        played(recorded, "C3"), outcome=Outcome(0, "resignation"), verdict=Verdict.RESIGN
    )
    (root,) = parse_sgf(graft_sgf(source, ended)).roots
    assert root.values["RE"] == ["B+R"]
    _, source = loaded(SGF.replace("EV[", "RE[W+T]EV["))
    (root,) = parse_sgf(graft_sgf(source, ended)).roots
    assert root.values["RE"] == ["W+T"]
    last = root.children[0].children[0].children[0].children[0]
    assert last.values["C"] == ["Black wins: resignation"]


def test_a_game_that_ends_in_a_variation_says_so_there() -> None:
    recorded, source = loaded(SGF)
    ended = replace(
        played(recorded, "A1", at=1), outcome=Outcome(0, "resignation"), verdict=Verdict.RESIGN
    )
    (root,) = parse_sgf(graft_sgf(source, ended)).roots
    assert "RE" not in root.values
    assert root.children[0].children[2].values == {"W": ["ai"], "C": ["Black wins: resignation"]}


def test_the_other_games_of_a_file_are_kept() -> None:
    recorded, source = loaded(SGF + "(;GM[1]SZ[5];B[cc])")
    roots = parse_sgf(graft_sgf(source, played(recorded, "C3"))).roots
    assert [root.values["SZ"] for root in roots] == [["9"], ["5"]]


def test_stones_that_are_set_up_later_stay_in_the_file() -> None:
    text = "(;GM[1]SZ[9];B[ee];W[ff];AB[aa]AW[bb];B[cc])"
    recorded, source = loaded(text)
    assert len(recorded.moves) == 2
    (root,) = parse_sgf(graft_sgf(source, played(recorded, "C3"))).roots
    second = root.children[0].children[0]
    assert [child.values for child in second.children] == [
        {"AB": ["aa"], "AW": ["bb"]},
        {"B": ["cg"]},
    ]


KIF = "\n".join(
    (
        "開始日時：2020/01/02",
        "棋戦：名人戦",
        "手合割：平手",
        "先手：甲",
        "後手：乙",
        "*before",
        "手数----指手---------消費時間--",
        "   1 ７六歩(77)   ( 0:03/00:00:03)",
        "*a good move",
        "   2 ３四歩(33)   ( 0:01/00:00:01)",
        "   3 投了",
        "",
        "変化：2手",
        "   2 ８四歩(83)",
        "",
    )
)


def test_shogi_keeps_headers_comments_times_and_variations() -> None:
    recorded, source = loaded(KIF, "game.kif")
    (record,) = graft_shogi(source, played(recorded))
    assert write_kif(record) == write_kif(read_kif(KIF))
    assert "備考" not in record.headers
    (record,) = graft_shogi(source, played(recorded, "2g2f", at=2))
    second = record.root.children[0].children[0]
    assert str(second.children[0].ending) == "resign"
    again = read_game("game.kif", write_kif(record))
    assert [[move.text for move in each.moves] for each in again.variations] == [["8c8d"], ["2g2f"]]
    assert again.headers == recorded.headers


def test_an_interrupted_game_goes_on_in_place_of_the_interruption() -> None:
    recorded, source = loaded(KIF.replace("投了", "中断"), "game.kif")
    (record,) = graft_shogi(source, played(recorded, "2g2f"))
    assert record.moves() == ["7g7f", "3c3d", "2g2f"]
    assert record.ending() is None


def test_an_illegal_move_stays_an_illegal_move() -> None:
    text = "V2.2\nN+Ann\nPI\n+\n+7776FU\n-3334FU\n+2822HI\n%ILLEGAL_MOVE\n"
    recorded, source = loaded(text, "game.csa")
    ended = played(recorded)
    assert recorded.ended is not None
    ended = replace(ended, outcome=recorded.ended[0], verdict=recorded.ended[1])
    (record,) = graft_shogi(source, ended)
    data = WRITERS[".csa"](record)
    assert b"%ILLEGAL_MOVE" in data
    assert b"%CHUDAN" not in data
    assert read_csa(data).foul() == read_csa(text.encode()).foul()


def test_a_variation_is_added_where_no_line_has_its_first_move() -> None:
    recorded, _ = loaded(KIF, "game.kif")
    record = read_kif(KIF)
    tree = shogi_tree(record, Game(registry.rules("shogi")))

    def make(whole: Sequence[PlayedMove], at: int) -> Iterator[tuple[Node, int]]:
        for ply, move in enumerate(whole[at:], at + 1):
            yield Node(parse_move(move.text)), ply

    def line(*texts: str) -> list[PlayedMove]:
        return [*recorded.moves[:1], *(PlayedMove(1, text, 0.0, None) for text in texts)]

    assert not add_variation(tree, line("8c8d", "2g2f"), 1, make)  # The record has it already.
    assert not add_variation(tree, line("3c3d"), 1, make)
    assert add_variation(tree, line("4c4d", "2g2f"), 1, make)
    assert not add_variation(tree, line("4c4d"), 1, make)
    moves = [format_move(node.move) for node in record.root.children[0].children]
    assert moves == ["3c3d", "8c8d", "4c4d"]
    assert [len(node.children) for node in record.root.children[0].children] == [1, 0, 1]


def test_a_game_is_added_to_its_own_record_in_a_file_of_several() -> None:
    data = b"(;GM[1]SZ[9];B[aa])(;GM[1]SZ[9];B[ee])"
    recorded = read_game("games.sgf", data, 2)
    assert recorded.source is not None
    first, second = parse_sgf(graft_sgf(recorded.source, played(recorded, "D4"))).roots
    assert not first.children[0].children
    assert second.children[0].children[0].values["W"] == ["df"]


def test_a_game_of_shogi_is_added_to_its_own_record_in_a_file_of_several() -> None:
    data = b"V2.2\nPI\n+\n+7776FU\n/\nV2.2\nPI\n+\n+2726FU\n"
    recorded = read_game("games.csa", data, 2)
    assert recorded.source is not None
    first, second = graft_shogi(recorded.source, played(recorded, "3c3d"))
    assert (first.moves(), second.moves()) == (["7g7f"], ["2g2f", "3c3d"])
