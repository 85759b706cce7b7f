"""Legal moves against two libraries that are not ours, over random positions."""

import random

import pytest

from engines.shogi.rules import position as position_module
from engines.shogi.rules.notation import format_move
from engines.shogi.rules.sfen import START, format_sfen, handicap_names, handicap_sfen, parse_sfen

COMPILED = not str(position_module.__file__).endswith(".py")
GAMES = 60 if COMPILED else 3


@pytest.mark.peer("cshogi")
def test_cshogi_agrees_on_moves_checks_and_text() -> None:
    cshogi = pytest.importorskip("cshogi")
    generator = random.Random(7)
    starts = [START, *(handicap_sfen(name) for name in handicap_names())]
    seen = 0
    for _ in range(GAMES):
        text = generator.choice(starts)
        position, peer = parse_sfen(text), cshogi.Board(text)
        for _ in range(200):
            ours = sorted(format_move(move) for move in position.legal_moves())
            theirs = sorted(cshogi.move_to_usi(move) for move in peer.legal_moves)
            assert ours == theirs, format_sfen(position)
            assert position.is_check() == peer.is_check()
            assert format_sfen(position).split()[:3] == peer.sfen().split()[:3]
            seen += 1
            if not ours:
                break
            chosen = generator.choice(ours)
            position.play(next(m for m in position.legal_moves() if format_move(m) == chosen))
            peer.push_usi(chosen)
    assert seen > GAMES * 30


@pytest.mark.peer("python-shogi")
def test_python_shogi_agrees_on_moves() -> None:
    shogi = pytest.importorskip("shogi")
    generator = random.Random(11)
    for _ in range(GAMES // 10 + 1):
        position, peer = parse_sfen(START), shogi.Board()
        for _ in range(120):
            ours = sorted(format_move(move) for move in position.legal_moves())
            assert ours == sorted(move.usi() for move in peer.legal_moves), format_sfen(position)
            if not ours:
                break
            chosen = generator.choice(ours)
            position.play(next(m for m in position.legal_moves() if format_move(m) == chosen))
            peer.push_usi(chosen)
