import math
from pathlib import Path

import pytest
from click.testing import CliRunner

from engines.shogi import position as position_module
from engines.shogi.duel import Contender, Duel, chance_at, judge, main, run
from engines.shogi.scores import ALL_METHODS, METHODS

COMPILED = not str(position_module.__file__).endswith(".py")


def test_equal_contenders_share_every_pair() -> None:
    duel = Duel(Contender(), Contender(), 20, 1)
    assert duel.play(0) == 1.0


def test_a_pair_depends_on_its_number_alone() -> None:
    first = Duel(Contender(), Contender(ALL_METHODS & ~(1 << METHODS.index("mate in one"))), 20, 1)
    points = [first.play(pair) for pair in (0, 1)]
    again = Duel(Contender(), Contender(ALL_METHODS & ~(1 << METHODS.index("mate in one"))), 20, 1)
    assert again.play(1) == points[1]
    assert first.opening(0) != first.opening(1)


@pytest.mark.skipif(not COMPILED, reason="takes minutes where it is interpreted")
def test_a_high_level_is_ahead_of_a_low_one() -> None:
    duel = Duel(Contender(), Contender(level=0), 1000, 1)
    assert sum(duel.play(pair) for pair in range(6)) > 6
    # The judge of openings is no contender: every level plays the same ones.
    assert duel.opening(0) == Duel(Contender(level=0), Contender(), 1000, 1).opening(0)


def test_results_are_gone_on_from(tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    out.write_text('{"pair": 1, "points": 0.5}\n{"pair": 2, "poi', encoding="ascii")
    found = list(run(Duel(Contender(), Contender(), 20, 1), 2, out))
    assert found[-1] == [0.5, 1.0]
    assert out.read_text(encoding="ascii").count("\n") == 2


def test_a_judgement_knows_who_is_better_and_how_surely() -> None:
    even, better = judge([1.0] * 50 + [0.0, 2.0] * 25, 0, 10), judge([1.0, 2.0] * 200, 0, 10)
    assert even.elo == pytest.approx(0)
    assert better.elo > 3 * better.error > 0
    assert better.ratio > math.log(19) > even.ratio
    assert judge([1.0, 0.0] * 200, 0, 10).ratio < -math.log(19)
    assert chance_at(0) == 0.5


def test_the_command_says_how_it_stands(tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    ran = CliRunner().invoke(
        main, ["--without", "futility", "--nodes", "20", "--games", "2", "--out", str(out)]
    )
    assert ran.exit_code == 0, ran.output
    assert ran.output.startswith("2 games, ")
    assert "undecided" in ran.output
    wrong = CliRunner().invoke(main, ["--without", "luck"])
    assert wrong.exit_code == 2
    assert "reverse futility" in wrong.output
