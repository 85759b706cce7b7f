"""The real program on real pipes: input it must survive, and how quickly it gives way."""

import json
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from engines.core.version import speed
from tests.programs import node_modules, own_program, peer

COMMAND = own_program("quintet-neutron")
# Fifty milliseconds are the aim, compiled; a busy machine and an interpreter get more.
PROMPTLY = 1.0 if speed("engines.neutron") == "compiled" else 3.0

SABAKI = """
const {Controller} = require(process.argv[1] + '/@sabaki/gtp')
async function main() {
  const engine = new Controller(process.argv[2], process.argv.slice(3))
  const answers = {}
  engine.start()
  const ask = async (name, ...args) => {
    const {id, error, content} = await engine.sendCommand({id: 5, name, args})
    return [id, error, content]
  }
  answers.name = await ask('name')
  answers.game = await ask('known_command', 'game')
  answers.limit = await ask('limit', 'depth', '2')
  answers.move = await ask('genmove', 'white')
  answers.wrong = await ask('genmove', 'white')
  let lines = 0
  await engine.sendCommand({name: 'analyze', args: ['10']}, ({line}) => {
    if (line.startsWith('info ') && lines++ === 0) engine.sendCommand({name: 'name'})
  })
  answers.lines = lines
  await engine.stop()
  console.log(JSON.stringify(answers))
}
main()
"""


def say(data: bytes) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(COMMAND, input=data, capture_output=True, timeout=60, check=False)


@contextmanager
def running() -> Iterator["subprocess.Popen[bytes]"]:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield process
        process.kill()


def write(process: "subprocess.Popen[bytes]", text: str) -> None:
    assert process.stdin is not None
    process.stdin.write(text.encode())
    process.stdin.flush()


def read(process: "subprocess.Popen[bytes]", until: bytes) -> bytes:
    assert process.stdout is not None
    while (line := process.stdout.readline()) != until:
        assert line
    return line


def test_a_pipe_gets_a_move_and_status_0() -> None:
    done = say(b"newgame\ngenmove\n")
    assert done.returncode == 0
    assert re.fullmatch(rb"= \n\n= [a-e][1-5]-[a-e][1-5]\n\n", done.stdout)
    assert done.stderr == b""


@pytest.mark.slow
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n\n",
        b"play b1",
        b"genmo",
        bytes(range(256)) * 100,
        b"\x00" * 10_000 + b"\n",
        b"play " + b"x" * (1 << 20) + b"\n",
        b"position " + b"B" * (1 << 20) + b"\n",
        b"newgame " + b"a=b " * 50_000 + b"\n",
        b"\xff\xfe\xfd\n" * 1000,
        b"perft 99999999999999999999\nlimit depth 9e9\nundo 99999999999999999999999\n",
        "play ☗７六歩\n".encode(),
    ],
    ids=lambda data: repr(data[:12]),
)
def test_garbage_gets_errors_and_a_clean_exit(data: bytes) -> None:
    done = say(data)
    assert done.returncode == 0
    assert done.stderr == b""
    assert b"Traceback" not in done.stdout
    assert b"internal error" not in done.stdout
    for reply in filter(None, done.stdout.decode("ascii").split("\n\n")):
        assert re.match(r"[=?]\d* ", reply)


def test_ten_thousand_commands_at_once() -> None:
    commands = "".join(f"{number} play b1-b4\n{number} undo\n" for number in range(5000))
    done = say(commands.encode())
    assert done.stdout.count(b"=") == 10_000
    assert done.returncode == 0


def test_a_quit_behind_genmove_does_not_cut_it_short() -> None:
    done = say(b"limit seconds 0.3\ngenmove\nevaluation\nquit\n")
    match = re.search(rb"time (\d+)", done.stdout)
    assert match is not None
    assert done.stdout.endswith(b"= \n\n")


def test_a_quit_during_genmove_cuts_it_short() -> None:
    with running() as process:
        write(process, "limit seconds 50\n1 genmove\n")
        read(process, b"\n")
        time.sleep(0.2)
        began = time.monotonic()
        write(process, "quit\n")
        assert process.wait(30) == 0
        assert time.monotonic() - began < PROMPTLY


def test_analysis_gives_way_to_any_line() -> None:
    with running() as process:
        for _ in range(3):
            write(process, "analyze 10\n")
            read(process, b"=\n")
            began = time.monotonic()
            write(process, "name\n")
            read(process, b"= quintet-neutron\n")
            assert time.monotonic() - began < PROMPTLY
            read(process, b"\n")


def test_analysis_ends_with_the_input() -> None:
    began = time.monotonic()
    done = say(b"analyze\n")
    assert time.monotonic() - began < PROMPTLY + 2
    assert done.returncode == 0
    assert re.fullmatch(rb"=\n(info depth \d+ nodes \d+ time \d+ score .+ pv .+\n)+\n", done.stdout)


def test_a_gtp_library_holds_a_conversation() -> None:
    modules = node_modules("@sabaki/gtp")
    done = subprocess.run(
        [peer("node"), "-e", SABAKI, str(modules), *COMMAND],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answers = json.loads(done.stdout)
    assert answers["name"] == [5, False, "quintet-neutron"]
    assert answers["game"] == [5, False, "true"]
    assert answers["limit"] == [5, False, ""]
    assert re.fullmatch(r"[a-e][1-5]-[a-e][1-5]", answers["move"][2])
    assert answers["wrong"] == [5, True, "it is black's turn, not white's"]
    assert answers["lines"] > 0


def test_a_quit_ends_an_endless_count() -> None:
    with running() as process:
        write(process, "name\n1 perft 40\n")
        read(process, b"\n")
        time.sleep(0.2)
        write(process, "2 quit\n")
        assert process.wait(30) == 0
        assert process.stdout is not None
        assert process.stdout.read() == b"?1 interrupted\n\n=2 \n\n"
