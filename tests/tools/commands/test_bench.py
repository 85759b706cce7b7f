import json
from collections.abc import Iterator

import pytest
from click.testing import CliRunner, Result

from engines import registry
from tools.cli import main


def quintet(*words: str) -> Result:
    return CliRunner().invoke(main, words)


@pytest.mark.parametrize("game", sorted(registry.GAMES))
def test_every_game_benches_with_the_same_columns(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def figures(seconds: float) -> Iterator[tuple[str, float, str]]:
        assert seconds == 0.5
        yield "perft 3", 1234567.0, "leaves/s"

    monkeypatch.setattr(registry.Entry, "load", lambda entry, part: figures)
    monkeypatch.setattr("tools.bench.programs._start_time", lambda command, question: 0.25)
    monkeypatch.setattr("tools.bench.programs._stop_time", lambda command, search, interrupt: 0.001)
    result = quintet("bench", game, "--seconds", "0.5")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0].split() == [game, "perft", "3", "1,234,567", "leaves/s"]
    assert lines[1].split()[-2:] == ["250", "ms"]
    result = quintet("bench", game, "--seconds", "0.5", "--json")
    events = [json.loads(line) for line in result.stdout.splitlines()]
    assert events[0] == {
        "event": "figure",
        "of": game,
        "what": "perft 3",
        "figure": 1234567.0,
        "unit": "leaves/s",
    }
    assert events[-1]["event"] == "summary"
