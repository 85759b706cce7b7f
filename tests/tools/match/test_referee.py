import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from engines.core.game import Game, Outcome
from engines.core.timing import TimeControl
from protocols.ask.contract import ClockTime
from protocols.ask.detect import Reply
from protocols.ask.engine import EngineSpec
from tests.protocols import fakes
from tests.tools.fakes import fake, game_spec
from tools.journal.events import game_event, read_game
from tools.journal.standings import EngineStanding
from tools.match.delays import DelayMeter
from tools.match.forfeits import Forfeit
from tools.match.referee import RefereedGame, VoidGame, play_game
from tools.records.game import GameRecord, Verdict
from tools.roster.seats import EnginePool
from tools.terms.adjudication import Adjudication
from tools.terms.openings import Opening
from tools.terms.spec import GameSpec


@pytest.fixture(scope="module")
def pool() -> Iterator[EnginePool]:
    """Keep the well-behaved engines from test to test."""
    pool = EnginePool()
    yield pool
    pool.close()


def play(pool: EnginePool, temper: str, control: str = "60", *more: str) -> GameRecord:
    return play_game(game_spec(fake("good"), fake(temper, *more), control), pool)


def test_a_game_between_two_good_citizens_ends_by_the_rules(pool: EnginePool) -> None:
    record = play(pool, "better")
    game = Game(game_spec(fake("a"), fake("b")).rules())
    for move in record.moves:
        assert move.side == game.turn
        game.play(move.text)
    assert game.outcome() == record.outcome
    assert record.verdict == Verdict.NATURAL
    assert [player.name for player in record.players] == ["fake good", "fake better"]


@pytest.mark.parametrize(
    ("temper", "verdict", "reason"),
    [
        ("illegal", Verdict.ILLEGAL, "illegal move a1-a1: the neutron moves first"),
        ("nonsense", Verdict.ILLEGAL, "illegal move '"),
        ("crash", Verdict.CRASH, "exited with code 3"),
        ("killed", Verdict.CRASH, "was killed by SIGKILL"),
        ("half", Verdict.CRASH, "in the middle of the line b'='"),
        ("parent", Verdict.CRASH, "exited with code 4"),
        ("confused", Verdict.PROTOCOL, "'=123456 b1-b4' where a reply to"),
        ("twice", Verdict.PROTOCOL, "'=1 b1-b4' where a reply to"),
        ("empty", Verdict.PROTOCOL, "no move in its reply"),
        ("endless-line", Verdict.PROTOCOL, "a line of more than 65536 bytes"),
        pytest.param(
            "chatter", Verdict.PROTOCOL, "lines, but no reply to 'genmove", marks=pytest.mark.slow
        ),
        ("last-words", Verdict.CRASH, "exited with code 0"),
        pytest.param(
            "garbage", Verdict.PROTOCOL, "lines, but no reply to 'genmove", marks=pytest.mark.slow
        ),
        pytest.param(
            "endless-reply",
            Verdict.PROTOCOL,
            "an endless reply to 'genmove",
            marks=pytest.mark.slow,
        ),
        ("resign", Verdict.RESIGN, "resignation"),
        ("stubborn", Verdict.PROTOCOL, "I do not believe it"),
        ("unwilling", Verdict.PROTOCOL, "no variants here"),
    ],
)
def test_a_misdeed_loses_for_its_author(
    pool: EnginePool, temper: str, verdict: Verdict, reason: str
) -> None:
    began = time.monotonic()
    record = play(pool, temper)
    assert (record.verdict, record.outcome.winner) == (verdict, 0)
    assert reason in record.outcome.reason
    assert read_game(game_event(record)) == record
    assert time.monotonic() - began < 10


def test_exit_code_and_last_words_stand_in_the_record(pool: EnginePool) -> None:
    record = play(pool, "crash")
    assert (record.code, record.stderr) == (3, "out of luck")
    assert play(pool, "killed").code == -9


def test_an_illegal_move_stands_in_the_record_as_it_came(pool: EnginePool) -> None:
    assert play(pool, "illegal").offence == "a1-a1"


@pytest.mark.slow
def test_who_closes_its_output_and_lives_on_has_crashed_and_is_gone(pool: EnginePool) -> None:
    # It answers the greeting, the new game and its clock, a move and the clock, but no `genmove`.
    texts = ["2", "mute", "1", "newgame", "", "", "", ""]
    replies = [f"={{id}} {text}\n\n" for text in texts]
    command = tuple(fakes.command("scripted", *replies, "mute"))
    mute = EngineSpec("mute", command, "line", "neutron")
    began = time.monotonic()
    record = play_game(game_spec(fake("good"), mute), pool)
    assert (record.verdict, record.outcome.winner, record.code) == (Verdict.CRASH, 0, None)
    assert record.outcome.reason == ("crash: mute closed its output or input and did not exit")
    assert time.monotonic() - began < 20
    assert list(pool.seat(mute).release()) == []


def test_who_does_not_start_in_time_loses(pool: EnginePool) -> None:
    silent = EngineSpec("silent", tuple(fakes.command("silent")), "line", "neutron", patience=0.2)
    record = play_game(game_spec(fake("good"), silent), pool)
    assert (record.verdict, record.outcome.winner) == (Verdict.STALL, 0)
    assert record.moves == ()


def test_the_answer_of_who_exits_after_it_counts(pool: EnginePool) -> None:
    record = play(pool, "last-words")
    assert len(record.moves) == 5
    assert record.code == 0


@pytest.mark.slow
@pytest.mark.parametrize("temper", ["hang", "undying", "deaf-to-moves"])
def test_a_hung_engine_costs_its_clock_and_five_seconds(pool: EnginePool, temper: str) -> None:
    began = time.monotonic()
    record = play(pool, temper, "0.3/move")
    assert (record.verdict, record.outcome.winner) == (Verdict.STALL, 0)
    assert len(record.moves) == (1 if temper == "deaf-to-moves" else 3)
    assert time.monotonic() - began < 7


def test_without_a_clock_the_deadline_is_the_users(pool: EnginePool) -> None:
    spec = replace(game_spec(fake("good"), fake("hang"), "depth=2"), move_timeout=0.2)
    record = play_game(spec, pool)
    assert record.verdict == Verdict.STALL
    assert {move.left for move in record.moves} == {None}


def test_a_move_after_the_flag_loses_on_time_and_the_engine_stays(pool: EnginePool) -> None:
    late = fake("late")
    record = play_game(game_spec(fake("good"), late, "0.3/move"), pool)
    assert (record.verdict, record.outcome.winner) == (Verdict.TIME, 0)
    assert f"s late, after {record.late:.3f} s" in record.outcome.reason
    assert record.late > 0.3
    loser = EngineStanding("late")
    loser.add(record, 1)
    assert loser.longest == record.late
    play_game(game_spec(fake("good"), late, "5/move"), pool)
    assert pool.seat(late).starts == 1


def test_a_flood_on_stderr_changes_nothing(pool: EnginePool) -> None:
    record = play(pool, "flood")
    assert record.verdict == Verdict.NATURAL


def test_clocks_are_kept(pool: EnginePool) -> None:
    for move in play(pool, "better", "60+1").moves:
        assert move.left is not None
        assert 59 < move.left < 90
        assert move.seconds >= 0


def test_sides_may_have_clocks_of_their_own(pool: EnginePool) -> None:
    controls = (TimeControl.parse("60"), TimeControl.parse("depth=3"))
    record = play_game(replace(game_spec(fake("good"), fake("better")), controls=controls), pool)
    assert [move.left is None for move in record.moves[:4]] == [False, True, False, True]


def test_the_seed_decides_the_moves(pool: EnginePool) -> None:
    spec = game_spec(fake("good", seeded=True), fake("better", seeded=True))

    def texts(seed: int) -> list[str]:
        return [move.text for move in play_game(replace(spec, seed=seed), pool).moves]

    assert texts(1) == texts(1)
    assert texts(1) != texts(2)


def test_an_opening_is_given_to_both(pool: EnginePool) -> None:
    opening = Opening("mine", ("b1-b4", "c3-c2/b5-c5"))
    spec = game_spec(fake("good"), fake("better"))
    rules = spec.rules()
    game = Game(rules)
    game.play("b1-b4")
    second = rules.format(game.position, game.position.legal_moves()[5])
    record = play_game(replace(spec, opening=replace(opening, moves=("b1-b4", second))), pool)
    assert [move.text for move in record.moves[:2]] == ["b1-b4", second]
    assert (record.opening, record.opening_name) == (2, "mine")
    assert record.verdict == Verdict.NATURAL


@pytest.mark.parametrize(
    ("first", "second", "rule", "outcome"),
    [
        (
            *("says-lost", "says-won"),
            Adjudication(resign_share=0.05, resign_moves=2, resign_both=True),
            Outcome(1, "adjudication: lost for 2 moves, both agree"),
        ),
        (
            *("says-even", "says-lost"),
            Adjudication(resign_share=0.05, resign_moves=2),
            Outcome(0, "adjudication: lost for 2 moves, the loser says so"),
        ),
        (
            *("says-even", "says-even"),
            Adjudication(draw_share=0.05, draw_moves=2, draw_after=3),
            Outcome(None, "adjudication: even for 2 moves"),
        ),
        (
            *("good", "good"),
            Adjudication(most_plies=3),
            Outcome(None, "adjudication: 3 plies"),
        ),
    ],
)
def test_games_are_adjudicated_by_option_only(
    pool: EnginePool, first: str, second: str, rule: Adjudication, outcome: Outcome
) -> None:
    spec = game_spec(fake(first), replace(fake(second), label="other"))
    record = play_game(replace(spec, adjudication=rule), pool)
    assert (record.verdict, record.outcome) == (Verdict.ADJUDICATION, outcome)
    assert play_game(spec, pool).verdict == Verdict.NATURAL


@pytest.mark.parametrize(
    ("temper", "faulty"),
    [("says-even", False), ("says-saved", False), ("says-nonsense", True), ("says-both", True)],
)
def test_faulty_lines_and_contradictory_claims_are_counted(
    pool: EnginePool, temper: str, faulty: bool
) -> None:
    record = play(pool, temper)
    assert record.faults[0] == 0
    assert (record.faults[1] > 0) == faulty


class Scripted(DelayMeter):
    """Delays as a test wants them: until the flag is seen, and until the answer is read."""

    def __init__(self, missed: float, last: float = 0.0) -> None:
        super().__init__()
        self._scripted = missed, last

    def at_flag(self, now: float) -> float:
        return self._scripted[0]

    def at_end(self, looked: float, now: float) -> float:
        return self._scripted[1]


def table(missed: float, last: float = 0.0) -> RefereedGame:
    spec: GameSpec = replace(game_spec(fake("a"), fake("b"), "1/move"), lag=0.1)
    return RefereedGame(spec, [], Scripted(missed, last))


def test_lag_is_forgiven_up_to_a_cap() -> None:
    made = table(0.0)
    for _ in range(19):
        made._charge(0, Reply("x", 1.0505))
    with pytest.raises(Forfeit, match=r"came 0\.050 s late"):
        made._charge(0, Reply("x", 1.0504))


@pytest.mark.parametrize(
    ("missed", "last", "kind"),
    [
        (0.0, 0.0, Forfeit),
        (0.19, 0.0, Forfeit),  # 0.11 s are more than the lag.
        (0.0, 0.19, Forfeit),
        (0.3, 0.0, VoidGame),  # The referee looked for the first time when the move was there.
        (0.21, 0.0, VoidGame),
        (0.15, 0.1, VoidGame),
    ],
)
def test_a_late_move_loses_unless_the_referee_itself_was_late(
    missed: float, last: float, kind: type[Exception]
) -> None:
    with pytest.raises(kind, match=r"x came 0\.300 s late"):
        table(missed, last)._charge(0, Reply("x", 1.3))


def test_a_move_that_lay_unread_after_the_flag_is_forgiven() -> None:
    """The flag was seen in time, so that the engine has used up its time either way."""
    made = table(0.05, 0.2)
    for _ in range(19):
        made._charge(0, Reply("x", 1.3))
    assert made._lag_left[0] == pytest.approx(0.05)


def test_clocks_run_again_with_their_periods() -> None:
    spec = game_spec(fake("a"), fake("b"), "10+3x5")
    table = RefereedGame(spec, [])
    table.spend(0, 12.0)
    table.spend(0, 6.0)
    assert table._clock_times(0)[0] == ClockTime(5.0, 2)
    assert table._clock_times(1)[0] == ClockTime(10.0, 0)
