import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engines.core.game import Game, Outcome
from engines.core.timing import TimeControl
from protocols.client import Reply
from tests.protocols import fakes
from tests.tools.fakes import fake, game_spec
from tools.adjudication import Adjudication
from tools.engines import EngineSpec
from tools.event import game_event, read_game
from tools.record import GameRecord, Verdict
from tools.referee import Forfeit, GameSpec, Opening, Spoilt, Table, play_game
from tools.seat import Crew
from tools.stall import Stalls


@pytest.fixture(scope="module")
def crew() -> Iterator[Crew]:
    """Keep the well-behaved engines from test to test."""
    crew = Crew()
    yield crew
    crew.close()


def play(crew: Crew, temper: str, control: str = "60", *more: str) -> GameRecord:
    return play_game(game_spec(fake("good"), fake(temper, *more), control), crew)


def test_a_game_between_two_good_citizens_ends_by_the_rules(crew: Crew) -> None:
    record = play(crew, "better")
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
        ("chatter", Verdict.PROTOCOL, "lines, but no reply to 'genmove"),
        ("last-words", Verdict.CRASH, "exited with code 0"),
        ("garbage", Verdict.PROTOCOL, "lines, but no reply to 'genmove"),
        ("endless-reply", Verdict.PROTOCOL, "an endless reply to 'genmove"),
        ("resign", Verdict.RESIGN, "resignation"),
        ("stubborn", Verdict.PROTOCOL, "I do not believe it"),
        ("unwilling", Verdict.PROTOCOL, "no variants here"),
    ],
)
def test_a_misdeed_loses_for_its_author(
    crew: Crew, temper: str, verdict: Verdict, reason: str
) -> None:
    began = time.monotonic()
    record = play(crew, temper)
    assert (record.verdict, record.outcome.winner) == (verdict, 0)
    assert reason in record.outcome.reason
    assert read_game(game_event(record)) == record
    assert time.monotonic() - began < 10


def test_exit_code_and_last_words_stand_in_the_record(crew: Crew) -> None:
    record = play(crew, "crash")
    assert (record.code, record.stderr) == (3, "out of luck")
    assert play(crew, "killed").code == -9


def test_an_illegal_move_stands_in_the_record_as_it_came(crew: Crew) -> None:
    assert play(crew, "illegal").offence == "a1-a1"


def test_who_closes_its_output_and_lives_on_has_crashed_and_is_gone(crew: Crew) -> None:
    # A greeting of four, a new game, its clock; then a move told, the clock, the question.
    texts = ["2", "mute", "1", "newgame", "", "", "", ""]
    replies = [f"={{id}} {text}\n\n" for text in texts]
    command = tuple(fakes.command("scripted", *replies, "mute"))
    mute = EngineSpec("mute", command, "line", "neutron")
    began = time.monotonic()
    record = play_game(game_spec(fake("good"), mute), crew)
    assert (record.verdict, record.outcome.winner, record.code) == (Verdict.CRASH, 0, None)
    assert record.outcome.reason == ("crash: mute closed its output or input and did not exit")
    assert time.monotonic() - began < 20
    assert list(crew.seat(mute).release()) == []


def test_who_does_not_start_in_time_loses(crew: Crew) -> None:
    silent = EngineSpec("silent", tuple(fakes.command("silent")), "line", "neutron", patience=0.2)
    record = play_game(game_spec(fake("good"), silent), crew)
    assert (record.verdict, record.outcome.winner) == (Verdict.STALL, 0)
    assert record.moves == ()


def test_the_answer_of_who_exits_after_it_counts(crew: Crew) -> None:
    record = play(crew, "last-words")
    assert len(record.moves) == 5
    assert record.code == 0


@pytest.mark.parametrize("temper", ["hang", "undying", "deaf-to-moves"])
def test_a_hung_engine_costs_its_clock_and_five_seconds(crew: Crew, temper: str) -> None:
    began = time.monotonic()
    record = play(crew, temper, "0.3/move")
    assert (record.verdict, record.outcome.winner) == (Verdict.STALL, 0)
    assert len(record.moves) == (1 if temper == "deaf-to-moves" else 3)
    assert time.monotonic() - began < 7


def test_without_a_clock_the_deadline_is_the_users(crew: Crew) -> None:
    spec = replace(game_spec(fake("good"), fake("hang"), "depth=2"), move_timeout=0.2)
    record = play_game(spec, crew)
    assert record.verdict == Verdict.STALL
    assert {move.left for move in record.moves} == {None}


def test_a_move_after_the_flag_loses_on_time_and_the_engine_stays(crew: Crew) -> None:
    late = fake("late")
    record = play_game(game_spec(fake("good"), late, "0.3/move"), crew)
    assert (record.verdict, record.outcome.winner) == (Verdict.TIME, 0)
    assert "s late" in record.outcome.reason
    play_game(game_spec(fake("good"), late, "5/move"), crew)
    assert crew.seat(late).starts == 1


def test_a_flood_on_stderr_changes_nothing(crew: Crew) -> None:
    record = play(crew, "flood")
    assert record.verdict == Verdict.NATURAL


def test_who_hung_once_is_replaced_and_then_kept(crew: Crew, tmp_path: Path) -> None:
    engine = fake("lazy", str(tmp_path / "hung"))
    spec = game_spec(fake("good"), engine, "0.3/move")
    verdicts = [play_game(spec, crew).verdict for _ in range(3)]
    assert verdicts == [Verdict.STALL, Verdict.NATURAL, Verdict.NATURAL]
    assert crew.seat(engine).starts == 2


def test_engines_are_kept_between_games(crew: Crew) -> None:
    first, second = fake("good"), fake("better")
    for _ in range(2):
        play_game(game_spec(first, second), crew)
        play_game(game_spec(second, first), crew)
    assert crew.seat(first).starts == crew.seat(second).starts == 1


def test_a_program_that_cannot_be_started_is_named_before_the_first_game() -> None:
    crew = Crew()
    gone = replace(fake("gone"), command=("/nonexistent/engine",))
    assert "cannot start" in crew.fault([gone])
    assert "no such option" in crew.fault([replace(fake("good"), options=(("hash", "1"),))])
    crew.close()


def test_clocks_are_kept(crew: Crew) -> None:
    for move in play(crew, "better", "60+1").moves:
        assert move.left is not None
        assert 59 < move.left < 90
        assert move.seconds >= 0


def test_sides_may_have_clocks_of_their_own(crew: Crew) -> None:
    controls = (TimeControl.parse("60"), TimeControl.parse("depth=3"))
    record = play_game(replace(game_spec(fake("good"), fake("better")), controls=controls), crew)
    assert [move.left is None for move in record.moves[:4]] == [False, True, False, True]


def test_the_seed_decides_the_moves(crew: Crew) -> None:
    spec = game_spec(fake("good", seeded=True), fake("better", seeded=True))

    def texts(seed: int) -> list[str]:
        return [move.text for move in play_game(replace(spec, seed=seed), crew).moves]

    assert texts(1) == texts(1)
    assert texts(1) != texts(2)


def test_an_opening_is_given_to_both(crew: Crew) -> None:
    opening = Opening("mine", ("b1-b4", "c3-c2/b5-c5"))
    spec = game_spec(fake("good"), fake("better"))
    rules = spec.rules()
    game = Game(rules)
    game.play("b1-b4")
    second = rules.format(game.position, game.position.legal_moves()[5])
    record = play_game(replace(spec, opening=replace(opening, moves=("b1-b4", second))), crew)
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
    crew: Crew, first: str, second: str, rule: Adjudication, outcome: Outcome
) -> None:
    spec = game_spec(fake(first), replace(fake(second), label="other"))
    record = play_game(replace(spec, adjudication=rule), crew)
    assert (record.verdict, record.outcome) == (Verdict.ADJUDICATION, outcome)
    assert play_game(spec, crew).verdict == Verdict.NATURAL


@pytest.mark.parametrize(
    ("temper", "faulty"),
    [("says-even", False), ("says-saved", False), ("says-nonsense", True), ("says-both", True)],
)
def test_faulty_lines_and_contradictory_claims_are_counted(
    crew: Crew, temper: str, faulty: bool
) -> None:
    record = play(crew, temper)
    assert record.faults[0] == 0
    assert (record.faults[1] > 0) == faulty


class Scripted(Stalls):
    """Delays as a test wants them."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._scripted = seconds

    def seconds(self) -> float:
        return self._scripted


def table(delay: float, lag: float = 0.1) -> Table:
    spec: GameSpec = replace(game_spec(fake("a"), fake("b"), "1/move"), lag=lag)
    return Table(spec, [], Scripted(delay))


def test_lag_is_forgiven_up_to_a_cap() -> None:
    made = table(0.0)
    for _ in range(19):
        made._charge(0, Reply("x", 1.0505))
    with pytest.raises(Forfeit, match=r"came 0\.050 s late"):
        made._charge(0, Reply("x", 1.0504))
    made.close()


def test_who_is_late_loses_unless_the_referee_was_kept_waiting_as_long() -> None:
    for delay, kind in ((0.0, Forfeit), (0.29, Forfeit), (0.31, Spoilt)):
        made = table(delay)
        with pytest.raises(kind):
            made._charge(0, Reply("x", 1.3))
        made.close()


def test_the_seed_reaches_an_engine_that_leaves_its_own_to_chance(crew: Crew) -> None:
    spec = game_spec(fake("good"), fake("better"))

    def texts(seed: int, number: int = 1) -> list[str]:
        played = play_game(replace(spec, seed=seed, number=number), crew)
        return [move.text for move in played.moves]

    first = texts(1)
    assert texts(2) != first
    assert texts(1, number=2) != first
    assert texts(1) == first  # By the same programs, which had other seeds meanwhile.


def test_a_seed_that_the_user_names_is_left_alone(crew: Crew) -> None:
    own = replace(fake("good"), options=(("seed", "5"),))
    spec = game_spec(own, own)
    games = {
        tuple(move.text for move in play_game(replace(spec, seed=seed), crew).moves)
        for seed in (1, 2)
    }
    assert len(games) == 1
