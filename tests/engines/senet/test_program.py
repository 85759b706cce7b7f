"""The real program on real pipes, and the same conversation without them."""

import subprocess

import pytest

from engines.core.game import IllegalMove
from engines.core.player import Player
from engines.senet.__main__ import equipment
from tests.programs import own_program


def never() -> bool:
    return False


def test_a_conversation_from_the_first_throw_to_the_first_reply() -> None:
    lines = [
        "game",
        "variants",
        "turn",
        "throw 3",
        "play 10-16",
        "roll 5",
        "legal",
        "play b 9-15",
        "limit depth 1",
        "genmove b",
        "turn",
        "position 2............................. 1 - x",
        "option level 11",
        "newgame swap",
        "newgame pass",
        "perft 7",
        "quit",
    ]
    done = subprocess.run(
        own_program("quintet-senet"),
        input="\n".join(lines).encode() + b"\n",
        capture_output=True,
        timeout=120,
        check=False,
    )
    answers = done.stdout.decode().split("\n\n")
    assert done.returncode == 0
    assert done.stderr == b""
    assert answers[0] == "= senet"
    assert answers[1] == "= default\npass\nfree-first\nover"
    assert answers[2] == "= black roll"
    assert answers[3].startswith("? unknown command")
    assert answers[4] == "? roll first"
    assert answers[5] == "= 5"
    assert answers[6] == "= 10-16"
    assert answers[7] == "? illegal move 9-15: black has no man on 9"
    assert answers[9] == "= 10-16"
    assert answers[10] == "= black roll"
    assert answers[11].startswith("? set-up")
    assert answers[12].startswith("? level: expected random greedy 1 2 3")
    assert answers[13].startswith("? no such variant: 'swap'")
    assert answers[15] == "= 6974"


@pytest.mark.parametrize("seed", ["0", "42"])
def test_the_engine_throws_from_its_seed(seed: str) -> None:
    thrown = {"0": "115", "42": "424"}[seed]
    player = Player(equipment())
    player.new_game("", {"seed": seed, "level": "1"})
    for expected in thrown:
        assert player.throw(None) == expected
        if not player.turn().endswith("roll"):
            with pytest.raises(IllegalMove, match="no throw is due"):
                player.throw(None)
            player.generate(never, play=True)


def test_a_move_is_taken_back_together_with_its_throw() -> None:
    player = Player(equipment())
    player.throw(5)
    player.play("10-16")
    assert player.turn() == "black roll"
    player.undo(1)
    assert player.position() == "2121212121.................... 1 - first"
    player.throw(2)
    assert player.turn() == "black"
    player.play("10-12")
    assert player.turn() == "white roll"


def test_a_whole_game_is_played_and_won() -> None:
    player = Player(equipment())
    player.new_game("over", {"seed": "3", "level": "2"})
    player.limit("depth", 1)
    moves = 0
    while player.turn() != "over":
        if player.turn().endswith("roll"):
            player.throw(None)
        else:
            player.generate(never, play=True)
            moves += 1
    assert player.result() in ("black all men off", "white all men off")
    assert player.legal() == []
    assert 30 < moves < 1000


def test_before_a_throw_there_are_no_moves_and_the_position_is_valued() -> None:
    player = Player(equipment())
    player.set_option("level", "1")
    with pytest.raises(IllegalMove, match="roll first"):
        player.legal()
    lines: list[str] = []
    player.analyze(0.0, lambda: len(lines) > 2, lines.append)
    assert lines
    assert all(line.startswith("info depth ") and " pv " not in line for line in lines)
    score = lines[-1].split(" score ")[1].split()
    assert score[0] == "est"
    assert 0.3 < float(score[1]) < 0.8
    player.throw(1)
    assert player.legal() == ["10-11"]


def test_exact_values_before_a_throw_are_exact() -> None:
    player = Player(equipment())
    player.set_position(f"1.2{'.' * 27} 1 -")
    lines: list[str] = []
    player.analyze(0.0, never, lines.append)
    assert " score exact " in lines[-1]
