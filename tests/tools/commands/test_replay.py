import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.tools.fakes import fake
from tests.tools.match.matches import play, spec
from tools.cli import main


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
    result = quintet("replay", str(played), "1", "3")
    assert result.exit_code == 0, result.output
    then, note, now = result.output.splitlines()[-3:]
    # The fake's moves depend on its seed and the moves before: it moves as it did.
    assert then.split()[:2] == ["then", now.split()[1]]
    assert "recorded commands are sent again" in note
    assert "white to move: good" in result.output


def test_without_a_transcript_or_with_another_clock_the_moves_are_told(
    played: Path, tmp_path: Path
) -> None:
    shutil.copy(played / "journal.jsonl", tmp_path)
    for words in ((str(played), "1", "3", "--time", "depth=3"), (str(tmp_path), "1", "3")):
        result = quintet("replay", *words)
        assert result.exit_code == 0, result.output
        then, now = result.output.splitlines()[-2:]
        assert (then.split()[0], now.split()[0]) == ("then", "now")
        assert then.split()[1] == now.split()[1]


def test_it_thinks_again_about_a_move_that_was_refused(played: Path) -> None:
    result = quintet("replay", str(played), "1", "4")
    assert result.exit_code == 0, result.output
    assert "then  a1-a1  (illegal move a1-a1" in result.output


@pytest.mark.parametrize(
    ("game", "ply", "complaint"),
    [("9", "1", "no game 9"), ("1", "77", "has 3 moves, not 77")],
)
def test_what_was_not_played_cannot_be_replayed(
    played: Path, game: str, ply: str, complaint: str
) -> None:
    result = quintet("replay", str(played), game, ply)
    assert result.exit_code == 2
    assert complaint in result.output
