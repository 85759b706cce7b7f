from pathlib import Path

import pytest

from protocols.serve.program import fail, hints, read_arguments


def read(*words: str) -> tuple[str, ...]:
    arguments = read_arguments(
        "quintet-x", "An engine.", lambda: "1.0", words, lambda: ["level  N"]
    )
    return tuple(f"{name}={value}" for name, value in arguments.options)


def test_options_are_read_in_order() -> None:
    assert read() == ()
    assert read("--option", "level=3", "--option", "seed = 7") == ("level=3", "seed=7")


@pytest.mark.parametrize(
    ("words", "status", "text"),
    [
        (("--version",), 0, "quintet-x 1.0"),
        (("--help",), 0, "level  N"),
        (("--option", "level"), 2, "expected NAME=VALUE"),
        (("--opt", "level=3"), 2, "unrecognized arguments"),
        (("--log", f"{__file__}/log"), 2, "--log: "),
    ],
)
def test_some_arguments_end_the_process(
    words: tuple[str, ...], status: int, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        read(*words)
    output = capsys.readouterr()
    assert left.value.code == status
    assert text in output.out + output.err


def test_a_log_is_appended_to(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text("before\n")
    arguments = read_arguments("quintet-x", "An engine.", lambda: "1.0", ["--log", str(path)])
    arguments.log.write("<", "name")
    assert arguments.log._file is not None
    arguments.log._file.close()
    assert path.read_text().startswith("before\n")
    assert path.read_text().rstrip().endswith("< name")


def test_a_failure_has_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        fail("quintet-x", "no table")
    assert left.value.code == 2
    assert capsys.readouterr().err == "quintet-x: no table\n"


class Terminal:
    """Standard input of a person."""

    def isatty(self) -> bool:
        return True


def test_a_person_at_a_terminal_is_told_how_to_get_help(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    read()
    hints("quintet-x")("no such word")
    assert capsys.readouterr().err == "", "graphical programs show what is on stderr"
    monkeypatch.setattr("sys.stdin", Terminal())
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    read()
    hints("quintet-x")("no such word")
    output = capsys.readouterr()
    assert output.err.endswith("quintet-x: no such word\n")
    read()
    output = capsys.readouterr()
    assert output.err == "quintet-x 1.0: An engine. `help` lists the commands, `quit` leaves.\n"
    assert output.out == ""
