import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engines.core.game import Game
from engines.shogi.play.search import Task, Thinker, Thought
from engines.shogi.rules.notation import parse_move
from engines.shogi.rules.text import ShogiRules
from engines.shogi.workshop import tactics
from engines.shogi.workshop.label import Label
from engines.shogi.workshop.tactics import GAIN, LONG, SHORT, Tactic, candidates, examine, suite

RIGHT, WRONG = parse_move("7g7f"), parse_move("2g2f")


def labels(values: list[int]) -> bytes:
    """The labels of one game, whose searches had these values for the side to move."""
    game = Game(ShogiRules())
    chance = random.Random(1)
    found = []
    for ply, value in enumerate(values):
        move = chance.choice(game.position.legal_moves())
        found.append(Label.of(game.position, move, value, ply))
        game.push(move)
    last = len(found) - 1
    return b"".join(label.pack(0.5, last=at == last) for at, label in enumerate(found))


def test_a_candidate_is_denied_by_the_search_after_it(tmp_path: Path) -> None:
    file = tmp_path / "a.labels"
    file.write_bytes(labels([0, 10, 20, 300, -290, 0]) + labels([500, 500]))
    # 20 for one side became 300 for the other; the end of one game says nothing of the next.
    assert len(candidates(file)) == 2
    file.write_bytes(labels([2000, 0, 0, -2000]))
    assert candidates(file) == []


class Script:
    """Stands for a `Thinker` with known scores: by nodes, for all moves or for the wrong one."""

    def __init__(self, short: int, long: int, longest: int, worth: int) -> None:
        self.choices = {SHORT: short, LONG: long, 5 * LONG: longest}
        self.worth = worth

    def forget(self) -> None:
        pass

    def think(self, task: Task) -> list[Thought]:
        move = task.moves[0] if task.moves else self.choices[task.nodes]
        score = self.worth if task.moves else 100
        return [Thought(1, 1, task.nodes, 0.0, score, None, 1, [move], 0)]


def scripted(short: int, long: int, longest: int, worth: int) -> Thinker:
    script: Any = Script(short, long, longest, worth)
    thinker: Thinker = script
    return thinker


def test_a_tactic_is_an_error_that_costs_enough_and_that_both_long_searches_see() -> None:
    start = Game(ShogiRules()).position
    found = examine(scripted(WRONG, RIGHT, RIGHT, 100 - GAIN), start)
    assert found is not None
    assert (found.best, found.error, found.gain) == ("7g7f", "2g2f", GAIN)
    assert examine(scripted(WRONG, RIGHT, RIGHT, 101 - GAIN), start) is None
    assert examine(scripted(WRONG, RIGHT, WRONG, -500), start) is None
    assert examine(scripted(RIGHT, RIGHT, RIGHT, 100), start) is None


def test_the_suite_is_one_that_regress_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tools.regress.suites.suite import Problem, read_suite

    sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
    tactic = Tactic(sfen, "7g7f", "2g2f", 250)
    monkeypatch.setattr(tactics, "collect", lambda labels, seed: iter([tactic, tactic, tactic]))
    source, out = tmp_path / "a.labels", tmp_path / "a.suite"
    source.write_bytes(b"")
    done = CliRunner().invoke(tactics.main, [str(source), str(out), "--count", "2"])
    assert done.exit_code == 0, done.output
    assert out.read_text(encoding="ascii") == suite([tactic, tactic])
    read = read_suite(out)
    assert [test.accept for test in read if isinstance(test, Problem)] == [("7g7f",), ("7g7f",)]


def test_the_positions_that_are_kept_for_measuring_are_sixty() -> None:
    from tools.regress.suites.suite import Problem, read_suite

    kept = Path(__file__).parents[3] / "data" / "shogi-tactics.suite"
    assert sum(isinstance(test, Problem) for test in read_suite(kept)) == 60
