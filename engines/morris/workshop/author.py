"""Write the book: `python -m engines.morris.workshop.author --help`.

The commands `book`, `collect` and `learn` append entries to a log and resume from it; `bind` writes
the entries of logs as the shipped book.
"""

import json
import math
import random
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import Final

import click

from engines.core.game import Game
from engines.core.search import Limits, Report, Score
from engines.morris.play.levels import BEST, LEVELS, MorrisSearcher
from engines.morris.rules.board import count
from engines.morris.rules.position import Position
from engines.morris.rules.text import make_rules
from engines.morris.tables.book import SHIPPED, Advice, Book, default_rules, load

_WORSE: Final = 60  # A move is corrected if it is worse by so many hundredths of a man.
_LOSING: Final = 100  # No book move may leave the mover so many hundredths behind.
_FORCED: Final = 10_000  # The score of a forced win.
_PLIES: Final = 60  # Plies after which `collect` ends a game.
_LONG: Final = 120  # Plies after which `learn` counts a game as drawn.
_MEN: Final = 11  # With fewer men, every search reaches the tables.


class DeepSearch:
    """Searches positions without a book, each one with an empty memory."""

    def __init__(self) -> None:
        self._rules = make_rules("")
        self._searcher = MorrisSearcher(LEVELS[BEST], 1, book=None)

    def advise(self, position: Position, nodes: int) -> Advice:
        """Return the best move of a position in which the game is not over."""
        reports: list[Report] = []
        self._searcher.forget()
        game = Game(self._rules, self._rules.setup(position))
        move = self._searcher.search(
            game, Limits(nodes=nodes), stop=lambda: False, report=reports.append
        )
        return Advice(move, hundredths(reports[-1].score), reports[-1].depth)

    def score_after(self, position: Position, move: int, nodes: int) -> int:
        """Return the score of a move for the mover."""
        position.play(move)
        try:
            ended = position.outcome()
            if ended is not None:
                return 0 if ended.winner is None else _FORCED
            return -self.advise(position, nodes).score
        finally:
            position.undo()


def hundredths(score: Score) -> int:
    """Convert a score to hundredths of a man; a forced end is beyond all other scores."""
    if score.exact and score.chance != 0.5:
        return _FORCED if score.chance else -_FORCED
    return round(400 * math.log10(score.chance / (1 - score.chance)))


class EntryLog:
    """The entries found so far, one JSON object per line; an incomplete last line is removed."""

    def __init__(self, path: Path) -> None:
        self._rules = make_rules("")
        self._path = path
        self.book = Book(default_rules(), {})
        data = path.read_bytes() if path.exists() else b""
        whole = data[: data.rfind(b"\n") + 1]
        if whole != data:
            path.write_bytes(whole)
        self.events = [json.loads(line) for line in whole.splitlines()]
        for event in self.events:
            if "move" in event:
                position = self._rules.start(event["setup"])
                move = self._rules.parse(position, event["move"])
                self.book.note(position, Advice(move, event["score"], event["depth"]))

    def add(self, position: Position, advice: Advice, **details: object) -> None:
        """Append an entry to the log and the file."""
        self.book.note(position, advice)
        move = self._rules.format(position, advice.move)
        event = {"setup": self._rules.setup(position), "move": move, "score": advice.score}
        self.append({**event, "depth": advice.depth, **details})

    def append(self, event: dict[str, object]) -> None:
        """Append an event to the log and the file."""
        self.events.append(event)
        with self._path.open("a") as file:
            file.write(json.dumps(event) + "\n")


def grow(
    log: EntryLog, search: DeepSearch, side: int, moves: int, nodes: int
) -> Generator[str, None, None]:
    """Find the first `moves` moves of one side against every reply; yield a line for each new one.

    Each move is checked by a second search after it, which sees one ply further. If it seems to
    lose, all other moves are searched and the best one is kept.
    """
    rules = make_rules("")
    frontier = [rules.start()]
    if side:
        frontier = list(_replies(log.book, frontier[0]))
    for number in range(moves):
        following: dict[int, Position] = {}
        for position in frontier:
            if not log.book.find(position):
                advice, check = _decide(search, position, nodes)
                log.add(position, advice, check=check, side=side, number=number)
                yield f"{'WB'[side]} move {number + 1}: {log.events[-1]}"
            # Of moves that are images of each other, always the same one, so that resuming works.
            position.play(log.book.find(position)[0].move)
            if position.outcome() is None:
                for after in _replies(log.book, position):
                    following[log.book.key(after)] = after
            position.undo()
        frontier = list(following.values())


def _replies(book: Book, position: Position) -> Iterator[Position]:
    """Yield the positions that the moves lead to, one for each set of sixteen images."""
    seen = set()
    for move in position.legal_moves():
        after = position.copy()
        after.play(move)
        if (key := book.key(after)) not in seen and after.outcome() is None:
            seen.add(key)
            yield after


def _decide(search: DeepSearch, position: Position, nodes: int) -> tuple[Advice, int]:
    advice = search.advise(position, nodes)
    check = search.score_after(position, advice.move, nodes)
    if check > -_LOSING:
        return advice, check
    rated = [
        (search.score_after(position, move, nodes), move)
        for move in position.legal_moves()
        if move != advice.move
    ]
    best = max([(check, advice.move), *rated])
    return Advice(best[1], best[0], advice.depth), best[0]


def collect(log: EntryLog, search: DeepSearch, games: int, quick: int, nodes: int) -> Iterator[str]:
    """Play quick games from random openings, correct the errors, and yield a line per game."""
    rules = make_rules("")
    done = sum(event.get("kind") == "game" for event in log.events)
    for seed in range(done, games):
        chance = random.Random(seed)
        game = Game(rules)
        for _ in range(chance.randrange(1, 7)):
            game.push(chance.choice(game.position.legal_moves()))
        decisions = errors = 0
        while game.outcome() is None and len(game.moves) < _PLIES:
            position = game.position
            if _men(position) < _MEN:
                break
            known = log.book.find(position)
            move = known[0].move if known else search.advise(position, quick).move
            if not known:
                decisions += 1
                better = search.advise(position, nodes)
                if better.move != move:
                    loss = _loss(search, position, move, better.move, nodes)
                    if loss >= _WORSE:
                        errors += 1
                        was = rules.format(position, move)
                        log.add(position, better, kind="correction", instead=was, loss=loss)
            game.push(move)
        log.append({"kind": "game", "seed": seed, "decisions": decisions, "errors": errors})
        yield f"game {seed}: {decisions} decisions, {errors} errors"


def learn(
    log: EntryLog, shelf: Book, search: DeepSearch, games: int, quick: int, nodes: int
) -> Iterator[str]:
    """Play games with a book, correct the move that lost each game, and yield a line per game.

    That move is the loser's last decision for which a deep search finds a move that does not lose.
    """
    rules = make_rules("")
    done = sum(event.get("kind") == "game" for event in log.events)
    for seed in range(done, games):
        chance = random.Random(f"learn {seed}")
        game = Game(rules)
        for _ in range(chance.randrange(0, 4)):
            game.push(chance.choice(game.position.legal_moves()))
        decisions: list[tuple[Position, int]] = []
        loser = None
        while loser is None and game.outcome() is None and len(game.moves) < _LONG:
            position = game.position
            known = log.book.find(position) or shelf.find(position)
            advice = chance.choice(known) if known else search.advise(position, quick)
            if not known:
                decisions.append((position.copy(), advice.move))
            if abs(advice.score) >= _FORCED:
                loser = position.turn if advice.score < 0 else 1 - position.turn
            game.push(advice.move)
        ended = game.outcome()
        if ended is not None and ended.winner is not None:
            loser = 1 - ended.winner
        verdict = "drawn" if loser is None else _correct(log, search, decisions, loser, nodes)
        log.append({"kind": "game", "seed": seed, "told": verdict})
        yield f"game {seed}: {verdict}"


def _correct(
    log: EntryLog,
    search: DeepSearch,
    decisions: Sequence[tuple[Position, int]],
    loser: int,
    nodes: int,
) -> str:
    rules = make_rules("")
    for position, move in reversed([each for each in decisions if each[0].turn == loser]):
        better = search.advise(position, nodes)
        if better.score <= -_LOSING:
            continue
        was = rules.format(position, move)
        loss = _loss(search, position, move, better.move, nodes)
        if better.move == move or loss < _WORSE:
            return f"lost, nothing better than {was} in {rules.setup(position)}"
        log.add(position, better, kind="correction", instead=was, loss=loss)
        return f"lost by {was} in {rules.setup(position)}"
    return "lost from where the book ends"


def _men(position: Position) -> int:
    hands = position.own_hand + position.enemy_hand
    return count(position.own | position.enemy) + hands


def _loss(search: DeepSearch, position: Position, move: int, better: int, nodes: int) -> int:
    return search.score_after(position, better, nodes) - search.score_after(position, move, nodes)


def bind(logs: Sequence[Path], target: Path) -> int:
    """Write the entries of all logs as one book; return the number of entries."""
    book = Book(default_rules(), {})
    for path in logs:
        book.entries |= EntryLog(path).book.entries
    book.save(target)
    return len(book.entries)


@click.group()
def main() -> None:
    """Write the book in steps: `book`, `collect` and `learn` fill logs, `bind` writes the book."""


_LOG = click.argument("log", type=click.Path(path_type=Path, dir_okay=False))
_NODES = click.option(
    "--nodes",
    type=int,
    metavar="N",
    default=10_000_000,
    show_default=True,
    help="Of deep searches.",
)
_GAMES = click.option("--games", type=int, metavar="N", default=100, show_default=True)
_QUICK = click.option(
    "--quick", type=int, metavar="N", default=500_000, show_default=True, help="Nodes per move."
)


def _print(lines: Iterator[str]) -> None:
    for line in lines:
        click.echo(line)


@main.command("book")
@_LOG
@_NODES
@click.option("--side", type=click.Choice(("white", "black")), default="white", show_default=True)
@click.option("--moves", type=int, metavar="N", default=3, show_default=True, help="Of that side.")
def grow_book(log: Path, nodes: int, side: str, moves: int) -> None:
    """Find the first moves of one side against every reply."""
    _print(grow(EntryLog(log), DeepSearch(), int(side == "black"), moves, nodes))


@main.command("collect")
@_LOG
@_NODES
@_GAMES
@_QUICK
def collect_errors(log: Path, nodes: int, games: int, quick: int) -> None:
    """Correct the errors of quick games."""
    _print(collect(EntryLog(log), DeepSearch(), games, quick, nodes))


@main.command("learn")
@_LOG
@_NODES
@_GAMES
@_QUICK
@click.option(
    "--book",
    "path",
    type=click.Path(path_type=Path),
    metavar="FILE",
    default=SHIPPED,
    help="Book to play with.  [default: ours]",
)
def learn_from_losses(log: Path, nodes: int, games: int, quick: int, path: Path) -> None:
    """Correct the moves that lost games."""
    _print(learn(EntryLog(log), load(path), DeepSearch(), games, quick, nodes))


@main.command("bind")
@click.argument("logs", type=click.Path(path_type=Path), nargs=-1, required=True)
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="FILE", default=SHIPPED, help="Default: ours."
)
def bind_book(logs: Sequence[Path], out: Path) -> None:
    """Write the entries of LOGS as a book."""
    click.echo(f"{bind(logs, out)} entries in {out}")


if __name__ == "__main__":
    main()
