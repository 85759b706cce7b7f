from dataclasses import replace

import pytest

from tools.play.offers import make_terms
from tools.play.players import parse_player
from tools.play.session import PlaySession
from tools.play.snapshot import EvaluationView, Snapshot
from tools.play.web.face import Wishes, captured_of, line_of, present, scene_of, wishes_of

PERSON = parse_player(("person",))


def after(game: str, moves: str, size: int = 0) -> Snapshot:
    session = PlaySession(make_terms(game, size=size), (PERSON, PERSON))
    session.start()
    try:
        for move in moves.split():
            session.play(move)
        return session.snapshot()
    finally:
        session.close()


def valued(shown: Snapshot, line: str) -> Snapshot:
    return replace(shown, evaluation=EvaluationView(0.5, "", line, None, None))


def test_captured_pieces_are_counted_by_the_side_that_took_them() -> None:
    assert captured_of(after("go", "A1 A2 C3 B1", size=5)) == [0, 1]
    assert captured_of(after("go", "A1", size=5)) == [0, 0]
    assert captured_of(after("morris", "a1 d7 d1 d6 g1xd7")) == [1, 0]
    assert captured_of(after("shogi", "7g7f 3c3d 8h2b+")) == [0, 0]


def test_a_line_begins_after_the_move_that_was_played() -> None:
    shown = after("shogi", "7g7f")
    assert line_of(valued(shown, "7g7f 3c3d 2g2f")) == ["3c3d", "2g2f"]
    assert line_of(valued(shown, "2g2f 3c3d")) == []
    assert line_of(shown) == []
    hinted = replace(shown, hint="8c8d")
    assert line_of(valued(hinted, "8c8d 2g2f")) == ["8c8d", "2g2f"]
    assert line_of(valued(hinted, "7g7f 3c3d")) == []
    earlier = replace(shown, plies=5)
    assert line_of(valued(earlier, "7g7f 3c3d")) == []


def test_a_line_that_is_no_moves_is_not_drawn() -> None:
    shown = valued(after("shogi", "7g7f"), "7g7f <script> 9z9z \u202e")
    scene = scene_of(shown, Wishes(line=True))
    assert scene.line == ("<script>", "9z9z", "\u202e")
    assert "ghost" not in str(present(shown, Wishes(line=True))["picture"])


@pytest.mark.parametrize("wish", ["flipped", "letters", "line"])
def test_a_wish_is_kept_until_it_is_changed(wish: str) -> None:
    wished = wishes_of({wish: True, "other": 1}, Wishes())
    assert wished == Wishes(**{wish: True})
    assert wishes_of({}, wished) == wished
    assert wishes_of({wish: False}, wished) == Wishes()
