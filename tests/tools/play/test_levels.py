import re

import pytest

from engines import registry
from engines.core.game import InvalidText
from tools.play.levels import level_names, levels_of, option_of


@pytest.mark.parametrize("game", sorted(registry.GAMES))
def test_numbered_levels_begin_with_1_and_have_no_gaps(game: str) -> None:
    numbers = [int(name) for name in level_names(game) if name.isdecimal()]
    assert numbers == list(range(1, len(numbers) + 1))
    assert [level.name for level in levels_of(game)] == list(level_names(game))


@pytest.mark.parametrize("game", ["morris", "neutron", "senet", "shogi"])
def test_ratings_rise_with_the_levels(game: str) -> None:
    ratings = [int(match[1]) for level in levels_of(game) if (match := _rating(level.worth))]
    assert len(ratings) >= 5
    assert ratings == sorted(ratings)


def _rating(worth: str) -> "re.Match[str] | None":
    return re.search(r"rating about (\d+) above level 1 \(matches of \d+", worth)


def test_levels_become_the_options_of_the_engines() -> None:
    assert option_of("go", "3") == "level=3"
    assert option_of("shogi", "1") == "SkillLevel=0"
    assert option_of("shogi", "21") == "SkillLevel=20"
    assert option_of("senet", "greedy") == "level=greedy"
    for game, level in (("go", "11"), ("shogi", "0"), ("shogi", "22"), ("neutron", "x")):
        with pytest.raises(InvalidText, match=f"no such level: {level}"):
            option_of(game, level)


def test_where_no_match_was_played_nothing_is_said() -> None:
    worth = {level.name: level.worth for level in levels_of("shogi")}
    assert worth["2"] == worth["14"] == ""
