import re
from pathlib import Path

import pytest

import engines.go
from engines import registry
from engines.core.game import InvalidText
from tools.play.levels import level_names, levels_of, option_of, rank_of


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


def test_levels_of_go_have_the_ranks_of_the_table_in_the_readme() -> None:
    readme = Path(engines.go.__file__).with_name("README.md").read_text()
    table = re.findall(r"^\| (\d+) \|.*\| ([+-]?\d+) \| (\d+) (kyu|dan) \|$", readme, re.MULTILINE)
    assert [row[0] for row in table] == [str(level) for level in range(1, 10)]
    worth = {level.name: level.worth for level in levels_of("go")}
    for level, stones, number, word in table:
        assert rank_of(int(stones)) == f"about {number} {word} on 19x19"
        assert worth[level].endswith(rank_of(int(stones)))
    assert worth["10"] == "the strongest"
    above = [int(row[1]) for row in table]
    assert above == sorted(above)


@pytest.mark.parametrize(
    ("stones", "rank"), [(-20, "27 kyu"), (0, "7 kyu"), (6, "1 kyu"), (7, "1 dan"), (9, "3 dan")]
)
def test_kyu_go_over_into_dan(stones: int, rank: str) -> None:
    assert rank_of(stones) == f"about {rank} on 19x19"


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
