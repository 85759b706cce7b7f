import contextlib
import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engines.core.game import Outcome
from engines.core.splitmix import pair_seed
from engines.core.timing import TimeControl
from tests.tools.fakes import ROOT, fake
from tools.adjudication import Adjudication
from tools.engines import EngineSpec
from tools.event import game_event
from tools.journal import NAME, Journal, JournalError, read_journal
from tools.match import Changed, Hall, Match, parse_game
from tools.record import GameRecord, PlayedMove, Player, Verdict
from tools.referee import Opening
from tools.sample import Fate
from tools.spec import MatchSpec
from tools.verification import Finding, verify_match
from tools.workers import Inline, make_executor

CLOCK = TimeControl.parse("60")


def spec(
    first: EngineSpec | None = None, second: EngineSpec | None = None, games: int = 4, **more: Any
) -> MatchSpec:
    engines = (first or fake("good", seeded=True), second or fake("better", seeded=True))
    return MatchSpec("neutron", "", 0, engines, games, (CLOCK, CLOCK), **more)


def play(folder: Path, made: MatchSpec, **more: Any) -> list[GameRecord]:
    with Journal(folder) as journal:
        match = Match(made, journal, **more)
        played = [record for record, _ in Hall(match, Inline, 1).play()]
        match.write_status()
        return played


def verify_all(folder: Path) -> list[Finding]:
    return list(verify_match(folder, read_journal(folder)))


def texts(records: list[GameRecord]) -> list[tuple[int, list[str], Outcome]]:
    ordered = sorted(records, key=lambda record: record.number)
    return [(each.number, [move.text for move in each.moves], each.outcome) for each in ordered]


def finished(
    made: MatchSpec,
    number: int,
    winner: int | None,
    verdict: Verdict = Verdict.NATURAL,
    again: int = 0,
) -> GameRecord:
    """Return a game as if it had been played, with one move to its record."""
    game = made.game_spec((number - 1) // 2, (number - 1) % 2, again)
    one, other = game.engines
    return GameRecord(
        game="neutron",
        variant="",
        number=number,
        players=(Player(one.label, "", ""), Player(other.label, "", "")),
        controls=made.controls,
        started="2026-11-18T10:00:00+00:00",
        moves=(PlayedMove(0, "b1-b4", 0.1, None, ""),),
        outcome=Outcome(winner, str(verdict)),
        verdict=verdict,
        pair=game.pair,
        side=game.side,
        attempt=again,
        seed=game.seed,
    )


@pytest.fixture
def match(tmp_path: Path) -> Iterator[Match]:
    with Journal(tmp_path) as journal:
        yield Match(spec(games=200), journal)


def test_colours_alternate_and_pairs_share_their_seed(tmp_path: Path) -> None:
    records = play(tmp_path, spec())
    assert [record.players[0].label for record in records] == ["good", "better"] * 2
    seeds = [record.seed for record in records]
    assert seeds == [pair_seed(0, 0)] * 2 + [pair_seed(0, 1)] * 2


def test_no_engine_is_told_the_seed_of_the_dice() -> None:
    game = spec().game_spec(3, 0, 1)
    assert game.seed == pair_seed(0, 3)
    assert game.named_seed == spec().game_spec(3, 1, 1).named_seed != game.seed
    assert game.named_seed < 2**31


def test_an_odd_number_of_games_is_played_to_the_last(tmp_path: Path) -> None:
    assert [record.number for record in play(tmp_path, spec(games=3))] == [1, 2, 3]


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
        (spec(games=2, aside=5), "set-aside"),
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
        with pytest.raises(Changed, match=rf"\n  {key}: was"):
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
    with Journal(tmp_path) as journal, pytest.raises(Changed, match=f"another {key}"):
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
        pytest.raises(Changed, match=rf"engine1.file {net}"),
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
    assert match.add(finished(made, 2, None, Verdict.VOID)) == Fate.VOID
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
    assert match.status()["status"] == "anomalies"


def test_three_void_games_in_a_row_stop_the_match(match: Match) -> None:
    for number in (1, 3, 5):
        assert not match.over
        match.add(finished(match.spec, number, None, Verdict.VOID))
    assert match.over
    assert match.status()["status"] == "failed"
    assert "3 void games in a row" in match.status()["why"][0]


def test_five_void_games_in_a_hundred_stop_the_match(match: Match) -> None:
    for number in range(1, 10, 2):
        assert not match.over
        match.add(finished(match.spec, number, None, Verdict.VOID))
        match.add(finished(match.spec, number + 1, 0))
    assert "5 of 9 games void" in match.status()["why"][0]
    assert match.over


def test_an_engine_that_fails_again_and_again_is_set_aside(tmp_path: Path) -> None:
    made = spec(fake("crash"), games=40, aside=3)
    assert len(play(tmp_path, made)) == 3
    status = json.loads((tmp_path / "status.json").read_text())
    assert status["status"] == "failed"
    assert "crash is set aside: it failed 3 times in a row" in status["why"][0]
    # Whoever starts it again wants it to be tried again.
    assert len(play(tmp_path, made)) == 3


def test_a_test_that_has_its_answer_ends_the_match_also_after_a_resume(tmp_path: Path) -> None:
    made = spec(games=2000, sprt="elo0=0,elo1=100")
    with Journal(tmp_path) as journal:
        match = Match(made, journal)
        number = 0
        while not match.over:
            number += 1
            match.add(finished(made, number, (number - 1) % 2))
        counts = match.sample.results.counts
        assert match.add(finished(made, number + 1, 0)) == Fate.LATE
        assert match.sample.results.counts == counts
    with Journal(tmp_path) as journal:
        match = Match(made, journal)
        assert match.over
        assert match.sample.results.counts == counts
        assert list(Hall(match, Inline, 1).play()) == []
        status = match.status()
    assert status["sprt"]["state"] == "H1"
    assert status["missing"] == 0


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


def test_an_event_that_only_says_it_is_a_game_is_told() -> None:
    told = "a game without a number of the journal cannot be read: it has no 'players'"
    with pytest.raises(JournalError, match=told):
        parse_game({"event": "game"})


def test_games_at_once_are_the_same_games(tmp_path: Path) -> None:
    made = spec(games=6)
    with Journal(tmp_path / "two") as journal:
        match = Match(made, journal)
        hall = Hall(match, lambda: make_executor(2, pin=True), 2)
        at_once = [record for record, _ in hall.play()]
    assert texts(at_once) == texts(play(tmp_path / "one", made))


def test_a_lost_worker_costs_its_games_only(tmp_path: Path) -> None:
    made = spec(games=4)
    with Journal(tmp_path) as journal:
        match = Match(made, journal)
        hall = Hall(match, lambda: make_executor(2, pin=False), 2)
        played = hall.play()
        records = [next(played)[0]]
        for process in multiprocessing.active_children():
            process.kill()
        records += [record for record, _ in played]
    assert sorted(record.number for record in records) == [1, 2, 3, 4]
    assert any(event["event"] == "breakdown" for event in read_journal(tmp_path))


class Breaking(Inline):
    """Takes in one game and then says that its workers are gone."""

    def __init__(self) -> None:
        self.taken = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
        self.taken += 1
        if self.taken > 1:
            raise BrokenProcessPool("a child was killed")
        return super().submit(fn, *args, **kwargs)


def test_a_worker_that_is_lost_while_games_are_handed_in_costs_nothing(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        match = Match(spec(games=3), journal)
        records = [record for record, _ in Hall(match, Breaking, 1).play()]
    assert [record.number for record in records] == [1, 2, 3]
    told = [event["event"] for event in read_journal(tmp_path)]
    assert told == ["match", "game", "breakdown", "game", "breakdown", "game"]


RUNNER = """
import sys
from pathlib import Path
from tests.tools.test_match import play, spec
play(Path(sys.argv[1]), spec(games=int(sys.argv[2])))
"""


def table(folder: Path) -> dict[int, tuple[str, list[str]]]:
    """Return each game's result and moves; a game that is there twice fails."""
    found: dict[int, tuple[str, list[str]]] = {}
    for event in read_journal(folder):
        if event["event"] == "game":
            assert event["number"] not in found
            moves = [move[1] for move in event["moves"]]
            found[event["number"]] = (event["result"], moves)
    return found


def test_killed_at_random_moments_a_match_ends_as_if_it_were_not(tmp_path: Path) -> None:
    kills = int(os.environ.get("QUINTET_KILLS", "4"))
    games = 10 * kills
    dice = random.Random(6)
    journal = tmp_path / "broken" / NAME
    command = [sys.executable, "-c", RUNNER, str(tmp_path / "broken"), str(games)]
    killed = 0
    for _ in range(kills):
        size = journal.stat().st_size if journal.exists() else 0
        # Once it plays on, at any moment of the next ten games.
        wanted = size + dice.randrange(1, 10_000)
        with subprocess.Popen(command, cwd=ROOT) as process:
            while process.poll() is None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(0.003)
                if journal.exists() and journal.stat().st_size >= wanted:
                    process.kill()
                    killed += process.wait() == -signal.SIGKILL
    subprocess.run(command, cwd=ROOT, check=True)
    subprocess.run([*command[:3], str(tmp_path / "whole"), str(games)], cwd=ROOT, check=True)
    assert killed > 0
    assert len(table(tmp_path / "broken")) == games
    assert table(tmp_path / "broken") == table(tmp_path / "whole")
