from collections.abc import Sequence
from pathlib import Path

import pytest

from engines.core.game import Game, IllegalMove
from engines.core.search import Limits, Report
from engines.senet.play import lookahead as module
from engines.senet.play.search import Search
from engines.senet.rules.text import make_rules
from engines.senet.tables import shipped
from tests.engines.senet.solutions import solve

COMPILED = not module.__file__.endswith(".py")
OPENING = "2121212121.................... 1 5"


@pytest.fixture(autouse=True)
def no_tables_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QUINTET_DATA", str(tmp_path))


def never() -> bool:
    return False


def setup(own: Sequence[int], enemy: Sequence[int], throw: int) -> str:
    marks = {**dict.fromkeys(own, "1"), **dict.fromkeys(enemy, "2")}
    return f"{''.join(marks.get(square, '.') for square in range(1, 31))} 1 {throw}"


def think(
    text: str, limits: Limits, variant: str = "", searcher: Search | None = None
) -> tuple[str, list[Report]]:
    game = Game(make_rules(variant), text)
    reports: list[Report] = []
    searcher = searcher or Search(seed=1)
    move = searcher.search(game, limits, stop=never, report=reports.append)
    return game.rules.format(game.position, move), reports


def test_the_last_man_is_taken_off() -> None:
    move, reports = think(setup([29], [1, 2, 3, 4, 5], 1), Limits(depth=3))
    assert move == "29-off"
    assert str(reports[-1].score) == "exact win 1"


def test_within_the_tables_the_chance_is_exact() -> None:
    # Black goes on throwing after a 4: it is the win chance of 29 and 20 against 5.
    _, reports = think(setup([29, 16], [5], 4), Limits(depth=5))
    assert len(reports) == 1
    assert reports[0].score.exact
    assert reports[0].nodes == 0


@pytest.mark.parametrize(
    ("text", "variant", "begun"),
    [
        (OPENING, "", False),
        (setup([20, 18, 16, 14], [1, 3, 5, 7, 9], 2), "", True),
        (setup([20], [1], 2), "pass", False),
    ],
)
def test_reading_what_ships_begins_when_the_first_man_is_off(
    text: str, variant: str, begun: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(shipped, "prepare", lambda: asked.append(True))
    think(text, Limits(depth=1), variant)
    assert bool(asked) == begun


def test_a_man_is_not_sent_into_the_trap_for_nothing() -> None:
    move, _ = think(setup([25, 10], [3, 6], 2), Limits(depth=1))
    assert move == "10-12"


def test_outside_the_tables_the_search_deepens() -> None:
    depth = 4 if COMPILED else 2
    move, reports = think(OPENING, Limits(depth=depth), "free-first")
    assert [report.depth for report in reports] == list(range(1, depth + 1))
    assert [report.nodes for report in reports] == sorted({report.nodes for report in reports})
    assert not reports[-1].score.exact
    # The exact chance of the start is near 0.549, and a 5 is the best of throws.
    assert 0.5 < reports[-1].score.chance < 0.7
    assert move in ("6-12", "8-14", "10-16")


def test_nodes_and_time_limit_a_search() -> None:
    _, reports = think(OPENING, Limits(nodes=60), "free-first")
    assert reports[-1].nodes <= 60
    _, reports = think(OPENING, Limits(nodes=1), "free-first")
    assert [report.depth for report in reports] == [1]
    _, reports = think(OPENING, Limits(seconds=0.0), "free-first")
    assert [report.depth for report in reports] == [1]


def test_a_search_ends_on_request() -> None:
    game = Game(make_rules("free-first"), OPENING)
    reports: list[Report] = []
    Search(seed=1).search(game, Limits(), stop=lambda: len(reports) > 1, report=reports.append)
    assert len(reports) == 2


def test_the_only_move_is_not_thought_about() -> None:
    _, reports = think("2121212121.................... 1 5 first", Limits(seconds=60))
    assert len(reports) == 1


def test_a_throw_that_is_due_is_asked_for() -> None:
    with pytest.raises(IllegalMove, match="roll first"):
        think("", Limits(depth=1))


def test_the_same_seed_makes_the_same_moves() -> None:
    texts = [setup([man, man + 3, man + 7, 2], [1, 4, 19, 24], 1) for man in range(5, 16)]
    chosen = []
    for seed in (1, 1, 2):
        searcher = Search(1, 0.5, seed)
        for _ in range(2):
            searcher.forget()
            chosen.append([think(text, Limits(depth=1), "", searcher)[0] for text in texts])
    assert chosen[0] == chosen[1] == chosen[2] == chosen[3]
    assert chosen[4] != chosen[0]


def test_a_variant_does_not_use_the_tables_of_the_default_rules() -> None:
    _, reports = think(setup([29, 16], [5], 4), Limits(depth=2), "pass")
    assert not reports[-1].score.exact


def test_the_users_tables_are_consulted(tmp_path: Path) -> None:
    solve(1, "pass", tmp_path)
    _, reports = think(setup([16], [5], 4), Limits(depth=2), "pass")
    assert len(reports) == 1
    assert reports[0].score.exact


class EvenLibrary:
    def __init__(self, directory: Path, passing: bool, over: bool) -> None:
        pass

    def chance(self, own: int, enemy: int) -> float:
        return 0.5


def test_an_even_chance_is_no_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engines.senet.play.search.Library", EvenLibrary)
    _, reports = think(setup([16], [5], 4), Limits(depth=1))
    assert str(reports[0].score) == "exact 0.500000"


def test_the_search_waits_for_the_tables_only_where_it_must() -> None:
    def refuse(men: int) -> None:
        raise AssertionError(men)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("engines.senet.tables.shipped.chances", refuse)
        think(OPENING, Limits(depth=1), "free-first")
        with pytest.raises(AssertionError, match="3"):
            think(setup([2, 4, 6, 8], [1, 3, 5, 7], 1), Limits(depth=1))
        patch.setattr("engines.senet.tables.shipped.is_read", lambda men: False)
        think(setup([2, 4, 6, 8], [1, 3, 5, 7], 1), Limits(seconds=0.01))
        with pytest.raises(AssertionError, match="3"):
            think(setup([2, 4, 6], [1, 3, 5], 1), Limits(seconds=0.01))
        with pytest.raises(AssertionError, match="2"):
            think(setup([2, 4], [1, 3], 1), Limits(depth=1))
