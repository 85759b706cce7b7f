import json
from pathlib import Path

import pytest

from tests.tools.tournament.tournaments import cup, play, swiss
from tools.tournament.formats.plan import Format, Plan
from tools.tournament.reconstruction import view_tournament
from tools.tournament.report import format_plan, format_tournament, status_fields


@pytest.mark.parametrize(
    ("plan", "expected"),
    [
        (Plan(games=4), "Neutron: round-robin of 4 engines, 4 games per pairing, 24 games"),
        (swiss(3), "Neutron: swiss of 4 engines, 3 rounds, 2 games per pairing, 12 games"),
        (
            Plan(Format.GAUNTLET, challengers=2),
            "Neutron: gauntlet of 4 engines, 2 challengers, 2 games per pairing, 8 games",
        ),
        (Plan(Format.KNOCKOUT), "Neutron: knockout of 4 engines, 2 games per pairing, 6 games"),
        (
            Plan(Format.ADAPTIVE, games=80),
            "Neutron: adaptive of 4 engines, at most 80 games, until the order of all neighbours "
            "is certain to 95 %",
        ),
    ],
)
def test_a_plan_is_said_in_a_line(plan: Plan, expected: str) -> None:
    assert format_plan("neutron", "", plan, 4) == expected


def test_the_table_shows_who_scored_what_against_whom(tmp_path: Path) -> None:
    play(tmp_path, cup(tempers="good resign good", set_aside=99))
    view = view_tournament(tmp_path)
    lines = list(format_tournament(view.state, view.status))
    assert lines[0].split() == [
        *("place", "engine", "points", "games", "score", "sonneborn-berger", "direct", "wins"),
        *("1", "2", "3"),
    ]
    rows = [line.split() for line in lines[1:4]]
    assert [row[0] for row in rows] == ["1", "1", "3"]
    assert [row[-1] for row in rows[:2]] + [rows[2][-1]] == ["2", "2", "-"]
    assert rows[2][1] == "b"
    assert lines[4] == (
        "sonneborn-berger: its share of each pair of games, times the opponent's points; "
        "direct: points against engines that are still equal; wins: games won; "
        "1 to 3: points against the engine in that line"
    )
    assert "4 by resign" in "\n".join(lines)


def test_byes_stand_apart_from_the_share_of_the_games(tmp_path: Path) -> None:
    play(tmp_path, cup(swiss(2), tempers="good resign resign"))
    view = view_tournament(tmp_path)
    lines = list(format_tournament(view.state, view.status))
    assert lines[0].split()[:6] == ["place", "engine", "points", "games", "score", "byes"]
    rows = {line.split()[1]: line.split() for line in lines[1:4]}
    assert rows["c"][2:7] == ["2", "2", "0.0", "%", "1"]


def test_a_gauntlet_says_that_its_groups_are_listed_apart(tmp_path: Path) -> None:
    play(tmp_path, cup(Plan(Format.GAUNTLET)))
    view = view_tournament(tmp_path)
    heading = next(format_tournament(view.state, view.status))
    assert heading.startswith("the challengers come first, then their opponents")


def test_an_engine_that_dropped_out_is_marked(tmp_path: Path) -> None:
    play(tmp_path, cup(tempers="good crash good", set_aside=1))
    view = view_tournament(tmp_path)
    line = next(line for line in format_tournament(view.state, view.status) if " b " in line)
    assert line.endswith("(dropped out)")


def test_the_figures_for_programs_name_the_engines_and_the_tie_breaks(tmp_path: Path) -> None:
    play(tmp_path, cup())
    view = view_tournament(tmp_path)
    fields = json.loads(json.dumps(status_fields(view.state, view.status, view.folder)))
    assert {place["label"] for place in fields["places"]} == {"a", "b", "c"}
    assert fields["places"][0]["tie_breaks"].keys() == {"sonneborn-berger", "direct", "wins"}
