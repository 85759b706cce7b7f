import http.client
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner

from tests.programs import own_program
from tests.tools.serving.client import Page
from tools.cli import main

INTERRUPTED = 130


def start(folder: Path, *words: str) -> "subprocess.Popen[str]":
    environment = {**os.environ, "QUINTET_DATA": str(folder), "QUINTET_CONFIG": str(folder)}
    return subprocess.Popen(
        [*own_program("quintet"), "board", "--no-browser", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT to one process")
def test_the_printed_address_opens_the_record_until_ctrl_c(tmp_path: Path) -> None:
    record = tmp_path / "game.sgf"
    record.write_text("(;GM[13];W[b1-b4])")
    with start(tmp_path, str(record)) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        parts = urlsplit(address)
        assert parts.hostname == "127.0.0.1"
        connection = http.client.HTTPConnection("127.0.0.1", parts.port or 0, timeout=30)
        connection.request("GET", "/")
        assert b"<title>Quintet</title>" in connection.getresponse().read()
        connection.close()
        with Page(address) as page:
            (game,) = page.ask({"do": "hello"})["games"]
            assert game["game"] == "neutron"
        process.send_signal(signal.SIGINT)
        _, complaints = process.communicate(timeout=30)
    assert process.returncode == INTERRUPTED
    assert complaints.splitlines() == ["Ctrl-C ends the server.", "interrupted"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT to one process")
def test_a_file_of_several_games_opens_the_first_and_says_so(tmp_path: Path) -> None:
    record = tmp_path / "games.sgf"
    record.write_text("(;GM[13]QG[neutron];W[b1-b4])(;GM[1]SZ[5];B[cc])")
    for words, title in (((), "neutron"), (("--number", "2"), "go")):
        with start(tmp_path, str(record), *words) as process:
            assert process.stdout is not None
            with Page(process.stdout.readline().strip()) as page:
                (game,) = page.ask({"do": "hello"})["games"]
                assert game["game"] == title
            process.send_signal(signal.SIGINT)
            _, complaints = process.communicate(timeout=30)
        assert ("it has 2 games; --number N opens another one" in complaints) != bool(words)


def test_a_record_that_cannot_be_read_and_a_port_in_use_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUINTET_DATA", str(tmp_path))
    record = tmp_path / "game.sgf"
    record.write_text("(;GM[13];W[b1-b5])")
    result = CliRunner().invoke(main, ["board", str(record), "--no-browser"])
    assert result.exit_code == 2
    assert f"{record}: move 1" in result.output
    result = CliRunner().invoke(main, ["board", "--number", "2"])
    assert result.exit_code == 2
    assert "--number cannot be given here" in result.output
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = CliRunner().invoke(main, ["board", "--no-browser", "--port", str(port)])
    assert result.exit_code == 2
    assert f"cannot serve on port {port}" in result.output
