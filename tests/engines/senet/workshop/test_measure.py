from pathlib import Path

import pytest
from click.testing import CliRunner

from engines.core.game import Game, InvalidText, Move
from engines.core.solving import SolveRequest
from engines.senet.play import net as module
from engines.senet.play.lookahead import Lookahead
from engines.senet.play.net import Net
from engines.senet.rules.position import SenetPosition
from engines.senet.rules.text import make_rules
from engines.senet.tables import shipped
from engines.senet.tables.library import Library
from engines.senet.tables.solve import plan
from engines.senet.tables.table import SHORT, ChanceTable
from engines.senet.workshop.distil import choices
from engines.senet.workshop.measure import (
    Loss,
    main,
    make_player,
    measure_error,
    measure_loss,
    measure_play,
)
from tests.engines.senet.solutions import silent, solve

COMPILED = not module.__file__.endswith(".py")
EMPTY = ChanceTable([], SHORT)
SOLVES_TWO = pytest.mark.compiled("solving two men a side takes minutes")


@SOLVES_TWO
def test_a_loss_is_what_the_exact_table_gives_for_a_better_move(tmp_path: Path) -> None:
    solve(2, "", tmp_path)
    library = Library(tmp_path, passing=False, over=False)
    trained = measure_loss(
        Lookahead(Net(shipped.net_weights()), EMPTY, 0, 0), library, (2, 2), 1, 300
    )
    blank = measure_loss(Lookahead(Net(seed=1), EMPTY, 0, 0), library, (2, 2), 1, 300)
    assert 0 <= trained.mean < blank.mean < 0.1
    assert trained.mean <= trained.centile <= trained.worst
    known = measure_loss(Lookahead(Net(seed=1), shipped.chances(), 0, 0), library, (2, 2), 1, 300)
    assert known.worst < 0.005
    assert str(known).startswith("mean 0.0")
    with pytest.raises(ValueError, match="do not hold"):
        measure_loss(Lookahead(Net(seed=1), EMPTY, 0, 0), library, (3, 3), 1, 10)
    with pytest.raises(ValueError, match="no choice"):
        measure_loss(Lookahead(Net(seed=1), EMPTY, 0, 0), library, (1, 2), 1, 10)


class RacingLibrary(Library):
    """Knows up to four enemy men, and counts how far the sides have come."""

    def __init__(self) -> None:
        super().__init__(Path("nowhere"), passing=False, over=False)

    def chance(self, own: int, enemy: int) -> float | None:
        if own.bit_count() == 5 and enemy.bit_count() == 5:
            return None
        return 0.5 + (_gone(own) - _gone(enemy)) / 1000


def _gone(men: int) -> int:
    squares = [square for square in range(1, 30) if men >> (square - 1) & 1]
    return sum(squares) + 30 * (5 - len(squares))


def test_play_is_measured_in_games_wherever_the_library_knows() -> None:
    library = RacingLibrary()

    def race(game: Game[SenetPosition]) -> Move:
        own, enemy = (
            sum(1 << (square - 1) for square in game.position.men(side))
            for side in (game.position.thrower, 1 - game.position.thrower)
        )
        worths = {
            man.bit_length(): _gone(mine) - _gone(theirs) if mine else 1000
            for man, mine, theirs in choices(own, enemy, game.position.throw)
        }
        return max(game.position.legal_moves(), key=lambda move: worths[move])

    best = measure_play(race, library, 3)
    assert (5, 5) not in best
    assert (4, 4) in best
    assert all(loss == pytest.approx(0, abs=1e-9) for each in best.values() for loss in each)
    erring = measure_play(make_player("random", 1), library, 3)
    assert Loss.of([loss for each in erring.values() for loss in each]).mean > 0.001
    assert measure_play(make_player("random", 1), library, 3) == erring
    assert measure_play(race, Library(Path("nowhere"), passing=False, over=False), 1) == {}


def test_the_error_of_16_bits_is_reported_in_units(tmp_path: Path) -> None:
    for folder, kind in (("f", "float"), ("s", "short")):
        list(plan(SolveRequest(1, "", kind, tmp_path / folder, 1, 10)).run(silent))
    mean, worst = measure_error((1, 1), tmp_path / "f", tmp_path / "s")
    assert 0 < mean < worst < 3
    words = ["error", "1", "1", str(tmp_path / "f"), str(tmp_path / "s")]
    assert CliRunner().invoke(main, words).stdout.startswith("1-1: mean 0.")


def test_players_come_by_name() -> None:
    with pytest.raises(InvalidText, match="no such level"):
        make_player("eleven", 1)
    game = Game(make_rules("free-first"), "2121212121.................... 1 3")
    legal = game.position.legal_moves()
    for name in ("random", "greedy", "plies=1", "4"):
        assert make_player(name, 1)(game) in legal


@SOLVES_TWO
def test_the_command_measures_decisions_and_play(tmp_path: Path) -> None:
    solve(2, "", tmp_path)
    tables = ["--tables", str(tmp_path)]
    output = CliRunner().invoke(main, ["play", "random", "--games", "20", *tables]).stdout
    assert "random, all: mean " in output
    output = CliRunner().invoke(main, ["loss", "2", "1", "--positions", "20", *tables]).stdout
    assert output.startswith("2-1, depth 1: mean ")


def test_games_that_reach_no_table_are_an_error(tmp_path: Path) -> None:
    solve(1, "", tmp_path)
    done = CliRunner().invoke(main, ["play", "random", "--games", "20", "--tables", str(tmp_path)])
    assert done.exit_code == 1
    assert "no position of these games is in the tables" in done.output
