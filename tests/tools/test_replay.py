import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from protocols.contract import Left
from tests.tools.fakes import fake, game_spec
from tests.tools.test_match import play, spec
from tools.cli import main
from tools.referee import Table
from tools.transcript import Transcript


def quintet(*words: str) -> Result:
    return CliRunner().invoke(main, words)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("match")
    made = spec(
        second=fake("illegal", seeded=True), games=2, transcripts=str(folder / "transcripts")
    )
    play(folder, made)
    return folder


def test_an_engine_thinks_again_where_it_moved(played: Path) -> None:
    told = quintet("replay", str(played), "1", "3")
    assert told.exit_code == 0, told.output
    then, said, now = told.output.splitlines()[-3:]
    # The fake's moves depend on its seed and the moves before: it moves as it did.
    assert then.split()[:2] == ["then", now.split()[1]]
    assert "recorded commands are sent again" in said
    assert "white to move: good" in told.output


def test_without_a_transcript_or_with_another_clock_the_moves_are_told(
    played: Path, tmp_path: Path
) -> None:
    shutil.copy(played / "journal.jsonl", tmp_path)
    for words in ((str(played), "1", "3", "--time", "depth=3"), (str(tmp_path), "1", "3")):
        told = quintet("replay", *words)
        assert told.exit_code == 0, told.output
        then, now = told.output.splitlines()[-2:]
        assert (then.split()[0], now.split()[0]) == ("then", "now")
        assert then.split()[1] == now.split()[1]


def test_clocks_run_again_with_their_periods() -> None:
    spec = game_spec(fake("a"), fake("b"), "10+3x5")
    table = Table(spec, [])
    table.spend(0, 12.0)
    table.spend(0, 6.0)
    assert table._shown(0)[0] == Left(5.0, 2)
    assert table._shown(1)[0] == Left(10.0, 0)
    table.close()


def test_it_thinks_again_about_a_move_that_was_refused(played: Path) -> None:
    told = quintet("replay", str(played), "1", "4")
    assert told.exit_code == 0, told.output
    assert "then  a1-a1  (illegal move a1-a1" in told.output


@pytest.mark.parametrize(
    ("game", "ply", "complaint"),
    [("9", "1", "no game 9"), ("1", "77", "has 3 moves, not 77")],
)
def test_what_was_not_played_cannot_be_replayed(
    played: Path, game: str, ply: str, complaint: str
) -> None:
    told = quintet("replay", str(played), game, ply)
    assert told.exit_code == 2
    assert complaint in told.output


def test_each_dialogue_is_written_down_with_times(played: Path) -> None:
    names = sorted(path.name for path in (played / "transcripts").iterdir())
    assert names == [f"neutron-000{game}-{seat}.log" for game in (1, 2) for seat in (1, 2)]
    lines = (played / "transcripts" / "neutron-0001-2.log").read_text().splitlines()
    assert any(" > " in line and "genmove b" in line for line in lines)
    assert lines[-1].endswith(" < ") or "a1-a1" in lines[-1] or lines[-1].endswith("<")
    times = [float(line.split()[0]) for line in lines]
    assert times == sorted(times)


def test_a_transcript_has_a_cap(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "game.log"
    transcript = Transcript(path, cap=100)
    for _ in range(50):
        transcript("<", "info thinking")
    transcript.close()
    lines = path.read_text().splitlines()
    assert lines[-1].startswith("the transcript is cut off here")
    assert 1 < len(lines) < 10


def test_a_transcript_that_cannot_be_written_hurts_nobody() -> None:
    transcript = Transcript(Path("/dev/null/x"))
    transcript(">", "genmove")
    transcript.close()


def test_a_record_is_drawn(played: Path) -> None:
    record = played / "neutron-0001.sgf"
    told = quintet("show", str(record), "--all")
    assert told.exit_code == 0, told.output
    assert told.output.splitlines()[0].startswith("good [fake good 1] - illegal [fake illegal 1]")
    assert told.output.count("a b c d e") == 2 * 4
    assert "1. white " in told.output
    start = quintet("show", str(record), "--ply", "0").output
    assert " 5 B B B B B 5" in start
    assert "1. white" not in start


def test_a_record_of_another_game_is_named(tmp_path: Path) -> None:
    path = tmp_path / "chess.sgf"
    path.write_text("(;GM[2])")
    told = quintet("show", str(path))
    assert told.exit_code == 2
    assert "GM[2]" in told.output


def test_a_record_with_an_illegal_move_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bad.sgf"
    path.write_text("(;GM[13];W[a1-a5])")
    told = quintet("show", str(path))
    assert told.exit_code == 2
    assert "move 1: illegal move a1-a5" in told.output


def test_a_ply_beyond_the_end_is_refused(played: Path) -> None:
    told = quintet("show", str(played / "neutron-0001.sgf"), "--ply", "400")
    assert told.exit_code == 2
    assert "it has 3 moves, not 400" in told.output
