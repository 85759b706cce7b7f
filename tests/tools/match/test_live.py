import io
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from tests.tools.fakes import fake
from tests.tools.match.matches import finished, spec
from tools.journal.journal import Journal
from tools.match.gauges import Gauge, Gauges, show
from tools.match.live import LiveReport, format_current
from tools.match.match import Match
from tools.match.runner import MatchRunner
from tools.match.workers import make_executor
from tools.records.game import GameRecord


def test_the_bar_shows_games_score_and_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    screen = io.StringIO()
    live = LiveReport(Console(file=screen, force_terminal=True, width=120))
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
    assert "elo" not in shown  # One pair is too little for that.
    assert "   2  0 s  better - good" in shown
    # The lines of the games stay what they are without a bar.
    assert "   1/4  good - better  1-0" in shown
    assert "records: " in capsys.readouterr().out


def test_eighty_columns_have_room_for_a_test(tmp_path: Path) -> None:
    screen = io.StringIO()
    live = LiveReport(Console(file=screen, force_terminal=True, width=80))
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


def test_a_current_game_is_shown_with_ply_and_clocks() -> None:
    gauges = Gauges()
    try:
        game = replace(spec().game_spec(0, 1, 0), gauge=gauges.assign())
        assert game.gauge is not None
        assert format_current(game, 100.0, 112.0) == "   2  12 s  better - good"
        show(game.gauge, Gauge(16, 1, (45.5, 3669.0), 110.0))
        shown = format_current(game, 100.0, 112.0)
        assert shown == "   2  12 s  ply 17  0:45 - 1:01:07*  better - good"
        show(game.gauge, Gauge(17, 0, (9.99, None), 112.0))
        assert format_current(game, 100.0, 112.0) == "   2  12 s  ply 18  0:09.9*  better - good"
        show(game.gauge, Gauge(17, 0, (None, None), 112.0))
        assert format_current(game, 100.0, 112.0) == "   2  12 s  ply 18  better - good"
    finally:
        gauges.close()


@pytest.mark.slow
def test_the_games_of_other_processes_are_shown(tmp_path: Path) -> None:
    live = LiveReport(Console(file=io.StringIO(), force_terminal=True, width=120))
    seen: set[int] = set()
    with Journal(tmp_path) as journal:
        match = Match(spec(fake("late"), fake("late"), games=4), journal)
        runner = MatchRunner(match, lambda: make_executor(2, pin=False))
        live.begin(match)
        runner.started, runner.gauges = live.start, live.gauges
        done: list[GameRecord] = []
        thread = threading.Thread(target=lambda: done.extend(record for record, _ in runner.play()))
        thread.start()
        while thread.is_alive():
            runner.stopping = len(seen) > 1
            for number, (began, game) in list(live._current.items()):
                if "  ply " in (text := format_current(game, began, time.monotonic())):
                    assert "*" in text
                    seen.add(number)
            thread.join(0.02)
        live.close()
    assert {1, 2} <= seen
    assert done
