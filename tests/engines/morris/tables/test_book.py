import random
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from engines.core.game import Game
from engines.core.search import Limits, Report
from engines.morris.play.levels import LEVELS, MorrisSearcher
from engines.morris.rules.board import COMPILED
from engines.morris.rules.position import Position
from engines.morris.rules.symmetry import Symmetries
from engines.morris.rules.text import MorrisRules
from engines.morris.tables import book
from engines.morris.tables.book import Advice, Book, BookError

RULES = MorrisRules()
SYMMETRIES = Symmetries()


def image(position: Position, number: int) -> Position:
    return Position(
        white=SYMMETRIES.image(position.men(0), number),
        black=SYMMETRIES.image(position.men(1), number),
        hands=(position.hand(0), position.hand(1)),
        turn=position.turn,
    )


def random_position(chance: random.Random) -> Position:
    position = Position()
    for _ in range(chance.randrange(30)):
        moves = position.legal_moves()
        if not moves:
            break
        position.play(chance.choice(moves))
    return position


def test_one_entry_serves_all_images() -> None:
    chance = random.Random(3)
    for _ in range(100 if COMPILED else 10):
        position = random_position(chance)
        if not position.legal_moves():
            continue
        shelf = Book("", {})
        move = chance.choice(position.legal_moves())
        shelf.note(position, Advice(move, 12, 7))
        for number in range(16):
            advice = shelf.find(image(position, number))
            assert SYMMETRIES.move_image(move, number) in [each.move for each in advice]
            assert {(each.score, each.depth) for each in advice} == {(12, 7)}


def test_moves_that_are_images_of_each_other_are_all_named() -> None:
    shelf = Book("", {})
    position = RULES.start()
    assert shelf.find(position) == []
    shelf.note(position, Advice(RULES.parse(position, "d6"), 0, 1))
    names = {RULES.format(position, each.move) for each in shelf.find(position)}
    assert names == {"d2", "b4", "f4", "d6"}


def test_men_in_hand_make_another_position() -> None:
    shelf = Book("", {})
    position = RULES.start("W../.../.../....../.../.../..B w 8 8 0")
    shelf.note(position, Advice(position.legal_moves()[0], 0, 1))
    assert shelf.find(position)
    assert not shelf.find(RULES.start("W../.../.../....../.../.../..B w 7 7 0"))


def small() -> Book:
    shelf = Book(book.default_rules(), {})
    position = RULES.start()
    shelf.note(position, Advice(RULES.parse(position, "d7"), -31, 5))
    return shelf


def test_a_book_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    small().save(tmp_path / "x.bin")
    again = book.load(tmp_path / "x.bin")
    assert (again.rules, again.entries) == (small().rules, small().entries)
    assert [path.name for path in tmp_path.iterdir()] == ["x.bin"]


@pytest.mark.parametrize(
    ("harm", "reason"),
    [
        (lambda data: b"", "no book of Nine Men's Morris"),
        (lambda data: b"GIF89a" + data, "no book of Nine Men's Morris"),
        (lambda data: data[:30], "it is damaged"),
        (lambda data: data.replace(b'"crc": ', b'"crc": 1'), "its checksum is wrong"),
        (lambda data: data.replace(b'"crc"', b'"cry"'), "it is damaged"),
        (lambda data: data[:-20], "its checksum is wrong"),
        (lambda data: data[:-60] + bytes(60), "it is damaged"),
    ],
)
def test_a_bad_book_is_refused(harm: Callable[[bytes], bytes], reason: str, tmp_path: Path) -> None:
    path = tmp_path / "x.bin"
    small().save(path)
    path.write_bytes(harm(path.read_bytes()))
    with pytest.raises(BookError, match=reason):
        book.load(path)
    complaints: list[str] = []
    searcher = MorrisSearcher(LEVELS[10], 1, book=path, complain=complaints.append)
    for _ in range(2):
        move, _ = search(searcher, Limits(depth=1))
        assert move in RULES.start().legal_moves()
    assert len(complaints) == 1
    assert f"book refused: {path}" in complaints[0]


def search(
    searcher: MorrisSearcher, limits: Limits, rules: MorrisRules = RULES
) -> tuple[int, list[Report]]:
    reports: list[Report] = []
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 3

    return searcher.search(Game(rules), limits, stop=stop, report=reports.append), reports


def test_the_engine_plays_what_the_book_says_and_tells_what_it_thought(tmp_path: Path) -> None:
    small().save(tmp_path / "x.bin")
    searcher = MorrisSearcher(LEVELS[10], 1, book=tmp_path / "x.bin", complain=pytest.fail)
    move, reports = search(searcher, Limits(seconds=10))
    assert RULES.format(RULES.start(), move) in {"d7", "a4", "g4", "d1", "d3", "d5", "c4", "e4"}
    assert [(news.depth, news.nodes, tuple(news.pv)) for news in reports] == [(5, 0, (move,))]
    assert reports[0].score.chance < 0.5


def test_symmetric_moves_are_chosen_by_the_seed(tmp_path: Path) -> None:
    small().save(tmp_path / "x.bin")
    chosen = [
        search(MorrisSearcher(LEVELS[10], seed, book=tmp_path / "x.bin"), Limits(seconds=10))[0]
        for seed in (*range(12), 0)
    ]
    assert len(set(chosen)) > 2
    assert chosen[0] == chosen[-1]


def test_an_analysis_and_another_variant_and_lower_levels_ask_no_book(tmp_path: Path) -> None:
    small().save(tmp_path / "x.bin")
    place = tmp_path / "x.bin"
    for level, limits, variant in (
        (10, Limits(), ""),
        (10, Limits(depth=2), "no-flying"),
        (9, Limits(depth=2), ""),
    ):
        searcher = MorrisSearcher(LEVELS[level], 1, book=place, complain=pytest.fail)
        _, reports = search(searcher, limits, MorrisRules(variant))
        assert reports[-1].nodes > 0


def test_a_repeated_position_is_thought_about(tmp_path: Path) -> None:
    setup = "W.W/WW./.W./...WBB/.B./B.B/B.. w 0 0 8"
    position = RULES.start(setup)
    shelf = Book(book.default_rules(), {})
    shelf.note(position, Advice(RULES.parse(position, "a1-a4"), 5, 9))
    shelf.save(tmp_path / "x.bin")
    searcher = MorrisSearcher(LEVELS[10], 1, book=tmp_path / "x.bin", complain=pytest.fail)
    game = Game(RULES, setup)
    nodes = []
    for round_trip in ("a1-a4 b6-d6 a4-a1 d6-b6", ""):
        reports: list[Report] = []
        searcher.search(game, Limits(depth=1), stop=lambda: False, report=reports.append)
        nodes.append(reports[-1].nodes)
        for move in round_trip.split():
            game.play(move)
    assert nodes[0] == 0
    assert nodes[1] > 0


def decoded(key: int) -> Position:
    return Position(
        white=key >> 24 & 0xFFFFFF, black=key & 0xFFFFFF, hands=(key >> 52, key >> 48 & 15)
    )


def test_every_entry_of_the_shipped_book_is_a_legal_move() -> None:
    shelf = book.load(book.SHIPPED)
    assert shelf.rules == book.default_rules()
    for key, advice in shelf.entries.items():
        position = decoded(key)
        assert shelf.key(position) == key
        assert advice.move in position.legal_moves()
        assert shelf.find(position)


@pytest.mark.parametrize(("side", "moves"), [(0, 3), (1, 2)])
def test_the_shipped_book_answers_every_reply(side: int, moves: int) -> None:
    shelf = book.load(book.SHIPPED)
    frontier = {0: RULES.start()}
    if side:
        frontier = replies(shelf, frontier.values())
    for _ in range(moves):
        for position in frontier.values():
            advice = shelf.find(position)
            assert advice, RULES.setup(position)
            assert advice[0].score > -100
            position.play(advice[0].move)
        frontier = replies(shelf, frontier.values())


def replies(shelf: Book, positions: Iterable[Position]) -> dict[int, Position]:
    by_key: dict[int, Position] = {}
    for position in positions:
        for move in position.legal_moves():
            position.play(move)
            by_key.setdefault(shelf.key(position), position.copy())
            position.undo()
    return by_key
