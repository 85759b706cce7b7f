import shlex
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from engines.go.workshop import label
from engines.go.workshop.dataset import Array, join, load

# Thinks that the side to move leads by as many points as moves were made, and likes the last point.
TEACHER = """
import sys
moves = 0
for line in sys.stdin:
    words = line.split()
    moves += {"play": 1, "undo": -1}.get(words[0], 0)
    if words[0] == "clear_board":
        moves = 0
    told = ""
    if words[0] == "kata-raw-nn":
        sign = 1 if moves % 2 else -1
        policy = " ".join(["NAN"] + 23 * ["0.01"] + ["0.75"])
        own = " ".join(25 * [str(0.5 * sign)])
        told = f"symmetry {words[1]}\\nwhiteWin 0.7\\nwhiteLoss 0.2\\nnoResult 0.1"
        told += f"\\nwhiteLead {sign * moves}"
        told += f"\\npolicy\\n{policy}\\npolicyPass 0.02\\nwhiteOwnership\\n{own}"
    print(f"= {told}\\n", flush=True)
"""


def run(folder: Path, script: str = TEACHER, files: int = 1) -> str:
    program = folder / "teacher.py"
    program.write_text(script)
    words = ["--teacher", shlex.join([sys.executable, str(program)]), "--size", "5"]
    words += ["--files", str(files), "--visits", "3", str(folder / "own")]
    done = CliRunner().invoke(label.main, words)
    return f"{done.exit_code} {done.output}"


def arrays(path: Path) -> dict[str, Array]:
    with np.load(path) as file:
        return {name: file[name] for name in file.files}


@pytest.fixture
def _few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(label, "GAMES", 4)


@pytest.mark.usefixtures("_few_games")
def test_labels_are_those_of_the_positions_after_their_moves(tmp_path: Path) -> None:
    assert run(tmp_path).startswith("0 own-5x5-sampled-1-000.npz: ")
    path = tmp_path / "own" / "own-5x5-sampled-1-000.npz"
    labels = join([load(path, held_out=False), load(path, held_out=True)])
    assert len(labels) > 10
    assert (labels.lead == labels.at).all()
    turns = labels.at % 2 == 0
    assert np.allclose(labels.win[turns], 0.25, atol=1e-3)
    assert np.allclose(labels.win[~turns], 0.75, atol=1e-3)
    assert (labels.moves[:, 0] == 24).all()
    assert (labels.ownership == 50).all()
    batch = labels.batch(np.arange(len(labels)), np.array([0]))
    assert np.allclose(batch.policy.sum(1), 1.0, atol=1e-3)


@pytest.mark.usefixtures("_few_games")
def test_files_that_exist_are_kept_and_missing_ones_are_the_same_again(tmp_path: Path) -> None:
    run(tmp_path, files=2)
    first, second = sorted((tmp_path / "own").iterdir())
    kept, made = first.stat().st_mtime_ns, arrays(second)
    second.unlink()
    run(tmp_path, files=2)
    assert first.stat().st_mtime_ns == kept
    again = arrays(second)
    assert all((again[name] == made[name]).all() for name in made)


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("", "1 Error: the teacher"),
        (
            "input()\nprint('? unknown command\\n')",
            "1 Error: the teacher answers 'boardsize 5' with ?",
        ),
    ],
)
def test_a_teacher_that_does_not_answer_is_named(tmp_path: Path, script: str, told: str) -> None:
    assert run(tmp_path, script).startswith(told)
    assert not [*tmp_path.glob("own/*")]


@pytest.mark.usefixtures("_few_games")
def test_the_teacher_plays_a_side_of_some_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(label, "_RIVALS", 1.0)
    monkeypatch.setattr(label, "_AHEAD", 0.0)
    assert run(tmp_path).startswith("0 ")
    made = arrays(tmp_path / "own" / "own-5x5-sampled-1-000.npz")
    games = np.split(made["move"], np.cumsum(made["length"])[:-1])
    assert all(24 in game for game in games)  # Its favourite point is taken sooner or later.


def test_a_line_is_left_where_it_becomes_illegal() -> None:
    from engines.go.rules.text import make_rules
    from engines.go.workshop.label import Opinion, Teacher, ahead_of

    asked: list[str] = []

    class Silent(Teacher):
        def __init__(self) -> None:
            self._rules = make_rules("chinese", 5)

        def ask(self, command: str) -> list[str]:
            asked.append(command)
            return []

        def look(self, turn: int, symmetry: int) -> Opinion:
            return Opinion(np.zeros(26), 0.5, 0.0, np.zeros(25))

    position = make_rules("chinese", 5).start()
    position.play(12)
    lesson = ahead_of(Silent(), position, [12], (0, 12, 3), 0)
    assert lesson.moves == [12, 0]
    assert list(lesson.labels) == [2]
    assert asked == ["play w A5", "undo"]
