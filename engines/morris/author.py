"""Write the book: deep searches over all replies, and corrections from games at play speed.

Run as `python -m engines.morris.author book|collect|learn|bind JOURNAL ...`: `book`, `collect` and
`learn` append what they find to a journal, and go on from it; `bind` writes its entries as the book
that ships.
"""

import argparse
import json
import math
import random
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import Final

from engines.core.game import Game
from engines.core.search import Limits, Report, Score
from engines.morris.board import count
from engines.morris.book import SHIPPED, Advice, Book, default_rules, load
from engines.morris.levels import BEST, LEVELS, MorrisSearcher
from engines.morris.position import Position
from engines.morris.rules import make_rules

_WORSE: Final = 60  # Hundredths of a man by which a move must be worse to be corrected.
_LOSING: Final = 100  # Hundredths of a man behind that no book move may be.
_FORCED: Final = 10_000
_PLIES: Final = 60  # After which a game is left alone.
_LONG: Final = 120  # After which it counts as drawn.
_MEN: Final = 11  # With fewer, tables are within reach of every search.


class Judge:
    """Searches positions without a book, each as if nothing had been searched before."""

    def __init__(self) -> None:
        self._rules = make_rules("")
        self._searcher = MorrisSearcher(LEVELS[BEST], 1, book=None)

    def judge(self, position: Position, nodes: int) -> Advice:
        """Search a position in which the game is not over."""
        told: list[Report] = []
        self._searcher.forget()
        game = Game(self._rules, self._rules.setup(position))
        move = self._searcher.search(
            game, Limits(nodes=nodes), stop=lambda: False, report=told.append
        )
        return Advice(move, hundredths(told[-1].score), told[-1].depth)

    def score_after(self, position: Position, move: int, nodes: int) -> int:
        """Return what a move is worth to the mover."""
        position.play(move)
        try:
            ended = position.outcome()
            if ended is not None:
                return 0 if ended.winner is None else _FORCED
            return -self.judge(position, nodes).score
        finally:
            position.undo()


def hundredths(score: Score) -> int:
    """Return what a chance is worth in hundredths of a man; forced ends are beyond all others."""
    if score.exact and score.chance != 0.5:
        return _FORCED if score.chance else -_FORCED
    return round(400 * math.log10(score.chance / (1 - score.chance)))


class Journal:
    """Found entries, a JSON object a line; a half line that a kill left is written over."""

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

    def add(self, position: Position, advice: Advice, **told: object) -> None:
        """Note an entry, and see it in the file."""
        self.book.note(position, advice)
        move = self._rules.format(position, advice.move)
        event = {"setup": self._rules.setup(position), "move": move, "score": advice.score}
        self.tell({**event, "depth": advice.depth, **told})

    def tell(self, event: dict[str, object]) -> None:
        """Append an event."""
        self.events.append(event)
        with self._path.open("a") as file:
            file.write(json.dumps(event) + "\n")


def grow(
    journal: Journal, judge: Judge, side: int, moves: int, nodes: int
) -> Generator[str, None, None]:
    """Find `moves` moves of one side against every reply; tell each that is new.

    Each is looked at again from the other side, by a search that is a ply deeper so. Where that
    sees it losing, all others are tried and the best is kept.
    """
    rules = make_rules("")
    frontier = [rules.start()]
    if side:
        frontier = list(_replies(journal.book, frontier[0]))
    for number in range(moves):
        following: dict[int, Position] = {}
        for position in frontier:
            if not journal.book.find(position):
                advice, check = _decide(judge, position, nodes)
                journal.add(position, advice, check=check, side=side, number=number)
                yield f"{'WB'[side]} move {number + 1}: {journal.events[-1]}"
            # Of moves that are images of each other the same one each time, resumed or not.
            position.play(journal.book.find(position)[0].move)
            if position.outcome() is None:
                for after in _replies(journal.book, position):
                    following[journal.book.key(after)] = after
            position.undo()
        frontier = list(following.values())


def _replies(book: Book, position: Position) -> Iterator[Position]:
    """Yield the positions that moves lead to, one of each sixteen images."""
    seen = set()
    for move in position.legal_moves():
        after = position.copy()
        after.play(move)
        if (key := book.key(after)) not in seen and after.outcome() is None:
            seen.add(key)
            yield after


def _decide(judge: Judge, position: Position, nodes: int) -> tuple[Advice, int]:
    advice = judge.judge(position, nodes)
    check = judge.score_after(position, advice.move, nodes)
    if check > -_LOSING:
        return advice, check
    rated = [
        (judge.score_after(position, move, nodes), move)
        for move in position.legal_moves()
        if move != advice.move
    ]
    best = max([(check, advice.move), *rated])
    return Advice(best[1], best[0], advice.depth), best[0]


def collect(journal: Journal, judge: Judge, games: int, quick: int, nodes: int) -> Iterator[str]:
    """Let the engine play itself quickly from random openings; note where it errs, and tell."""
    rules = make_rules("")
    done = sum(event.get("kind") == "game" for event in journal.events)
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
            known = journal.book.find(position)
            move = known[0].move if known else judge.judge(position, quick).move
            if not known:
                decisions += 1
                better = judge.judge(position, nodes)
                if better.move != move:
                    loss = _loss(judge, position, move, better.move, nodes)
                    if loss >= _WORSE:
                        errors += 1
                        was = rules.format(position, move)
                        journal.add(position, better, kind="correction", instead=was, loss=loss)
            game.push(move)
        journal.tell({"kind": "game", "seed": seed, "decisions": decisions, "errors": errors})
        yield f"game {seed}: {decisions} decisions, {errors} errors"


def learn(
    journal: Journal, shelf: Book, judge: Judge, games: int, quick: int, nodes: int
) -> Iterator[str]:
    """Let the engine play itself with a book; note where lost games were lost, and tell.

    That is the loser's last decision for which a deep search knows a move that loses nothing.
    """
    rules = make_rules("")
    done = sum(event.get("kind") == "game" for event in journal.events)
    for seed in range(done, games):
        chance = random.Random(f"learn {seed}")
        game = Game(rules)
        for _ in range(chance.randrange(0, 4)):
            game.push(chance.choice(game.position.legal_moves()))
        decisions: list[tuple[Position, int]] = []
        loser = None
        while loser is None and game.outcome() is None and len(game.moves) < _LONG:
            position = game.position
            known = journal.book.find(position) or shelf.find(position)
            advice = chance.choice(known) if known else judge.judge(position, quick)
            if not known:
                decisions.append((position.copy(), advice.move))
            if abs(advice.score) >= _FORCED:
                loser = position.turn if advice.score < 0 else 1 - position.turn
            game.push(advice.move)
        ended = game.outcome()
        if ended is not None and ended.winner is not None:
            loser = 1 - ended.winner
        told = "drawn" if loser is None else _correct(journal, judge, decisions, loser, nodes)
        journal.tell({"kind": "game", "seed": seed, "told": told})
        yield f"game {seed}: {told}"


def _correct(
    journal: Journal,
    judge: Judge,
    decisions: Sequence[tuple[Position, int]],
    loser: int,
    nodes: int,
) -> str:
    rules = make_rules("")
    for position, move in reversed([each for each in decisions if each[0].turn == loser]):
        better = judge.judge(position, nodes)
        if better.score <= -_LOSING:
            continue
        was = rules.format(position, move)
        loss = _loss(judge, position, move, better.move, nodes)
        if better.move == move or loss < _WORSE:
            return f"lost, nothing better than {was} in {rules.setup(position)}"
        journal.add(position, better, kind="correction", instead=was, loss=loss)
        return f"lost by {was} in {rules.setup(position)}"
    return "lost from where the book ends"


def _men(position: Position) -> int:
    hands = position.own_hand + position.enemy_hand
    return count(position.own | position.enemy) + hands


def _loss(judge: Judge, position: Position, move: int, better: int, nodes: int) -> int:
    return judge.score_after(position, better, nodes) - judge.score_after(position, move, nodes)


def bind(journals: Sequence[Path], target: Path) -> int:
    """Write the entries of journals as one book; return how many there are."""
    book = Book(default_rules(), {})
    for path in journals:
        book.entries |= Journal(path).book.entries
    book.save(target)
    return len(book.entries)


def main(words: Sequence[str] | None = None) -> None:
    """Do what the command line says, and print a line a finding."""
    parser = argparse.ArgumentParser(prog="python -m engines.morris.author", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    for verb in ("book", "collect", "learn"):
        options = verbs.add_parser(verb)
        options.add_argument("journal", type=Path)
        options.add_argument("--nodes", type=int, default=10_000_000, help="of a deep search")
    verbs.choices["book"].add_argument("--side", choices=("white", "black"), default="white")
    verbs.choices["book"].add_argument("--moves", type=int, default=3, help="of that side")
    for verb in ("collect", "learn"):
        verbs.choices[verb].add_argument("--games", type=int, default=100)
        verbs.choices[verb].add_argument("--quick", type=int, default=500_000, help="nodes a move")
    verbs.choices["learn"].add_argument("--book", type=Path, default=SHIPPED)
    binding = verbs.add_parser("bind")
    binding.add_argument("journal", type=Path, nargs="+")
    binding.add_argument("--target", type=Path, default=SHIPPED)
    chosen = parser.parse_args(words)
    if chosen.verb == "bind":
        print(bind(chosen.journal, chosen.target), "entries in", chosen.target)
        return
    journal = Journal(chosen.journal)
    if chosen.verb == "book":
        side = int(chosen.side == "black")
        told: Iterator[str] = grow(journal, Judge(), side, chosen.moves, chosen.nodes)
    elif chosen.verb == "learn":
        shelf = load(chosen.book)
        told = learn(journal, shelf, Judge(), chosen.games, chosen.quick, chosen.nodes)
    else:
        told = collect(journal, Judge(), chosen.games, chosen.quick, chosen.nodes)
    for line in told:
        print(line, flush=True)


if __name__ == "__main__":
    main()
