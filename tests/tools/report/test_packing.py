from pathlib import Path

import pytest

from protocols.ask.score import Evaluation
from tests.tools.report.cups import write_cup
from tools.journal.collection import read_played
from tools.journal.pool import make_pools
from tools.records.game import PlayedMove
from tools.report.packing import pack_games, pack_moves, pack_seconds, pack_share


def unpack_seconds(sign: str) -> float:
    """Read a time as static/games.js does."""
    step = ord(sign) - 33
    return 0.0 if step == 0 else float(10 ** ((step - 1) / 15 - 4))


@pytest.mark.parametrize("seconds", [0.0001, 0.0123, 0.5, 1.0, 7.3, 59.0])
def test_a_time_keeps_its_size_within_a_twelfth(seconds: float) -> None:
    assert unpack_seconds(pack_seconds(seconds)) == pytest.approx(seconds, rel=0.085)


def test_times_without_end_and_without_length_have_characters_too() -> None:
    assert unpack_seconds(pack_seconds(0)) == 0
    assert 60 < unpack_seconds(pack_seconds(1e9)) < 200
    assert unpack_seconds(pack_seconds(1e-9)) < 0.0002


def test_a_share_is_a_character_that_no_separator_is() -> None:
    signs = {pack_share(number / 1000) for number in range(1001)}
    assert len(signs) == 91
    assert signs.isdisjoint(" |")
    assert pack_share(None) == " "


def move(side: int, text: str, score: str = "", seconds: float = 0.0) -> PlayedMove:
    return PlayedMove(side, text, seconds, None, Evaluation.parse(score and f"score {score}"))


def test_moves_are_packed_with_what_the_first_side_may_expect() -> None:
    moves = [move(0, "b1-b4", "est 1"), move(1, "c3-c4/a5-a2", "est 1"), move(0, "c4-c1/b4-b1")]
    texts, sides, shares, times = pack_moves(moves).split("|")
    assert texts == "b1-b4 c3-c4/a5-a2 c4-c1/b4-b1"
    assert sides == ""
    assert shares == pack_share(1) + pack_share(0)
    assert times == "!!!"


def test_sides_are_written_where_they_do_not_take_turns() -> None:
    assert pack_moves([move(2, "1"), move(0, "9-10"), move(2, "3")]).split("|")[1] == "202"
    assert pack_moves([move(1, "D4"), move(0, "E5")]).split("|")[1] == "10"
    assert pack_moves([]) == "|||"


def test_games_are_columns_of_the_same_length(tmp_path: Path) -> None:
    (pool,) = make_pools([read_played(write_cup(tmp_path, games=6))])
    ranks = [2, 0, 1]
    packed = pack_games(pool.games, ranks)
    assert packed["number"] == [1, 2, 3, 4, 5, 6]
    assert packed["first"] == [ranks[game.engines[0]] for game in pool.games]
    assert packed["points"] == [2 * game.played.points for game in pool.games]
    assert {packed["openings"][number] for number in packed["opening"]} == {
        game.played.opening for game in pool.games
    }
    assert packed["setups"] == ["BBBBB/...../..N../...../WWWWW w man"]
    tables = ("endings", "reasons", "openings", "setups")
    assert {len(packed[name]) for name in packed if name not in tables} == {6}
