import pytest

from engines import registry
from engines.core.game import Game, InvalidText, Outcome
from engines.go.rules.history import Position
from tools.records.game import Count, Method
from tools.records.go import go_rules
from tools.terms.scoring import capped, counted, read_claim


def game(*moves: str, variant: str = "chinese") -> Game[Position]:
    played = Game(go_rules(registry.rules("go", variant, 5)), "komi=7.5")
    for move in moves:
        played.play(move)
    return played


@pytest.mark.parametrize(
    ("text", "margin"),
    [
        ("B+0.5", 0.5),
        (" w+7.5 ", -7.5),
        ("0", None),  # With a komi of 7.5 no game is drawn.
        ("B+1", None),
        ("B+99.5", None),  # There are 25 points.
        ("B+R", None),
        ("", None),
    ],
)
def test_a_claim_is_a_score_that_points_and_komi_can_give(text: str, margin: float | None) -> None:
    assert read_claim(text, game().position) == margin


def test_a_draw_can_be_claimed_where_the_komi_allows_it() -> None:
    played = Game(go_rules(registry.rules("go", "chinese", 5)), "komi=7")
    assert read_claim("0", played.position) == 0.0


def test_dead_stones_are_counted_for_the_opponent() -> None:
    played = game("C3", "A1", "pass", "pass")
    alive = Count(Method.ALL_ALIVE, ("", ""), (), "", "")
    dead = Count(Method.ARBITER, ("", ""), ("A1",), "arbiter", "")
    assert counted(played, dead) == Outcome(0, "B+17.5")
    assert counted(played, alive) != counted(played, dead)


@pytest.mark.parametrize(
    ("dead", "complaint"),
    [
        (("B2",), "no stone to be dead on B2"),
        (("C3",), "a chain is dead in part"),
    ],
)
def test_a_count_with_impossible_dead_stones_is_refused(
    dead: tuple[str, ...], complaint: str
) -> None:
    played = game("C3", "A1", "C4", "pass", "pass")
    with pytest.raises(InvalidText, match=complaint):
        counted(played, Count(Method.ARBITER, ("", ""), dead, "arbiter", ""))


def test_two_claims_that_differ_are_no_agreement() -> None:
    with pytest.raises(InvalidText, match="are no agreement"):
        counted(game(), Count(Method.AGREEMENT, ("B+0.5", "W+0.5"), (), "", ""))


def test_a_game_that_was_too_long_says_so_and_its_count() -> None:
    ended = capped(Outcome(None, "adjudication: 75 plies"), Outcome(0, "B+17.5"))
    assert ended == Outcome(0, "adjudication: 75 plies, counted B+17.5")
