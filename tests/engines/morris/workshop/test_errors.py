from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from engines.core.game import Game
from engines.core.search import Limits, Report
from engines.morris.play.levels import make_searcher
from engines.morris.rules.board import COMPILED
from engines.morris.rules.position import Position
from engines.morris.rules.text import make_rules
from engines.morris.tables import store
from engines.morris.tables.library import SHIPPED
from engines.morris.tables.oracle import Oracle
from engines.morris.workshop import errors
from engines.morris.workshop.errors import Rate, measure, rank_moves, truth, watch


@pytest.fixture(scope="module")
def oracle() -> Oracle:
    return truth(SHIPPED)


class Careless:
    """Plays the worst move there is."""

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle

    def forget(self) -> None:
        """Do nothing."""

    def search(
        self,
        game: Game[Position],
        limits: Limits,
        *,
        stop: Callable[[], bool],
        report: Callable[[Report], None],
    ) -> int:
        ranks = rank_moves(self._oracle, game.position)
        return min(ranks, key=ranks.__getitem__)


def last(rates: Iterator[Rate]) -> Rate:
    *_, rate = rates
    return rate


def test_every_critical_decision_of_a_careless_player_is_an_error(
    oracle: Oracle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(errors, "make_searcher", lambda level, seed: Careless(oracle))
    rate = last(measure(oracle, (3, 3), 40 if COMPILED else 5, Limits(nodes=1), 1))
    assert rate.decisions == (40 if COMPILED else 5)
    assert rate.errors == rate.critical > 0


def test_the_engine_makes_none_where_its_tables_reach(
    oracle: Oracle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUINTET_DATA", "/nowhere")
    rate = last(measure(oracle, (3, 4), 20 if COMPILED else 2, Limits(nodes=50), 1))
    assert rate.errors == 0
    assert str(rate).startswith(f"3-4: {rate.decisions} decisions, {rate.critical} critical, 0 ")


def test_the_positions_of_games_are_decided(
    oracle: Oracle, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = {"2": make_searcher("2", 1), "10": Careless(oracle)}
    monkeypatch.setattr(errors, "make_searcher", lambda level, seed: players[level])
    monkeypatch.setattr(errors, "_KNOWN", 6)
    *_, rates = watch(oracle, 8 if COMPILED else 1, Limits(depth=1), 1, "2")
    assert all(own + enemy > 6 for own, enemy in rates)
    assert not COMPILED or sum(rate.critical for rate in rates.values()) > 0
    assert all(rate.errors == rate.critical <= rate.decisions for rate in rates.values())


def test_moves_are_ranked_for_the_mover(oracle: Oracle) -> None:
    position = make_rules("").start("W.W/.../.../.W..../.../B.B/B.. w 0 0 0")
    ranks = rank_moves(oracle, position)
    assert len(ranks) == len(position.legal_moves())
    assert max(ranks.values()) == 1
    beyond = make_rules("").start("WWW/WW./W../....../B../BB./BBB w 0 0 0")
    assert rank_moves(oracle, beyond) == {}
    drawn = make_rules("").start("W.W/.../.../.W..../.../B.B/B.. w 0 0 99")
    assert rank_moves(oracle, drawn) == {}


def test_the_folder_that_solving_made_is_found_and_an_empty_one_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUINTET_DATA", "/nowhere")
    refused = CliRunner().invoke(errors.main, ["3-3", "--tables", str(tmp_path)])
    assert refused.exit_code == 2
    assert f"no tables in {tmp_path}" in refused.stderr
    made = tmp_path / store.fingerprint(flying=True, doubles=False)
    made.mkdir()
    (made / "3-3.depth").write_bytes((SHIPPED / "3-3.depth").read_bytes())
    position = make_rules("").start("W../..B/W../....W./.B./.../B.. w 0 0 0")
    assert truth(tmp_path).value(position.own, position.enemy) > 0
    refused = CliRunner().invoke(errors.main, ["6-5", "--tables", str(tmp_path)])
    assert refused.exit_code == 2
    assert "6-5: the tables do not reach there" in refused.stderr


def test_a_sector_beyond_the_tables_is_refused(oracle: Oracle) -> None:
    with pytest.raises(ValueError, match="6-6: the tables do not reach there"):
        next(measure(oracle, (6, 6), 1, Limits(nodes=1), 1))


def test_the_command_prints_a_line_per_sector(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUINTET_DATA", "/nowhere")
    words = ["4-4", "--tables", str(SHIPPED), "--positions", "3", "--nodes", "20"]
    assert CliRunner().invoke(errors.main, words).stdout.startswith("4-4: 3 decisions, ")
    assert Path(SHIPPED).is_dir()
