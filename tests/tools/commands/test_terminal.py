import pytest

from tools.commands.terminal import Ticker, progress_bar, under_way


def test_without_a_terminal_nothing_is_shown_meanwhile(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with under_way("counting"):
        pass
    assert capsys.readouterr() == ("", "")


def test_without_a_terminal_progress_is_a_line_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr("tools.commands.terminal.time.monotonic", lambda: now)
    ticker = Ticker(30.0)
    ticker(0.1, "first")
    now = 131.0
    ticker(0.25, "second")
    ticker(0.26, "third")
    now = 162.0
    ticker(1.0, "last")
    assert capsys.readouterr().err == " 25.0 %  second\n100.0 %  last\n"


def test_progress_needs_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar() as show:
        show(0.5, "half")
    assert capsys.readouterr().out == ""
