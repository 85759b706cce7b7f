"""Measure the play: `python -m engines.senet.measure loss|play|error|match|ladder ...`.

    loss OWN ENEMY DEPTH NUMBER [TABLES [NET]]   what decisions cost, against the user's tables;
                                                 NET `tables`: those of the tables that ship
    play PLAYER GAMES TABLES                     the same in games of a player against itself,
                                                 wherever TABLES know; it must not play by them
    error OWN ENEMY FLOATS SHORTS                how far a 16-bit table is off one of floats
    match PLAYER PLAYER PAIRS                    games in pairs, with the same throws
    ladder PAIRS                                 each level against the one below

A player is a level, `random`, `greedy`, or `plies=N`: so many throws ahead.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from pathlib import Path
from random import Random
from typing import Final

from engines.core import places
from engines.core.game import Game, Move
from engines.core.search import Limits
from engines.core.splitmix import pair_seed
from engines.senet import shipped
from engines.senet.dice import Dice, throw
from engines.senet.distil import choices, scatter
from engines.senet.levels import LEVELS, make_searcher
from engines.senet.library import Library
from engines.senet.lookahead import Lookahead
from engines.senet.net import Net
from engines.senet.position import SenetPosition
from engines.senet.rules import make_rules
from engines.senet.search import Search
from engines.senet.storage import fingerprint, load, path_of
from engines.senet.table import SHORT, Class, Table
from engines.senet.track import END, TRAP_SQUARE, square_of, steps_of, throws_again

Player = Callable[[Game[SenetPosition]], Move]
_PIECE: Final = 1 << 22  # Values at a time.
_THINKING: Final = 3  # Throws that level 10 looks ahead in a match.


@dataclass(frozen=True, slots=True)
class Loss:
    """What decisions cost in chances of winning: 0.01 is a point."""

    number: int
    mean: float
    centile: float  # Only one decision in a hundred costs more.
    worst: float

    @classmethod
    def of(cls, losses: Sequence[float]) -> "Loss":
        """Sum up what single decisions cost; there must be one."""
        ordered = sorted(losses)
        number = len(ordered)
        return cls(number, sum(ordered) / number, ordered[number * 99 // 100], ordered[-1])

    def __str__(self) -> str:
        return (
            f"mean {100 * self.mean:.4f}, 99th percentile {100 * self.centile:.3f}, "
            f"worst {100 * self.worst:.4f} points, {self.number} decisions"
        )


def measure_loss(
    lookahead: Lookahead, library: Library, each: Class, depth: int, number: int, seed: int = 0
) -> Loss:
    """Compare decisions of a lookahead among two moves or more, anywhere, with exact chances.

    Raises ValueError for one man alone, and where the library does not know what moves lead to.
    """
    if each[0] < 2:
        raise ValueError("one man alone has no choice")
    generator = Random(seed)
    lookahead.arm(None, 0.0, -1)
    losses: list[float] = []
    while len(losses) < number:
        own, enemy = scatter(generator, each)
        thrown = generator.randint(1, 5)
        moves = choices(own, enemy, thrown)
        if len(moves) < 2:
            continue
        seen = [lookahead.after(own, enemy, man, thrown, depth - 1) for man, _, _ in moves]
        exact = [_exact(library, mine, theirs, thrown) for _, mine, theirs in moves]
        losses.append(max(exact) - exact[seen.index(max(seen))])
    return Loss.of(losses)


def measure_play(
    player: Player, library: Library, games: int, seed: int = 7
) -> dict[Class, list[float]]:
    """Compare a player's decisions in games against itself with exact chances, class by class.

    What has one move only, or what the library does not know, is left out.
    """
    losses: dict[Class, list[float]] = {}
    for number in range(1, games + 1):
        game = Game(make_rules())
        dice = Dice(pair_seed(seed, number))
        while game.outcome() is None:
            position = game.position
            if position.throw == 0:
                game.push(dice.throw())
                continue
            men = [
                sum(1 << (square - 1) for square in position.men(side))
                for side in (position.thrower, 1 - position.thrower)
            ]
            thrown, legal = position.throw, position.legal_moves()
            move = player(game)
            game.push(move)
            chances = {
                square_of(man): _known(library, mine, theirs, thrown)
                for man, mine, theirs in choices(men[0], men[1], thrown)
            }
            values = [chances[other] for other in legal]
            known = [value for value in values if value is not None]
            mine = chances[move]
            if len(known) == len(values) > 1 and mine is not None:
                each = men[0].bit_count(), men[1].bit_count()
                losses.setdefault(each, []).append(max(known) - mine)
    return losses


def _exact(library: Library, own: int, enemy: int, thrown: int) -> float:
    chance = _known(library, own, enemy, thrown)
    if chance is None:
        raise ValueError("the tables do not hold what the moves lead to")
    return chance


def _known(library: Library, own: int, enemy: int, thrown: int) -> float | None:
    if own == 0:
        return 1.0
    if throws_again(thrown):
        return library.chance(own, enemy)
    chance = library.chance(enemy, own)
    return None if chance is None else 1.0 - chance


def measure_error(each: Class, floats: Path, shorts: Path) -> tuple[float, float]:
    """Return the mean and the largest distance of a table in 16 bits from one in floats, in units.

    Raises TableError for files that are no good.
    """
    import numpy as np

    rules = fingerprint(passing=False, over=False)
    values = [
        np.asarray(load(path_of(folder, False, False, *each), rules, *each, checked=True).values)
        for folder in (floats, shorts)
    ]
    total, worst = 0.0, 0.0
    for start in range(0, len(values[0]), _PIECE):
        exact, rough = (part[start : start + _PIECE].astype(float) for part in values)
        distances = np.abs(exact * shipped.TOP - rough)
        total += float(distances.sum())
        worst = max(worst, float(distances.max()))
    return total / len(values[0]), worst


def make_player(name: str, seed: int) -> Player:
    """Return a player by name; raises InvalidText for an unknown level."""
    if name == "random":
        generator = Random(seed)
        return lambda game: generator.choice(game.position.legal_moves())
    if name == "greedy":
        return _choose_greedily
    if name.startswith("plies="):
        searcher, limits = Search(int(name[6:]), 0.0, seed), Limits(depth=int(name[6:]))
    else:
        searcher = make_searcher(name, seed)
        limits = Limits(depth=min(_THINKING, LEVELS[name].depth))
    return lambda game: searcher.search(
        game, limits, stop=lambda: False, report=lambda report: None
    )


def _choose_greedily(game: Game[SenetPosition]) -> Move:
    """Take a man off, else capture, else move the foremost man that does not fall into the trap."""
    position = game.position
    enemies = position.men(1 - position.thrower)

    def worth(move: Move) -> tuple[bool, bool, bool, Move]:
        target = move + steps_of(position.throw)
        return target >= END, target in enemies, target != TRAP_SQUARE, move

    return max(position.legal_moves(), key=worth)


def play_match(first: str, second: str, pairs: int, seed: int = 7) -> tuple[float, float]:
    """Return the first player's share of the points and its standard error, over pairs of games.

    Both games of a pair have the same throws, with seats changed.
    """
    players = make_player(first, 1), make_player(second, 2)
    points = []
    for number in range(1, pairs + 1):
        dice = pair_seed(seed, number)
        points.append(
            (_play(players, dice) == 0) / 2 + (_play((players[1], players[0]), dice) == 1) / 2
        )
    mean = sum(points) / pairs
    variance = sum((each - mean) ** 2 for each in points) / max(1, pairs - 1)
    return mean, sqrt(variance / pairs)


def _play(players: tuple[Player, Player], seed: int) -> int | None:
    game = Game(make_rules())
    thrown = 0
    while (outcome := game.outcome()) is None:
        if game.position.throw:
            game.push(players[game.position.thrower](game))
        else:
            thrown += 1
            game.push(throw(seed, thrown))
    return outcome.winner


def _tell(first: str, second: str, pairs: int) -> str:
    mean, error = play_match(first, second, pairs)
    return f"{first} - {second}: {100 * mean:.1f} +- {196 * error:.1f} %, {2 * pairs} games"


def main(words: list[str]) -> None:
    """Measure what the command line says, results on stdout."""
    what, *rest = words
    if what == "loss":
        own, enemy, depth, number = map(int, rest[:4])
        tables = Path(rest[4]) if len(rest) > 4 else places.tables()
        net = rest[5] if len(rest) > 5 else ""
        weights = Path(net).read_bytes() if net not in ("", "tables") else shipped.net_weights()
        # Else the tables that ship are left out where they would answer, to see the net alone.
        seen = net == "tables" or max(own, enemy) > shipped.MEN
        lookahead = Lookahead(Net(weights), shipped.chances() if seen else Table([], SHORT), 0, 0)
        library = Library(tables, passing=False, over=False)
        print(f"{own}-{enemy}, depth {depth}:", end=" ")
        print(measure_loss(lookahead, library, (own, enemy), depth, number))
    elif what == "play":
        library = Library(Path(rest[2]), passing=False, over=False)
        losses = measure_play(make_player(rest[0], 1), library, int(rest[1]))
        for (own, enemy), single in sorted(losses.items(), reverse=True):
            print(f"{rest[0]}, {own}-{enemy}: {Loss.of(single)}")
        print(f"{rest[0]}, all: {Loss.of([loss for single in losses.values() for loss in single])}")
    elif what == "error":
        mean, worst = measure_error((int(rest[0]), int(rest[1])), Path(rest[2]), Path(rest[3]))
        print(f"{rest[0]}-{rest[1]}: mean {mean:.3f}, worst {worst:.2f} units of 1/65535")
    elif what == "match":
        print(_tell(rest[0], rest[1], int(rest[2])))
    elif what == "ladder":
        names = list(LEVELS)
        for below, above in pairwise(names):
            print(_tell(above, below, int(rest[0])), flush=True)
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
