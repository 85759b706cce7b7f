from pathlib import Path
from typing import Any

import pytest

from engines import registry
from engines.core.game import InvalidText
from tests.tools.report.cups import write_cup
from tools.journal.journal import JournalError
from tools.tournament.formats.plan import Format
from tools.tournament.levels import (
    LevelOptions,
    choose_levels,
    format_levels,
    level_tournament,
    levels_to_json,
    measured_levels,
)
from tools.tournament.options import tournament_spec


@pytest.mark.parametrize("game", sorted(registry.GAMES))
def test_every_game_has_a_ladder_of_its_levels(game: str) -> None:
    spec = tournament_spec(level_tournament(LevelOptions(game)))
    names = registry.find(game).levels.names
    assert [engine.label for engine in spec.terms.engines] == [f"level {name}" for name in names]
    assert spec.plan.format is Format.LADDER
    assert spec.plan.games == 100
    assert spec.terms.game == game
    options = [dict(engine.options) for engine in spec.terms.engines]
    assert [each[registry.find(game).levels.option] for each in options] == list(names)


def test_the_time_the_size_and_the_folder_can_be_chosen() -> None:
    options = LevelOptions("go", "2,4", 10, "visits=50", 13, out=Path("here"))
    made = level_tournament(options)
    assert (made.times, made.size, made.out) == (("visits=50",), 13, Path("here"))
    assert level_tournament(LevelOptions("go")).out == Path("levels/go")
    assert level_tournament(LevelOptions("senet")).openings is None


@pytest.mark.parametrize(
    ("text", "levels"), [("1-3", "1 2 3"), ("10,2,4", "2 4 10"), ("1-2, 2-3", "1 2 3")]
)
def test_levels_are_chosen_by_ranges_and_put_in_order(text: str, levels: str) -> None:
    assert choose_levels(registry.find("go").levels, text) == levels.split()


def test_shogi_has_levels_between_those_that_are_measured_by_default() -> None:
    known = registry.find("shogi").levels
    assert known.names[:3] == ("0", "2", "4")
    assert choose_levels(known, "3-5") == ["3", "4", "5"]


@pytest.mark.parametrize(
    "text",
    ["5", "0-3", "9-11", "a", "1-", "-3", "3-1", "1,,2", "1-999999999999", "1-" + "9" * 5000],
)
def test_levels_that_do_not_exist_are_refused(text: str) -> None:
    with pytest.raises(InvalidText, match="--levels: expected"):
        choose_levels(registry.find("go").levels, text)


def ladder(folder: Path, *, games: int = 60) -> Path:
    """Write a tournament of three levels; the strongest is named first."""
    return write_cup(folder, names=("level 3", "level 2", "level 1"), games=games, plies=12)


def test_ratings_are_measured_from_the_lowest_level(tmp_path: Path) -> None:
    rated, levels = measured_levels(ladder(tmp_path))
    assert [each.level for each in levels] == ["1", "2", "3"]
    assert (levels[0].rating.elo, levels[0].rating.error, levels[0].below) == (0, 0, None)
    for each in levels[1:]:
        assert each.rating.error is not None
        assert each.rating.error > 0
        assert each.below is not None
        assert each.below.games > 0
    assert sum(each.games for each in levels) == 2 * len(rated.pool.games)


def test_the_table_is_printed_as_text_and_as_markdown(tmp_path: Path) -> None:
    lines = list(format_levels(ladder(tmp_path)))
    assert lines[0].split("  ")[0] == "level"
    assert [line.split()[0] for line in lines[1:4]] == ["1", "2", "3"]
    assert lines[-1].startswith("Neutron, 60: 60 games, ")
    marked = list(format_levels(tmp_path, markdown=True))
    assert marked[0].startswith("| level | Elo above the lowest | 95 % |")
    assert marked[1] == "|---|---|---|---|---|---|"
    assert marked[2].startswith("| 1 | 0 |  | ")
    assert all(line.count("|") == 7 for line in marked[:5])


def test_json_has_a_line_for_each_level_and_a_summary(tmp_path: Path) -> None:
    events: list[dict[str, Any]] = list(levels_to_json(ladder(tmp_path)))
    assert [event.get("level") for event in events] == ["1", "2", "3", None]
    assert set(events[1]["below"]) == {"won", "drawn", "lost"}
    assert events[-1]["event"] == "summary"
    assert events[-1]["games"] == 60


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="is no level"):
        measured_levels(write_cup(tmp_path / "cup", games=4))
    with pytest.raises(JournalError, match="has no finished games"):
        measured_levels(write_cup(tmp_path / "empty", games=0))
