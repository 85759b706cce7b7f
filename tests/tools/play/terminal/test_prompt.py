import io
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from tools.play.terminal.prompt import Cancelled, LinePrompt, PlainPrompt, Words


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        yield pipe


def test_a_line_is_read_and_kept_in_the_history(keys: PipeInput, tmp_path: Path) -> None:
    history = tmp_path / "play" / "history"
    prompt = LinePrompt(history)
    keys.send_text(" b1-b4 \r")
    assert prompt.read("White> ") == "b1-b4"
    assert "b1-b4" in history.read_text()


def test_words_that_begin_as_the_line_does_complete_it() -> None:
    completer = Words()
    completer.words = ("undo", "hint", "D4", "legal")
    for typed, words in (("und", ["undo"]), ("d", ["D4"]), ("legal b", []), ("x", [])):
        found = completer.get_completions(Document(typed), CompleteEvent())
        assert [completion.text for completion in found] == words


def test_what_was_typed_is_there_again_after_an_interruption(keys: PipeInput) -> None:
    prompt = LinePrompt()
    stale = threading.Event()
    keys.send_text("b1-")
    timer = threading.Timer(0.3, prompt.cancel)
    timer.start()
    with pytest.raises(Cancelled):
        prompt.read("> ", stale=stale.is_set)
    timer.join()
    keys.send_text("b4\r")
    assert prompt.read("> ") == "b1-b4"


def test_a_line_is_not_waited_for_if_something_happened_before(keys: PipeInput) -> None:
    with pytest.raises(Cancelled):
        LinePrompt().read("> ", stale=lambda: True)


def test_a_history_that_cannot_be_written_is_kept_in_memory(
    keys: PipeInput, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    keys.send_text("x\r")
    assert LinePrompt(tmp_path / "file" / "history").read("> ") == "x"


def test_a_pipe_gives_lines_until_its_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("one\x07\n\n"))
    prompt = PlainPrompt()
    assert prompt.read("> ") == "one\x07"
    assert prompt.read("> ") == ""
    with pytest.raises(EOFError):
        prompt.read("> ")
    with pytest.raises(Cancelled):
        prompt.read("> ", stale=lambda: True)
    assert capsys.readouterr().out == "> one?\n> \n> \n"
