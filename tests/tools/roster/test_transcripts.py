from pathlib import Path

import pytest

from tests.tools.fakes import fake
from tests.tools.match.matches import play, spec
from tools.roster.transcripts import Transcript


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("match")
    made = spec(
        second=fake("illegal", seeded=True), games=2, transcripts=str(folder / "transcripts")
    )
    play(folder, made)
    return folder


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
    assert lines[-1].startswith("the transcript ends here")
    assert 1 < len(lines) < 10


def test_a_transcript_that_cannot_be_written_hurts_nobody() -> None:
    transcript = Transcript(Path("/dev/null/x"))
    transcript(">", "genmove")
    transcript.close()
