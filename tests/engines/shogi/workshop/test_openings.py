from pathlib import Path

from click.testing import CliRunner

from engines.core.game import Game
from engines.shogi.play.search import Task, Thinker
from engines.shogi.rules.text import ShogiRules
from engines.shogi.workshop.openings import main


def written(path: Path, *options: str) -> list[str]:
    ran = CliRunner().invoke(main, [str(path), "--count", "3", *options])
    assert ran.exit_code == 0, ran.output
    return path.read_text(encoding="ascii").splitlines()


def test_openings_are_legal_different_and_even(tmp_path: Path) -> None:
    lines = written(tmp_path / "one.txt", "--plies", "6")
    assert len(set(lines)) == 3
    for line in lines:
        game = Game(ShogiRules())
        for move in line.split():
            game.play(move)
        assert len(game.moves) == 6
        thought = Thinker(4).think(Task(game.position, lambda: False, nodes=1500))[0]
        assert abs(thought.score) <= 150


def test_the_seed_decides_the_openings(tmp_path: Path) -> None:
    one = written(tmp_path / "one.txt", "--seed", "2")
    assert one == written(tmp_path / "two.txt", "--seed", "2")
    assert one != written(tmp_path / "three.txt", "--seed", "3")
