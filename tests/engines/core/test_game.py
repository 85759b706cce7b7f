import pytest

from engines.core.game import FIRST, SECOND, Game, IllegalMove, InvalidText, Outcome, count_leaves
from tests.engines.core.toy import Heap, HeapRules


def test_a_draw_is_half_a_point_for_each() -> None:
    assert [Outcome(None, "agreed").points(side) for side in (FIRST, SECOND)] == [0.5, 0.5]


def test_a_win_is_a_point_for_the_winner_alone() -> None:
    assert [Outcome(SECOND, "mate").points(side) for side in (FIRST, SECOND)] == [0.0, 1.0]


def test_a_win_of_both_is_shared() -> None:
    shared = Outcome(None, "neutron blocked", both=True)
    assert [shared.points(side) for side in (FIRST, SECOND)] == [0.5, 0.5]


def test_play_reads_text_and_reports_the_outcome() -> None:
    game = Game(HeapRules())
    for text in ("2", "2", "2"):
        assert game.outcome() is None
        game.play(text)
    assert game.turn == SECOND
    game.play("1")
    assert game.outcome() == Outcome(SECOND, "heap empty")


def test_a_finished_game_takes_no_move() -> None:
    game = Game(HeapRules(), "1")
    game.play("1")
    with pytest.raises(IllegalMove, match="the game is over: heap empty"):
        game.play("1")


@pytest.mark.parametrize(
    ("text", "error"), [("3", InvalidText), ("two", InvalidText), ("2", IllegalMove)]
)
def test_a_refused_move_changes_nothing(text: str, error: type[Exception]) -> None:
    game = Game(HeapRules(), "1")
    with pytest.raises(error):
        game.play(text)
    assert game.moves == []
    assert game.position.left == 1


def test_the_third_occurrence_ends_the_game() -> None:
    game = Game(HeapRules())
    for _ in range(3):
        game.play("0")
        assert game.outcome() is None
    game.play("0")
    assert game.occurrences() == [0, 2, 4]
    assert game.outcome() == Outcome(None, "repetition")


def test_undo_forgets_an_occurrence() -> None:
    game = Game(HeapRules())
    for _ in range(4):
        game.play("0")
    game.undo()
    assert game.outcome() is None
    assert game.occurrences() == [1, 3]
    game.play("0")
    assert game.outcome() is not None


def test_undo_at_the_beginning_is_an_error() -> None:
    with pytest.raises(IndexError):
        Game(HeapRules()).undo()


def test_a_copy_goes_its_own_way() -> None:
    game = Game(HeapRules())
    game.play("0")
    twin = game.copy()
    twin.play("2")
    assert (game.position.left, twin.position.left) == (7, 5)
    assert (len(game.moves), len(twin.moves)) == (1, 2)
    twin.undo()
    assert twin.occurrences() == game.occurrences()


def test_texts_replays_from_the_set_up() -> None:
    game = Game(HeapRules(), "5")
    for text in ("2", "0", "1"):
        game.play(text)
    assert game.texts() == ["2", "0", "1"]


def test_count_leaves_counts_a_game_that_ends_exactly_at_the_last_ply() -> None:
    assert [count_leaves(Heap(2), depth) for depth in range(4)] == [1, 3, 5, 7]
