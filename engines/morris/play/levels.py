"""Ten levels of play, from a beginner to the strongest search."""

import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engines.core.game import Game, InvalidText
from engines.core.search import Limits, Report, Score, Searcher, Stop
from engines.morris.play import evaluation, weights
from engines.morris.play.search import DECIDED, DEEPEST, SLACK, TABLE, WIN, Tree
from engines.morris.rules.board import COMPILED, NONE, count
from engines.morris.rules.position import Position
from engines.morris.tables import book
from engines.morris.tables.book import Advice, Book
from engines.morris.tables.library import Library
from engines.morris.tables.lookup import FAR, NOT_LOST, UNKNOWN
from engines.morris.tables.oracle import Oracle

BEST: Final = 10

_SIZE: Final = (
    20 if COMPILED else 16
)  # The logarithm of the number of entries in the search's table.
_PLACING: Final = 8  # With more men in hand, no search reaches the exact tables.
_USELESS: Final = (0, 0, 0.0)
_LOADING: Final = 0.2  # The share of a move's time that loading tables may take.
_FOREVER: Final = 1 << 62
_ENOUGH: Final = 0.55  # The share of the time after which a deeper search would not finish.


@dataclass(frozen=True, slots=True)
class Level:
    """The search depth of a level, its random error, and whether it uses tables and book."""

    depth: int
    noise: float  # The standard deviation, in hundredths of a man, of the score of a move.
    tables: bool = False
    book: bool = False


LEVELS: Final = {
    1: Level(1, 160.0),
    2: Level(1, 70.0),
    3: Level(1, 25.0),
    4: Level(2, 25.0),
    5: Level(3, 25.0),
    6: Level(4, 12.0),
    7: Level(5, 4.0),
    8: Level(6, 0.0, tables=True),
    9: Level(8, 0.0, tables=True),
    10: Level(DEEPEST, 0.0, tables=True, book=True),
}


_reported: Final[set[str]] = set()
_weights_in_use = weights.SHIPPED


def _complain(text: str) -> None:
    """Report a problem on stderr once per process, because every game opens the files again."""
    if text not in _reported:
        _reported.add(text)
        print(f"quintet-morris: {text}", file=sys.stderr, flush=True)


def make_searcher(
    level: str, seed: int | None = None, *, use_book: bool = True, slack: int = SLACK
) -> Searcher[Position]:
    """Return the player of a level, 1 to 10; the same seed plays the same games.

    `slack` is how far its search trusts the evaluation of quiet positions.
    """
    if not level.isascii() or not level.isdigit() or int(level) not in LEVELS:
        raise InvalidText(f"no such level: {level!r} (known: 1 to {BEST})")
    shelf = book.SHIPPED if use_book else None
    return MorrisSearcher(LEVELS[int(level)], seed, book=shelf, slack=slack)


def use_weights(path: Path = weights.SHIPPED) -> None:
    """Make all searches of this process evaluate by the weights in a file.

    Raises WeightsError, or InvalidText where there is no such file.
    """
    global _weights_in_use
    if path == _weights_in_use:
        return
    try:
        evaluation.fill(weights.load(path))
    except OSError as error:
        raise InvalidText(f"{path}: {error.strerror}") from error
    _weights_in_use = path


class MorrisSearcher:
    """Chooses moves: from the tables where they reach, otherwise by iterative deepening."""

    def __init__(
        self,
        level: Level,
        seed: int | None = None,
        *,
        book: Path | None = book.SHIPPED,
        complain: Callable[[str], None] | None = None,
        slack: int = SLACK,
    ) -> None:
        self._level = level
        self._slack = slack
        self._place = book if level.book else None
        self._book: Book | None = None
        self._seed = seed
        self._complain = complain or _complain
        self._chance = random.Random(seed)
        self._resources: _Resources | None = None

    def forget(self) -> None:
        """Drop what earlier searches learned, so that the same seed plays the same game.

        As no clock runs yet, this loads what the default rules need.
        """
        self._chance = random.Random(self._seed)
        self._open_book()
        if self._resources is None:
            self._prepare(Position())
        elif self._resources.searched:
            self._resources.tree.clear()
            self._resources.searched = False
        if self._level.tables and self._resources is not None:
            self._resources.library.open_small()

    def search(
        self,
        game: Game[Position],
        limits: Limits,
        *,
        stop: Stop,
        report: Callable[[Report], None],
    ) -> int:
        """Return a legal move; the caller guarantees that there is one and the game is not over."""
        began = time.monotonic()
        resources = self._prepare(game.position)
        position = game.position
        if self._level.tables and position.own_hand + position.enemy_hand <= _PLACING:
            resources.library.open(
                count(position.own) + position.own_hand,
                count(position.enemy) + position.enemy_hand,
                _sooner(stop, began, limits.seconds),
            )
        resources.searched = True
        run = _SearchRun(resources.tree, resources.oracle, game, limits, stop, report, began)
        moves = game.position.legal_moves()
        self._chance.shuffle(moves)
        if limits.bounded and (advice := self._advice(game)) is not None:
            return run.follow(advice)
        if self._level.tables:
            if (known := run.look_up(moves)) is not None:
                return known
            moves = run.sound(moves)
        depth = min(self._level.depth, limits.depth or DEEPEST)
        if self._level.noise:
            return run.guess(moves, depth, lambda: self._chance.gauss(0.0, self._level.noise))
        return run.deepen(moves, depth)

    def _open_book(self) -> Book | None:
        if self._place is not None:
            try:
                self._book = book.load(self._place)
            except (book.BookError, OSError) as problem:
                self._complain(f"book refused: {problem}")
            self._place = None
        return self._book

    def _advice(self, game: Game[Position]) -> Advice | None:
        """Return one of the book's moves at random, or None if it has none or a position recurs.

        An analysis does not use the book, because its user wants a search.
        """
        shelf = self._open_book()
        if shelf is None or len(game.occurrences()) > 1:
            return None
        if shelf.rules != self._prepare(game.position).library.mark:
            return None
        entries = shelf.find(game.position)
        return self._chance.choice(entries) if entries else None

    def _prepare(self, position: Position) -> "_Resources":
        """Return the tables and the search for the rules of a position."""
        rules = (bool(position.flying), bool(position.doubles), position.has_draws())
        if self._resources is None or self._resources.rules != rules:
            before = self._resources
            if before is not None and before.rules[:2] == rules[:2]:
                library = before.library
            else:
                library = Library(flying=rules[0], doubles=rules[1], complain=self._complain)
            self._resources = _Resources(rules, position.quiet_limit(), library)
            self._resources.tree.slack = self._slack
        return self._resources


class _Resources:
    """The tables and the search for one set of rules."""

    def __init__(self, rules: tuple[bool, bool, bool], limit: int, library: Library) -> None:
        self.rules = rules
        flying, doubles, _ = rules
        self.library = library
        self.oracle = Oracle(library.tables, flying=flying, doubles=doubles)
        self.tree = Tree(self.oracle, flying=flying, doubles=doubles, limit=limit, size=_SIZE)
        self.searched = False  # Whether the tree holds anything: clearing it takes time.


class _SearchRun:
    """One search: its root, its limits and its reports."""

    def __init__(
        self,
        tree: Tree,
        oracle: Oracle,
        game: Game[Position],
        limits: Limits,
        stop: Stop,
        report: Callable[[Report], None],
        began: float,
    ) -> None:
        self._tree = tree
        self._oracle = oracle
        self._position = game.position
        self._limits = limits
        self._report = report
        self._began = began
        deadline = float("inf") if limits.seconds is None else began + limits.seconds
        past = _since_capture(game)
        self._limit = game.position.quiet_limit()
        self._third = {key for key in past if past.count(key) > 1}
        turn = game.turn
        men = game.position.men
        hand = game.position.hand
        state = (men(turn), men(1 - turn), hand(turn), hand(1 - turn), game.position.quiet_plies())
        tree.begin(state, past, deadline, limits.nodes or _FOREVER, stop)

    def deepen(self, moves: list[int], deepest: int) -> int:
        """Search by iterative deepening until a limit; return the best move found."""
        chosen = moves[0]
        if len(moves) == 1 and self._limits.bounded:
            deepest = 1
        guess = 0
        for depth in range(1, deepest + 1):
            width = 40 if depth > 4 and abs(guess) < DECIDED else 2 * WIN
            alpha, beta = guess - width, guess + width
            while True:
                move, score = self._tree.search(depth, moves, alpha, beta)
                if self._tree.was_halted() or alpha < score < beta:
                    break
                alpha, beta = -WIN - 1, WIN + 1
            if move >= 0 and (not self._tree.was_halted() or score > alpha):
                chosen = move
                moves.remove(chosen)
                moves.insert(0, chosen)
            if self._tree.was_halted():
                break
            guess = score
            self._tell(depth, score, self._tree.variation())
            decided = abs(score) > DECIDED and WIN - abs(score) <= depth
            if decided or (abs(score) > DECIDED and abs(score) < TABLE + 1 and depth > 12):
                break
            if self._is_late():
                break
        return chosen

    def follow(self, advice: Advice) -> int:
        """Report the book's move and return it."""
        self._tell(advice.depth, advice.score, [advice.move])
        return advice.move

    def guess(self, moves: list[int], depth: int, noise: Callable[[], float]) -> int:
        """Score each move, add a random error, and return the move that then seems best.

        If a limit ends the search, the scores are those of the last depth to which all moves were
        searched.
        """
        known: list[tuple[int, list[int]]] = []
        reached = 0
        for tried in range(1, depth + 1):
            scores = self._score(moves, tried)
            if len(scores) == len(moves) or not known:
                known, reached = scores, tried
            if len(scores) < len(moves):
                break
        best, chosen, line = float("-inf"), moves[0], [moves[0]]
        for move, (score, variation) in zip(moves, known, strict=False):
            seen = score + noise()
            if seen > best:
                best, chosen, line = seen, move, variation
        self._tell(reached, round(max(-DECIDED, min(DECIDED, best))), line or [chosen])
        return chosen

    def _score(self, moves: list[int], depth: int) -> list[tuple[int, list[int]]]:
        """Return the score and the line of each move, as far as the limits allow."""
        scores = []
        for move in moves:
            searched, score = self._tree.search(depth, [move], -WIN - 1, WIN + 1)
            if searched < 0:
                break
            scores.append((score, list(self._tree.variation())))
        return scores

    def look_up(self, moves: list[int]) -> int | None:
        """Return the move that the tables recommend, or None if they cannot decide.

        A won position is played by the shortest way to the next capture, a lost one by the longest
        way; the reported depth is its length. Of several drawing moves, the one that leaves the
        fewest good replies is played.
        """
        position = self._position
        value = self._probe()
        if value < 0 or value >> 1 == FAR:
            return None
        if value and value & 1 == 0 and position.quiet_plies() + (value >> 1) > self._limit:
            return None  # The tables ignore the draw by quiet plies; the search does not.
        rated = [(self._rate(move, value), move) for move in moves]
        best, chosen = max(rated, key=lambda each: each[0])
        if best == _USELESS:
            return None
        if value == 0:
            self._report(self._news(1, Score(0.5, exact=True), [chosen]))
        else:
            # The capture to which the tables count ends the game only with three men each.
            last = count(position.own) == 3 and count(position.enemy) == 3
            turns = ((value >> 1) + 1) // 2 if last else None
            score = Score(float(value & 1 == 0), exact=True, turns=turns)
            self._report(self._news(value >> 1, score, [chosen]))
        return chosen

    def sound(self, moves: list[int]) -> list[int]:
        """Return the moves that give nothing away, as far as tables without distances know."""
        if self._probe() == UNKNOWN:
            return moves
        values = []
        for move in moves:
            self._position.play(move)
            over = self._position.outcome()
            value = self._probe() if over is None else 1
            values.append(2 if value in (NOT_LOST, UNKNOWN, 0) else value & 1)
            self._position.undo()
        # 1: the opponent has lost. 2: a draw, or not known to be worse.
        for wanted in (1, 2):
            kept = [move for move, value in zip(moves, values, strict=True) if value == wanted]
            if kept:
                self._tree.ignore_tables(count(self._position.own | self._position.enemy))
                return kept
        return moves

    def _probe(self) -> int:
        if self._position.own_hand or self._position.enemy_hand:
            return UNKNOWN
        return self._oracle.value(self._position.own, self._position.enemy)

    def _rate(self, move: int, value: int) -> tuple[int, int, float]:
        """Rate a move in a position of known value; a higher rating is better."""
        position = self._position
        position.play(move)
        try:
            ended = position.outcome()
            if ended is not None and ended.winner is not None:
                return (3, 0, 0.0)
            after = self._probe()
            if after < 0:
                return _USELESS
            third = position.own | position.enemy << 24 in self._third
            captured = move >> 10 & 31 != NONE
            plies = after >> 1
            if value == 0:
                if after != 0:
                    return _USELESS
                good, replies = self._good_replies()
                return (1, -good, -good / replies)
            if value & 1:
                return (1, 1 if captured else plies + 1, float(plies))
            if after & 1 == 0 or third:
                return _USELESS
            return (2, -1 if captured else -plies - 1, float(-plies))
        finally:
            position.undo()

    def _good_replies(self) -> tuple[int, int]:
        """Return the number of replies that do not lose, and the number of all replies."""
        replies = self._position.legal_moves()
        good = 0
        for reply in replies:
            self._position.play(reply)
            over = self._position.outcome()
            value = self._probe() if over is None else 1
            good += value <= 0 or value & 1
            self._position.undo()
        return good, max(len(replies), 1)

    def _is_late(self) -> bool:
        seconds = self._limits.seconds
        return seconds is not None and time.monotonic() - self._began > _ENOUGH * seconds

    def _tell(self, depth: int, score: int, line: Sequence[int]) -> None:
        self._report(self._news(depth, _worth(score), line))

    def _news(self, depth: int, worth: Score, line: Sequence[int]) -> Report:
        seconds = time.monotonic() - self._began
        return Report(depth, self._tree.counted(), seconds, worth, tuple(line))


def _sooner(stop: Stop, began: float, seconds: float | None) -> Stop:
    """Return a stop that ends the loading of tables early, to leave time for the search."""
    if seconds is None:
        return stop
    end = began + _LOADING * seconds
    return lambda: time.monotonic() >= end or stop()


def _worth(score: int) -> Score:
    """Convert hundredths of a man to a chance, and forced ends to exact scores."""
    if abs(score) <= DECIDED:
        return Score(1.0 / (1.0 + 10.0 ** (-score / 400.0)))
    turns = (WIN - abs(score) + 1) // 2 if abs(score) > TABLE else None
    return Score(float(score > 0), exact=True, turns=turns)


def _since_capture(game: Game[Position]) -> list[int]:
    """List the earlier positions since the last capture or placement."""
    position = game.position.copy()
    keys = []
    for _ in range(min(position.quiet_plies(), len(game.moves))):
        position.undo()
        keys.append(position.own | position.enemy << 24)
    return keys[::-1]
