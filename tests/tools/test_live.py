import io
from pathlib import Path

import pytest
from rich.console import Console

from tests.tools.test_match import finished, spec
from tools.journal import Journal
from tools.live import Live
from tools.match import Match
from tools.report import Lines


def test_the_bar_shows_games_score_and_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    screen = io.StringIO()
    live = Live(Console(file=screen, force_terminal=True, width=120))
    with Journal(tmp_path) as journal:
        match = Match(spec(games=4), journal)
        live.begin(match)
        for number, winner in ((1, 0), (2, None)):
            live.start(match.spec.game_spec(0, number - 1, 0))
            live._display.refresh()
            record = finished(match.spec, number, winner)
            live.game(match, record, match.add(record))
        live.summary(match, match.status())
    shown = screen.getvalue()
    assert "2/4" in shown
    assert "1.5 of 2 for good" in shown
    assert "±" in shown
    assert "   2  better - good  0 s" in shown
    # The lines of the games stay what they are without a bar.
    assert "   1/4  good - better  1-0" in shown
    assert "records: " in capsys.readouterr().out


def test_eighty_columns_have_room_for_a_test(tmp_path: Path) -> None:
    screen = io.StringIO()
    live = Live(Console(file=screen, force_terminal=True, width=80))
    with Journal(tmp_path) as journal:
        match = Match(spec(games=200, sprt="elo0=0,elo1=5"), journal)
        live.begin(match)
        for number in (1, 2, 3, 4):
            record = finished(match.spec, number, 0)
            live.game(match, record, match.add(record))
        live._display.refresh()
        live.close()
    shown = screen.getvalue()
    assert "4/200" in shown
    assert "LLR" in shown
    assert "…" not in shown


def test_an_interrupted_match_says_how_to_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(tmp_path) as journal:
        match = Match(spec(games=4), journal)
        match.add(finished(match.spec, 1, 0))
        Lines().summary(match, match.status(interrupted=True))
    told = capsys.readouterr().out
    assert f"interrupted, 3 games are missing: the same line with --out {tmp_path} goes on" in told
