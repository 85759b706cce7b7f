import io
from pathlib import Path

import pytest
from rich.console import Console

from tests.tools.test_match import finished, spec
from tools.journal import Journal
from tools.live import Live
from tools.match import Match


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
