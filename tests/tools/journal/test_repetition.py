from dataclasses import replace

import pytest

from engines.core.game import CHANCE, Outcome
from protocols.ask.score import Evaluation
from tests.tools.match.matches import finished, spec
from tools.journal.repetition import ADVICE, Repetitions, digest_of
from tools.records.game import GameRecord, PlayedMove, Player, Verdict

GAME = finished(spec(), 1, 0)


def repetitions(*records: GameRecord) -> Repetitions:
    counted = Repetitions()
    for record in records:
        counted.add(record, digest_of(record))
    return counted


def test_times_evaluations_and_seeds_make_no_other_game() -> None:
    slower = PlayedMove(0, "b1-b4", 7.5, 3.0, Evaluation.parse("score est 0.7"))
    again = replace(GAME, number=3, pair=1, seed=99, started="2027", moves=(slower,), stderr="!")
    assert digest_of(again) == digest_of(GAME)


@pytest.mark.parametrize(
    "other",
    [
        replace(GAME, moves=(PlayedMove(0, "b1-b3", 0.1, None),)),
        replace(GAME, moves=(*GAME.moves, PlayedMove(CHANCE, "3", 0, None))),
        replace(GAME, players=GAME.players[::-1]),
        replace(GAME, players=(Player("third", "", ""), GAME.players[1])),
        replace(GAME, setup="another position"),
        replace(GAME, opening=1),
        replace(GAME, variant="kraus"),
        replace(GAME, outcome=Outcome(1, "time"), verdict=Verdict.TIME),
    ],
)
def test_opening_engines_colours_moves_and_result_make_another_game(other: GameRecord) -> None:
    assert digest_of(other) != digest_of(GAME)


def test_moves_are_not_run_together() -> None:
    one = replace(GAME, moves=(PlayedMove(0, "ab", 0, None), PlayedMove(1, "c", 0, None)))
    other = replace(GAME, moves=(PlayedMove(0, "a", 0, None), PlayedMove(1, "bc", 0, None)))
    assert digest_of(one) != digest_of(other)


def test_repetitions_are_counted_and_the_first_is_named() -> None:
    made = spec(games=8)
    counted = repetitions(finished(made, 1, 0), finished(made, 2, 1))
    assert (str(counted), counted.warning()) == ("2 games, 2 distinct", "")
    for number in (3, 5, 4):
        record = finished(made, number, (number + 1) % 2)
        counted.add(record, digest_of(record))
    assert str(counted) == "5 games, 2 distinct"
    assert counted.first == (3, 1)
    assert counted.warning().startswith("warning: game 3 repeats game 1: ")
    assert counted.warning().endswith(ADVICE)


def test_a_void_game_is_no_game() -> None:
    void = finished(spec(), 1, None, Verdict.VOID)
    assert str(repetitions(void)) == "0 games, 0 distinct"


def test_a_game_that_is_played_again_replaces_the_former() -> None:
    again = finished(spec(), 1, 0, again=1)
    counted = repetitions(finished(spec(), 1, 0), again)
    assert (str(counted), counted.first) == ("1 game, 1 distinct", None)
    counted.add(finished(spec(), 1, None, Verdict.VOID, again=2), "")
    assert str(counted) == "0 games, 0 distinct"
