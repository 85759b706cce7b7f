from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.tools.fakes import fake, game_spec
from tools.match.referee import play_game
from tools.records.game import GameRecord, PlayedMove, Verdict
from tools.roster.seats import EnginePool
from tools.terms.openings import Opening


@pytest.fixture(scope="module")
def pool() -> Iterator[EnginePool]:
    """Keep the well-behaved engines from test to test."""
    pool = EnginePool()
    yield pool
    pool.close()


def play(pool: EnginePool, temper: str, control: str = "60", *more: str) -> GameRecord:
    return play_game(game_spec(fake("good"), fake(temper, *more), control), pool)


@pytest.mark.slow
def test_who_hung_once_is_replaced_and_then_kept(pool: EnginePool, tmp_path: Path) -> None:
    engine = fake("lazy", str(tmp_path / "hung"))
    spec = game_spec(fake("good"), engine, "0.3/move")
    verdicts = [play_game(spec, pool).verdict for _ in range(3)]
    assert verdicts == [Verdict.STALL, Verdict.NATURAL, Verdict.NATURAL]
    assert pool.seat(engine).starts == 2


def test_engines_are_kept_between_games(pool: EnginePool) -> None:
    first, second = fake("good"), fake("better")
    for _ in range(2):
        play_game(game_spec(first, second), pool)
        play_game(game_spec(second, first), pool)
    assert pool.seat(first).starts == pool.seat(second).starts == 1


def test_a_pool_keeps_only_the_programs_used_last() -> None:
    pool, engines = EnginePool(), [replace(fake("good"), label=str(n)) for n in range(9)]
    before = [pool.seat(engine) for engine in engines]
    pool.seat(engines[0])
    pool.make_room(engines[7:])
    kept = [each for each, seat in zip(engines, before, strict=True) if pool.seat(each) is seat]
    assert [each.label for each in kept] == ["0", "4", "5", "6", "7", "8"]
    pool.close()


@pytest.mark.slow
@pytest.mark.parametrize("temper", ["gone-after-game", "gone-at-newgame", "gone-before-moves"])
@pytest.mark.parametrize("moves", [(), ("b1-b4",)])
def test_an_engine_that_ends_between_games_is_started_anew(
    pool: EnginePool, temper: str, moves: tuple[str, ...]
) -> None:
    engine = fake(temper)
    spec = replace(game_spec(engine, fake("good")), opening=Opening("", moves))
    before = pool.seat(engine).starts
    for number in range(4):
        starts = pool.seat(engine).starts
        record = play_game(replace(spec, number=number), pool)
        assert record.verdict == Verdict.NATURAL
        assert record.moves[: len(moves)] == tuple(PlayedMove(0, text, 0.0, None) for text in moves)
        assert pool.seat(engine).starts <= starts + 1
    assert pool.seat(engine).starts > before + 1
    pool.seat(engine).dismiss()


def test_an_engine_that_never_comes_to_a_question_loses(pool: EnginePool) -> None:
    engine = fake("never-plays")
    pool.seat(engine).client()  # As the check before a match does.
    record = play_game(game_spec(fake("good"), engine), pool)
    assert (record.verdict, record.outcome.winner, record.code) == (Verdict.CRASH, 0, 6)
    assert pool.seat(engine).starts == 2


def test_a_crash_at_a_question_is_no_restart(pool: EnginePool) -> None:
    engine = fake("crash")
    for starts in (1, 2):
        assert play_game(game_spec(engine, fake("good")), pool).verdict == Verdict.CRASH
        assert pool.seat(engine).starts == starts


def test_an_engine_may_be_started_for_each_game(pool: EnginePool) -> None:
    engine = replace(fake("better"), restart="always")
    for starts in (1, 2, 3):
        assert play_game(game_spec(fake("good"), engine), pool).verdict == Verdict.NATURAL
        assert pool.seat(engine).starts == starts
        assert list(pool.seat(engine).release()) == []


def test_a_program_that_cannot_be_started_is_named_before_the_first_game() -> None:
    pool = EnginePool()
    gone = replace(fake("gone"), command=("/nonexistent/engine",))
    assert "cannot start" in pool.find_faults([gone])
    assert "no such option" in pool.find_faults([replace(fake("good"), options=(("hash", "1"),))])
    pool.close()


def test_the_seed_reaches_an_engine_that_leaves_its_own_to_chance(pool: EnginePool) -> None:
    spec = game_spec(fake("good"), fake("better"))

    def texts(seed: int, number: int = 1) -> list[str]:
        played = play_game(replace(spec, seed=seed, number=number), pool)
        return [move.text for move in played.moves]

    first = texts(1)
    assert texts(2) != first
    assert texts(1, number=2) != first
    assert texts(1) == first  # By the same programs, which had other seeds meanwhile.


def test_a_seed_that_the_user_names_is_left_alone(pool: EnginePool) -> None:
    own = replace(fake("good"), options=(("seed", "5"),))
    spec = game_spec(own, own)
    games = {
        tuple(move.text for move in play_game(replace(spec, seed=seed), pool).moves)
        for seed in (1, 2)
    }
    assert len(games) == 1
