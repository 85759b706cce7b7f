"""Long runs and strange positions: a legal move everywhere, and memory that does not grow."""

import random
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.shogi.__main__ import ShogiProgram
from engines.shogi.rules import position as position_module
from engines.shogi.rules.notation import parse_move
from engines.shogi.rules.position import Position
from engines.shogi.rules.sfen import SfenError, format_sfen, set_up
from tests.protocols.serve.test_usi import Conversation

COMPILED = not str(position_module.__file__).endswith(".py")


def any_position(seed: int) -> Position:
    """Set up men at random, as the rules allow and as no game would have them."""
    generator = random.Random(seed)
    while True:
        men = [1] * 18 + [2, 3, 4, 7] * 4 + [5, 6] * 2
        generator.shuffle(men)
        squares = generator.sample(range(81), 42)
        cells = [0] * 81
        cells[squares.pop()] = 8
        cells[squares.pop()] = 8 | 16
        hands = [[0] * 8, [0] * 8]
        placed = generator.randint(0, 38)
        for number, kind in enumerate(men):
            side = generator.randrange(2)
            if number < placed:
                promoted = kind < 7 and generator.random() < 0.3
                cells[squares.pop()] = kind + 8 * promoted | side << 4
            else:
                hands[side][kind] += 1
        try:
            return set_up(cells, hands, generator.randrange(2))
        except SfenError:
            continue  # Two pawns on a file, a man that cannot move, a king that can be taken.


@pytest.mark.slow
@given(st.integers(0, 2**32))
@settings(deadline=None, max_examples=60 if COMPILED else 4)
def test_a_search_of_any_legal_position_plays_a_legal_move(seed: int) -> None:
    position = any_position(seed)
    program = ShogiProgram()
    program.set_option("USI_Hash", "1")
    program.set_option("ResignValue", "99999")
    talk = Conversation(program)
    talk.send(f"position sfen {format_sfen(position)}", "go nodes 300")
    answer = talk.until("bestmove ").split()[1]
    talk.close()
    if answer == "resign":
        assert position.outcome() is not None
    else:
        assert answer == "win" or position.allows(parse_move(answer))


def resident() -> int:
    """Return the kilobytes that this process has in memory."""
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


@pytest.mark.skipif(sys.platform != "linux", reason="only /proc shows the memory in use")
def test_game_after_game_takes_no_more_memory() -> None:
    program = ShogiProgram()
    program.set_option("USI_Hash", "1")
    talk = Conversation(program)

    def play(games: int) -> None:
        for _ in range(games):
            talk.send("isready", "usinewgame")
            talk.until("readyok")
            moves: list[str] = []
            for _ in range(12):
                talk.send(f"position startpos moves {' '.join(moves)}", "go nodes 50")
                moves.append(talk.until("bestmove ").split()[1])
            talk.send("go mate 20", "gameover draw")
            talk.until("checkmate ")
            talk.lines.clear()

    play(5 if COMPILED else 2)
    before = resident()
    play(25 if COMPILED else 2)
    assert resident() - before < (4096 if COMPILED else 16384)
    talk.close()
