from typing import Any

import pytest

from engines.core.game import InvalidText
from tools.tournament.formats.plan import Format
from tools.tournament.options import TournamentOptions, tournament_spec

LEVELS = tuple(f"quintet-neutron --option level={level}" for level in (1, 2, 3))


def options(*engines: str, **more: Any) -> TournamentOptions:
    return TournamentOptions(engines=engines or LEVELS, **more)


def test_the_first_word_may_name_the_game() -> None:
    spec = tournament_spec(options("neutron", *LEVELS))
    assert (spec.terms.game, len(spec.terms.engines)) == ("neutron", 3)


def test_engines_have_times_of_their_own_or_the_common_one() -> None:
    spec = tournament_spec(options(LEVELS[0], "time=nodes=5", LEVELS[1], times=("1/move",)))
    assert [str(control) for control in spec.terms.controls] == ["nodes=5", "1/move"]


def test_engines_of_one_name_are_told_apart() -> None:
    same = "quintet-neutron"
    spec = tournament_spec(options(same, same, same, "options.level=3", same, "name=mine"))
    labels = [engine.label for engine in spec.terms.engines]
    assert labels == [same, f"{same} (2)", f"{same} options.level=3", "mine"]


def test_each_format_has_its_own_defaults() -> None:
    plans = {
        format_: tournament_spec(options(format=format_)).plan
        for format_ in ("round-robin", "swiss", "adaptive")
    }
    assert plans["round-robin"].games == 2
    assert plans["swiss"].rounds == 2
    assert plans["adaptive"].games == 60
    assert tournament_spec(options()).plan.format is Format.ROUND_ROBIN


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"games": 3}, "--games 3: expected an even number"),
        ({"rounds": 3}, "--rounds is for the format swiss; this is round-robin"),
        ({"format": "swiss", "certainty": 0.9}, "--certainty is for the format adaptive"),
        ({"times": ("1", "2")}, "--time: expected one, not 2; an engine may have its own"),
        ({"komi": "7"}, "--komi is for Go; this is neutron"),
        ({"game": "go"}, "the engines play different games: go, neutron"),
    ],
)
def test_options_without_sense_are_refused(more: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidText, match=message):
        tournament_spec(options(**more))


def test_a_single_engine_is_no_tournament() -> None:
    with pytest.raises(InvalidText, match="at least two engines, not 1"):
        tournament_spec(options(LEVELS[0]))
    with pytest.raises(InvalidText, match="--game go and neutron contradict each other"):
        tournament_spec(options("neutron", *LEVELS, game="go"))
