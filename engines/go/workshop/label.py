"""Label positions of our own games by a teacher: `python -m engines.go.workshop.label --help`.

A network that has learned only from the games of others errs where its own moves lead, and nearly
always in its own favour: these positions are the ones that a search chooses. So our engine plays
with few visits against itself or the raw policy of a stronger network, and this network says what
it thinks of positions of the games, and of positions at the ends of lines that the search expected.

The teacher is a program that understands KataGo's `kata-raw-nn`, such as `katago gtp`. A file of
labels (the format is in `engines/go/README.md`) is written whole or not at all, and the same
command continues with the next file.
"""

import os
import random
import shlex
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

import click
import numpy as np

from engines.go.play.search import NET, Findings, Search
from engines.go.rules.history import Position
from engines.go.rules.text import GoRules, make_rules
from engines.go.workshop.dataset import Array

GAMES: Final = 20  # Per file.
KEPT: Final = 24  # Moves of a policy that are stored.
RULES: Final = ("chinese", "japanese")  # By their number in the files.
_TERRITORY: Final = 0.2  # The share of games under Japanese rules.
_USUAL: Final = 0.7  # The share of games with a usual komi.
_AHEAD: Final = 0.4  # The share of labels at the end of a line that the search expected.
_LABELLED: Final = 0.35  # The share of positions with a label.
_DECIDED: Final = 0.985  # A game may end if the chance of one side is above this.
_COMPLETE: Final = 0.3  # The share of games that are played to the end even so.
_RIVALS: Final = 0.6  # The share of games in which the teacher plays one side.


@dataclass(slots=True)
class Lesson:
    """A game with the labels of some of its positions."""

    moves: list[int]
    labels: dict[int, "Opinion"] = field(default_factory=dict)  # By the number of moves before.


@dataclass(frozen=True, slots=True)
class Opinion:
    """The outputs of a teacher for a position, from the point of view of the side to move."""

    policy: Array  # By move; the area is a pass.
    win: float
    lead: float
    ownership: Array  # From -1 to 1 by point.


class Teacher:
    """A program that tells the raw outputs of its network."""

    def __init__(self, command: Sequence[str], rules: GoRules) -> None:
        self._rules = rules
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def ask(self, command: str) -> list[str]:
        """Send a command, and return the words of the reply; raises ClickException."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(f"{command}\n")
            self._process.stdin.flush()
        except OSError as error:
            raise click.ClickException(f"the teacher has ended: {error}") from error
        lines: list[str] = []
        for line in self._process.stdout:
            if line.strip():
                lines.append(line)
            elif lines:
                break
        words = " ".join(lines).split()
        if not words or words[0] != "=":
            told = " ".join(words[:12]) or "the end of its output"
            raise click.ClickException(f"the teacher answers {command!r} with {told}")
        return words[1:]

    def begin(self, position: Position) -> None:
        """Set up an empty board with the rules of a position."""
        self.ask(f"boardsize {position.board.width}")
        self.ask("clear_board")
        self.ask(f"kata-set-rules {position.rules.to_kata()}")
        self.ask(f"komi {position.komi:g}")

    def play(self, colour: int, move: int) -> None:
        """Make a move."""
        self.ask(f"play {'bw'[colour]} {self._rules.format_vertex(move)}")

    def look(self, turn: int, symmetry: int) -> Opinion:
        """Return the raw outputs for the position on its board, seen from one of eight sides."""
        words = self.ask(f"kata-raw-nn {symmetry}")
        area = self._rules.width * self._rules.height
        policy = np.append(_numbers(words, "policy", area), _numbers(words, "policyPass", 1))
        policy = np.where(np.isnan(policy) | (policy < 0), 0.0, policy)
        sign = -1.0 if turn == 0 else 1.0
        won = float(_numbers(words, "whiteWin", 1)[0])
        lost = float(_numbers(words, "whiteLoss", 1)[0])
        win = (lost if turn == 0 else won) + 0.5 * (1.0 - won - lost)
        lead = sign * float(_numbers(words, "whiteLead", 1)[0])
        return Opinion(policy, win, lead, sign * _numbers(words, "whiteOwnership", area))


def _numbers(words: Sequence[str], name: str, count: int) -> Array:
    at = words.index(name) + 1
    return np.array([float(word) for word in words[at : at + count]])


@dataclass(frozen=True, slots=True)
class GamePlan:
    """How a game differs from others."""

    territory: bool
    komi: float
    opening: int  # Moves that are drawn from the policy.
    heat: float  # How evenly they are drawn.
    blunders: float  # The share of moves after the opening that are drawn as well.
    visits: int
    complete: bool
    rival: int | None  # The side that the teacher plays.

    @classmethod
    def draw(cls, chance: random.Random, area: int, visits: int) -> "GamePlan":
        """Draw a plan."""
        usual = chance.random() < _USUAL
        return cls(
            chance.random() < _TERRITORY,
            chance.choice((6.5, 7.0, 7.5)) if usual else chance.randint(-11, 41) / 2,
            chance.randrange(2, 4 + area // 12),
            chance.choice((0.7, 1.0, 1.3)),
            chance.choice((0.0, 0.0, 0.05, 0.15)),
            max(2, round(visits * chance.choice((0.25, 0.5, 1.0, 2.0)))),
            chance.random() < _COMPLETE,
            chance.randrange(2) if chance.random() < _RIVALS else None,
        )


def play(
    search: Search, teacher: Teacher, rules: Mapping[bool, GoRules], plan: GamePlan, seed: str
) -> list[Lesson]:
    """Play a game; return it with its labels, and the lines beside it with theirs."""
    position = rules[plan.territory].start()
    position.komi = plan.komi
    search.forget()
    teacher.begin(position)
    playing = _Playing(search, teacher, plan, position, random.Random(seed))
    longest = position.area * 3 // 2
    while position.passes < 2 and len(playing.game.moves) < longest:
        opening = len(playing.game.moves) < plan.opening
        rival = plan.rival == position.turn and not opening
        win, move = playing.choose_as_teacher() if rival else playing.choose(opening=opening)
        if not plan.complete and max(win, 1.0 - win) > _DECIDED and not opening:
            break
        playing.make(move)
    return [one for one in (playing.game, *playing.beside) if one.labels]


@dataclass(slots=True)
class _Playing:
    """A game that is being played, the labels of its positions, and the lines beside it.

    A seed stands for a game only as long as the order of the draws stays the same.
    """

    search: Search
    teacher: Teacher
    plan: GamePlan
    position: Position
    chance: random.Random
    game: Lesson = field(default_factory=lambda: Lesson([]))
    beside: list[Lesson] = field(default_factory=list)

    def choose_as_teacher(self) -> tuple[float, int]:
        """Return the teacher's chance of winning and its likeliest move."""
        opinion = self._look()
        if self.chance.random() < _LABELLED:
            self.game.labels[len(self.game.moves)] = opinion
        return opinion.win, _best(self.position, opinion)

    def choose(self, *, opening: bool) -> tuple[float, int]:
        """Return our chance of winning, and our best move or one that is drawn."""
        visits = 2 if opening else self.plan.visits
        found = self.search.think(self.position, stop=bool, visits=visits)
        if self.chance.random() < _LABELLED:
            self._label(found)
        move = found.candidates[0].move
        if opening or self.chance.random() < self.plan.blunders:
            move = _drawn(found, self.plan.heat, self.chance)
        return found.win, move

    def make(self, move: int) -> None:
        """Make a move here and on the teacher's board."""
        self.teacher.play(self.position.turn, move)
        self.position.play(move)
        self.game.moves.append(move)

    def _label(self, found: Findings) -> None:
        """Label the position, or the end of a line that the search expected."""
        moves = self.game.moves
        if self.chance.random() < _AHEAD and len(found.candidates[0].line) > 1:
            line, symmetry = _line(found, self.chance), self.chance.randrange(8)
            self.beside.append(ahead_of(self.teacher, self.position, moves, line, symmetry))
        else:
            self.game.labels[len(moves)] = self._look()

    def _look(self) -> Opinion:
        return self.teacher.look(self.position.turn, self.chance.randrange(8))


def _best(position: Position, opinion: Opinion) -> int:
    """Return the likeliest move of the teacher that is legal by our rules."""
    order = (int(move) for move in np.argsort(-opinion.policy))
    return next(move for move in order if not position.objection(move))


def _drawn(found: Findings, heat: float, chance: random.Random) -> int:
    moves = [move for move, _ in found.policy]
    return chance.choices(moves, [prior ** (1.0 / heat) for _, prior in found.policy])[0]


def _line(found: Findings, chance: random.Random) -> tuple[int, ...]:
    """Return the beginning of one of the lines that the search looked at most."""
    line = chance.choice(found.candidates[:3]).line
    return line[: chance.randint(1, len(line))]


def ahead_of(
    teacher: Teacher, position: Position, moves: Sequence[int], line: Sequence[int], symmetry: int
) -> Lesson:
    """Label the end of a line, or the position before the first illegal move of it."""
    ahead, made = position.copy(), list[int]()
    for move in line:
        if ahead.passes == 2 or ahead.objection(move):  # The tail of a line may repeat a position.
            break
        teacher.play(ahead.turn, move)
        ahead.play(move)
        made.append(move)
    opinion = teacher.look(ahead.turn, symmetry)
    for _ in made:
        teacher.ask("undo")
    return Lesson([*moves, *made], {len(moves) + len(made): opinion})


def write(path: Path, size: int, games: Sequence[tuple[GamePlan, Lesson]]) -> None:
    """Write labelled games as one file; it is complete or it does not exist."""
    opinions = [opinion for _, lesson in games for _, opinion in sorted(lesson.labels.items())]
    order = np.array([np.argsort(-one.policy)[:KEPT] for one in opinions])
    fresh = path.with_suffix(".new.npz")
    np.savez_compressed(
        fresh,
        size=np.int32(size),
        komi=np.array([plan.komi for plan, _ in games], np.float32),
        rules=np.array([plan.territory for plan, _ in games], np.uint8),
        length=np.array([len(lesson.moves) for _, lesson in games], np.int32),
        move=np.array([move for _, lesson in games for move in lesson.moves], np.uint16),
        label_count=np.array([len(lesson.labels) for _, lesson in games], np.int32),
        label_at=np.array([at for _, lesson in games for at in sorted(lesson.labels)], np.int32),
        policy_index=order.astype(np.uint16),
        policy=np.array(
            [one.policy[best] for one, best in zip(opinions, order, strict=True)], np.float16
        ),
        winrate=np.array([one.win for one in opinions], np.float16),
        lead=np.array([one.lead for one in opinions], np.float16),
        ownership=np.array([one.ownership * 100.0 for one in opinions]).round().astype(np.int8),
    )
    os.replace(fresh, path)


def fill(
    folder: Path, size: int, files: int, visits: int, seed: int, net: Path, teacher: str
) -> Iterator[tuple[Path, int]]:
    """Write the files that are missing, yielding each with its number of labels."""
    search = Search(net, threads=1)
    rules = {territory: make_rules(RULES[territory], size) for territory in (False, True)}
    with Teacher(shlex.split(teacher), rules[False]) as asked:
        for number in range(files):
            path = folder / f"own-{size}x{size}-sampled-{seed}-{number:03}.npz"
            if path.exists():
                continue
            games: list[tuple[GamePlan, Lesson]] = []
            for game in range(GAMES):
                name = f"{seed}/{size}/{number}/{game}"
                plan = GamePlan.draw(random.Random(name), size * size, visits)
                games += [(plan, one) for one in play(search, asked, rules, plan, name)]
            write(path, size, games)
            yield path, sum(len(lesson.labels) for _, lesson in games)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--teacher", required=True, metavar="COMMAND", help="Program that labels.")
@click.option(
    "--size", type=click.IntRange(5, 19), default=19, show_default=True, help="Board size."
)
@click.option(
    "--files", type=click.IntRange(1), default=100, show_default=True, help="Files at the end."
)
@click.option(
    "--visits", type=click.IntRange(2), default=8, show_default=True, help="Visits per move."
)
@click.option("--seed", default=1, show_default=True, help="Seed of the games, and their files.")
@click.option(
    "--net",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    default=NET,
    metavar="FILE",
    help="Network that plays.  [default: the one that ships]",
)
def main(
    folder: Path, teacher: str, size: int, files: int, visits: int, seed: int, net: Path
) -> None:
    """Play games with few visits, and write positions that a teacher labelled to FOLDER."""
    folder.mkdir(parents=True, exist_ok=True)
    for path, count in fill(folder, size, files, visits, seed, net, teacher):
        click.echo(f"{path.name}: {count} positions of {GAMES} games", err=True)


if __name__ == "__main__":
    main()
