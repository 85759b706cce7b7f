"""Openings are distinct and balanced, and the same plan draws the same ones."""

from dataclasses import replace
from itertools import islice

import pytest

from engines.core.game import Game
from engines.core.timing import TimeControl
from protocols.ask.engine import EngineSpec
from tests.programs import own_program
from tools.match.options import MatchOptions, match_spec
from tools.openings.drawing import CannotDraw, Drawing, DrawingPlan
from tools.roster.seats import EnginePool
from tools.terms.openings import Opening, sameness


def plan(game: str, *, wildness: float = 0.5, within: float = 0.2) -> DrawingPlan:
    terms = match_spec(MatchOptions(engines=(f"quintet-{game}", f"quintet-{game}"), game=game))
    own = EngineSpec(game, tuple(own_program(f"quintet-{game}")))
    terms = replace(terms, engines=(own, replace(own, label="judge")))
    limits = (TimeControl.parse("depth=1"), TimeControl.parse("depth=2"))
    return DrawingPlan(terms, limits, (3, 5), wildness, within, seed=4)


@pytest.mark.parametrize("game", [pytest.param("neutron", marks=pytest.mark.slow), "shogi"])
def test_openings_are_distinct_and_come_again(game: str) -> None:
    pool = EnginePool()
    try:
        drawn = list(islice(Drawing(plan(game), pool).draw(1), 6))
        assert drawn == list(islice(Drawing(plan(game), pool).draw(1), 6))
        later = Drawing(plan(game), pool)
        for opening in drawn[:3]:
            later.know(Opening("known", opening.moves))
        assert list(islice(later.draw(drawn[2].number + 1), 3)) == drawn[3:]
    finally:
        pool.close()
    places = set()
    for opening in drawn:
        position = Game(plan(game).terms.rules())
        for move in opening.moves:
            position.play(move)
        places.add(sameness(position))
        assert 3 <= len(opening.moves) <= 5
        assert abs(opening.share - 0.5) <= 0.2
    assert len(places) == 6


def test_nothing_to_be_found_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.openings.drawing._FRUITLESS", 20)
    pool = EnginePool()
    always_the_same = replace(plan("neutron", wildness=0.0), plies=(1, 1))
    drawing = Drawing(always_the_same, pool)
    try:
        with pytest.raises(CannotDraw, match=r"20 draws in a row gave no opening \(.*[0-9]+ "):
            list(drawing.draw(1))
    finally:
        pool.close()
    assert sum(drawing.refused.values()) >= 20


def test_a_game_with_dice_needs_no_openings() -> None:
    pool = EnginePool()
    try:
        with pytest.raises(CannotDraw, match="dice"):
            next(Drawing(plan("senet"), pool).draw(1))
    finally:
        pool.close()


def test_an_engine_that_fails_is_named() -> None:
    broken = replace(plan("shogi", wildness=0.0), plies=(1, 1))
    engine = EngineSpec("missing", ("/nonexistent/engine",), protocol="usi")
    broken = replace(broken, terms=replace(broken.terms, engines=(engine, engine)))
    with pytest.raises(CannotDraw, match="missing: "):
        next(Drawing(broken, EnginePool()).draw(1))
