import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engines.core.errors import QuintetError
from engines.core.timing import TimeControl
from tests.tools.fakes import fake
from tests.tools.match.matches import CLOCK, finished, play, spec, texts, verify_all
from tools.journal.contest import DifferentMatch
from tools.journal.events import game_event
from tools.journal.journal import NAME, Journal, JournalError, read_journal
from tools.journal.sampling import SampleStatus
from tools.match.match import Match
from tools.match.runner import MatchRunner
from tools.match.workers import InlineExecutor
from tools.records.game import Verdict
from tools.terms.adjudication import Adjudication
from tools.terms.openings import Opening
from tools.terms.spec import MatchSpec


@pytest.fixture
def match(tmp_path: Path) -> Iterator[Match]:
    with Journal(tmp_path) as journal:
        yield Match(spec(games=200), journal)


def test_the_first_event_says_what_the_match_is(tmp_path: Path) -> None:
    play(tmp_path, spec(games=1))
    first = read_journal(tmp_path)[0]
    assert first["event"] == "match"
    seal = first["seal"]
    assert seal["game"] == "neutron"
    assert len(seal["engine1.executable"]) == 64
    assert seal["engine2.options"] == {"seed": "{seed}"}
    assert seal["engine1.time"] == "60"


def test_a_finished_match_has_nothing_to_play_and_more_games_extend_it(tmp_path: Path) -> None:
    first = play(tmp_path, spec(games=2))
    assert play(tmp_path, spec(games=2)) == []
    more = play(tmp_path, spec(games=4))
    assert [record.number for record in more] == [3, 4]
    whole = play(tmp_path / "whole", spec(games=4))
    assert texts(first + more) == texts(whole)


@pytest.mark.parametrize(
    ("other", "key"),
    [
        (spec(games=2, set_aside=5), "set-aside"),
        (spec(games=2, move_timeout=5.0), "move-timeout"),
        (spec(fake("good"), games=2), "engine1.options"),
        (spec(fake("good", "once", seeded=True), games=2), "engine1.command"),
    ],
)
def test_another_match_on_the_same_folder_is_refused_by_key(
    tmp_path: Path, other: MatchSpec, key: str
) -> None:
    with Journal(tmp_path) as journal:
        Match(spec(games=2), journal).add(finished(spec(games=2), 1, 0))
    before = (tmp_path / NAME).read_bytes()
    with Journal(tmp_path) as journal:
        with pytest.raises(DifferentMatch, match=rf"\n  {key}: was"):
            Match(other, journal)
        assert (tmp_path / NAME).read_bytes() == before
        Match(other, journal, accept_changes=True)
    assert read_journal(tmp_path)[-1]["changed"] == [key]
    with Journal(tmp_path) as journal:
        Match(other, journal)


@pytest.mark.parametrize(
    ("other", "key"),
    [
        (replace(spec(games=2), game="morris"), "game"),
        (spec(games=2, seed=9), "seed"),
        (spec(games=2, lag=0.5), "lag"),
        (replace(spec(games=2), controls=(CLOCK, TimeControl.parse("9"))), "engine2.time"),
        (spec(second=replace(fake("better", seeded=True), label="x"), games=2), "engine2.label"),
        (spec(games=2, sprt="elo0=0,elo1=5"), "sprt"),
        (spec(games=2, openings=(Opening("one", ("b1-b4",)),)), "openings"),
        (spec(games=2, adjudication=Adjudication(most_plies=9)), "adjudication"),
    ],
)
def test_what_is_measured_cannot_be_accepted_as_changed(
    tmp_path: Path, other: MatchSpec, key: str
) -> None:
    with Journal(tmp_path) as journal:
        Match(spec(games=2), journal).add(finished(spec(games=2), 1, 0))
    before = (tmp_path / NAME).read_bytes()
    with Journal(tmp_path) as journal, pytest.raises(DifferentMatch, match=f"other {key}"):
        Match(other, journal, accept_changes=True)
    assert (tmp_path / NAME).read_bytes() == before


def test_a_match_without_games_takes_a_corrected_line(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        Match(spec(games=2, lag=0.5, seed=3), journal)
    assert len(play(tmp_path, spec(games=2))) == 2
    assert json.loads((tmp_path / "status.json").read_text())["changes"] == []
    assert verify_all(tmp_path) == []


def test_a_changed_engine_is_told_apart_from_the_one_before(tmp_path: Path) -> None:
    play(tmp_path, spec(games=2))
    play(tmp_path, spec(fake("good"), games=4), accept_changes=True)
    status = json.loads((tmp_path / "status.json").read_text())
    assert status["changes"] == [{"after": 2, "keys": ["engine1.options"]}]
    assert status["status"] == "anomalies"
    assert "changed after 2 games, which count too: engine1.options" in status["why"]
    assert verify_all(tmp_path) == []


def test_a_changed_program_is_noticed_by_its_digest(tmp_path: Path) -> None:
    net = tmp_path / "net.bin"
    net.write_bytes(b"one")
    engine = replace(fake("good"), command=(*fake("good").command, f"--net={net}"))
    with Journal(tmp_path / "match") as journal:
        Match(spec(engine), journal).add(finished(spec(engine), 1, 0))
        net.write_bytes(b"two")
    with (
        Journal(tmp_path / "match") as journal,
        pytest.raises(DifferentMatch, match=rf"engine1.file {net}"),
    ):
        Match(spec(engine), journal)


def test_an_argument_too_long_for_a_name_is_no_file(tmp_path: Path) -> None:
    engine = replace(fake("good"), command=(*fake("good").command, "x" * 5000))
    with Journal(tmp_path) as journal:
        Match(spec(engine), journal)
    sealed = read_journal(tmp_path)[0]["seal"]
    assert not [key for key in sealed if key.startswith("engine1.file")]


def test_a_pair_with_a_void_game_is_replayed_whole(match: Match) -> None:
    made = match.spec
    match.add(finished(made, 1, 0))
    assert match.add(finished(made, 2, None, Verdict.VOID)) == SampleStatus.VOID
    assert list(match.missing())[:3] == [(0, 0, 1), (0, 1, 1), (1, 0, 0)]
    assert match.sample.results.samples == 0
    match.add(finished(made, 1, None, again=1))
    match.add(finished(made, 2, 1, again=1))
    assert match.sample.results.counts == (0, 0, 0, 1, 0)
    assert [each.games for each in match.table()] == [2, 2]
    names = sorted(path.name for path in match.journal.folder.glob("*.sgf"))
    assert names == [
        *("neutron-0001-2.sgf", "neutron-0001.sgf"),
        *("neutron-0002-2.sgf", "neutron-0002.sgf"),
    ]
    assert match.status().status == "anomalies"


def test_three_void_games_in_a_row_stop_the_match(match: Match) -> None:
    for number in (1, 3, 5):
        assert not match.over
        match.add(finished(match.spec, number, None, Verdict.VOID))
    assert match.over
    assert match.status().status == "failed"
    assert "3 void games in a row" in match.status().why[0]


def test_five_void_games_in_a_hundred_stop_the_match(match: Match) -> None:
    for number in range(1, 10, 2):
        assert not match.over
        match.add(finished(match.spec, number, None, Verdict.VOID))
        match.add(finished(match.spec, number + 1, 0))
    assert "5 of 9 games void" in match.status().why[0]
    assert match.over


def test_a_test_that_has_its_answer_ends_the_match_also_after_a_resume(tmp_path: Path) -> None:
    made = spec(games=2000, sprt="elo0=0,elo1=100")
    with Journal(tmp_path) as journal:
        match = Match(made, journal)
        number = 0
        while not match.over:
            number += 1
            record = finished(made, number, (number - 1) % 2)
            match.add(
                replace(record, moves=tuple(record.moves) * number)
            )  # No game repeats another.
        counts = match.sample.results.counts
        assert match.add(finished(made, number + 1, 0)) == SampleStatus.LATE
        assert match.sample.results.counts == counts
    with Journal(tmp_path) as journal:
        match = Match(made, journal)
        assert match.over
        assert match.sample.results.counts == counts
        assert list(MatchRunner(match, InlineExecutor).play()) == []
        status = match.status()
    assert status.sprt is not None
    assert status.sprt["state"] == "H1"
    assert status.missing == 0


def test_records_that_a_kill_took_are_written_again(tmp_path: Path) -> None:
    made = spec(games=2)
    play(tmp_path, made)
    record = tmp_path / "neutron-0002.sgf"
    before = record.read_bytes()
    record.unlink()
    (tmp_path / ".neutron-0002.sgf.new").write_bytes(before[:10])
    with Journal(tmp_path) as journal:
        Match(made, journal).restore_records()
    assert record.read_bytes() == before
    assert not list(tmp_path.glob(".*"))


def test_a_record_that_is_not_what_the_journal_says_is_written_again(tmp_path: Path) -> None:
    made = spec(games=1)
    play(tmp_path, made)
    record = tmp_path / "neutron-0001.sgf"
    before = record.read_bytes()
    record.write_bytes(b"junk")
    with Journal(tmp_path) as journal:
        Match(made, journal).restore_records()
    assert record.read_bytes() == before


def test_a_full_disk_under_a_record_leaves_the_game_in_the_journal(tmp_path: Path) -> None:
    made = spec(games=2)
    (tmp_path / "neutron-0001.sgf").symlink_to("/dev/full")
    with pytest.raises(JournalError, match="No space left"):
        play(tmp_path, made)
    assert [event["event"] for event in read_journal(tmp_path)] == ["match", "game"]
    (tmp_path / "neutron-0001.sgf").unlink()
    assert [record.number for record in play(tmp_path, made)] == [2]


def test_a_journal_with_a_damaged_game_is_named(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        made = spec(games=2)
        Match(made, journal)
        event = dict(game_event(finished(made, 1, 0)))
        del event["winner"]
        journal.append(event)
    with (
        Journal(tmp_path) as journal,
        pytest.raises(JournalError, match="game 1 of the journal cannot be read"),
    ):
        Match(made, journal)


def test_a_repeated_line_is_named_and_the_way_on_is_told(tmp_path: Path) -> None:
    play(tmp_path, spec(games=2))
    path = tmp_path / NAME
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines, lines[1]]))
    with Journal(tmp_path) as journal, pytest.raises(JournalError) as raised:
        Match(spec(games=2), journal)
    assert str(raised.value).startswith(f"{path}:4: game 1, attempt 1: ")
    assert "delete this line" in str(raised.value)
    path.write_text("".join(lines))
    assert play(tmp_path, spec(games=2)) == []


def test_a_game_whose_line_was_deleted_is_played_again(tmp_path: Path) -> None:
    played = play(tmp_path, spec(games=4))
    path = tmp_path / NAME
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines[:2], "{damaged\n", *lines[3:]]))
    with pytest.raises(JournalError, match=r":3: not JSON: .*\nkeep a copy .* delete this line"):
        Journal(tmp_path)
    path.write_text("".join([*lines[:2], *lines[3:]]))
    again = play(tmp_path, spec(games=4))
    assert texts(again) == texts(played[1:2])
    assert verify_all(tmp_path) == []


WRONG: tuple[object, ...] = (None, -1, "x", [], {}, [None])


@pytest.mark.slow
def test_no_damage_of_a_line_is_a_traceback(tmp_path: Path) -> None:
    made = spec(games=2)
    play(tmp_path, made)
    path = tmp_path / NAME
    lines = path.read_text().splitlines()
    refused = 0
    for number, line in enumerate(lines[:2]):
        event = json.loads(line)
        for key in event:
            for wrong in WRONG:
                damaged = json.dumps(event | {key: wrong})
                path.write_text("\n".join([*lines[:number], damaged, *lines[number + 1 :]]) + "\n")
                for work in (lambda: verify_all(tmp_path), lambda: play(tmp_path, made)):
                    try:
                        work()
                    except QuintetError:
                        refused += 1
    assert refused > 50
