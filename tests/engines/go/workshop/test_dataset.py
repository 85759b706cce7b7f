from pathlib import Path

import numpy as np

from engines.go.workshop.dataset import HELD_OUT, Labels, join, load, turn

SIZE = 5
PASS = 25
GAMES = ((12, 6, PASS, 18, 2), (7, 11, 13))


def write(path: Path, rules: tuple[int, int] = (0, 1)) -> None:
    """Write two games of which every position is labelled, and every second ownership known."""
    count = sum(len(game) for game in GAMES)
    index = np.tile(np.arange(24), (count, 1))
    at = [list(range(0, len(game), 2)) for game in GAMES]
    owned = sum(len(rows) for rows in at)
    np.savez(
        path,
        size=SIZE,
        komi=np.array([7.5, 6.5], np.float32),
        rules=np.array(rules, np.uint8),
        length=np.array([len(game) for game in GAMES], np.uint16),
        move=np.array([move for game in GAMES for move in game], np.uint16),
        policy_index=index.astype(np.uint16),
        policy=np.full((count, 24), 1 / 25, np.float16),
        winrate=np.linspace(0, 1, count).astype(np.float16),
        lead=np.arange(count, dtype=np.float16),
        ownership=np.arange(owned * 25).reshape(owned, 25).astype(np.int8),
        ownership_at=np.array([n for rows in at for n in rows], np.uint16),
        own_count=np.array([len(rows) for rows in at], np.uint16),
    )


def read(path: Path) -> Labels:
    return join([load(path, held_out=False), load(path, held_out=True)])


def ordered(labels: Labels) -> list[int]:
    """List the rows by game and number of moves, whichever game was held out."""
    return sorted(range(len(labels)), key=lambda row: float(labels.lead[row]))


def test_every_position_is_replayed_from_its_own_game(tmp_path: Path) -> None:
    write(tmp_path / "b10-5x5-000.npz")
    labels = read(tmp_path / "b10-5x5-000.npz")
    batch = labels.batch(np.array(ordered(labels)), np.array([0]))
    assert list(batch.lead) == list(range(8))
    own = [set(np.flatnonzero(planes[1])) for planes in batch.planes]
    enemy = [set(np.flatnonzero(planes[2])) for planes in batch.planes]
    assert own == [set(), set(), {12}, {6}, {12}, set(), set(), {7}]
    assert enemy == [set(), {12}, {6}, {12}, {6, 18}, set(), {7}, {11}]
    assert [bool(row[2]) for row in batch.scalars] == [0, 0, 0, 1, 0, 0, 0, 0]
    assert [bool(row[3]) for row in batch.scalars] == [0, 0, 0, 0, 1, 0, 0, 0]


def test_komi_is_effective_and_for_the_side_to_move(tmp_path: Path) -> None:
    write(tmp_path / "b10-5x5-000.npz", rules=(0, 1))
    labels = read(tmp_path / "b10-5x5-000.npz")
    batch = labels.batch(np.array(ordered(labels)), np.array([0]))
    komi = [round(15.0 * float(row[0]), 3) for row in batch.scalars]
    assert komi == [-7.5, 7.5, -7.5, 7.5, -7.5, -6.5, 7.5, -6.5]


def test_unknown_ownership_is_marked_and_known_ownership_is_its_own(tmp_path: Path) -> None:
    write(tmp_path / "b10-5x5-000.npz")
    labels = read(tmp_path / "b10-5x5-000.npz")
    batch = labels.batch(np.array(ordered(labels)), np.array([0]))
    assert list(batch.owned) == [1, 0, 1, 0, 1, 1, 0, 1]
    assert np.allclose(batch.ownership[2] * 200 - 100, np.arange(25, 50))


def test_symmetries_turn_moves_stones_and_ownership_together(tmp_path: Path) -> None:
    write(tmp_path / "b10-5x5-000.npz")
    labels = read(tmp_path / "b10-5x5-000.npz")
    row = ordered(labels)[4]
    plain = labels.batch(np.array([row]), np.array([0]))
    for symmetry in range(8):
        turned = labels.batch(np.array([row]), np.array([symmetry]))
        for k, move in enumerate(plain.moves[0]):
            mark = np.zeros((5, 5))
            mark.flat[move] = 1
            assert turn(mark, symmetry).flat[turned.moves[0][k]] == 1
        assert (turned.planes[0] == turn(plain.planes[0], symmetry)).all()
        expected = turn(plain.ownership.reshape(5, 5), symmetry).reshape(-1)
        assert (turned.ownership[0] == expected).all()


def test_the_same_moves_are_held_out_from_whatever_file(tmp_path: Path) -> None:
    write(tmp_path / "b6-5x5-000.npz", rules=(1, 1))
    write(tmp_path / "b10-5x5-000.npz", rules=(0, 0))
    held = [load(path, held_out=True) for path in sorted(tmp_path.glob("*.npz"))]
    taught = [load(path, held_out=False) for path in sorted(tmp_path.glob("*.npz"))]
    assert len(held[0]) == len(held[1])
    assert [len(a) + len(b) for a, b in zip(held, taught, strict=True)] == [8, 8]
    assert HELD_OUT > 1
