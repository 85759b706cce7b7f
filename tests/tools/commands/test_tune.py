import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.tools.fakes import ROOT
from tools.cli import main

PLAN = f"""\
[tune]
game = "neutron"
pairs = 2
seed = 5

[engine.mine]
command = [{json.dumps(sys.executable)}, "-m", "tests.tools.fake_neutron", "good"]
protocol = "line"
folder = {json.dumps(str(ROOT))}

[value.seed]
start = 100
low = 1
high = 1000
step = 100
whole = true
"""


def invoke(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, list(words))
    return done.exit_code, done.output


@pytest.mark.slow
def test_a_run_is_played_and_seen_verified_and_replayed(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN)
    folder = str(tmp_path / "plan")
    status, printed = invoke("tune", str(plan))
    assert status == 0
    assert "Neutron: tuning seed by 2 pairs of games" in printed
    status, printed = invoke("status", folder)
    assert (status, "finished: 4 games played" in printed) == (0, True)
    status, printed = invoke("status", folder, "--json")
    assert json.loads(printed)["values"].keys() == {"seed"}
    status, printed = invoke("verify", folder)
    assert (status, "no findings" in printed) == (0, True)
    status, printed = invoke("verify", folder, "--json")
    assert json.loads(printed)["learnt"] == 2
    status, printed = invoke("replay", folder, "1", "3")
    assert status == 0
    then, now = (line.split()[1] for line in printed.splitlines() if line[:5] in ("then ", "now  "))
    assert then == now


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("pairs = 2", "pairs = 0", "plan.toml:3: pairs: expected a whole number from 1, not 0"),
        ('game = "neutron"', 'game = "neutron"\nsize = 9', "plan.toml:3:"),
        ("step = 100", "step = 0", "plan.toml:15: seed: step 0, expected more than 0"),
    ],
)
def test_mistakes_are_named_with_file_and_line(
    before: str, after: str, said: str, tmp_path: Path
) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN.replace(before, after))
    status, printed = invoke("tune", str(plan))
    assert (status, said in printed) == (2, True), printed
    assert not (tmp_path / "plan").exists()


def test_more_jobs_than_cores_must_be_forced(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN)
    status, printed = invoke("tune", str(plan), "--jobs", "1000")
    assert (status, "there are only" in printed) == (2, True)
