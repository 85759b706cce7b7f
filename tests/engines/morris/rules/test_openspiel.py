"""OpenSpiel as an oracle: the same moves in random games; its removals are moves of their own."""

import random

import pytest

from engines.morris.rules.board import NONE, pack
from engines.morris.rules.position import NO_MEN, NO_MOVE
from engines.morris.rules.text import MorrisRules

READING_ORDER = "a1d1g1b2d2f2c3d3e3a4b4c4e4f4g4c5d5e5b6d6f6a7d7g7"


@pytest.mark.peer("openspiel")
def test_random_games_have_the_same_moves_as_in_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="needs OpenSpiel (PyPI open-spiel)")
    game = pyspiel.load_game("nine_mens_morris")
    rules = MorrisRules("no-draws")
    points = [rules.parse_point(READING_ORDER[at : at + 2]) for at in range(0, 48, 2)]
    numbers = {point: number for number, point in enumerate(points)}
    chance = random.Random(7)
    seen = 0
    while seen < 10_000:
        state, position = game.new_initial_state(), rules.start()
        while not state.is_terminal():
            seen += 1
            wanted: dict[int, set[int]] = {}
            for move in position.legal_moves():
                end, start, victim = move & 31, move >> 5 & 31, move >> 10 & 31
                action = numbers[end] if start == NONE else 24 + numbers[start] * 24 + numbers[end]
                wanted.setdefault(action, set()).add(victim)
            assert set(state.legal_actions()) == set(wanted), rules.setup(position)
            action = chance.choice(state.legal_actions())
            state.apply_action(action)
            victim = NONE
            if wanted[action] != {NONE}:
                expected = {numbers[point] for point in wanted[action]}
                assert set(state.legal_actions()) == expected, rules.setup(position)
                victim = points[chance.choice(state.legal_actions())]
                state.apply_action(numbers[victim])
            start, end = (NONE, action) if action < 24 else divmod(action - 24, 24)
            start = start if start == NONE else points[start]
            position.play(pack(start, points[end], victim, NONE))
        outcome = position.outcome()
        if outcome is not None:
            assert outcome.reason in (NO_MEN, NO_MOVE)
            assert state.returns()[outcome.winner] == 1, rules.setup(position)
        else:
            assert state.returns() == [0, 0]  # Its draw after 200 moves.
