import random

import pytest

from engines.go.play.judged import make_rules
from engines.go.rules.history import Position, format_margin
from engines.go.rules.ruleset import RULE_SETS

SETTLED = "G5 B5 G6 B6 B2 G2 B4 G4 B8 G8 C6 H6 C5 H5 B7 G7 pass pass"


def play(variant: str, size: int, moves: list[str]) -> Position:
    rules = make_rules(variant, size)
    position = rules.start()
    for move in moves:
        position.play(rules.parse(position, move))
    return position


def settled(variant: str) -> Position:
    wall = [f"{column}{row}" for row in range(1, 10) for column in "DE"]
    position = play(variant, 9, [*wall, *SETTLED.split()])
    position.komi = 6.5
    return position


@pytest.mark.parametrize(
    ("variant", "result"),
    [
        ("chinese", "W+15.5"),
        ("japanese", "W+15.5"),
        ("aga", "W+15.5"),
        ("new-zealand", "W+15.5"),
        ("tromp-taylor", "W+6.5"),
    ],
)
def test_the_settled_board_is_counted_exactly(variant: str, result: str) -> None:
    outcome = settled(variant).outcome()
    assert outcome is not None
    assert outcome.reason == result
    assert outcome.winner == 1


def test_handicap_points_go_to_white_by_the_rule_set() -> None:
    margins = {}
    for variant in ("chinese", "aga", "japanese", "new-zealand"):
        position = settled(variant)
        position.handicap = 4
        outcome = position.outcome()
        assert outcome is not None
        margins[variant] = outcome.reason
    assert margins == {
        "chinese": "W+19.5",
        "aga": "W+18.5",
        "japanese": "W+15.5",
        "new-zealand": "W+15.5",
    }


def test_a_drawn_game_has_no_winner() -> None:
    position = settled("chinese")
    position.komi = -9.0
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.winner is None
    assert outcome.reason == "0"


def test_undo_restores_everything() -> None:
    source = random.Random(4)
    for variant in RULE_SETS:
        position = make_rules(variant, 3).start()
        seen = []
        for _ in range(60):
            moves = position.legal_moves()
            if not moves:
                break
            seen.append((position.key(), list(moves), position.board.ko, position.passes))
            position.play(source.choice(moves))
        while seen:
            position.undo()
            state = position.key(), list(position.legal_moves()), position.board.ko, position.passes
            assert state == seen.pop()


@pytest.mark.parametrize("variant", ["chinese", "aga"])
def test_superko_never_lets_a_position_come_again(variant: str) -> None:
    source = random.Random(9)
    situational = variant == "aga"
    for _ in range(30):
        position = make_rules(variant, 2).start()
        seen = {position.key() if situational else position.board.hash}
        for _ in range(200):
            moves = [m for m in position.legal_moves() if m != position.area]
            move = source.choice(moves) if moves else position.area
            if move == position.area and position.passes:
                break
            position.play(move)
            now = position.key() if situational else position.board.hash
            assert move == position.area or now not in seen
            seen.add(now)


def test_the_hash_after_a_move_is_predicted() -> None:
    source = random.Random(6)
    for variant in ("tromp-taylor", "chinese"):
        position = make_rules(variant, 4).start()
        for _ in range(150):
            moves = position.legal_moves()[:-1]
            if not moves:
                break
            move = source.choice(moves)
            point = position.board.point(move)
            foretold = position.board.hash_after(point, position.colour)
            position.play(move)
            assert position.board.hash == foretold


def test_either_side_may_be_made_to_move_and_taken_back() -> None:
    position = make_rules("", 9).start()
    position.play_as(1, 40)
    assert position.turn == 0
    position.play_as(1, 41)
    assert position.board.cells_copy()[40:42] == b"\x02\x02"
    position.undo()
    position.undo()
    assert position.turn == 0
    assert position.board.cells_copy() == bytes(81)


def test_a_copy_goes_its_own_way() -> None:
    position = play("", 5, ["C3", "C4"])
    twin = position.copy()
    twin.play(0)
    twin.undo()
    twin.undo()
    twin.play(1)
    assert [move for _, move in position.played] == [12, 7]
    assert position.board.cells_copy()[1] == 0
    assert position.key() != twin.key()


def test_effective_komi_makes_territory_an_area_count() -> None:
    territory = play("japanese", 9, ["E5", "pass", "E6", "C3"])
    assert territory.effective_komi() == 6.5 + 1
    handicap = make_rules("japanese", 9).start(
        "9/9/2X3X2/9/9/9/2X3X2/9/9 w captured=1,3 handicap=4"
    )
    assert handicap.effective_komi() == 6.5 + 4 + 1 - 3
    area = play("chinese", 9, ["E5", "pass", "E6", "C3"])
    area.handicap = 3
    assert area.effective_komi() == 7.5 + 3


def test_margins_are_written_as_gtp_writes_them() -> None:
    assert [format_margin(m) for m in (3.5, -77.0, 0.0)] == ["B+3.5", "W+77", "0"]
