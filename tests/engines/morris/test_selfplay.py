import itertools
from pathlib import Path

from engines.morris import selfplay
from engines.morris.board import COMPILED
from engines.morris.selfplay import Player, play

NODES = 300 if COMPILED else 40


def test_a_game_depends_on_its_seed_alone() -> None:
    player = Player()
    first = play(player, 3, NODES)
    assert first
    play(player, 4, NODES)
    assert play(player, 3, NODES) == first


def test_a_result_is_told_from_the_mover_s_side() -> None:
    rows = play(Player(), 3, NODES)
    assert all(row[6] == 3 and row[5] in (-1, 0, 1) for row in rows)
    for row, after in itertools.pairwise(rows):
        assert after[5] == -row[5]


def test_games_are_added_to_a_file(tmp_path: Path) -> None:
    path = tmp_path / "labels.txt"
    for seed in ("1", "2"):
        selfplay.main([str(path), "--games", "1", "--nodes", str(NODES), "--seed", seed])
    rows = [list(map(int, line.split())) for line in path.read_text().splitlines()]
    assert {row[6] for row in rows} == {1, 2}
    assert all(row[0] & row[1] == 0 for row in rows)
