import json
from dataclasses import replace
from pathlib import Path

import pytest

from engines.core.game import FIRST, SECOND, Outcome
from protocols.ask.score import Evaluation
from tests.tools.fakes import fake
from tests.tools.match.matches import CLOCK, finished, play, spec
from tools.journal.collection import Played, collect, read_played
from tools.journal.events import TOURNAMENT, game_event
from tools.journal.journal import Event, JournalError
from tools.records.game import GameRecord, PlayedMove, Verdict
from tools.terms.seal import seal
from tools.terms.spec import MatchSpec

THREE = replace(
    spec(),
    engines=tuple(replace(fake("good", seeded=True), label=name) for name in "abc"),
    controls=(CLOCK, CLOCK, CLOCK),
)


def journal(made: MatchSpec, *records: GameRecord, kind: str = TOURNAMENT) -> list[Event]:
    begin: Event = {"event": kind, "seal": dict(seal(made)), "games": 2}
    return [begin, *(json.loads(json.dumps(game_event(record))) for record in records)]


def between(one: int, other: int, number: int, winner: int | None = 0) -> GameRecord:
    game = THREE.game_spec(
        (number - 1) // 2, (number - 1) % 2, 0, opponents=(one, other), start=0, round_number=1
    )
    names = [replace(finished(spec(), 1, 0).players[0], label=e.label) for e in game.engines]
    return replace(
        finished(spec(), number, winner),
        players=(names[0], names[1]),
        engines=game.opponents,
        round=1,
        seed=game.seed,
    )


def read(*records: GameRecord) -> Played:
    return collect(Path("cup"), journal(THREE, *records))


def test_a_match_is_read_with_its_engines_and_all_of_its_games(tmp_path: Path) -> None:
    records = play(tmp_path, spec(games=4))
    played = read_played(tmp_path)
    assert (played.kind, played.game, played.variant, played.size) == ("match", "neutron", "", 0)
    assert [(each.label, each.name, each.time) for each in played.engines] == [
        ("good", "fake good", "60"),
        ("better", "fake better", "60"),
    ]
    assert [game.record for game in played.games] == records
    assert [game.engines for game in played.games] == [(0, 1), (1, 0)] * 2
    assert played.void == 0


def test_games_of_a_tournament_name_the_engines_in_their_order_of_moving() -> None:
    played = read(between(0, 2, 1, winner=0), between(0, 2, 2, winner=0), between(2, 1, 3, None))
    assert [game.engines for game in played.games] == [(0, 2), (2, 0), (2, 1)]
    assert [game.points for game in played.games] == [1.0, 1.0, 0.5]
    assert [game.record.side_of(2) for game in played.games] == [SECOND, FIRST, FIRST]
    assert played.games[0].record.side_of(1) is None
    assert [each.label for each in played.engines] == ["a", "b", "c"]
    assert played.engines[1].name == played.games[2].record.players[SECOND].name


def test_a_game_of_an_engine_that_is_not_in_the_seal_is_named_with_its_line() -> None:
    stranger = replace(between(0, 1, 2), engines=(1, 9))
    with pytest.raises(JournalError, match=r"journal\.jsonl:3: game 2: there is no engine 10\n"):
        read(between(0, 1, 1), stranger)


def test_a_game_of_a_pair_is_read_once_per_attempt() -> None:
    first = between(0, 1, 1)
    again = replace(first, number=3)
    message = r"journal\.jsonl:3: game 3, attempt 1: game 0 of pair 0 was added before\n"
    with pytest.raises(JournalError, match=message):
        read(first, again)
    assert len(read(first, replace(again, attempt=1)).games) == 1


def test_engines_made_alike_have_the_same_digest_under_any_name() -> None:
    one, other, third = read().engines
    assert one.digest == other.digest == third.digest
    another = replace(THREE, engines=(*THREE.engines[:2], fake("good", "once", seeded=True)))
    digests = [each.digest for each in collect(Path("cup"), journal(another)).engines]
    assert digests[0] == digests[1] == one.digest != digests[2]


def test_void_games_and_the_other_game_of_their_pair_are_left_out() -> None:
    void = replace(between(0, 1, 2), outcome=Outcome(None, "void"), verdict=Verdict.VOID)
    again = replace(between(0, 1, 1), attempt=1)
    played = read(between(0, 1, 1), void, again, between(1, 2, 3))
    assert [(game.number, game.record.attempt) for game in played.games] == [(1, 1), (3, 0)]
    assert played.void == 1


def test_a_game_that_repeats_another_names_it() -> None:
    played = read(between(0, 1, 1), between(0, 1, 2), between(0, 1, 3))
    assert [game.repeats for game in played.games] == [0, 0, 1]
    assert played.distinct == 2


def test_moves_of_the_opening_cost_no_time() -> None:
    moves = tuple(PlayedMove(side, "b1-b4", 0.5, None, Evaluation()) for side in (0, 1, 0, 1))
    game = read(replace(between(0, 1, 1), moves=moves, opening=2, cpu=(0.25, None))).games[0]
    assert (game.plies, game.moves(FIRST), game.seconds(SECOND)) == (4, 1, 0.5)
    assert (game.cpu(FIRST), game.cpu(SECOND)) == (0.25, None)


def test_an_engine_that_plays_itself_is_a_fault_of_the_journal() -> None:
    wrong = journal(THREE, between(0, 1, 1))
    wrong[1] = {**wrong[1], "engines": [1, 1]}
    with pytest.raises(JournalError, match=r"journal.jsonl:2: game 1 .*`engines` is \[1, 1\]"):
        collect(Path("cup"), wrong)
