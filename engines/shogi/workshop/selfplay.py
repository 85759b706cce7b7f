"""Play games against itself, and label their positions for fitting the evaluation.

Usage: `python -m engines.shogi.workshop.selfplay --help`.

The engine plays itself at a fixed number of nodes per move, after openings with random moves. Each
position after the opening is stored with the score of its search and the result of the game. Games
differ in how they begin and in how strong the sides are, since an evaluation knows only the kinds
of positions that it was fitted to. For the same reason, some of the labelled positions are a few
random moves away from a game: a search meets positions of this kind. If a position is not quiet,
the first quiet one on the best line is labelled as well, with the score of the line.

Where games begin with the moves of recorded games (`--records`), the evaluation meets positions
that other engines strive for. Their results and scores are not learned: the engine plays on from
there against itself. A game depends only on the seed, its number and the records, so that a run can
be stopped and resumed at any time.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final, Self

import click

from engines.core.game import Game
from engines.shogi.play.search import Task, Thinker, Thought
from engines.shogi.rules.position import Position
from engines.shogi.rules.sfen import START
from engines.shogi.rules.text import ShogiRules
from engines.shogi.workshop.foreign import moves_of, read_records
from engines.shogi.workshop.label import LAST, RECORD, Label

_DECIDED: Final = 2500  # A game ends after two such scores, in hundredths of a pawn, in a row.
_LONGEST: Final = 300  # A game is drawn after so many plies.

_FIRST_LEFT: Final = 6  # A recorded game is left after so many plies at the earliest,
_LAST_LEFT: Final = 10  # and so many before its end at the latest.
_EVEN_SHARE: Final = 7 / 9  # Games from the usual start; the others are handicap games.
_HANDICAPS: Final = ("lance", "bishop", "rook", "two")
_UNEQUAL_SHARE: Final = 1 / 6  # Games in which one side plays by short searches to the end.
_SHORT: Final = 10  # A short search has this fraction of the nodes.
_AHEAD: Final = 5  # Moves of the best line among which a quiet position is looked for.
_EXCURSION: Final = 3  # The most random moves aside.
_CAPTURES: Final = 0.4  # The share of captures among the random moves aside, where there are any.


@dataclass(frozen=True, slots=True)
class GamePlan:
    """The beginning of a game, and the side that plays weaker, if any.

    The opening has the moves of a recorded game first, if there are any.
    """

    setup: str  # A handicap by name, or empty.
    opening: int  # The plies before the first label.
    wildness: float  # The share of random moves in the opening.
    weaker: int | None = None  # The side that plays by short searches; it labels nothing.
    recorded: tuple[int, ...] = ()

    @classmethod
    def draw(cls, chance: random.Random, recorded: Sequence[tuple[int, ...]] = ()) -> Self:
        """Draw a plan: a short opening with many random moves, or a long one with few.

        If there are recorded games, the opening is that of one of them, cut at random, and then a
        few moves, half of them random.
        """
        if recorded:
            moves = chance.choice(recorded)
            left = chance.randint(_FIRST_LEFT, len(moves) - _LAST_LEFT)
            return cls("", left + chance.randrange(4), 0.5, recorded=moves[:left])
        setup = "" if chance.random() < _EVEN_SHARE else chance.choice(_HANDICAPS)
        if chance.random() < 0.6:
            opening, wildness = chance.randrange(4, 15), 0.5
        else:
            opening, wildness = chance.randrange(10, 46), 0.15
        weaker = chance.randrange(2) if chance.random() < _UNEQUAL_SHARE else None
        return cls(setup, opening, wildness, weaker)


def excursion(
    thinker: Thinker, start: Position, nodes: int, chance: random.Random, ply: int
) -> Label | None:
    """Label a position a few random moves away; None if it is decided, or one side is in check."""
    position = start.copy()
    for _ in range(chance.randrange(_EXCURSION) + 1):
        legal = position.legal_moves()
        captures = [move for move in legal if position.man_at(move & 127)]
        chosen = captures if captures and chance.random() < _CAPTURES else legal
        if not chosen:
            return None
        position.play(chance.choice(chosen))
    if position.is_check() or not position.legal_moves():
        return None
    thought = thinker.think(Task(position, lambda: False, nodes=nodes))[0]
    if abs(thought.score) >= _DECIDED:
        return None
    label = Label.of(position, thought.line[0], thought.score, ply, aside=True)
    return label if label.quiet else quiet_ahead(position, thought, ply) or label


def quiet_ahead(start: Position, thought: Thought, ply: int) -> Label | None:
    """Label the first quiet position on the best line from an unquiet one, if there is any.

    The score of the search is that of the whole line.
    """
    position, value = start.copy(), thought.score
    for move, reply in pairwise(thought.line[:_AHEAD]):
        position.play(move)
        value = -value
        label = Label.of(position, reply, value, ply, aside=True)
        if label.quiet:
            return label
    return None


def play(
    thinker: Thinker,
    nodes: int,
    chance: random.Random,
    plan: GamePlan | None = None,
    aside: float = 0.0,
) -> tuple[list[Label], float]:
    """Play a game of the engine against itself; return its labels and Black's points.

    `aside` is how many positions beside the game are labelled for each position of the game.
    """
    thinker.forget()
    plan = plan or GamePlan.draw(chance)
    game = Game(ShogiRules(), plan.setup)
    labels: list[Label] = []
    decided = 0
    while len(game.moves) < _LONGEST:
        if (outcome := game.outcome()) is not None:
            return labels, outcome.points(0)
        position = game.position
        if len(game.moves) < len(plan.recorded):
            game.push(plan.recorded[len(game.moves)])
            continue
        opening = len(game.moves) < plan.opening
        if opening and chance.random() < plan.wildness:
            game.push(chance.choice(position.legal_moves()))
            continue
        short = opening or game.turn == plan.weaker
        budget = max(nodes // _SHORT, 1) if short else nodes
        thought = thinker.think(Task(position, lambda: False, nodes=budget))[0]
        if abs(thought.score) < _DECIDED:
            decided = 0
            if not short:
                move = thought.line[0]
                labels.append(Label.of(position, move, thought.score, len(game.moves)))
                if not labels[-1].quiet:
                    ahead = quiet_ahead(position, thought, len(game.moves))
                    if ahead is not None:
                        labels.append(ahead)
                for _ in range(int(aside + chance.random())):
                    label = excursion(thinker, position, nodes, chance, len(game.moves))
                    if label is not None:
                        labels.append(label)
        elif not opening:
            decided += 1
            if decided == 2:
                return labels, float((thought.score > 0) != bool(game.turn))
        game.push(thought.line[0])
    return labels, 0.5


def finished(path: Path) -> int:
    """Remove an incomplete game at the end of the file; return the number of complete games."""
    if not path.exists():
        return 0
    raw = path.read_bytes()
    flags = raw[RECORD.size - 5 :: RECORD.size][: len(raw) // RECORD.size]
    games = sum(1 for flag in flags if flag & LAST)
    end = max((at + 1 for at, flag in enumerate(flags) if flag & LAST), default=0)
    if end * RECORD.size < len(raw):
        with path.open("r+b") as file:
            file.truncate(end * RECORD.size)
    return games


def beginnings(records: Sequence[Path]) -> list[tuple[int, ...]]:
    """Return the moves of the recorded games from the usual start that are long enough."""
    found = [tuple(moves_of(each)) for each in read_records(records) if each.start == START]
    return [moves for moves in found if len(moves) >= _FIRST_LEFT + _LAST_LEFT]


def fill(
    path: Path,
    games: int,
    nodes: int,
    seed: int,
    aside: float = 0.0,
    recorded: Sequence[tuple[int, ...]] = (),
) -> Iterator[int]:
    """Append games until the file has so many, yielding the number of each."""
    thinker = Thinker(4)
    number = finished(path)
    with path.open("ab") as file:
        while number < games:
            # A game without labels is replaced by another one with the same number.
            for attempt in range(100):
                chance = random.Random(f"{seed}/{number}/{attempt}")
                plan = GamePlan.draw(chance, recorded)
                labels, points = play(thinker, nodes, chance, plan, aside)
                if labels:
                    break
            last = len(labels) - 1
            file.write(b"".join(x.pack(points, last=at == last) for at, x in enumerate(labels)))
            file.flush()
            number += 1
            yield number


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--games", default=1000, show_default=True, help="Games in the file at the end.")
@click.option("--nodes", default=800, show_default=True, help="Nodes per move.")
@click.option(
    "--seed", default=1, show_default=True, help="Seed of the games; each seed has its own file."
)
@click.option(
    "--aside",
    type=click.FloatRange(0),
    default=1.0,
    show_default=True,
    help="Positions beside the game that are labelled for each position of the game.",
)
@click.option(
    "--records",
    type=click.Path(path_type=Path, exists=True),
    multiple=True,
    help="Recorded games (KIF or CSA; folders are searched) with which the games begin.",
)
def main(
    folder: Path, games: int, nodes: int, seed: int, aside: float, records: Sequence[Path]
) -> None:
    """Play games against itself, and write their labelled positions to FOLDER.

    Run the same command again to resume; run it with several seeds to use several cores.
    """
    recorded = beginnings(records)
    if records and not recorded:
        raise click.UsageError("no game from the usual start is long enough to begin with")
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{nodes}-{seed}.labels"
    for number in fill(path, games, nodes, seed, aside, recorded):
        if number % 20 == 0 or number == games:
            size = path.stat().st_size // RECORD.size
            click.echo(f"{number} games, {size} positions", err=True)


if __name__ == "__main__":
    main()
