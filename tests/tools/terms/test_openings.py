from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from engines import registry
from engines.core.game import CHANCE, Game, InvalidText
from engines.core.sgf import write_sgf
from engines.core.timing import TimeControl
from engines.neutron.rules.text import make_rules
from engines.shogi.rules.records.csa import write_csa
from engines.shogi.rules.records.kif import write_kif
from engines.shogi.rules.records.record import Ending, Record
from tools.match.referee import play_game
from tools.records.sgf import to_sgf
from tools.roster.engines import resolve
from tools.terms.openings import Opening, load_openings, pick, play_opening
from tools.terms.spec import GameSpec

RULES: Any = make_rules()


def lines(*, over: bool = False) -> list[str]:
    """Return openings of a white move and an answer that ends the game, or does not."""
    start = Game(RULES)
    openings = []
    for move in start.position.legal_moves():
        game = Game(RULES)
        first = RULES.format(game.position, move)
        game.push(move)
        for answer in game.position.legal_moves():
            second = RULES.format(game.position, answer)
            game.push(answer)
            ended = game.outcome() is not None
            game.undo()
            if ended == over:
                openings.append(f"{first} {second}")
                break
    return openings[:4]


def text_file(folder: Path, *rows: str) -> Path:
    path = folder / "book.txt"
    path.write_text("\n".join(rows))
    return path


def test_a_text_file_holds_an_opening_a_line(tmp_path: Path) -> None:
    one, two, *_ = lines()
    path = text_file(tmp_path, "# a book", "", f"{one}  # the first", two)
    openings, notices = load_openings(path, RULES)
    assert [opening.name for opening in openings] == ["book.txt:3", "book.txt:4"]
    assert [" ".join(opening.moves) for opening in openings] == [one, two]
    assert notices == []


def test_an_sgf_file_is_one_opening(tmp_path: Path) -> None:
    white, black = lines()[0].split()
    path = tmp_path / "game.sgf"
    path.write_bytes(write_sgf([{"GM": ["13"]}, {"W": [white]}, {"B": [black]}]))
    openings, _ = load_openings(path, RULES)
    assert openings == (Opening("game.sgf", (white, black)),)


def test_a_folder_is_read_whole_and_in_order(tmp_path: Path) -> None:
    one, two, *_ = lines()
    (tmp_path / "b.txt").write_text(two)
    (tmp_path / "a.txt").write_text(one)
    (tmp_path / "notes.md").write_text("no opening")
    openings, _ = load_openings(tmp_path, RULES)
    assert [opening.name for opening in openings] == ["a.txt:1", "b.txt:1"]


def test_openings_are_cut_to_a_number_of_plies(tmp_path: Path) -> None:
    openings, _ = load_openings(text_file(tmp_path, *lines()), RULES, plies=1)
    assert {len(opening.moves) for opening in openings} == {1}


def test_what_leads_to_the_same_position_is_noticed_and_left_out(tmp_path: Path) -> None:
    one, two, *_ = lines()
    openings, notices = load_openings(text_file(tmp_path, one, two, one), RULES)
    assert len(openings) == 2
    assert notices == ["book.txt:3 is the same as book.txt:1: left out"]


def test_many_equal_openings_are_counted(tmp_path: Path) -> None:
    one, *_ = lines()
    for again in (3, 4):
        openings, notices = load_openings(text_file(tmp_path, *[one] * (again + 1)), RULES)
        assert len(openings) == 1
        assert len(notices) == 3
    assert notices == [
        "book.txt:2 is the same as book.txt:1: left out",
        "book.txt:3 is the same as book.txt:1: left out",
        "2 more openings are the same as others, or mirror images: left out",
    ]


def test_a_seed_orders_them_the_same_way_each_time(tmp_path: Path) -> None:
    path = text_file(tmp_path, *lines())

    def names(seed: int) -> list[str]:
        openings, _ = load_openings(path, RULES, order="random", seed=seed)
        return [opening.name for opening in openings]

    assert names(5) == names(5)
    assert len({tuple(names(seed)) for seed in range(8)}) > 1
    assert sorted(names(5)) == [f"book.txt:{number}" for number in range(1, 5)]


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ("a1-a5", "opening book.txt:1, move 1: illegal move a1-a5"),
        ("hello", "opening book.txt:1, move 1: no move: 'hello'"),
        ("# nothing", "it has no openings"),
    ],
)
def test_an_opening_that_cannot_be_played_is_named(
    tmp_path: Path, row: str, complaint: str
) -> None:
    with pytest.raises(InvalidText) as caught:
        load_openings(text_file(tmp_path, row), RULES)
    assert complaint in str(caught.value)


def test_an_opening_that_ends_the_game_is_refused() -> None:
    moves = lines(over=True)[0].split()
    with pytest.raises(InvalidText, match="opening short ends the game"):
        play_opening(Opening("short", tuple(moves)), RULES)


@pytest.mark.parametrize(
    ("game", "rows", "kept"),
    [
        ("go", ["C4", "D3", "R4", "Q3", "C16", "D17", "R16", "Q17", "D4"], 2),
        ("go", ["D4 Q16", "Q16 D4", "D4 Q4", "Q16 Q4", "D4 D16"], 2),
        ("morris", ["d7", "a4", "g4", "d1", "d5", "c4", "e4", "d3", "d6"], 2),
        ("morris", ["a7 d7", "g7 g4", "c3 c4", "c3 d3", "a7 g7"], 2),
        ("neutron", ["b1-b4", "d1-d4", "a1-a4"], 2),
        ("shogi", ["sfen 4k4/9/9/9/9/9/P8/9/4K4 b - 1", "4k4/9/9/9/9/9/8P/9/4K4 b - 1"], 1),
        ("shogi", ["7g7f", "2g2f 8c8d 7g7f 3c3d", "startpos moves 7g7f 3c3d 2g2f 8c8d"], 2),
    ],
)
def test_symmetric_openings_are_noticed(
    tmp_path: Path, game: str, rows: list[str], kept: int
) -> None:
    openings, notices = load_openings(text_file(tmp_path, *rows), registry.rules(game))
    assert len(openings) == kept
    assert len(notices) == min(len(rows) - kept, 3)
    if game == "go":
        assert notices[0] == "book.txt:2 is a mirror image of book.txt:1: left out"


def test_a_board_that_is_no_square_has_four_images(tmp_path: Path) -> None:
    rules = registry.rules("go", "", 9)
    rules.width, rules.height = 9, 5  # type: ignore[attr-defined]
    rows = ["C2", "G2", "C4", "G4", "B3"]
    assert len(load_openings(text_file(tmp_path, *rows), rules)[0]) == 2


def test_records_of_shogi_are_openings(tmp_path: Path) -> None:
    line = "position startpos moves 7g7f 3c3d 2g2f"
    setup = "sfen 4k4/9/9/9/9/9/P8/9/4K4 b P 5 moves P*5e"
    record = Record.from_usi(line, Ending.RESIGN)
    (tmp_path / "a.kif").write_bytes(write_kif(record))
    (tmp_path / "b.kifu").write_bytes(write_kif(record, "utf-8"))
    (tmp_path / "c.csa").write_bytes(write_csa(record))
    (tmp_path / "d.usi").write_text(f"{line}\n{setup}\n")
    (tmp_path / "e.sgf").write_text("(;GM[1])")
    (tmp_path / "f.csa").write_text("PI\n+\n+7776FU\n/\nPI\n+\n+5756FU\n%TORYO\n")
    openings, notices = load_openings(tmp_path, registry.rules("shogi"))
    names = ["a.kif", "d.usi:2", "f.csa:1", "f.csa:2"]
    assert [opening.name for opening in openings] == names
    assert openings[0].moves == ("7g7f", "3c3d", "2g2f")
    assert (openings[1].setup.split()[0], openings[1].moves) == (
        "4k4/9/9/9/9/9/P8/9/4K4",
        ("P*5e",),
    )
    assert [notice.split()[0] for notice in notices] == ["b.kifu", "c.csa", "d.usi:1"]


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("x.kif", "   1 ７五歩(77)", "x.kif: "),
        ("x.usi", "position startpos moves 7g7e", "x.usi:1"),
        ("x.usi", "sfen nonsense b - 1", "x.usi:1"),
    ],
)
def test_a_record_that_cannot_be_read_is_named(
    tmp_path: Path, name: str, text: str, complaint: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InvalidText, match=complaint):
        load_openings(tmp_path / name, registry.rules("shogi"))


def test_openings_are_used_in_turn() -> None:
    both = (Opening("a"), Opening("b"))
    assert [pick(both, pair).name for pair in range(3)] == ["a", "b", "a"]
    assert pick((), 5) == Opening()


@pytest.mark.slow
def test_a_record_of_senet_is_an_opening_with_its_throws(tmp_path: Path) -> None:
    rules = registry.rules("senet")
    record = play_game(spec_of_senet())
    path = tmp_path / "senet.sgf"
    path.write_bytes(to_sgf(record, rules.sides))
    played = tuple(move.text for move in record.moves)
    (opening,), _ = load_openings(path, rules, plies=len(played) - 3)
    assert opening.moves == played[: len(played) - 3]
    assert [text.isdigit() for text in opening.moves[:2]] == [True, False]
    sides = [move.side for move in record.moves]
    assert (CHANCE, CHANCE) in pairwise(sides), "a seed with a throw in vain"


def test_a_throw_that_allows_no_move_stays_in_the_record(tmp_path: Path) -> None:
    rules = registry.rules("senet")
    path = tmp_path / "senet.sgf"
    path.write_bytes(write_sgf([{"GM": ["99"], "QG": ["senet"]}, {"B": ["2:10-12"]}]))
    (opening,), _ = load_openings(path, rules)
    assert opening.moves == ("2", "10-12")
    path.write_bytes(write_sgf([{"GM": ["99"]}, {"B": ["5:3:10-12"]}]))
    with pytest.raises(InvalidText, match=r"opening senet\.sgf, move 2: "):
        load_openings(path, rules)


def test_of_a_folder_finished_games_are_left_out_and_told(tmp_path: Path) -> None:
    short, going = lines(over=True)[0], lines()[0]
    (tmp_path / "a.txt").write_text(short)
    (tmp_path / "b.txt").write_text(going)
    openings, notices = load_openings(tmp_path, RULES)
    assert [opening.name for opening in openings] == ["b.txt:1"]
    assert notices == [
        f"opening a.txt:1 ends the game: {play_to_the_end(short)}: left out",
    ]
    with pytest.raises(InvalidText, match=r"opening a.txt:1 ends the game"):
        load_openings(tmp_path / "a.txt", RULES)
    (tmp_path / "b.txt").unlink()
    with pytest.raises(InvalidText, match=r"(?s)left out.*no openings are left"):
        load_openings(tmp_path, RULES)


def test_an_opening_is_cut_before_it_is_too_long_or_too_bad(tmp_path: Path) -> None:
    path = text_file(tmp_path, lines(over=True)[0], f"{lines()[0]} nonsense")
    openings, notices = load_openings(path, RULES, plies=1)
    assert [len(opening.moves) for opening in openings] + [len(notices)] in ([1, 1], [1, 1, 0])


def play_to_the_end(row: str) -> str:
    game = Game(RULES)
    for text in row.split():
        game.play(text)
    ended = game.outcome()
    assert ended is not None
    return ended.reason


def spec_of_senet() -> GameSpec:
    engine = resolve("senet")
    control = TimeControl.parse("depth=1")
    return GameSpec(
        "senet", "", 0, (engine, replace(engine, label="2")), (control, control), seed=7
    )


def test_a_line_of_usi_is_named_once(tmp_path: Path) -> None:
    (tmp_path / "x.usi").write_text("startpos moves 7g7f\nstartpos moves 7g7e\n")
    with pytest.raises(InvalidText, match=r"^opening x.usi:2: (?!line)"):
        load_openings(tmp_path / "x.usi", registry.rules("shogi"))


@pytest.mark.parametrize("name", ["game.gib", "game.ugf"])
def test_a_record_of_a_go_server_is_an_opening(name: str) -> None:
    path = Path("tests/data/records") / name
    (opening,), notices = load_openings(path, registry.rules("go", "", 19), plies=4)
    assert (opening.moves, notices) == (("Q16", "D4", "Q4", "D16"), [])
