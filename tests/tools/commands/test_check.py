"""The command `quintet check`: what it prints, in words and in JSON, and its exit status."""

import json
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.protocols import fakes
from tools.check.probe import Probe
from tools.check.runner import Checker
from tools.check.runner import ProbeResult as Outcome
from tools.cli import main

ONE = ("--only", "frame-plain,frame-id", "--slowdown", "12")


def check(*words: str) -> Result:
    return CliRunner().invoke(main, ["check", *words])


def test_a_good_citizen_is_told_so() -> None:
    result = check("quintet-neutron", *ONE)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0].startswith("quintet-neutron (quintet-neutron ")
    assert lines[0].endswith("), by 2 probes of the line protocol")
    assert [line.split()[:3] for line in lines[1:3]] == [
        ["ok", "must", "frame-plain"],
        ["ok", "must", "frame-id"],
    ]
    assert lines[-1] == "mark A: fully conforming: every probe passed"


def test_the_exchange_of_all_is_shown_if_asked_for() -> None:
    result = check("quintet-neutron", "--only", "frame-plain", "--verbose", "--slowdown", "12")
    assert "           > protocol_version\\n\n           < = 2\n           < \n" in result.stdout


def fake(tmp_path: Path) -> str:
    citizen = Path(__file__).parents[1] / "fake_citizen.py"
    rule = json.dumps(["in", "^7 name$", "say", "= x\n\n"])
    return f"{sys.executable} {citizen} engines.neutron.__main__ '{rule}'"


def test_a_finding_comes_with_reason_and_exchange(tmp_path: Path) -> None:
    result = check(fake(tmp_path), *ONE)
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("FAIL"))
    assert lines[at].split()[1:3] == ["must", "frame-id"]
    assert lines[at + 1].strip() == "found:    7 name got b'= x'"
    assert lines[at + 2].strip().startswith("protects: Lizzie")
    assert [line.strip() for line in lines[at + 5 : at + 9]] == ["<", "> 7 name\\n", "< = x", "<"]
    assert lines[-1].startswith("mark D: ")


def test_json_has_one_object_a_line(tmp_path: Path) -> None:
    result = check(fake(tmp_path), *ONE, "--json")
    events = [json.loads(line) for line in result.stdout.splitlines()]
    assert [event["event"] for event in events] == ["probe", "probe", "summary"]
    assert [event["result"] for event in events[:2]] == ["pass", "fail"]
    assert events[1]["exchange"][-3:] == [[">", "7 name\\n"], ["<", "= x"], ["<", ""]]
    assert events[2]["protocol"] == "line"
    assert events[2]["must"] == {"pass": 1, "fail": 1, "n/a": 0, "not run": 0}
    assert events[2]["mark"] == "D"
    assert events[2]["name"].startswith("quintet-neutron ")
    assert not events[2]["interrupted"]


def test_interrupted_it_tells_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    ask = Checker._ask

    def interrupted(self: Checker, probe: Probe) -> Outcome:
        if probe.name == "frame-id":
            raise KeyboardInterrupt
        return ask(self, probe)

    monkeypatch.setattr(Checker, "_ask", interrupted)
    result = check("quintet-neutron", *ONE)
    assert result.exit_code == 130
    assert "ok       must    frame-plain" in result.stdout
    assert "interrupted after 1 of 2 probes" in result.stderr


def test_the_list_says_for_each_probe_whom_it_protects() -> None:
    result = check("--list", "--protocol", "usi")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].startswith("USI: ")
    assert int(lines[0].split()[1]) == len(lines) - 1
    assert any(line.split()[:2] == ["must", "stop-at-once"] for line in lines)
    every = check("--list", "--json")
    events = [json.loads(line) for line in every.stdout.splitlines()]
    assert {event.get("protocol") for event in events[:-1]} == {"gtp", "usi", "line"}
    assert events[-1] == {"event": "summary", "probes": len(events) - 1}


def test_lighter_probes_can_be_left_away() -> None:
    result = check("quintet-neutron", "--only", "frame-l*,frame-i*", "--least", "should", *ONE[2:])
    names = [line.split()[2] for line in result.stdout.splitlines() if line.startswith("ok")]
    assert names == ["frame-id", "frame-id-error", "frame-id-huge", "frame-in-pieces"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((), "expected an engine, as in `quintet check quintet-go`"),
        (("no-such-engine",), "no such engine: 'no-such-engine'"),
        (("quintet-neutron", "--only", "frame-nonsense"), "no such probe of the line protocol"),
        (("quintet-neutron", "--protocol", "uci"), "expected gtp, usi or line, not 'uci'"),
        (("quintet-neutron", "--slowdown", "0"), "0"),
    ],
)
def test_what_cannot_be_asked_is_told(words: tuple[str, ...], complaint: str) -> None:
    result = check(*words)
    assert result.exit_code == 2
    assert complaint in result.output


def test_a_program_that_speaks_nothing_is_told() -> None:
    result = check(" ".join(fakes.command("dead", "7")))
    assert result.exit_code == 2
    assert "speaks no known protocol" in result.output


def test_an_engine_that_cannot_be_greeted_is_probed_if_its_protocol_is_given() -> None:
    code = "import sys\nfor line in sys.stdin: print('= ', flush=True); print(flush=True)"
    engine = shlex.join([sys.executable, "-c", code])
    result = check(engine, *ONE)
    assert result.exit_code == 2
    assert "wrote '= ' where a reply to 1 'protocol_version' was due" in result.output
    assert "give --protocol (gtp, usi, line) to run its probes" in result.output
    result = check(engine, "--protocol", "gtp", *ONE)
    assert result.exit_code == 1
    assert "(cannot be greeted), by 2 probes of GTP" in result.stdout
    assert "> 1 protocol_version" in result.stdout
    assert "where a reply to 1 'protocol_version' was due" in result.stdout
