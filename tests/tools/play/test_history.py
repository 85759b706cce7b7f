from tools.play.history import History
from tools.records.game import PlayedMove


def history(texts: str) -> History:
    return History([PlayedMove(n % 2, text, 0.0, None) for n, text in enumerate(texts)])


def line(moves: tuple[PlayedMove, ...]) -> str:
    return "".join(move.text for move in moves)


def test_a_kept_tail_holds_the_tails_behind_it() -> None:
    made = history("abcd")
    made.cut(3, keep=True)
    made.add(PlayedMove(1, "x", 0.0, None), None)
    made.cut(1, keep=True)
    (tail,) = made.tails
    assert (tail.at, line(tail.moves)) == (1, "bcx")
    (inner,) = tail.variations
    assert (inner.at, line(inner.moves)) == (3, "d")


def test_tails_at_one_place_stand_side_by_side() -> None:
    made = history("ab")
    made.cut(1, keep=True)
    made.add(PlayedMove(1, "c", 0.0, None), None)
    made.cut(1, keep=True)
    assert [line(tail.moves) for tail in made.tails] == ["b", "c"]


def test_moves_that_are_taken_back_take_their_tails_with_them() -> None:
    made = history("abcd")
    made.cut(3, keep=True)
    made.add(PlayedMove(1, "x", 0.0, None), None)
    made.cut(2, keep=False)
    assert made.tails == []
    assert line(made.moves) == "ab"
    assert made.texts(1) == ((0, "a"),)


def test_a_variation_takes_the_place_of_the_line_it_replaces() -> None:
    made = history("abcd")
    made.cut(3, keep=True)
    made.add(PlayedMove(1, "x", 0.0, None), None)
    made.cut(1, keep=True)
    made.add(PlayedMove(1, "y", 0.0, None), None)
    path = tuple((n % 2, text) for n, text in enumerate("abcd"))
    turned = made.along(path)
    assert turned is not None
    assert line(turned.moves) == "abcd"
    assert [(tail.at, line(tail.moves)) for tail in turned.tails] == [(1, "y"), (3, "x")]
    assert line(made.moves) == "ay", "the history itself has not changed"
    back = turned.along(made.texts())
    assert back is not None
    assert line(back.moves) == "ay"
    assert line(back.tails[0].moves) == "bcd"
    assert made.along(((0, "a"), (1, "?"))) is None
