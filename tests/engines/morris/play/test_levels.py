import random
from itertools import permutations
from pathlib import Path

import pytest

from engines.core.game import Game, InvalidText
from engines.core.player import Player
from engines.core.search import Limits, Report
from engines.morris.__main__ import equipment
from engines.morris.play import levels
from engines.morris.play.levels import LEVELS, MorrisSearcher, make_searcher
from engines.morris.play.search import Tree
from engines.morris.rules.board import COMPILED, closers
from engines.morris.rules.position import Position
from engines.morris.rules.text import MorrisRules
from engines.morris.tables import library, store
from engines.morris.tables.book import Book
from engines.morris.tables.library import SHIPPED, Library
from engines.morris.tables.lookup import Tables
from engines.morris.tables.solve import convert

MARK = store.fingerprint(flying=True, doubles=False)


def shipped() -> Tables:
    loaded = Library(flying=True, doubles=False, complain=pytest.fail, places=[SHIPPED])
    loaded.open(4, 4)
    return loaded.tables


def some(tables: Tables, own: int, enemy: int, wanted: int, number: int) -> list[Position]:
    """Find positions that are drawn (0), won (2) or lost (1) for the mover."""
    chance = random.Random(number)
    positions: list[Position] = []
    while len(positions) < number:
        entry = chance.randrange(tables.index.entries(own, enemy))
        men = tables.index.position(own, enemy, entry)
        value = tables.probe(*men)
        position = Position(white=men[0], black=men[1], hands=(0, 0))
        if (value and 2 - value % 2) == wanted and position.outcome() is None:
            positions.append(position)
    return positions


def search(searcher: MorrisSearcher, position: Position) -> tuple[int, list[Report]]:
    rules = MorrisRules()
    reports: list[Report] = []
    game = Game(rules, rules.setup(position))
    move = searcher.search(game, Limits(depth=2), stop=lambda: False, report=reports.append)
    return move, reports


def good_replies(tables: Tables, position: Position) -> int:
    good = 0
    for reply in position.legal_moves():
        position.play(reply)
        value = tables.probe(position.own, position.enemy)
        good += position.outcome() is not None or value == 0 or value & 1
        position.undo()
    return good


def test_the_drawing_move_with_the_fewest_good_replies_is_played() -> None:
    tables = shipped()
    searcher = MorrisSearcher(LEVELS[10], 1)
    for position in some(tables, 4, 3, 0, 12 if COMPILED else 1):
        chosen, _ = search(searcher, position)
        counts = {}
        for move in position.legal_moves():
            position.play(move)
            if position.outcome() is None and tables.probe(position.own, position.enemy) == 0:
                counts[move] = good_replies(tables, position)
            position.undo()
        assert counts[chosen] == min(counts.values())


@pytest.mark.compiled("75 searches of 20 000 nodes")
def test_level_10_blocks_every_mill_that_threatens_after_three_plies() -> None:
    rules, searcher, keys = MorrisRules(), MorrisSearcher(LEVELS[10], 1), Book("", {})
    seen: set[int] = set()
    threats = 0
    for first, second, reply in permutations(range(24), 3):
        white, black = 1 << first | 1 << second, 1 << reply
        position = Position(white=white, black=black, hands=(7, 8), turn=1)
        closing = closers(white) & ~black
        if not closing or keys.key(position) in seen:
            continue
        seen.add(keys.key(position))
        threats += 1
        game = Game(rules, rules.setup(position))
        limits = Limits(nodes=20_000)
        move = searcher.search(game, limits, stop=lambda: False, report=lambda report: None)
        assert 1 << (move & 31) == closing, rules.diagram(position)
    assert threats == 75


@pytest.mark.parametrize("kind", ["exact", "safe"])
def test_tables_without_distances_give_nothing_away(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = shipped()
    for own, enemy in ((3, 3), (4, 3), (3, 4)):
        index = tables.index
        name = store.name(own, enemy, "depth")
        header, cells = store.load(SHIPPED / name, MARK, own, enemy, index.entries(own, enemy))
        raw = store.Header(
            MARK, own, enemy, "depth", header.entries, header.size, header.crc, "raw"
        )
        path = store.save(tmp_path, raw, cells)
        convert(path, MARK, kind)
        path.unlink()
    monkeypatch.setattr(library, "SHIPPED", tmp_path)
    monkeypatch.setenv("QUINTET_DATA", str(tmp_path / "none"))
    searcher = MorrisSearcher(LEVELS[10], 1, complain=pytest.fail)
    number = 12 if COMPILED else 1
    for wanted in (0, 2):
        for position in some(tables, 4, 3, wanted, number):
            move, _ = search(searcher, position)
            position.play(move)
            ended = position.outcome()
            if ended is not None:
                assert ended.winner == 0
                continue
            value = tables.probe(position.own, position.enemy)
            assert value & 1 if wanted else value % 2 or value == 0


def test_a_damaged_table_is_reported_and_the_engine_plays_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = bytearray((SHIPPED / "3-3.depth").read_bytes())
    data[-50] ^= 255
    (tmp_path / "3-3.depth").write_bytes(data)
    monkeypatch.setattr(library, "SHIPPED", tmp_path)
    monkeypatch.setenv("QUINTET_DATA", str(tmp_path / "none"))
    complaints: list[str] = []
    searcher = MorrisSearcher(LEVELS[10], 1, complain=complaints.append)
    position = MorrisRules().start("W../..B/W../....W./.B./.../B.. w 0 0 0")
    for _ in range(2):
        move, reports = search(searcher, position)
        assert move in position.legal_moves()
        assert reports
    assert len(complaints) == 1
    assert "cannot be unpacked" in complaints[0] or "checksum" in complaints[0]


@pytest.mark.parametrize("level", ["1", "10"])
def test_what_a_search_needs_is_made_before_the_first_move(
    level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    searcher = make_searcher(level, 1)
    searcher.forget()
    for name in ("Library", "Tree", "Oracle"):
        monkeypatch.delattr(levels, name)
    game = Game(MorrisRules())
    move = searcher.search(game, Limits(depth=1), stop=lambda: False, report=lambda news: None)
    assert move in game.position.legal_moves()


def test_a_new_game_reads_nothing_again_and_clears_only_after_a_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cleared = []

    class Watched(Tree):
        def clear(self) -> None:
            cleared.append(1)
            super().clear()

    monkeypatch.setattr(levels, "Tree", Watched)
    player = Player(equipment())
    player.set_option("seed", "1")
    player.new_game("", {})
    for name in ("Library", "Tree", "Oracle"):
        monkeypatch.delattr(levels, name)
    player.new_game("default", {})
    assert cleared == []
    player.limit("nodes", 300)
    player.generate(lambda: False, play=True)
    player.new_game("", {})
    assert cleared == [1]
    player.new_game("", {})
    assert cleared == [1]


def test_a_search_can_be_stopped_while_tables_load(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_unpacked", {})
    monkeypatch.setenv("QUINTET_DATA", "/nowhere")
    game = Game(MorrisRules(), "W.W/.../WW./B.WB../.B./.B./..B w 0 0 0")
    searcher = make_searcher("10", 1)
    move = searcher.search(game, Limits(), stop=lambda: True, report=lambda _: None)
    assert move in game.position.legal_moves()
    assert store._unpacked == {}
    searcher.search(game, Limits(depth=1), stop=lambda: False, report=lambda _: None)
    assert len(store._unpacked) > 5


@pytest.mark.parametrize("level", ["0", "11", "", "strong", "-1"])
def test_unknown_levels_are_refused(level: str) -> None:
    with pytest.raises(InvalidText, match="no such level"):
        make_searcher(level)


def test_a_forgetful_searcher_plays_its_game_again() -> None:
    rules = MorrisRules()
    searcher = make_searcher("4", 9)

    def moves() -> list[int]:
        game = Game(rules)
        for _ in range(8):
            game.push(searcher.search(game, Limits(), stop=lambda: False, report=lambda r: None))
        return game.moves

    first = moves()
    searcher.forget()
    assert moves() == first


@pytest.mark.parametrize("seed", range(6))
def test_a_level_whose_depth_a_limit_forbids_plays_by_a_lesser_depth(seed: int) -> None:
    rules = MorrisRules()
    game = Game(rules, "WW./.B./.../....../.../..B/B.. w 7 6 0")
    level = levels.Level(6, 0.001)
    searcher = MorrisSearcher(level, seed)
    move = searcher.search(game, Limits(nodes=1000), stop=lambda: False, report=lambda told: None)
    assert rules.format(game.position, move).startswith("g1x")  # It closes the mill.
