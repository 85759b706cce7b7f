import json
from pathlib import Path

import pytest

from tests.tools.tournament.tournaments import cup, play
from tools.tournament.formats.plan import Format, Plan
from tools.tournament.order import format_order, order_fields
from tools.tournament.reconstruction import view_tournament
from tools.tournament.report import format_tournament, status_fields


@pytest.mark.parametrize(
    ("certainty", "ended_by", "sentence"),
    [
        (0.6, "certainty", "ended because the order of all neighbours is certain to 60 %"),
        (0.999, "games", "ended by the number of games: the least certain order is certain to "),
    ],
)
def test_the_order_and_the_reason_of_the_end_are_told(
    tmp_path: Path, certainty: float, ended_by: str, sentence: str
) -> None:
    play(tmp_path, cup(Plan(Format.ADAPTIVE, games=4, certainty=certainty), tempers="resign good"))
    view = view_tournament(tmp_path)
    lines = list(format_order(view.state, view.status))
    assert [line.split()[0] for line in lines[1:4]] == ["engine", "b", "a"]
    assert lines[2].endswith(" %")
    assert lines[4].startswith(sentence)
    assert set(lines[1:]) <= set(format_tournament(view.state, view.status))
    fields = json.loads(json.dumps(status_fields(view.state, view.status, view.folder)))
    assert fields["ended_by"] == ended_by
    best, worst = fields["order"]
    assert (best["label"], worst["label"], worst["certainty"]) == ("b", "a", None)
    assert 0.6 <= best["certainty"] < 0.999
    assert best["elo"] > worst["elo"]


def test_a_tournament_that_goes_on_has_an_order_and_no_end(tmp_path: Path) -> None:
    play(tmp_path, cup(Plan(Format.ADAPTIVE, games=8, certainty=0.999), "resign good"), games=2)
    view = view_tournament(tmp_path)
    assert order_fields(view.state, view.status)["ended_by"] is None
    assert list(format_order(view.state, view.status))[-1].startswith("a ")


def test_a_tournament_with_a_single_engine_left_says_so(tmp_path: Path) -> None:
    made = cup(Plan(Format.ADAPTIVE, games=8), tempers="crash good", set_aside=2)
    play(tmp_path, made)
    view = view_tournament(tmp_path)
    lines = list(format_order(view.state, view.status))
    assert [line.split()[0] for line in lines[1:3]] == ["engine", "b"]
    assert lines[-1] == "ended because fewer than two engines are left"


def test_other_formats_have_no_such_order(tmp_path: Path) -> None:
    play(tmp_path, cup(tempers="good resign"))
    view = view_tournament(tmp_path)
    assert list(format_order(view.state, view.status)) == []
    assert order_fields(view.state, view.status) == {}
