"""The search as a player uses it: deepening, limits, reports, and the length of a proved win."""

import math
import time
from array import array
from collections.abc import Callable
from typing import Final

from engines.core import places
from engines.core.game import Game, Move
from engines.core.search import Limits, Report, Score, Stop
from engines.neutron.board import BOARD
from engines.neutron.book import look_up
from engines.neutron.evaluation import Evaluation, load_weights
from engines.neutron.library import Library
from engines.neutron.position import BOTH, GOES_ON, Position
from engines.neutron.rules import make_rules
from engines.neutron.tree import DEEPEST, FOREVER, PROVED, WIN, Tree

LOGIT: Final = 256  # The evaluation's unit.
TABLE_BITS: Final = 20  # A million entries, 16 MB.
SETTLING: Final = 1_000_000  # Nodes at most, beside as many as the proof took.


class Search:
    """Finds turns by alpha-beta; `noise` blurs its judgement by a seed, to make it weaker.

    What it `knows` beside: the book that ships, and the table that the user built. The table
    leaves only turns that keep the position's value; among these the search goes for the shortest
    win, or the longest defence.
    """

    def __init__(
        self,
        noise: int = 0,
        seed: int = 0,
        table_bits: int = TABLE_BITS,
        weights: "array[int] | None" = None,
        *,
        knows: bool = True,
    ) -> None:
        evaluation = Evaluation(load_weights() if weights is None else weights)
        self._tree = Tree(evaluation, table_bits, noise, seed)
        self._kraus = False
        self._drawn: list[int] = []
        self._knows = knows
        self._libraries: dict[bool, Library] = {}
        self._known: Score | None = None
        self._began = 0.0

    def forget(self) -> None:
        """Drop what earlier searches learned."""
        self._tree.forget()

    def search(
        self,
        game: Game[Position],
        limits: Limits,
        *,
        stop: Stop,
        report: Callable[[Report], None],
    ) -> Move:
        """Return the best turn found within the limits."""
        self._began = time.monotonic()
        tree, position = self._tree, game.position
        if self._knows and (found := look_up(make_rules(_variant(position)), position)) is not None:
            move, turns = found
            report(Report(1, 0, 0.0, Score(1.0, True, turns), (move,)))
            return move
        tree.limit(
            FOREVER if limits.seconds is None else self._began + limits.seconds,
            FOREVER if limits.nodes is None else limits.nodes,
            stop,
        )
        count = self._prepare(game, self._look_up(position))
        deepest = DEEPEST - 1 if limits.depth is None else min(limits.depth, DEEPEST - 1)
        move = tree.root_move(0)
        for depth in range(1, deepest + 1):
            score = tree.deepen(depth, -WIN, WIN - 1)
            if tree.is_stopped() and (tree.tried() == 0 or score < -PROVED):
                # Nothing looked at yet, or all of it lost: the next one is the hope.
                return tree.root_move(min(tree.tried(), count - 1))
            move = tree.root_move(0)
            self._tell(position, depth, score, report)
            if abs(score) > PROVED:
                return self._settle(position, score, deepest, report)
            if tree.is_stopped() or (count == 1 and limits.bounded):
                break
        return move

    def _settle(
        self, position: Position, score: int, deepest: int, report: Callable[[Report], None]
    ) -> Move:
        """Look, without reductions, for a shorter win or for a longer defence than proved."""
        tree = self._tree
        move = tree.root_move(0)
        turns = WIN - abs(score)
        tree.limit_nodes(2 * tree.nodes + SETTLING)
        tree.set_thorough(True)
        depth = 0
        # A search sees two turns beyond its depth: in the end nothing shorter is left out.
        while depth < min(turns - 3, deepest) and not tree.is_stopped():
            depth += 1
            if score > 0:
                found = tree.deepen(depth, WIN - turns, WIN - 1)
                if found <= WIN - turns:
                    continue
            else:
                found = tree.deepen(depth, -WIN, turns - WIN)
                if tree.is_stopped() or (found > -PROVED and depth < turns - 3):
                    continue
                found = min(found, turns - WIN)
            move, turns = tree.root_move(0), WIN - abs(found)
            self._tell(position, depth, found, report)
        tree.set_thorough(False)
        return move

    def _tell(
        self, position: Position, depth: int, score: int, report: Callable[[Report], None]
    ) -> None:
        line = self._line(position, self._tree.root_move(0))
        seconds = time.monotonic() - self._began
        worth = _worth(score)
        if self._known is not None and not worth.exact:
            worth = self._known
        report(Report(depth, self._tree.nodes, seconds, worth, line))

    def _look_up(self, position: Position) -> list[Move]:
        """Return the turns worth a thought, and keep what is known of the position."""
        self._known = None
        known = None
        if self._knows:
            if position.kraus not in self._libraries:
                self._libraries[position.kraus] = Library(places.tables(), position.kraus)
            known = self._libraries[position.kraus].best_turns(position)
        if known is None:
            return position.legal_moves()
        value, turns = known
        self._known = Score((value + 1) / 2, exact=True)
        return turns

    def _prepare(self, game: Game[Position], turns: list[Move]) -> int:
        """Hand the position over; turns that win come first, those that lose at once last."""
        position = game.position
        drawn = _standing_twice(game)
        if position.kraus != self._kraus or drawn != self._drawn:
            # What was proved may lead through a position that is now a draw.
            self._tree.forget()
        self._kraus, self._drawn = position.kraus, drawn
        moves = sorted(turns, key=lambda move: _rank_turn(position, move))
        men = (position.white, position.black)
        self._tree.set_root(men, position.neutron, position.turn, position.kraus, moves, drawn)
        return len(moves)

    def _line(self, position: Position, move: Move) -> list[Move]:
        """Follow the table from a root move, to the end where it can be seen."""
        twin = position.copy()
        line = [move]
        twin.play(move)
        while twin.ending() == GOES_ON and len(line) < DEEPEST:
            legal = twin.legal_moves()
            following = _winning_turn(twin, legal) or self._tree.stored_move(twin.key())
            if following not in legal:
                own, enemy = twin.white, twin.black
                if twin.turn:
                    own, enemy = enemy, own
                if BOARD.can_answer(own, enemy, twin.neutron, twin.turn):
                    break
                following = min(legal, key=lambda turn: _rank_turn(twin, turn))
            line.append(following)
            twin.play(following)
        return line


def _variant(position: Position) -> str:
    return "kraus" if position.kraus else ""


def _worth(score: int) -> Score:
    if score > PROVED:
        return Score(1.0, True, WIN - score)
    if score < -PROVED:
        return Score(0.0, True, WIN + score)
    return Score(1 / (1 + math.exp(-score / LOGIT)))


def _rank_turn(position: Position, move: Move) -> int:
    """Tell whether a turn wins, goes on, ends level, loses to the reply, or loses at once."""
    mover = position.turn
    position.play(move)
    ended = position.ending()
    men = position.white | position.black
    beaten = BOARD.can_win(position.turn, position.neutron, men)
    position.undo()
    if ended == GOES_ON:
        return 3 if beaten else 1
    return 2 if ended == BOTH else (0 if ended == mover + 1 else 4)


def _standing_twice(game: Game[Position]) -> list[int]:
    """List the keys of positions that stood twice already: to reach one again is a draw."""
    twin = game.copy()
    counts = {twin.position.key(): 1}
    while twin.moves:
        twin.undo()
        key = twin.position.key()
        counts[key] = counts.get(key, 0) + 1
    return sorted(key for key, count in counts.items() if count > 1)


def _winning_turn(position: Position, moves: list[Move]) -> Move:
    return next((move for move in moves if _rank_turn(position, move) == 0), 0)
