import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engines.core.game import InvalidText
from tests.tools.fakes import ROOT
from tools.journal.journal import JournalError, read_journal
from tools.match.preflight import EnginesUnfit
from tools.tournament.options import TournamentOptions
from tools.tournament.report import TournamentText
from tools.tournament.requests import write_request
from tools.tournament.session import run_tournament, set_numbers

FAKE = f"{sys.executable} -m tests.tools.fake_neutron"


def options(folder: Path, *tempers: str, **more: Any) -> TournamentOptions:
    words = []
    for number, temper in enumerate(tempers or ("good", "good", "good")):
        words += [f"{FAKE} {temper}", f"name={number}", f"folder={ROOT}", "options.seed={seed}"]
    return TournamentOptions(
        engines=tuple(words), game="neutron", protocol="line", out=folder, seed=1, **more
    )


def test_a_tournament_is_played_in_worker_processes_and_resumed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "cup"
    status = run_tournament(options(folder), TournamentText())
    assert (status.status, status.games) == ("clean", 6)
    printed = capsys.readouterr().out
    assert "Neutron: round-robin of 3 engines, 2 games per pairing, 6 games" in printed
    assert "6/6  round 1" in printed
    assert len(list(folder.glob("*.sgf"))) == 6
    again = run_tournament(options(folder), TournamentText(quiet=True))
    assert again.places == status.places
    assert "6 played before" in capsys.readouterr().out


@pytest.mark.slow
def test_a_request_is_carried_out_journalled_and_deleted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "cup"
    run_tournament(options(folder), TournamentText())
    assert set_numbers(folder, {"games": 4}) == f"{folder}: games=4 when it is resumed"
    assert run_tournament(options(folder), TournamentText()).games == 12
    assert "set: games=4" in capsys.readouterr().err
    changes = [event for event in read_journal(folder) if event["event"] == "set"]
    assert [event["games"] for event in changes] == [4]
    assert not list(folder.glob("request-*"))


def test_a_number_below_what_is_drawn_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "cup"
    run_tournament(options(folder, "good", "good", games=4), TournamentText())
    message = "--set games=2: 4 are drawn already; expected at least 4"
    with pytest.raises(InvalidText, match=message):
        set_numbers(folder, {"games": 2})
    write_request(folder, {"games": 2})
    assert run_tournament(options(folder, "good", "good", games=4), TournamentText()).games == 4
    assert message in capsys.readouterr().err
    assert not list(folder.glob("request-*"))


class Meddler(TournamentText):
    """Asks for another number of jobs after the first game."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder

    def game(self, *parts: Any) -> None:
        if len(list(self.folder.glob("*.sgf"))) == 1:
            write_request(self.folder, {"jobs": 2})
        super().game(*parts)


@pytest.mark.slow
def test_a_running_tournament_takes_up_requests_between_games(tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    run_tournament(options(folder), Meddler(folder))
    kinds = [event["event"] for event in read_journal(folder)]
    assert kinds.index("set") < len(kinds) - 2
    assert kinds.count("game") == 6


def test_a_tournament_that_cannot_begin_leaves_no_folder(tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    made = options(folder, "good", "good")
    refused = replace(made, engines=(*made.engines, "options.power=9"))
    with pytest.raises(EnginesUnfit, match=r"1: .*no such option"):
        run_tournament(refused, TournamentText())
    alone = TournamentOptions(engines=("quintet-neutron",), out=folder)
    with pytest.raises(InvalidText, match="at least two engines"):
        run_tournament(alone, TournamentText())
    assert not folder.exists()


def test_only_a_tournament_can_be_changed(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="no journal"):
        set_numbers(tmp_path, {"jobs": 2})
    begin = {"event": "match", "seal": {"engine1.label": "a", "engine2.label": "b", "sprt": ""}}
    begin["seal"]["adjudication"] = {}  # type: ignore[index]
    (tmp_path / "journal.jsonl").write_text(json.dumps(begin) + "\n")
    with pytest.raises(JournalError, match="holds no tournament"):
        set_numbers(tmp_path, {"jobs": 2})
