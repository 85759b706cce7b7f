import json
from dataclasses import replace
from pathlib import Path

import pytest

from engines.core.errors import QuintetError
from tests.tools.fakes import fake
from tools.journal.journal import NAME, JournalError
from tools.match.options import MatchOptions
from tools.match.report import JsonReport, TextReport
from tools.match.session import make_folder, run_match


def test_matches_that_begin_together_have_folders_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert len({make_folder("neutron") for _ in range(3)}) == 3


def test_a_match_is_played_and_resumed_as_a_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tools.roster.sides.resolve", lambda text, protocol: fake(text))
    options = MatchOptions(("good", "better"), games=1, seed=5, out=tmp_path)
    assert run_match(options, JsonReport()).games == 1
    status = run_match(MatchOptions(("good", "better"), games=2, out=tmp_path), JsonReport())
    assert (status.games, status.missing, status.status) == (2, 0, "clean")
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["seed"] for event in events if event["event"] == "begin"] == [5, 5]
    journal = [json.loads(line) for line in (tmp_path / NAME).read_text().splitlines()]
    assert [event["event"] for event in journal] == ["match", "game", "resume", "game"]


def test_a_journal_whose_engines_were_started_without_p_is_resumed(tmp_path: Path) -> None:
    options = MatchOptions(("neutron",), games=1, times=("nodes=10",), out=tmp_path)
    run_match(options, JsonReport())
    path = tmp_path / NAME
    path.write_text(path.read_text().replace('"-P","-m"', '"-m"'))
    status = run_match(replace(options, games=2), JsonReport())
    assert (status.games, status.changes, status.status) == (2, [], "clean")


def test_a_match_whose_engine_does_not_start_leaves_no_folder(tmp_path: Path) -> None:
    options = MatchOptions(("python3 -c 1",), game="neutron", out=tmp_path / "match")
    with pytest.raises(QuintetError):
        run_match(options, JsonReport())
    assert list(tmp_path.iterdir()) == []


def test_a_match_that_repeats_itself_warns_once_in_every_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = MatchOptions(
        ("quintet-neutron --option level=4 --option seed=1",),
        times=("depth=1",),
        games=6,
        seed=1,
        out=tmp_path,
    )
    status = run_match(options, JsonReport())
    assert (status.games, status.distinct, status.samples) == (6, 2, [0, 0, 1, 0, 0])
    first = capsys.readouterr()
    assert first.err.count("warning: game 3 repeats game 1: ") == 1
    games = [json.loads(line) for line in first.out.splitlines()]
    assert [game["distinct"] for game in games if game["event"] == "game"] == [1, 2, 2, 2, 2, 2]
    assert (games[-1]["games"], games[-1]["distinct"]) == (6, 2)
    run_match(replace(options, games=8), TextReport())
    second = capsys.readouterr()
    assert second.err.count("warning: game 3 repeats game 1: ") == 1
    assert "8 games, 2 distinct: 4 pairs count as 1 sample" in second.out


@pytest.mark.slow
@pytest.mark.parametrize("failing", ["neutron-0002.sgf", "status.json"])
def test_the_first_failure_to_write_is_the_one_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    """On a full disk, everything that is written later fails as well."""
    full = False

    def write(path: Path, data: bytes) -> None:
        nonlocal full
        full = full or path.name == failing
        if full:
            raise JournalError(f"cannot write {path}: No space left on device")
        path.write_bytes(data)

    monkeypatch.setattr("tools.journal.contest.write_whole", write)
    options = MatchOptions(("neutron",), games=4, times=("nodes=10",), out=tmp_path)
    with pytest.raises(JournalError, match=f"cannot write .*{failing}"):
        run_match(options, JsonReport())
    monkeypatch.undo()
    assert run_match(options, JsonReport()).status == "clean"
