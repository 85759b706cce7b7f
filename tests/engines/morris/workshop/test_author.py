import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from engines.morris.rules.board import COMPILED
from engines.morris.rules.position import Position
from engines.morris.rules.text import MorrisRules
from engines.morris.tables import book
from engines.morris.tables.book import Advice
from engines.morris.workshop import author
from engines.morris.workshop.author import DeepSearch, EntryLog, collect, grow, learn

RULES = MorrisRules()
NODES = 200


class FakeSearch(DeepSearch):
    """A search that plays the first move, or with many nodes the last; its scores are given."""

    def __init__(self, scores: dict[str, int] | None = None) -> None:
        super().__init__()
        self.scores = scores or {}

    def advise(self, position: Position, nodes: int) -> Advice:
        moves = sorted(position.legal_moves())
        return Advice(moves[0] if nodes < NODES else moves[-1], 5, 3)

    def score_after(self, position: Position, move: int, nodes: int) -> int:
        return self.scores.get(RULES.format(position, move), 0)


def test_a_book_grows_over_every_reply_and_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    lines = grow(EntryLog(path), FakeSearch(), 0, 2, NODES)
    next(lines)
    next(lines)
    lines.close()
    with path.open("a") as file:
        file.write('{"half')
    rest = list(grow(EntryLog(path), FakeSearch(), 0, 2, NODES))
    whole = list(grow(EntryLog(tmp_path / "y.jsonl"), FakeSearch(), 0, 2, NODES))
    assert rest == whole[2:]
    assert path.read_text() == (tmp_path / "y.jsonl").read_text()
    assert list(grow(EntryLog(path), FakeSearch(), 0, 2, NODES)) == []
    assert len(EntryLog(path).book.entries) == len(whole)


def test_black_has_an_answer_to_each_first_move(tmp_path: Path) -> None:
    log = EntryLog(tmp_path / "x.jsonl")
    assert len(list(grow(log, FakeSearch(), 1, 1, NODES))) == 4
    assert {event["check"] for event in log.events} == {0}


def test_a_move_that_loses_by_the_other_side_of_it_gives_way_to_the_best(tmp_path: Path) -> None:
    log = EntryLog(tmp_path / "x.jsonl")
    last = RULES.format(RULES.start(), max(RULES.start().legal_moves()))
    list(grow(log, FakeSearch({last: -400, "d6": 30}), 0, 1, NODES))
    assert [(event["move"], event["check"]) for event in log.events] == [("d6", 30)]


def test_errors_of_quick_searches_are_collected_with_what_they_lose(tmp_path: Path) -> None:
    class Severe(FakeSearch):
        def score_after(self, position: Position, move: int, nodes: int) -> int:
            return 100 if move == max(position.legal_moves()) else 20

    path = tmp_path / "x.jsonl"
    lines = list(collect(EntryLog(path), Severe(), 1, NODES - 1, NODES))
    assert len(lines) == 1
    assert list(collect(EntryLog(path), Severe(), 1, NODES - 1, NODES)) == []
    events = [json.loads(line) for line in path.read_text().splitlines()]
    assert events[-1]["kind"] == "game"
    assert events[-1]["errors"] == len(events) - 1 > 0
    for event in events[:-1]:
        position = RULES.start(event["setup"])
        assert (event["kind"], event["loss"]) == ("correction", 80)
        assert RULES.parse(position, event["move"]) == max(position.legal_moves())


def test_a_deeper_search_that_agrees_collects_nothing(tmp_path: Path) -> None:
    log = EntryLog(tmp_path / "x.jsonl")
    list(collect(log, FakeSearch(), 2, NODES - 1, NODES))
    assert [event["errors"] for event in log.events] == [0, 0]


def test_logs_are_bound_to_one_book(tmp_path: Path) -> None:
    paths = [tmp_path / "w.jsonl", tmp_path / "b.jsonl"]
    for side, path in enumerate(paths):
        list(grow(EntryLog(path), FakeSearch(), side, 1, NODES))
    target = tmp_path / "x.bin"
    result = CliRunner().invoke(author.main, ["bind", *map(str, paths), "--out", str(target)])
    assert result.stdout == f"5 entries in {target}\n"
    assert len(book.load(target).entries) == 5


def test_a_search_says_what_its_search_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUINTET_DATA", "/nowhere")
    search = DeepSearch()
    nodes = 3_000 if COMPILED else 300
    won = RULES.start("WW./.B./.../....../.../..B/B.. w 7 6 0")
    advice = search.advise(won, nodes)
    assert RULES.format(won, advice.move).startswith("g1x")
    assert advice.score > 0
    assert search.score_after(won, advice.move, nodes) > 0
    last = RULES.start("W.W/.../.../.W..../.../B.B/B.. w 0 0 0")
    assert search.advise(last, nodes).score == 10_000


def test_the_command_line_names_what_it_does_not_know() -> None:
    assert "No such command 'write'" in CliRunner().invoke(author.main, ["write"]).stderr


class Blunderer(DeepSearch):
    """Loses a man's game by its second move, unless it looks deeper."""

    def advise(self, position: Position, nodes: int) -> Advice:
        moves = sorted(position.legal_moves())
        men = 18 - position.own_hand - position.enemy_hand
        if nodes >= NODES:
            return Advice(moves[-1], -300 if men > 7 else 5, 9)
        lost = 30_000 if men >= 10 else 0
        return Advice(moves[0], lost if position.turn else -lost, 3)

    def score_after(self, position: Position, move: int, nodes: int) -> int:
        return 0 if move == max(position.legal_moves()) else -250


def test_the_last_move_that_lost_a_game_is_corrected(tmp_path: Path) -> None:
    log = EntryLog(tmp_path / "x.jsonl")
    empty = book.Book(book.default_rules(), {})
    (line,) = learn(log, empty, Blunderer(), 1, 1, NODES)
    corrected, game = log.events
    assert line.startswith("game 0: lost by ")
    assert corrected["loss"] == 250
    assert corrected["setup"].endswith(" w 6 6 0") or corrected["setup"].endswith(" w 5 6 0")
    assert game["kind"] == "game"
    assert list(learn(EntryLog(tmp_path / "x.jsonl"), empty, Blunderer(), 1, 1, NODES)) == []


def test_a_game_without_a_better_move_teaches_nothing(tmp_path: Path) -> None:
    log = EntryLog(tmp_path / "x.jsonl")
    empty = book.Book(book.default_rules(), {})
    (line,) = learn(log, empty, FakeSearch(), 1, 1, NODES)
    assert line == "game 0: drawn" or line.startswith("game 0: lost, nothing better than ")
    assert not log.book.entries
