import json
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engines import registry
from engines.core.game import Game, InvalidText, Outcome
from engines.core.sgf import read_sgf
from engines.core.timing import TimeControl
from engines.go.rules.text import handicap_moves
from protocols.ask.engine import EngineSpec
from tests.programs import peer
from tests.tools.fakes import ROOT
from tests.tools.match.matches import play
from tools.journal.disputes import DISPUTES
from tools.journal.events import game_event, last_seal, read_game
from tools.journal.journal import NAME, read_journal
from tools.journal.verification import verify_game, verify_match
from tools.match import counting as counting
from tools.match.referee import play_game
from tools.records.game import Count, GameRecord, Method, Verdict
from tools.records.sgf import to_sgf
from tools.roster.engines import resolve
from tools.roster.seats import EnginePool
from tools.terms import go
from tools.terms.adjudication import Adjudication
from tools.terms.openings import Opening
from tools.terms.scoring import ALL_ALIVE, counted, read_claim
from tools.terms.spec import GameSpec, MatchSpec

# Black's wall, White's wall, a white stone that is dead and one that is not: 5x5, komi 7.5.
BLACK = ("C1", "C2", "C3", "C4", "C5")
WHITE = ("D1", "D2", "D3", "D4", "B3")  # D5 stays open; B3 has no eye.
ALIVE = "W+7.5"  # D5 and E1 to E5 are nobody's, nor are the points around B3.
DEAD = "B+3.5"


def fake(label: str, *words: str) -> EngineSpec:
    command = (sys.executable, "-m", "tests.tools.fake_go", *words)
    return EngineSpec(label, command, "gtp", "go", folder=str(ROOT))


def black(*words: str) -> EngineSpec:
    return fake("black", *BLACK, *words)


def white(*words: str) -> EngineSpec:
    return fake("white", *WHITE, *words)


def arbiter(*words: str) -> EngineSpec:
    return fake("arbiter", "name=Solomon", *words)


@pytest.fixture
def pool() -> Iterator[EnginePool]:
    pool = EnginePool()
    yield pool
    pool.close()


def game(
    pool: EnginePool, one: EngineSpec, other: EngineSpec, judge: EngineSpec | None = None
) -> GameRecord:
    clock = TimeControl.parse("60")
    spec = GameSpec("go", "", 5, (one, other), (clock, clock), score_timeout=2.0, arbiter=judge)
    record = play_game(spec, pool)
    assert read_game(json.loads(json.dumps(game_event(record)))) == record
    return record


def count_of(record: GameRecord) -> Count:
    assert record.count is not None
    return record.count


def test_what_both_engines_say_is_the_result(pool: EnginePool) -> None:
    record = game(pool, black("score=W+3.5"), white("score=w+3.50"))
    assert (record.verdict, record.outcome.winner, record.outcome.reason) == (
        Verdict.NATURAL,
        1,
        "W+3.5",
    )
    count = count_of(record)
    assert (count.method, count.claims, count.disputed) == (
        Method.AGREEMENT,
        ("W+3.5", "w+3.50"),
        False,
    )


def test_where_they_disagree_an_arbiter_names_the_dead(pool: EnginePool) -> None:
    judge = arbiter("dead=B3")
    record = game(pool, black(f"score={DEAD}"), white(f"score={ALIVE}"), judge)
    count = count_of(record)
    assert (count.method, count.dead, count.arbiter) == (Method.ARBITER, ("B3",), "Solomon 1")
    assert count.disputed
    assert (record.verdict, record.outcome.winner) == (Verdict.NATURAL, 0)
    assert record.outcome.reason == count.result == "B+3.5"
    root, *nodes = read_sgf(to_sgf(record, ("black", "white")))
    assert root["RE"] == ["B+3.5"]
    assert "Solomon 1" in nodes[-1]["C"][0]


def test_one_that_has_no_final_score_disputes_nothing(pool: EnginePool) -> None:
    record = game(pool, black(), white("score=B+3.5"), arbiter("dead=B3"))
    count = count_of(record)
    assert (count.method, count.claims, count.disputed) == (Method.ARBITER, ("", "B+3.5"), False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("failing", "claim"),
    [
        ("score=hang", "! black did not answer"),
        ("score=die", "! black exited with code 5"),
        ("score=flood", "! black wrote 1001 lines"),
        ("score=refuse", "? cannot"),
        ("score=seven", "seven"),
        ("score=B+3", "B+3"),
        ("score=B+900.5", "B+900.5"),
    ],
)
def test_who_fails_at_the_score_does_not_lose_the_game(
    pool: EnginePool, failing: str, claim: str
) -> None:
    record = game(pool, black(failing), white("score=B+900.5"), arbiter("dead=B3"))
    count = count_of(record)
    assert (record.verdict, record.outcome.winner) == (Verdict.NATURAL, 0)
    assert count.claims[0].startswith(claim)
    assert (count.method, count.disputed) == (Method.ARBITER, True)
    assert count.failures == claim.startswith("!")


@pytest.mark.slow
@pytest.mark.parametrize("way", ["hang", "die", "refuse"])
def test_nor_does_who_fails_when_told_the_last_pass(
    pool: EnginePool, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    monkeypatch.setattr("tools.match.referee.reply_deadline", _brief)
    engine = black("score=B+3.5", f"after_passes={way}")
    record = game(pool, engine, white("score=B+3.5"), arbiter("dead=B3"))
    assert (record.verdict, record.outcome.reason) == (Verdict.NATURAL, "B+3.5")
    assert count_of(record).claims[0].startswith("! ")
    assert pool.seat(engine).starts == 1


def _brief(seconds: float = 0.0) -> float:
    return time.monotonic() + 2.0


def test_an_engine_that_failed_at_the_score_is_fresh_in_the_next_game(pool: EnginePool) -> None:
    engine, judge = black("score=die"), arbiter("dead=B3")
    for starts in (1, 2):
        game(pool, engine, white("score=B+3.5"), judge)
        assert (pool.seat(engine).starts, pool.seat(judge).starts) == (starts, 1)


def test_an_arbiter_that_died_is_started_once_more(pool: EnginePool, tmp_path: Path) -> None:
    judge = arbiter("dead=die", f"once={tmp_path / 'died'}", "later=B3")
    for _ in range(2):
        record = game(pool, black("score=B+1.5"), white("score=B+2.5"), judge)
        assert record.outcome.reason == "B+3.5"
    assert pool.seat(judge).starts == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        ("die", "exited with code 5"),
        ("hang", "did not answer"),
        ("refuse", "cannot"),
        ("A1", "no stone to be dead on A1"),
        ("C1", "a chain is dead in part: C1"),
        ("Z9", "Z9"),
        ("silent", "does not know final_status_list"),
    ],
)
def test_without_an_arbiter_that_answers_the_game_is_void(
    pool: EnginePool, monkeypatch: pytest.MonkeyPatch, answer: str, complaint: str
) -> None:
    monkeypatch.setattr(counting, "_ARBITER_TIMEOUT", 2.0)
    record = game(pool, black(), white(), arbiter(f"dead={answer}"))
    assert (record.verdict, record.count) == (Verdict.VOID, None)
    assert "the arbiter failed" in record.outcome.reason
    assert complaint in record.outcome.reason


@pytest.mark.parametrize(("variant", "scoring"), [("", ALL_ALIVE), ("tromp-taylor", "agreed")])
def test_where_all_stones_count_as_alive_nobody_is_asked(
    pool: EnginePool, tmp_path: Path, variant: str, scoring: str
) -> None:
    log = tmp_path / "log"
    clock = TimeControl.parse("60")
    engines = (black("score=B+3.5", f"log={log}"), white("score=B+3.5"))
    spec = GameSpec("go", variant, 5, engines, (clock, clock), scoring=scoring)
    record = play_game(spec, pool)
    assert count_of(record) == Count(Method.ALL_ALIVE, ("", ""), (), "", record.outcome.reason)
    assert record.outcome.reason == "W+7.5"
    assert "final_score" not in log.read_text().split()


@pytest.mark.parametrize(
    ("dead", "result", "by"),
    [
        ("B3", "B+3.5", "both engines name the winner; counted with the dead stones that Solomon"),
        ("none", "B+", "both engines name the winner; counted with the dead stones that Solomon"),
        ("die", "B+", "both engines name the winner; the margin is not known"),
    ],
)
def test_no_arbiter_overrules_a_winner_that_both_engines_name(
    pool: EnginePool, dead: str, result: str, by: str
) -> None:
    record = game(pool, black("score=B+1.5"), white("score=B+2.5"), arbiter(f"dead={dead}"))
    count = count_of(record)
    assert (record.verdict, record.outcome) == (Verdict.NATURAL, Outcome(0, result))
    assert (count.method, count.result, count.disputed) == (Method.WINNER, result, True)
    assert str(count).startswith(by)
    assert read_sgf(to_sgf(record, ("black", "white")))[0]["RE"] == [result]


def test_an_impossible_score_names_no_winner(pool: EnginePool) -> None:
    record = game(pool, black("score=B+1"), white("score=B+2.5"), arbiter("dead=none"))
    assert (count_of(record).method, record.outcome.winner) == (Method.ARBITER, 1)


def test_the_score_of_an_engine_without_trust_is_not_asked(
    pool: EnginePool, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    liar = replace(black("score=B+2.5", f"log={log}"), scores=False)
    record = game(pool, liar, white("score=B+1.5"), arbiter("dead=none"))
    count = count_of(record)
    assert (count.method, count.claims, record.outcome.winner) == (
        Method.ARBITER,
        ("", "B+1.5"),
        1,
    )
    assert "final_score" not in log.read_text().split()


def test_an_endless_game_is_counted_as_it_stands(pool: EnginePool) -> None:
    clock = TimeControl.parse("60")
    spec = GameSpec("go", "", 5, (black(), white()), (clock, clock), arbiter=arbiter("dead=B3"))
    record = play_game(replace(spec, adjudication=Adjudication(most_plies=10)), pool)
    assert (record.verdict, record.outcome.winner) == (Verdict.ADJUDICATION, 0)
    assert record.outcome.reason == "adjudication: 10 plies, counted B+3.5"
    assert read_sgf(to_sgf(record, ("black", "white")))[0]["RE"] == ["B+3.5"]


def test_claims_are_read_and_weighed() -> None:
    position = registry.rules("go", "", 5).start()
    for claim, margin in (("B+17.5", 17.5), ("w+32.5", -32.5), ("W+7.50", -7.5)):
        assert read_claim(claim, position) == margin
    for claim in ("B+R", "0", "B+3", "B+18.5", "W+33.5", "", "B +3.5", "= B+3.5", "B+nan"):
        assert read_claim(claim, position) is None
    position.komi = 7
    for claim in ("0", "0.0"):
        assert read_claim(claim, position) == 0


def test_claims_no_count_can_give_are_no_agreement() -> None:
    played = Game(registry.rules("go", "", 5))
    with pytest.raises(InvalidText, match="no agreement"):
        counted(played, Count(Method.AGREEMENT, ("B+3", "B+3"), (), "", "B+3"))


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a match of two disputed games, one engine right in one of them."""
    folder = tmp_path_factory.mktemp("go")
    clock = TimeControl.parse("60")
    engines = (fake("one", "score=W+7.5"), fake("two", "A1", "score=B+17.5"))
    spec = MatchSpec("go", "", 5, engines, 2, (clock, clock), arbiter=arbiter("dead=none"), seed=1)
    play(folder, spec)
    return folder


def test_disputes_stand_in_a_file_beside_the_journal(match: Path) -> None:
    disputes = [json.loads(line) for line in (match / DISPUTES).read_text().splitlines()]
    assert [(each["said"], each["result"]) for each in disputes] == [
        (["W+7.5", "B+17.5"], "W+32.5"),
        (["B+17.5", "W+7.5"], "B+17.5"),
    ]
    for dispute in disputes:
        assert (match / dispute["record"]).exists()
        assert (dispute["method"], dispute["dead"]) == ("arbiter", [])
    status = json.loads((match / "status.json").read_text())
    assert (status["scored"], status["disputed"]) == ({"arbiter": 2}, 2)
    assert status["status"] == "clean"


def test_a_count_is_recomputed_from_the_journal(match: Path) -> None:
    events = read_journal(match)
    assert list(verify_match(match, events)) == []
    seal = last_seal(events)
    records = [read_game(event) for event in events if event["event"] == "game"]
    for record in records:
        count = count_of(record)
        lies = [
            replace(count, result="B+99.5"),
            replace(count, dead=("E5",), method=Method.ARBITER),
        ]
        for lie in lies:
            assert list(verify_game(replace(record, count=lie), seal))
        wrong = replace(record, outcome=replace(record.outcome, winner=0, reason="B+1.5"))
        assert list(verify_game(wrong, seal))
    (match / DISPUTES).write_text("{}\n")
    assert [finding.where for finding in verify_match(match, events)] == [DISPUTES]


def test_who_dies_at_the_score_makes_a_match_anomalous(tmp_path: Path) -> None:
    clock = TimeControl.parse("60")
    engines = (fake("one", "score=die"), fake("two", "score=W+7.5"))
    spec = MatchSpec("go", "", 5, engines, 2, (clock, clock), arbiter=arbiter("dead=none"))
    play(tmp_path, spec)
    status = json.loads((tmp_path / "status.json").read_text())
    assert (status["status"], status["disputed"]) == ("anomalies", 2)
    assert status["why"] == ["engines failed 2 times when asked for the score"]


@pytest.mark.slow
def test_an_engine_that_never_gives_a_score_is_set_aside(tmp_path: Path) -> None:
    clock = TimeControl.parse("60")
    engines = (fake("one", "score=hang"), fake("two", "score=W+7.5"))
    spec = MatchSpec(
        *("go", "", 5, engines, 9, (clock, clock)),
        score_timeout=0.3,
        set_aside=2,
        arbiter=arbiter("dead=none"),
    )
    assert len(play(tmp_path, spec)) == 2
    status = json.loads((tmp_path / "status.json").read_text())
    assert status["why"][0] == (
        "one is set aside: it failed 2 times in a row, the last time by final_score: "
        "one did not answer in time"
    )


def test_a_winner_that_both_name_is_recomputed_too(tmp_path: Path) -> None:
    clock = TimeControl.parse("60")
    engines = (fake("one", "score=W+7.5"), fake("two", "score=W+8.5"))
    play(tmp_path, MatchSpec("go", "", 5, engines, 2, (clock, clock), arbiter=arbiter("dead=none")))
    assert list(verify_match(tmp_path, read_journal(tmp_path))) == []
    lines = (tmp_path / NAME).read_text()
    (tmp_path / NAME).write_text(lines.replace('"said":["W+8.5"', '"said":["B+8.5"'))
    findings = [finding.what for finding in verify_match(tmp_path, read_journal(tmp_path))]
    assert "its count is impossible: 'B+8.5' and 'W+7.5' name no common winner" in findings


def test_an_agreement_is_recomputed_too(tmp_path: Path) -> None:
    clock = TimeControl.parse("60")
    engines = (fake("one", "score=W+7.5"), fake("two", "score=W+7.5"))
    play(tmp_path, MatchSpec("go", "", 5, engines, 2, (clock, clock)))
    assert list(verify_match(tmp_path, read_journal(tmp_path))) == []
    assert not (tmp_path / DISPUTES).exists()
    lines = (tmp_path / NAME).read_text()
    (tmp_path / NAME).write_text(lines.replace('"said":["W+7.5"', '"said":["W+8.5"'))
    findings = [finding.what for finding in verify_match(tmp_path, read_journal(tmp_path))]
    assert "its count is impossible: 'W+8.5' and 'W+7.5' are no agreement" in findings


@pytest.mark.compiled("the network takes its time")
def test_our_own_engine_is_the_arbiter_unless_another_is_named(pool: EnginePool) -> None:
    judge = replace(resolve("quintet-go"), label="arbiter quintet-go")
    whole = fake("white", "D1", "D2", "D3", "D4", "D5", "score=W+3.5")  # Nothing to kill here.
    count = count_of(record := game(pool, black("score=B+3.5"), whole, judge))
    assert count.method == Method.ARBITER
    assert count.arbiter.startswith("Quintet Go 1.")
    assert count.result == "W+2.5"
    assert record.outcome.reason == count.result


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "stones"), [("", 2), ("", 0), ("japanese", 0)])
def test_gnu_go_counts_as_the_referee_does_with_its_dead_stones(
    pool: EnginePool, variant: str, stones: int
) -> None:
    flags = f"--{variant or 'chinese'}-rules --never-resign --level 0"
    command = (peer("gnugo"), "--mode", "gtp", *flags.split())
    engines = (EngineSpec("one", command, "gtp", "go"), EngineSpec("two", command, "gtp", "go"))
    rules: Any = registry.rules("go", variant, 7)
    setup = go.setup_handicap(rules, handicap_moves(7, 7, stones), 0.5) if stones else ""
    clock = TimeControl.parse("600")
    spec = GameSpec("go", variant, 7, engines, (clock, clock), opening=Opening(setup=setup))
    record = play_game(spec, pool)
    agreed = count_of(record)
    assert agreed.method == Method.AGREEMENT
    played = Game(rules, setup)
    for move in record.moves:
        played.play(move.text)
    dead = counting._named_dead(pool.seat(engines[0]).client(), played)
    ours = counted(played, replace(agreed, method=Method.ARBITER, dead=dead))
    assert ours == record.outcome
