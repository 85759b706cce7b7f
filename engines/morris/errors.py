"""Measure how often the engine's move gives something away, against exact tables.

Run as `python -m engines.morris.errors SECTOR ... --tables DIR`: random positions of each sector,
the engine with what ships alone. Where every move keeps the value, that counts as a decision, too.
With `--games N` instead of sectors: in the positions that games of a level against itself reach.
"""

import argparse
import os
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engines.core.game import Game
from engines.core.search import Limits, Searcher
from engines.morris import store
from engines.morris.board import count
from engines.morris.book import default_rules
from engines.morris.levels import make_searcher
from engines.morris.library import Library
from engines.morris.oracle import Oracle
from engines.morris.position import Position
from engines.morris.rules import make_rules
from engines.morris.tables import UNKNOWN

_KNOWN: Final = 10  # Men whose positions what ships knows.


@dataclass(slots=True)
class Rate:
    """The decisions looked at in one sector, those that matter, and what was given away."""

    sector: tuple[int, int]
    decisions: int = 0
    critical: int = 0  # Some move is worse than another.
    lost_draws: int = 0
    drawn_wins: int = 0
    lost_wins: int = 0

    def note(self, ranks: Mapping[int, int], move: int) -> None:
        """Count a decision, by what each move was worth."""
        best = max(ranks.values())
        given = (best, ranks[move])
        self.decisions += 1
        self.critical += min(ranks.values()) < best
        self.lost_draws += given == (0, -1)
        self.drawn_wins += given == (1, 0)
        self.lost_wins += given == (1, -1)

    @property
    def errors(self) -> int:
        """How many moves gave something away."""
        return self.lost_draws + self.drawn_wins + self.lost_wins

    def __str__(self) -> str:
        return (
            f"{self.sector[0]}-{self.sector[1]}: {self.decisions} decisions, "
            f"{self.critical} critical, {self.errors} errors "
            f"({100 * self.errors / max(1, self.decisions):.2f} %): "
            f"{self.drawn_wins} wins drawn, {self.lost_draws} draws lost, "
            f"{self.lost_wins} wins lost"
        )


def truth(place: Path) -> Oracle:
    """Return what the tables of a folder know, all of them; raises FileNotFoundError for none.

    The folder is what `quintet solve --into` was told, or the one of the rules that it made there.
    """
    made = place / default_rules()
    place = made if made.is_dir() else place
    if not any(path.suffix.removeprefix(".") in store.KINDS for path in place.glob("*.*")):
        raise FileNotFoundError(f"no tables in {place}")
    library = Library(flying=True, doubles=False, complain=print, places=[place])
    library.open(9, 9)
    library.open_small()
    for path in sorted(place.glob("*.*")):
        if path.suffix.removeprefix(".") in store.KINDS:
            own, enemy = map(int, path.stem.split("-"))
            library.open(own, enemy)
    oracle = Oracle(library.tables, flying=True, doubles=False)
    oracle.refresh()
    return oracle


def rank(value: int) -> int:
    """Return -1, 0 or 1 for a table's value of the mover."""
    return 0 if value == 0 else -1 if value & 1 else 1


def rank_moves(oracle: Oracle, position: Position) -> dict[int, int]:
    """Return what every move is worth to the mover; empty where the tables do not reach.

    Nor do they where a draw rule ends the game: they leave it out.
    """
    ranks = {}
    for move in position.legal_moves():
        position.play(move)
        ended = position.outcome()
        value = oracle.value(position.own, position.enemy)
        if ended is not None:
            value = UNKNOWN if ended.winner is None else 1
        position.undo()
        if value < 0:
            return {}
        ranks[move] = -rank(value)
    return ranks


def measure(
    oracle: Oracle, sector: tuple[int, int], positions: int, limits: Limits, seed: int
) -> Iterator[Rate]:
    """Yield the rate as it grows, by a decision at a time."""
    rules = make_rules("")
    chance = random.Random(f"{sector} {seed}")
    index = oracle.tables.index
    searcher = make_searcher("10", seed)
    rate = Rate(sector)
    entries = index.entries(*sector)
    while rate.decisions < positions:
        men = index.position(*sector, chance.randrange(entries))
        position = Position(white=men[0], black=men[1], hands=(0, 0))
        ranks = rank_moves(oracle, position) if position.outcome() is None else {}
        if not ranks:
            if oracle.value(*men) == UNKNOWN:
                raise ValueError(f"{sector[0]}-{sector[1]}: the tables do not reach there")
            continue
        rate.note(ranks, _decide(searcher, Game(rules, rules.setup(position)), ranks, limits))
        yield rate


def watch(
    oracle: Oracle, games: int, limits: Limits, seed: int, level: str
) -> Iterator[Mapping[tuple[int, int], Rate]]:
    """Yield the rates by sector as they grow, a game of a level against itself at a time.

    The level leads to the positions, the engine is asked in them. Games begin with one to six
    random plies, and end where what ships knows everything.
    """
    rules = make_rules("")
    player, engine = make_searcher(level, seed), make_searcher("10", seed)
    rates: dict[tuple[int, int], Rate] = {}
    for number in range(games):
        chance = random.Random(f"{number} {seed}")
        game = Game(rules)
        for _ in range(chance.randrange(1, 7)):
            game.push(chance.choice(game.position.legal_moves()))
        while game.outcome() is None and _men(game.position) > _KNOWN:
            position = game.position
            moving = position.own_hand == position.enemy_hand == 0
            if ranks := rank_moves(oracle, position) if moving else {}:
                sector = (count(position.own), count(position.enemy))
                rates.setdefault(sector, Rate(sector)).note(
                    ranks, _decide(engine, game, ranks, limits)
                )
            game.push(_ask(player, game, limits))
        yield rates


def _men(position: Position) -> int:
    return count(position.own | position.enemy) + position.own_hand + position.enemy_hand


def _decide(
    engine: Searcher[Position], game: Game[Position], ranks: Mapping[int, int], limits: Limits
) -> int:
    """Return what the engine plays by itself; any move where all are as good."""
    if min(ranks.values()) == max(ranks.values()):
        return next(iter(ranks))
    engine.forget()
    return _ask(engine, game, limits)


def _ask(player: Searcher[Position], game: Game[Position], limits: Limits) -> int:
    return player.search(game, limits, stop=lambda: False, report=lambda told: None)


def main(words: Sequence[str] | None = None) -> None:
    """Print a line a sector."""
    parser = argparse.ArgumentParser(prog="python -m engines.morris.errors", description=__doc__)
    parser.add_argument("sectors", nargs="*", metavar="SECTOR", help="such as 7-4")
    parser.add_argument("--games", type=int, default=0, metavar="N", help="instead of sectors")
    parser.add_argument("--level", default="7", metavar="N", help="of those who play the games")
    parser.add_argument("--tables", type=Path, required=True, metavar="DIR")
    parser.add_argument("--positions", type=int, default=1000, metavar="N")
    parser.add_argument("--nodes", type=int, default=0, metavar="N", help="default: --seconds")
    parser.add_argument("--seconds", type=float, default=1.0, metavar="S")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    chosen = parser.parse_args(words)
    os.environ["QUINTET_DATA"] = os.devnull  # What the user has built is the truth, not a help.
    limits = Limits(nodes=chosen.nodes) if chosen.nodes else Limits(seconds=chosen.seconds)
    try:
        oracle = truth(chosen.tables)
    except FileNotFoundError as problem:
        parser.error(str(problem))
    for rates in watch(oracle, chosen.games, limits, chosen.seed, chosen.level):
        total = sum(rate.decisions for rate in rates.values())
        wrong = sum(rate.errors for rate in rates.values())
        print(f"{total} decisions in games, {wrong} errors", flush=True)
    if chosen.games:
        print(*sorted(map(str, rates.values())), sep="\n")
    for text in chosen.sectors:
        own, enemy = map(int, text.split("-"))
        try:
            for rate in measure(oracle, (own, enemy), chosen.positions, limits, chosen.seed):
                latest = rate
        except ValueError as problem:
            parser.error(str(problem))
        print(latest, flush=True)


if __name__ == "__main__":
    main()
