import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from engines.core.sgf import parse_sgf
from engines.shogi.rules.records.kif import read_kif
from tests.tools.fakes import ROOT
from tools.annotate.judging import JudgedMove
from tools.annotate.planning import AnnotateOptions, CannotAnnotate
from tools.annotate.running import PROGRESS, RunResult, run_annotation

MOVES = "7g7f 3c3d 2g2f"
ANSWERS = ("0=7g7f:0", "1=8c8d:0", "2=2g2f:600", "3=8c8d:0")


class Report:
    """Keeps what a run tells; `stop` is raised after so many values."""

    def __init__(self, stop: int = -1) -> None:
        self.notes: list[str] = []
        self.written: list[str] = []
        self.shares: list[float] = []
        self._stop = stop

    def progress(self, share: float, text: str) -> None:
        self.shares.append(share)
        if len(self.shares) == self._stop:
            raise RuntimeError("killed")

    def note(self, text: str) -> None:
        self.notes.append(text)

    def done(self, source: Path, target: Path, moves: Sequence[JudgedMove]) -> None:
        self.written.append(target.name)


def scores(*words: str) -> str:
    return " ".join((sys.executable, "-m", "tests.tools.fake_scores", *words))


def options(out: Path, *words: str, **more: object) -> AnnotateOptions:
    settings = (f"folder={ROOT}", "name=scores")
    made = AnnotateOptions(scores(*words), settings, "usi", "depth=1", out=out)
    for key, value in more.items():
        object.__setattr__(made, key, value)
    return made


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.usi"
    path.write_text(f"position startpos moves {MOVES}\n")
    return path


def run(paths: Sequence[Path], made: AnnotateOptions) -> tuple[RunResult, Report]:
    report = Report()
    return run_annotation(paths, made, report), report


def asked(log: Path) -> list[str]:
    return log.read_text().split()


def test_every_move_is_judged_and_written(record: Path, tmp_path: Path) -> None:
    out, log = tmp_path / "out", tmp_path / "log"
    made = options(out, *ANSWERS, f"log={log}", jsonl=tmp_path / "moves.jsonl")
    result, report = run([record], made)
    assert (result.written, result.failed, result.missing) == (1, 0, 0)
    assert asked(log) == ["0", "1", "2", "3"]  # Each position once.
    second = read_kif((out / "game.kifu").read_bytes()).main_line()[1]
    assert "annotate: white 26.9 %, blunder, 23.1 % lost" in second.comments[-2]
    assert len((tmp_path / "moves.jsonl").read_text().splitlines()) == 3
    assert not (out / PROGRESS).exists()
    assert report.shares == sorted(report.shares)
    assert [tally.player for tally in result.tallies.values()] == ["black", "white"]


def test_a_mistake_gets_the_engine_s_line_beside_it(record: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run([record], options(out, *ANSWERS))
    first = read_kif((out / "game.kifu").read_bytes()).root.children[0]
    assert [node.comments for node in first.children[1:]] == [
        ["annotate: better line of 1 move by scores, depth=1: white 50.0 %"]
    ]
    again, report = run([out / "game.kifu"], options(tmp_path / "again", *ANSWERS))
    assert (again.written, report.notes) == (1, [])  # Its own variation needs no notice.
    assert (tmp_path / "again/game.kifu").read_bytes() == (out / "game.kifu").read_bytes()
    run([record], options(tmp_path / "none", *ANSWERS, variations=0))
    first = read_kif((tmp_path / "none/game.kifu").read_bytes()).root.children[0]
    assert len(first.children) == 1


def test_csa_is_said_to_have_no_variations(tmp_path: Path) -> None:
    record = tmp_path / "game.csa"
    record.write_text("PI\n+\n+7776FU\n-3334FU\n+2726FU\n")
    _, report = run([record], options(tmp_path / "out", *ANSWERS))
    assert report.notes == [
        f"{record}: CSA has no variations: 1 better line is only in the comments"
    ]
    _, report = run([record], options(tmp_path / "none", *ANSWERS, variations=0))
    assert report.notes == []


def test_a_run_that_was_killed_values_nothing_twice(record: Path, tmp_path: Path) -> None:
    out, log = tmp_path / "out", tmp_path / "log"
    made = options(out, *ANSWERS, f"log={log}")
    with pytest.raises(RuntimeError):
        run_annotation([record], made, Report(stop=2))
    before = len(asked(log))
    assert not (out / "game.kifu").exists()
    journal = (out / PROGRESS / "journal.jsonl").read_bytes()
    known = journal.count(b'"event":"value"')
    (out / PROGRESS / "journal.jsonl").write_bytes(journal + b'{"event":"val')  # Half a line.
    result, report = run([record], made)
    assert (result.written, result.missing) == (1, 0)
    assert report.notes == [f"resumed with {known} positions that were valued before"]
    assert len(asked(log)) - before == 4 - known


def test_a_record_of_the_same_run_is_written_again_and_no_other(
    record: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    other = tmp_path / "other.usi"
    other.write_text("position startpos moves 2g2f\n")
    made = options(out, *ANSWERS)
    report = Report(stop=6)  # The first record is written, the second is under way.
    with pytest.raises(RuntimeError):
        run_annotation([record, other], made, report)
    assert report.written == ["game.kifu"]
    result, _ = run([record, other], made)
    assert (result.written, result.failed) == (2, 0)
    result, report = run([record, other], made)  # The run is complete: this is a new one.
    assert (result.written, result.failed) == (0, 2)
    assert "is there already (--force)" in report.notes[0]
    object.__setattr__(made, "force", True)
    assert run([record, other], made)[0].written == 2


def test_another_engine_does_not_continue_a_run(record: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(RuntimeError):
        run_annotation([record], options(out, *ANSWERS), Report(stop=2))
    with pytest.raises(CannotAnnotate, match="another engine or limit"):
        run([record], options(out, *ANSWERS, control="depth=2"))


def test_an_engine_that_dies_is_asked_once_more(record: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    made = options(tmp_path / "out", "0=7g7f:0", "1=dieonce:2", *ANSWERS[2:], f"log={log}")
    result, _ = run([record], made)
    assert (result.written, result.missing) == (1, 0)
    assert asked(log) == ["0", "1", "1", "2", "3"]


def test_a_position_that_kills_the_engine_twice_is_named_in_the_record(
    record: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    result, _ = run([record], options(out, "0=7g7f:0", "1=die", *ANSWERS[2:]))
    assert (result.written, result.missing) == (1, 1)
    second = read_kif((out / "game.kifu").read_bytes()).main_line()[1]
    assert "3c3d is not valued: scores: exited with code 7" in second.comments[-1]


def test_an_engine_that_fails_again_and_again_ends_the_run(record: Path, tmp_path: Path) -> None:
    made = options(tmp_path / "out", "0=die", "1=die", "2=die")
    with pytest.raises(CannotAnnotate, match="scores: 3 positions in a row failed"):
        run([record], made)


def test_an_engine_that_does_not_start_ends_the_run_immediately(
    record: Path, tmp_path: Path
) -> None:
    made = AnnotateOptions(f"{sys.executable} -c pass", ("protocol=usi", "name=gone"))
    with pytest.raises(CannotAnnotate, match="gone: exited with code 0"):
        run([record], made)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.usi"]


def test_an_engine_without_scores_leaves_the_record_alone(record: Path, tmp_path: Path) -> None:
    answers = [f"{answer.partition(':')[0]}:silent" for answer in ANSWERS]
    result, report = run([record], options(tmp_path / "out", *answers))
    assert (result.written, result.failed) == (0, 1)
    assert report.notes[0].endswith("no move could be valued: no score")


def test_the_other_records_go_on_after_a_bad_one(record: Path, tmp_path: Path) -> None:
    bad, foreign = tmp_path / "bad.kif", tmp_path / "go.sgf"
    bad.write_text("1 ７六歩(99)\n", encoding="utf-8")
    foreign.write_text("(;GM[1]SZ[9];B[ee])")
    made = options(tmp_path / "out", *ANSWERS, jobs=2)
    result, report = run([bad, foreign, record], made)
    assert (result.written, result.failed) == (1, 2)
    assert any("bad.kif: line 1: " in note for note in report.notes)
    assert any("scores speaks usi, go is asked in gtp" in note for note in report.notes)


def test_only_the_wanted_moves_are_valued(record: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    made = options(tmp_path / "out", *ANSWERS, f"log={log}", first=2, last=2, side="white")
    result, _ = run([record], made)
    assert [move["number"] for move in result.moves] == [2]
    assert asked(log) == ["1", "2"]


def test_a_side_that_the_game_does_not_have_is_refused(record: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    made = options(tmp_path / "out", *ANSWERS, f"log={log}", side="red")
    result, report = run([record], made)
    assert (result.failed, log.exists()) == (1, False)
    assert report.notes[0].endswith("no such side: red (known: black and white)")


def test_the_original_is_never_replaced(tmp_path: Path) -> None:
    record = tmp_path / "game.csa"
    record.write_text("PI\n+\n+7776FU\n")
    result, report = run([record], options(tmp_path, *ANSWERS, force=True))
    assert (result.failed, report.notes) == (
        1,
        [f"{record}: it would be replaced by its copy (--out FOLDER)"],
    )
    assert record.read_text() == "PI\n+\n+7776FU\n"


def test_a_position_at_which_the_engine_failed_is_asked_again_by_the_next_run(
    record: Path, tmp_path: Path
) -> None:
    out, log = tmp_path / "out", tmp_path / "log"
    made = options(out, "0=7g7f:0", "1=dieonce:3", *ANSWERS[2:], f"log={log}")
    with pytest.raises(RuntimeError):
        run_annotation([record], made, Report(stop=2))
    result, _ = run([record], made)
    assert (result.written, result.missing) == (1, 0)


def test_a_folder_of_progress_that_cannot_be_understood_is_named(
    record: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    made = options(out, *ANSWERS)
    with pytest.raises(RuntimeError):
        run_annotation([record], made, Report(stop=2))
    with (out / PROGRESS / "journal.jsonl").open("a") as journal:
        journal.write('{"event":"value"}\n')
    with pytest.raises(CannotAnnotate, match=r"cannot be understood: KeyError\('fault'\); delete"):
        run([record], made)


def test_two_records_are_not_written_to_one_file(record: Path, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    other = tmp_path / "deep" / "game.usi"
    other.write_bytes(record.read_bytes())
    result, report = run([record, other], options(tmp_path / "out", *ANSWERS))
    assert (result.written, result.failed) == (1, 1)
    assert any(f"game.kifu is written from {record}" in note for note in report.notes)


def test_ctrl_c_ends_the_run_after_the_positions_under_way(record: Path, tmp_path: Path) -> None:
    class Interrupting(Report):
        def progress(self, share: float, text: str) -> None:
            if len(self.shares) == 1:
                signal.raise_signal(signal.SIGINT)
                wait.touch()
            super().progress(share, text)

    out, log, wait = tmp_path / "out", tmp_path / "log", tmp_path / "wait"
    moves = ["7g7f", "3c3d", "2g2f", "8c8d", "2f2e", "8d8e", "6i7h", "4a3b"]
    record.write_text(f"position startpos moves {' '.join(moves)}\n")
    answers = [f"{ply}={move}:0" for ply, move in enumerate([*moves, "9g9f"])]
    made = options(out, *answers, f"log={log}", f"wait={wait}")
    result = run_annotation([record], made, Interrupting())
    assert (result.interrupted, result.written) == (True, 0)
    known = (out / PROGRESS / "journal.jsonl").read_text().count('"event":"value"')
    assert 2 <= known <= 4  # The fourth could not be answered before the signal.
    again, _ = run([record], made)
    assert (again.interrupted, again.written) == (False, 1)
    assert len(asked(log)) == 9


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("neutron", "(;GM[13];W[d1-d4];B[c3-e3/b5-e2])"),
        ("morris", "(;GM[5];W[d2];B[f4];W[d6])"),
        ("senet", "(;GM[99]QG[senet];B[3:10-13];W[4:9-13])"),
    ],
)
def test_our_engines_annotate_records_of_their_games(name: str, text: str, tmp_path: Path) -> None:
    source, out = tmp_path / f"{name}.sgf", tmp_path / "out"
    source.write_text(text)
    made = AnnotateOptions(None, control="depth=1", out=out)
    result, report = run([source], made)
    assert (result.written, result.missing) == (1, 0), report.notes
    root = parse_sgf((out / f"{name}.sgf").read_bytes()).roots[0]
    assert "SBKV" in root.children[0].values
