"""Labels as inputs of the network: the same inputs as those of the engine."""

from pathlib import Path

import numpy as np
import pytest

from engines.shogi.rules.sfen import START, parse_sfen
from engines.shogi.workshop.dataset import NOTHING, SCALE, mirrored, outlooks, read
from engines.shogi.workshop.features import LAYOUT
from engines.shogi.workshop.label import Label
from tests.engines.shogi.play.network.reference import inputs_of
from tests.engines.shogi.wandering import wander

QUIET = 0  # A move to square 0, which is quiet where no man stands there.


def write(path: Path, sfens: list[str], *, points: float = 1.0) -> Path:
    raw = b""
    for number, sfen in enumerate(sfens):
        position = parse_sfen(sfen, tolerate="rule")
        label = Label.of(position, QUIET, 100 + number, 20)
        raw += label.pack(points, last=number == len(sfens) - 1)
    path.write_bytes(raw)
    return path


def test_the_inputs_are_those_of_the_engine(tmp_path: Path) -> None:
    from engines.shogi.rules.sfen import format_sfen

    sfens = [format_sfen(wander(seed, seed)) for seed in range(0, 200, 7)]
    sfens.append("4k4/9/9/9/9/9/9/9/4K4 b - 1")
    lessons = read([write(tmp_path / "a.labels", sfens)], quiet=False)
    assert len(lessons) == len(sfens)
    for inputs, value in zip(lessons.inputs, lessons.value, strict=True):
        position = parse_sfen(sfens[int(value) - 100], tolerate="rule")
        for other in range(2):
            expected = sorted(inputs_of(position, position.turn ^ other))
            assert sorted(at for at in inputs[other] if at != NOTHING) == expected


def test_positions_come_once_and_results_are_those_of_the_side_to_move(tmp_path: Path) -> None:
    bare = "4k4/9/9/9/9/9/9/9/4K4"
    path = write(tmp_path / "a.labels", [f"{bare} b P 1", f"{bare} w P 1", f"{bare} b P 9"])
    other = write(tmp_path / "b.labels", [f"{bare} b R 1"], points=0.5)
    lessons = read([path, other])
    assert sorted(lessons.result) == [0.0, 0.5, 1.0]
    assert sorted(lessons.game) == [0, 0, 1]
    assert len(lessons.take(lessons.game == 1)) == 1


def test_positions_in_check_are_left_out(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.labels", ["4k4/4R4/9/9/9/9/9/9/4K4 w - 1", "k8/9/9/9/9/9/9/9/K8 b - 1"]
    )
    assert len(read([path])) == 1
    assert len(read([path], quiet=False)) == 2


@pytest.mark.parametrize("sfen", [START, "3k5/9/9/4p4/9/9/2P6/9/4K4 b RBrb 1"])
def test_the_mirror_image_has_the_inputs_of_the_mirrored_position(
    tmp_path: Path, sfen: str
) -> None:
    from tests.engines.shogi.play.test_fitted import mirrored as reflected

    path = write(tmp_path / "a.labels", [sfen, reflected(sfen)])
    lessons = read([path], quiet=False)
    one, two = lessons.inputs[np.argsort(lessons.value)]
    assert (np.sort(mirrored(one[None])[0]) == np.sort(two)).all()


def test_what_comes_later_is_the_next_search_and_then_the_result() -> None:
    bare = "4k4/9/9/9/9/9/9/9/4K4"
    labels = [
        Label.of(parse_sfen(f"{bare} b P 1"), QUIET, 0, 20),
        Label.of(parse_sfen(f"{bare} w P 1"), QUIET, SCALE, 21),
        Label.of(parse_sfen(f"{bare} w L 1"), QUIET, SCALE, 21, aside=True),
        Label.of(parse_sfen(f"{bare} b R 1"), QUIET, -SCALE, 22),
    ]
    raw = b"".join(label.pack(1.0, last=at == 3) for at, label in enumerate(labels))
    data = np.frombuffer(raw, LAYOUT)
    white = 1 / (1 + np.exp(-1))  # What a score of SCALE is worth.
    assert outlooks(data, 1.0) == pytest.approx([1, 0, white, 1])
    assert outlooks(data, 0.0) == pytest.approx([1 - white, white, white, 1])
    half = [0.5 * (1 - white) + 0.25 * (1 - white) + 0.25, 0.5 * white, white, 1]
    assert outlooks(data, 0.5) == pytest.approx(half)


def test_positions_beside_a_game_do_not_know_its_result(tmp_path: Path) -> None:
    position = parse_sfen("k8/9/9/9/9/9/9/9/K8 b - 1")
    label = Label.of(position, QUIET, 0, 20, aside=True)
    path = tmp_path / "a.labels"
    path.write_bytes(label.pack(1.0, last=True))
    lessons = read([path])
    assert lessons.aside.all()
    assert lessons.later == pytest.approx([0.5])
