import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools.journal.journal import NAME, Journal, JournalError, read_journal, write_whole

ROOT = Path(__file__).parents[3]
WRITER = """
import sys
from pathlib import Path
from tools.journal.journal import Journal
with Journal(Path(sys.argv[1])) as journal:
    print("open", flush=True)
    for number in range(int(sys.argv[2])):
        journal.append({"event": "game", "number": number, "text": "x" * 50})
        print(number, flush=True)
    sys.stdin.read()
"""


def writer(folder: Path, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder), str(count)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )


def test_events_are_there_when_the_journal_is_opened_again(tmp_path: Path) -> None:
    with Journal(tmp_path / "deep" / "match") as journal:
        assert journal.events == []
        journal.append({"event": "match", "text": "▲\u2028７六歩"})
        journal.append({"event": "game"})
    with Journal(tmp_path / "deep" / "match") as journal:
        assert journal.events == [{"event": "match", "text": "▲\u2028７六歩"}, {"event": "game"}]
    assert read_journal(tmp_path / "deep" / "match") == journal.events


@pytest.mark.parametrize("torn", [b"{", b'{"event":"ga', b'{"event":"game"}', b"\xe3\x83"])
def test_a_torn_last_line_is_cut_off(tmp_path: Path, torn: bytes) -> None:
    with Journal(tmp_path) as journal:
        journal.append({"event": "match"})
    path = tmp_path / NAME
    path.write_bytes(path.read_bytes() + torn)
    assert read_journal(tmp_path) == [{"event": "match"}]
    with Journal(tmp_path) as journal:
        assert journal.events == [{"event": "match"}]
        journal.append({"event": "game"})
    lines = path.read_bytes().splitlines()
    assert [json.loads(line)["event"] for line in lines] == ["match", "game"]


@pytest.mark.parametrize(
    ("line", "complaint"), [("nonsense", ":2: not JSON"), ("[1]", ":2: expected"), ("", ":2: no")]
)
def test_a_damaged_line_is_named(tmp_path: Path, line: str, complaint: str) -> None:
    (tmp_path / NAME).write_text(f'{{"event":"match"}}\n{line}\n{{"event":"game"}}\n')
    with pytest.raises(JournalError, match=complaint):
        Journal(tmp_path)
    with pytest.raises(JournalError, match=complaint):
        read_journal(tmp_path)


def test_a_second_journal_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    with writer(tmp_path, 1) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        with pytest.raises(JournalError, match="in use by another process"):
            Journal(tmp_path)
        other.kill()
    with Journal(tmp_path):
        pass


def test_what_was_reported_survives_a_kill(tmp_path: Path) -> None:
    with writer(tmp_path, 100000) as other:
        assert other.stdout is not None
        while (line := other.stdout.readline()) != "20\n":
            assert line
        other.kill()
        last = other.stdout.read().split()
    reported = int(last[-1]) if last else 20
    with Journal(tmp_path) as journal:
        assert [event["number"] for event in journal.events] == list(range(len(journal.events)))
        assert len(journal.events) > reported


def test_a_file_size_limit_stops_it_and_leaves_whole_lines(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource", reason="Windows has no limits")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Journal(tmp_path) as journal:
        journal.append({"event": "match"})
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
        try:
            with pytest.raises(JournalError, match=r"cannot write .*: File too large"):
                journal.append({"event": "game", "text": "x" * 200})
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        # Another event after the failure would hide the gap in the journal.
        with pytest.raises(JournalError, match="File too large"):
            journal.append({"event": "game"})
    assert (tmp_path / NAME).read_bytes() == b'{"event":"match"}\n'


def test_a_journal_that_is_no_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / NAME).symlink_to("/dev/full")
    with pytest.raises(JournalError, match="is not a regular file"):
        Journal(tmp_path)
    with pytest.raises(JournalError, match="is not a regular file"):
        read_journal(tmp_path)


def test_a_folder_that_cannot_be_made_is_named() -> None:
    with pytest.raises(JournalError, match="cannot open /dev/null/x"):
        Journal(Path("/dev/null/x"))


def test_a_full_disk_is_told_when_a_file_beside_the_journal_is_written(tmp_path: Path) -> None:
    path = tmp_path / "record.sgf"
    path.symlink_to("/dev/full")
    with pytest.raises(JournalError, match=r"cannot write .*record.sgf: No space left"):
        write_whole(path, b"(;)")


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "status.json"
    write_whole(path, b"old")
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["status.json"]


def test_a_folder_without_a_journal_is_told(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match=r"no journal: there is no .*journal\.jsonl"):
        read_journal(tmp_path)
