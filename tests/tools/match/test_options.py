from dataclasses import replace
from pathlib import Path

import pytest

from engines.core.game import InvalidText
from engines.core.timing import TimeControl
from protocols.ask.engine import EngineSpec
from tools.match.options import MatchOptions, match_spec, with_openings

NEUTRON = MatchOptions(("neutron",))


def test_one_engine_plays_itself_under_two_names() -> None:
    spec = match_spec(NEUTRON)
    assert spec.game == "neutron"
    assert [engine.label for engine in spec.engines] == ["quintet-neutron", "quintet-neutron (2)"]
    assert spec.controls == (TimeControl.parse("60+1"),) * 2


def test_a_second_time_is_that_of_the_second_engine() -> None:
    spec = match_spec(replace(NEUTRON, times=("1/move", "depth=3")))
    assert spec.controls == (TimeControl.parse("1/move"), TimeControl.parse("depth=3"))


def test_a_side_has_settings_of_its_own() -> None:
    words = ("neutron", "time=5+1", "lag=0.5", "patience=7", "neutron", "options.level=3")
    spec = match_spec(MatchOptions(words, times=("1/move",), patience=9.0, ponder="second"))
    assert spec.controls == (TimeControl.parse("5+1"), TimeControl.parse("1/move"))
    first, second = spec.engines
    assert (first.lag, first.patience, first.ponder) == (0.5, 7.0, False)
    assert (second.lag, second.patience, second.ponder) == (None, 9.0, True)
    assert second.options == (("level", "3"),)
    assert (first.label, second.label) == (
        "quintet-neutron time=5+1 lag=0.5 patience=7",
        "quintet-neutron options.level=3",
    )


def test_one_engine_with_settings_plays_itself_with_them() -> None:
    spec = match_spec(MatchOptions(("neutron", "options.level=3")))
    assert [engine.options for engine in spec.engines] == [(("level", "3"),)] * 2
    assert [engine.label for engine in spec.engines] == ["quintet-neutron", "quintet-neutron (2)"]


def test_engines_are_asked_for_their_game_only_if_nothing_else_names_it() -> None:
    asked: list[str] = []

    def ask(engine: EngineSpec) -> str:
        asked.append(engine.label)
        return "morris" if engine.label == "python3" else ""

    assert match_spec(MatchOptions(("python3",)), ask).game == "morris"
    assert asked == ["python3", "python3 (2)"]
    asked.clear()
    assert match_spec(MatchOptions(("python3",), game="neutron"), ask).game == "neutron"
    assert match_spec(MatchOptions(("python3", "neutron")), ask).game == "neutron"
    assert asked == []
    with pytest.raises(InvalidText, match="different games: morris, senet"):
        match_spec(
            MatchOptions(("python3", "sh")),
            lambda each: "morris" if each.label == "sh" else "senet",
        )
    with pytest.raises(InvalidText, match=r"which game\? neither engine says; give --game"):
        match_spec(MatchOptions(("sh",)), ask)


@pytest.mark.parametrize(
    ("ponder", "ponders"),
    [
        (None, [False, False]),
        ("first", [True, False]),
        ("second", [False, True]),
        ("both", [True] * 2),
    ],
)
def test_the_named_engines_ponder(ponder: str | None, ponders: list[bool]) -> None:
    spec = match_spec(replace(NEUTRON, ponder=ponder))
    assert [engine.ponder for engine in spec.engines] == ponders


def test_a_game_before_two_engines_names_what_they_play() -> None:
    engines = ("quintet-neutron --option level=1", "quintet-neutron", "options.level=2")
    spec = match_spec(MatchOptions(("neutron", *engines)))
    assert spec.game == "neutron"
    assert [engine.label for engine in spec.engines] == [
        engine.label for engine in match_spec(MatchOptions(engines)).engines
    ]


def test_a_test_without_a_number_of_games_plays_until_it_is_decided() -> None:
    spec = match_spec(replace(NEUTRON, sprt="elo0=0,elo1=5"))
    assert (spec.games, spec.until_decided) == (420_000, True)
    spec = match_spec(replace(NEUTRON, sprt="elo0=0,elo1=5", games=8))
    assert (spec.games, spec.until_decided) == (8, False)
    assert (match_spec(NEUTRON).games, match_spec(NEUTRON).until_decided) == (2, False)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (MatchOptions(()), "expected one or two engines, not 0"),
        (MatchOptions(("neutron", "morris")), "the engines play different games: morris, neutron"),
        (MatchOptions(("python3",)), "which game"),
        (replace(NEUTRON, order="random"), "--order is about openings"),
        (replace(NEUTRON, plies=3), "--plies is about openings"),
        (replace(NEUTRON, times=("1", "2", "3")), "--time: expected one or two, not 3"),
        (
            replace(NEUTRON, shogi_format="csa"),
            "--records is for shogi; neutron is recorded in SGF",
        ),
        (replace(NEUTRON, tables=True), "--tables: there are no tables"),
        (replace(NEUTRON, komi="7"), "--komi is for Go; this is neutron"),
        (replace(NEUTRON, arbiter="gnugo"), "--arbiter is for Go; this is neutron"),
        (replace(NEUTRON, variant="fast"), "no such variant: 'fast'"),
        (replace(NEUTRON, sprt="elo0=5,elo1=0"), "elo0 must be below elo1"),
    ],
)
def test_options_without_sense_are_refused(options: MatchOptions, complaint: str) -> None:
    with pytest.raises(InvalidText, match=complaint.replace("(", r"\(")):
        match_spec(options)


def test_openings_are_cut_and_ordered_by_the_seed(tmp_path: Path) -> None:
    book = tmp_path / "book.txt"
    book.write_text("a1-a4 c3-a3/b1-b4\nb1-b4\n")
    options = replace(NEUTRON, openings=book, plies=1)
    spec, notices = with_openings(match_spec(options), options, seed=3)
    assert [opening.moves for opening in spec.openings] == [("a1-a4",), ("b1-b4",)]
    assert (spec.seed, notices) == (3, [])
