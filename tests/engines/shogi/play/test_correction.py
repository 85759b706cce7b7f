"""The corrections of the evaluation that are learned from searches."""

from engines.shogi.play.scores import ALL_METHODS, METHODS
from engines.shogi.play.search import Task, Thinker
from engines.shogi.rules.sfen import START, parse_sfen

WITHOUT = ALL_METHODS & ~(1 << METHODS.index("correction"))


def nodes(thinker: Thinker) -> int:
    """Return what a search of three plies takes."""
    return thinker.think(Task(parse_sfen(START), lambda: False, depth=3))[0].nodes


def test_the_same_search_follows_once_all_is_forgotten() -> None:
    thinker = Thinker(1)
    first = nodes(thinker)
    thinker.forget()
    assert nodes(thinker) == first


def test_what_was_learned_is_used_unless_the_method_is_left_out() -> None:
    assert nodes(Thinker(1)) != nodes(Thinker(1, methods=WITHOUT))
