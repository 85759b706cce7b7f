"""Find moves: from exact tables where they reach, otherwise by looking ahead deeper and deeper."""

import random
import time
from collections.abc import Callable, Sequence
from typing import Final

from engines.core import places
from engines.core.game import FIRST, Game, IllegalMove, Move
from engines.core.search import Limits, Report, Score, Stop
from engines.senet.play.lookahead import Lookahead
from engines.senet.play.net import Net
from engines.senet.rules.position import SenetPosition
from engines.senet.rules.track import moved, steps_of, throws_again
from engines.senet.tables import shipped
from engines.senet.tables.library import Library
from engines.senet.tables.table import SHORT, ChanceTable

DEEPEST: Final = 12  # Throws. More would take too long in any game.
_NEAR: Final = 2  # With more men to be taken off, no search reaches the shipped table.


class Search:
    """Looks ahead as far as the limits allow; `noise` is the error added to values of moves."""

    def __init__(self, depth: int = DEEPEST, noise: float = 0.0, seed: int | None = None) -> None:
        self._depth = depth
        self._noise = noise
        self._seed = random.SystemRandom().getrandbits(62) if seed is None else seed
        self._random = random.Random(self._seed)
        self._lookaheads: dict[tuple[int, int, int], Lookahead] = {}
        self._libraries: dict[tuple[int, int], Library] = {}

    def forget(self) -> None:
        """Drop what earlier searches learned, so that the same seed plays the same game."""
        self._random = random.Random(self._seed)
        for lookahead in self._lookaheads.values():
            lookahead.forget()

    def search(
        self,
        game: Game[SenetPosition],
        limits: Limits,
        *,
        stop: Stop,
        report: Callable[[Report], None],
    ) -> Move:
        """Return the best move for the throw; raises IllegalMove if a throw is due."""
        position = game.position
        if position.throw == 0:
            raise IllegalMove("roll first")
        began = time.monotonic()
        if not (position.passing or position.over) and _distance(position) <= _NEAR + 1:
            shipped.prepare()  # One man early, because reading the table takes a while.
        moves = position.legal_moves()
        blur = [self._random.gauss(0.0, self._noise) if self._noise else 0.0 for _ in moves]
        known = self._look_up(position, moves)
        if known is not None:
            best = _best(known, blur)
            report(_report(1, 0, began, position, moves[best], known[best], exact=True))
            return moves[best]
        return self._deepen(position, moves, blur, limits, stop, report, began)

    def _deepen(
        self,
        position: SenetPosition,
        moves: Sequence[Move],
        blur: Sequence[float],
        limits: Limits,
        stop: Stop,
        report: Callable[[Report], None],
        began: float,
    ) -> Move:
        lookahead = self._lookahead(position, limits)
        own, enemy = _masks(position)
        deepest = min(self._depth, limits.depth or self._depth)
        chosen = moves[0]
        nodes = 0
        for depth in range(1, deepest + 1):
            if depth == 1:  # A few evaluations, which the limits must not stop: a move is needed.
                lookahead.arm(None, 0.0, -1)
            else:
                deadline = 0.0 if limits.seconds is None else began + limits.seconds
                most = -1 if limits.nodes is None else max(0, limits.nodes - nodes)
                lookahead.arm(stop, deadline, most)
            lookahead.take_guess()
            values = []
            for move in moves:
                man = 1 << (move - 1)
                values.append(lookahead.after(own, enemy, man, position.throw, depth - 1))
                if lookahead.is_halted():
                    return chosen
            nodes += lookahead.nodes()
            exact = not lookahead.take_guess()
            best = _best(values, blur)
            chosen = moves[best]
            report(_report(depth, nodes, began, position, chosen, values[best], exact=exact))
            if exact or (len(moves) == 1 and limits.bounded):
                break
            # The next depth takes several times as long as all before it.
            if limits.seconds is not None and time.monotonic() - began > limits.seconds / 4:
                break
        return chosen

    def _lookahead(self, position: SenetPosition, limits: Limits) -> Lookahead:
        variant = position.passing, position.over
        # The shipped tables were solved under the default rules.
        men = 0 if any(variant) else _useful_men(position)
        outside = max(position.first.bit_count(), position.second.bit_count()) > shipped.MEN
        if men and outside and limits.seconds is not None and not shipped.is_read(men):
            men = 0  # A clock runs, so the search does not wait for the table.
        if (*variant, men) not in self._lookaheads:
            table = shipped.chances(men) if men else ChanceTable([], SHORT)
            lookahead = Lookahead(Net(shipped.net_weights()), table, *variant)
            self._lookaheads[*variant, men] = lookahead
        return self._lookaheads[*variant, men]

    def _look_up(self, position: SenetPosition, moves: Sequence[Move]) -> list[float] | None:
        """Return the exact chance after each move, or None unless the tables know all of them."""
        variant = position.passing, position.over
        if variant not in self._libraries:
            self._libraries[variant] = Library(places.tables(), bool(variant[0]), bool(variant[1]))
        own, enemy = _masks(position)
        values = []
        for move in moves:
            after = moved(own, enemy, 1 << (move - 1), steps_of(position.throw))
            mine, theirs = after & 0x1FFFFFFF, after >> 32
            chance: float | None = 1.0
            if mine and throws_again(position.throw):
                chance = self._libraries[variant].chance(mine, theirs)
            elif mine:
                theirs_chance = self._libraries[variant].chance(theirs, mine)
                chance = None if theirs_chance is None else 1.0 - theirs_chance
            if chance is None:
                return None
            values.append(chance)
        return values


def _useful_men(position: SenetPosition) -> int:
    """Return for how many men a side the search can reach the shipped table; 0 if for none."""
    if _distance(position) > _NEAR:
        return 0
    return min(shipped.MEN, max(position.first.bit_count(), position.second.bit_count()))


def _distance(position: SenetPosition) -> int:
    """Return how many men must be taken off before the shipped table applies."""
    men = position.first.bit_count(), position.second.bit_count()
    return sum(max(0, number - shipped.MEN) for number in men)


def _masks(position: SenetPosition) -> tuple[int, int]:
    if position.thrower == FIRST:
        return position.first, position.second
    return position.second, position.first


def _best(values: Sequence[float], blur: Sequence[float]) -> int:
    return max(range(len(values)), key=lambda number: values[number] + blur[number])


def _report(
    depth: int,
    nodes: int,
    began: float,
    position: SenetPosition,
    move: Move,
    value: float,
    *,
    exact: bool,
) -> Report:
    own = position.men(position.thrower)
    wins = value == 1.0 and len(own) == 1
    score = Score(value, exact, 1 if wins else None, dice=True)
    # The line is one move long, because the dice decide how the game continues.
    return Report(depth, nodes, time.monotonic() - began, score, (move,))
