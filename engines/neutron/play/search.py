"""The search that a player uses: iterative deepening, limits, reports, and proved wins."""

import math
import time
from array import array
from collections.abc import Callable
from typing import Final

from engines.core import places
from engines.core.game import Game, Move
from engines.core.search import Limits, Report, Score, Stop
from engines.neutron.play.evaluation import Evaluation, load_weights
from engines.neutron.play.tree import DEEPEST, FOREVER, PROVED, WIN, Tree
from engines.neutron.rules.board import BOARD
from engines.neutron.rules.position import BOTH, GOES_ON, Position
from engines.neutron.rules.text import make_rules
from engines.neutron.tables.book import look_up
from engines.neutron.tables.library import Library

LOGIT: Final = 256  # The evaluation counts in 1/256 of a logit.
TABLE_BITS: Final = 20  # A million entries, 16 MB.
SETTLING: Final = (
    1_000_000  # The most nodes, beyond as many as the proof took, that shorten a proved win.
)


class Search:
    """Finds turns by alpha-beta; `noise` adds random errors to the evaluation, to weaken it.

    If `knows` is true, it also uses the shipped book and the table that the user has built. The
    table leaves only the turns that keep the value of the position; among these, the search looks
    for the shortest win or the longest defence.
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
        if self._knows and (entry := look_up(make_rules(_variant(position)), position)) is not None:
            move, turns = entry
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
                # No turn is searched yet, or all searched ones lose: choose the next one.
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
        """Search without reductions for a shorter win, or a longer defence, than the proved one."""
        tree = self._tree
        move = tree.root_move(0)
        turns = WIN - abs(score)
        tree.limit_nodes(2 * tree.nodes + SETTLING)
        tree.set_thorough(True)
        depth = 0
        # A search sees two turns beyond its depth, so that in the end no shorter win is missed.
        while depth < min(turns - 3, deepest) and not tree.is_stopped():
            depth += 1
            if score > 0:
                value = tree.deepen(depth, WIN - turns, WIN - 1)
                if value <= WIN - turns:
                    continue
            else:
                value = tree.deepen(depth, -WIN, turns - WIN)
                if tree.is_stopped() or (value > -PROVED and depth < turns - 3):
                    continue
                value = min(value, turns - WIN)
            move, turns = tree.root_move(0), WIN - abs(value)
            self._tell(position, depth, value, report)
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
        """Return the turns that are worth searching, and store what is known about the position."""
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
        """Pass the position to the tree: winning turns come first, immediately losing ones last."""
        position = game.position
        drawn = _standing_twice(game)
        if position.kraus != self._kraus or drawn != self._drawn:
            # A proof may lead through a position that is now a draw by repetition.
            self._tree.forget()
        self._kraus, self._drawn = position.kraus, drawn
        moves = sorted(turns, key=lambda move: _rank_turn(position, move))
        men = (position.white, position.black)
        self._tree.set_root(men, position.neutron, position.turn, position.kraus, moves, drawn)
        return len(moves)

    def _line(self, position: Position, move: Move) -> list[Move]:
        """Follow the transposition table from a root move, as far as it reaches."""
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
    """Return whether a turn wins, continues, draws, loses to the reply, or loses immediately."""
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
    """List the keys of positions that have occurred twice: reaching one again is a draw."""
    twin = game.copy()
    counts = {twin.position.key(): 1}
    while twin.moves:
        twin.undo()
        key = twin.position.key()
        counts[key] = counts.get(key, 0) + 1
    return sorted(key for key, count in counts.items() if count > 1)


def _winning_turn(position: Position, moves: list[Move]) -> Move:
    return next((move for move in moves if _rank_turn(position, move) == 0), 0)
