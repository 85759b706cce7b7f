import io

import pytest

from tools.boards.scene import Scene
from tools.boards.text.board import draw_lines
from tools.play.terminal.screen import Screen, refuses_unicode


class Output(io.StringIO):
    """A file that says how its characters are encoded."""

    def __init__(self, encoding: str = "utf-8", *, terminal: bool = False) -> None:
        super().__init__()
        self._encoding = encoding
        self._terminal = terminal

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding

    def isatty(self) -> bool:
        return self._terminal


def test_foreign_text_has_no_control_characters_and_its_markup_is_text() -> None:
    output = Output()
    Screen(output).say("\x1b[2J\x9b1m[red]x[/red]\n  :smile:", "bold")
    assert output.getvalue() == "?[2J?1m[red]x[/red]\n  :smile:\n"


def test_a_terminal_gets_lines_that_break_between_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    words = "no such file: somewhere else"
    terminal, file = Output(terminal=True), Output()
    Screen(terminal).say(words)
    Screen(file).say(words)
    assert terminal.getvalue().splitlines() == ["no such file: ", "somewhere else"]
    assert file.getvalue() == words + "\n"


def test_a_terminal_without_utf_8_gets_ascii(capsys: pytest.CaptureFixture[str]) -> None:
    output = Output("ascii")
    screen = Screen(output)
    assert not screen.look.unicode
    screen.say("Jörg – “８段”…")
    screen.say("ガ")
    assert output.getvalue() == 'Jorg - "8?"...\n?\n'
    assert capsys.readouterr().err.count("? stands for what only a UTF-8 locale") == 1


def test_nothing_is_said_where_nothing_is_lost(capsys: pytest.CaptureFixture[str]) -> None:
    Screen(Output("ascii")).say("Jörg")
    Screen(Output()).say("よ")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("environment", "refused"),
    [
        ({}, False),
        ({"LANG": "C"}, True),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, True),  # Python has set LC_CTYPE.
        ({"LANG": "POSIX"}, True),
        ({"LC_ALL": "POSIX", "LANG": "de_DE.UTF-8"}, True),
        ({"LC_ALL": "C.UTF-8", "LANG": "C"}, False),
        ({"LANG": "C", "LC_CTYPE": "de_DE.utf8"}, False),
        ({"LANG": "de_DE.UTF-8"}, False),
        ({"LANG": "de_DE.ISO-8859-15@euro"}, True),
        ({"LANG": "ja_JP.eucJP"}, True),
        ({"LC_CTYPE": "UTF-8"}, False),
    ],
)
def test_a_locale_with_another_character_set_gets_ascii(
    environment: dict[str, str], refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert refuses_unicode(environment) == refused
    for name in ("LC_ALL", "LC_CTYPE", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert Screen(Output()).look.unicode != refused


def test_the_board_of_go_is_of_wood_where_there_are_colours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.delenv("NO_COLOR", raising=False)
    output = Output(terminal=True)
    screen = Screen(output)
    assert screen.coloured
    lines = draw_lines(Scene("go", setup="5/1X3/2O2/5/5 b komi=7.5"), screen.look)
    screen.board(lines, wooden=True)
    assert "48;2;217;177;106" in output.getvalue()


def test_no_color_is_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("NO_COLOR", "1")
    output = Output(terminal=True)
    screen = Screen(output)
    assert not screen.coloured
    screen.error("wrong")
    assert "31" not in output.getvalue()
    assert "wrong" in output.getvalue()


def test_boards_are_as_wide_as_the_terminal_and_files_take_any_width(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "44")
    assert Screen(Output(terminal=True)).look.width == 44
    assert Screen(Output()).look.width == 0
