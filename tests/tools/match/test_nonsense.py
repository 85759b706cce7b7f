"""Matches between engines that write nonsense wherever their protocol has room for text.

`QUINTET_FUZZ` is the number of lines for each protocol.
"""

import json
import os
import sys
from pathlib import Path

import pytest

from engines.core.sgf import read_sgf
from engines.core.timing import TimeControl
from engines.shogi.rules.records.csa import read_csa
from engines.shogi.rules.records.kif import read_kif
from protocols.ask.engine import EngineSpec
from tests.tools import fake_fuzz
from tests.tools.fakes import ROOT
from tools.journal.journal import Journal, read_journal
from tools.journal.verification import verify_match
from tools.match.match import Match
from tools.match.report import JsonReport, TextReport
from tools.match.runner import MatchRunner
from tools.match.workers import InlineExecutor
from tools.records.filing import write_record
from tools.records.game import Verdict
from tools.terms.adjudication import Adjudication
from tools.terms.spec import MatchSpec

LINES = int(os.environ.get("QUINTET_FUZZ") or "3000")
RULES = Adjudication(
    resign_share=0.01,
    resign_moves=3,
    draw_share=0.01,
    draw_moves=3,
    mate_moves=2,
    exact_moves=2,
    most_plies=150,
)


def nonsense(game: str, seed: int) -> EngineSpec:
    command = (sys.executable, "-m", "tests.tools.fake_fuzz", game, str(seed))
    protocol = {"go": "gtp", "shogi": "usi"}.get(game, "line")
    return EngineSpec(f"nonsense {seed}", command, protocol, game, folder=str(ROOT))


@pytest.mark.slow
@pytest.mark.parametrize(("game", "size"), [("go", 5), ("shogi", 0), ("neutron", 0)])
def test_no_line_of_an_engine_stops_a_match(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], game: str, size: int
) -> None:
    command = (sys.executable, "-m", "tests.tools.fake_go", "name=Solomon", "dead=none")
    arbiter = EngineSpec("arbiter", command, "gtp", "go", folder=str(ROOT))
    clock = TimeControl.parse("600+10")
    spec = MatchSpec(
        game,
        "",
        size,
        (nonsense(game, 1), nonsense(game, 2)),
        1_000_000,
        (clock, clock),
        adjudication=RULES,
        set_aside=1_000_000,
        arbiter=arbiter if game == "go" else None,
    )
    per_move = fake_fuzz.LINES if game == "shogi" else 1
    lines = 0
    with Journal(tmp_path) as journal:
        match = Match(spec, journal)
        runner = MatchRunner(match, InlineExecutor)
        for report in (TextReport(), JsonReport()):
            report.begin(match)
        for record, sample_status in runner.play():
            for report in (TextReport(), JsonReport()):
                report.game(match, record, sample_status)
            lines += per_move * len(record.moves)
            runner.stopping = lines >= LINES
        status = match.write_status()
    assert status.failure == ""
    assert str(Verdict.VOID) not in status.verdicts
    assert status.status != "failed"
    assert lines >= LINES
    events = read_journal(tmp_path)
    assert list(verify_match(tmp_path, events)) == []
    with Journal(tmp_path) as journal:
        resumed = Match(spec, journal)
    assert resumed.records == match.records
    for record in resumed.records.values():
        if game == "shogi":
            kif, csa = (write_record(record, match.sides, form) for form in ("kif", "csa"))
            for read in (read_kif(kif), read_csa(csa)):
                assert len(list(read.main_line())) >= len(record.moves)
        else:
            nodes = read_sgf(write_record(record, match.sides))
            assert len(nodes) == 1 + len(record.moves)
    output, _ = capsys.readouterr()
    assert all(line.isprintable() for line in output.split("\n"))
    for line in output.splitlines():
        if line.startswith("{"):
            json.loads(line)
