import json
from dataclasses import replace

import pytest

from tests.tools.journal.test_pool import cup
from tools.journal.pool import make_pools
from tools.journal.ratings import (
    PoolRatings,
    format_interval,
    format_rating,
    format_ratings,
    rate_pool,
    ratings_to_json,
)
from tools.statistics.ratings import Advantage, RatingError

# Each engine has won a game of each other; the winner is 0, the first mover, or 1.
GAMES = (
    (0, 1, 0),
    (1, 0, 0),
    (0, 2, 0),
    (2, 0, 1),
    (1, 2, 1),
    (2, 1, 1),
    (0, 1, 0),
    (1, 0, 1),
    (2, 0, 0),
)


def rated(*games: tuple[int, int, int | None], **anchors: float) -> PoolRatings:
    (pool,) = make_pools([cup("one", *games)])
    return rate_pool(pool, anchors=anchors)


def test_a_line_counts_scores_by_colour_and_by_ending() -> None:
    engine = {each.rating.name: each for each in rated(*GAMES).engines}["a"]
    assert (str(engine.first), str(engine.second), str(engine.total)) == ("3-0-0", "2-0-2", "5-0-2")
    assert {kind: str(tally) for kind, tally in engine.endings.items()} == {"natural": "5-0-2"}
    assert {number: str(tally) for number, tally in engine.opponents.items()} == {
        1: "3-0-1",
        2: "2-0-1",
    }


def test_games_that_repeat_earlier_ones_count_in_the_score_but_not_in_the_rating() -> None:
    once, often = rated(*GAMES[:6]), rated(*GAMES[:6], *GAMES[:2] * 20)
    assert [each.rating for each in often.engines] == [each.rating for each in once.engines]
    assert often.engines[0].total.games > once.engines[0].total.games
    assert often.pool.distinct == once.pool.distinct == 6
    assert often.list.games == 6


def test_the_list_is_printed_with_what_it_stands_on() -> None:
    lines = list(format_ratings(rated(*GAMES)))
    assert lines[0] == "Neutron: 3 engines, 9 games, 8 distinct, from 1 folder"
    assert lines[1].split()[:7] == ["engine", "elo", "95", "%", "games", "distinct", "score"]
    assert [line.split()[0] for line in lines[2:5]] == ["a", "b", "c"]
    assert lines[2].endswith("%")
    assert "first, second: won-drawn-lost with the first and the second move" in lines
    assert "endings: 9 by natural" in lines
    assert any(line.startswith("moving first: 5-0-4, worth ") for line in lines)


def test_long_figures_keep_the_columns_below_each_other() -> None:
    lines = list(format_ratings(rated((0, 1, 0), (1, 2, 0), (2, 1, 0), b=-5000)))
    head, *rows = lines[1:5]
    assert any("> -5960.5" in row for row in rows)
    for name in ("games", "distinct", "score"):
        end = head.index(name) + len(name)
        assert all(row[end - 1].isdigit() and row[end] == " " for row in rows)


def test_unbounded_engines_components_anchors_and_priors_are_written_as_what_they_are() -> None:
    lines = list(format_ratings(rated((0, 1, 0), (1, 2, 0), (2, 1, 0))))
    assert "> " in lines[2]
    assert "+inf]" in lines[2]
    apart = list(format_ratings(rated_apart()))
    assert "no games connect these engines with those above; their ratings are apart:" in apart
    assert any("anchor" in line for line in format_ratings(rated(*GAMES, a=1500)))
    (pool,) = make_pools([cup("one", (0, 1, 0))])
    assert "prior: 2 even games added between every two engines that met" in list(
        format_ratings(rate_pool(pool, prior=2))
    )
    assert "zero" in next(line for line in format_ratings(rate_pool(pool)) if "+0.0" in line)


def rated_apart() -> PoolRatings:
    one, other = cup("one", (0, 1, 0)), cup("other", (0, 1, 1), digest="other")
    first, second, third = other.engines
    strangers = (
        first,
        *(type(each)(f"x{each.label}", "x", "", "x", "") for each in (second, third)),
    )
    (pool,) = make_pools(
        [one, type(other)(*(other.folder, other.kind, other.seal, strangers, other.games, 0))]
    )
    return rate_pool(pool)


def test_json_has_every_figure_and_no_nan() -> None:
    found = ratings_to_json(rated((0, 1, 0), (1, 2, 0), (2, 1, 0)))
    text = json.dumps(found, allow_nan=False)
    assert json.loads(text) == found
    assert [engine["name"] for engine in found["engines"]] == ["a", "c", "b"]
    assert found["engines"][0]["elo"] is None
    assert found["engines"][0]["low"] is not None
    assert found["engines"][0]["high"] is None
    assert found["engines"][0]["first"] == {"won": 1, "drawn": 0, "lost": 0}
    assert found["engines"][0]["endings"] == {"natural": {"won": 1, "drawn": 0, "lost": 0}}
    assert found["endings"] == {"natural": 3}
    assert found["superiority"][0][0] is None
    assert found["covariance"][0] == [None, None, None]
    assert found["covariance"][1][1] == pytest.approx(-found["covariance"][1][2])
    assert (found["games"], found["distinct"], found["pairs"]) == (3, 3, 2)


def test_no_figure_is_a_negative_zero() -> None:
    found = rated((0, 1, None), (1, 0, None))
    advantage = Advantage(-0.01, 3.0)
    tiny = replace(found.engines[0].rating, elo=-0.04, low=-0.02)
    lines = list(format_ratings(replace(found, list=replace(found.list, advantage=advantage))))
    assert any(", worth +0.0 ± 3.0 elo" in line for line in lines)
    assert format_rating(tiny) == "+0.0"
    assert format_rating(replace(tiny, elo=-0.06)) == "-0.1"
    assert format_interval(tiny).startswith("[+0.0, ")
    found = replace(found, list=replace(found.list, advantage=Advantage(-0.0, 1e-9)))
    assert "-0.0" not in json.dumps(ratings_to_json(found))


def test_an_anchor_must_be_an_engine_of_the_list() -> None:
    with pytest.raises(RatingError, match="no engine to anchor: 'gnugo'"):
        rated(*GAMES, gnugo=1800)
