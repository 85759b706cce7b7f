"""Openings drawn by two engines: one plays them, the other judges whether they are balanced.

Each draw has a number, and its seed depends on this number and the seed of the collection. With
engines that give the same answers to the same questions, what a draw gives depends on nothing that
was drawn before it, except that a position that was reached before, or a mirror image of it, is
left out.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from engines.core.errors import QuintetError
from engines.core.game import CHANCE, FIRST, Game
from engines.core.timing import TimeControl
from protocols.ask.contract import Reply
from protocols.errors import EngineError, EngineRefused
from tools.match.referee import start_game
from tools.roster.seats import EnginePool, Seat, reply_deadline
from tools.terms.openings import Opening, sameness
from tools.terms.spec import MOVE_TIMEOUT, MatchSpec

_FRUITLESS: Final = 2000  # So many draws in a row without an opening end the search for more.
_GIVES_UP: Final = ("resign", "win", "pass")


class CannotDraw(QuintetError):
    """An engine failed, or openings as they were asked for cannot be found."""


@dataclass(frozen=True, slots=True)
class DrawingPlan:
    """How openings are drawn.

    `terms` holds the game with its rules, and the engines: the first plays the openings, the second
    judges them. `controls` are their limits for a move.
    """

    terms: MatchSpec
    controls: tuple[TimeControl, TimeControl]
    plies: tuple[int, int]  # The shortest and the longest opening.
    wildness: float  # The share of moves that are drawn from all legal moves.
    within: float  # How far the judge's value may lie from one half.
    seed: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """An opening, and the share of the points that the judge expects for the first player."""

    number: int  # Of the draw.
    moves: tuple[str, ...]
    share: float


@dataclass(slots=True)
class Drawing:
    """Draws openings; `tried` counts the draws, `refused` those that were left out by reason."""

    plan: DrawingPlan
    pool: EnginePool
    seen: set[Any] = field(default_factory=set)
    tried: int = 0
    refused: dict[str, int] = field(default_factory=dict)

    def know(self, opening: Opening) -> None:
        """Leave out the position that an opening leads to from now on."""
        game = Game(self.plan.terms.rules())
        for move in opening.moves:
            game.play(move)
        self.seen.add(sameness(game))

    def draw(self, number: int) -> Iterator[Drawn]:
        """Yield the openings of the draws from a number on; raises CannotDraw."""
        last = number
        while True:
            if number - last > _FRUITLESS:
                reasons = ", ".join(f"{count} {why}" for why, count in self.refused.items())
                raise CannotDraw(f"{_FRUITLESS} draws in a row gave no opening ({reasons})")
            self.tried += 1
            drawn = self._draw(number)
            if isinstance(drawn, Drawn):
                last = number
                yield drawn
            else:
                self.refused[drawn] = self.refused.get(drawn, 0) + 1
            number += 1

    def _draw(self, number: int) -> Drawn | str:
        """Return an opening, or why the draw gives none."""
        plan = self.plan
        chance = random.Random(f"{plan.seed}/{number}")
        game = Game(plan.terms.rules())
        plies = chance.randint(*plan.plies)
        while len(game.moves) < plies:
            if not self._play(game, chance):
                return "ended early"
        if game.outcome() is not None:
            return "ended early"
        key = sameness(game)
        if key in self.seen:
            return "reached before"
        reply = self._ask(1, game, number)
        score = reply.evaluation.score
        if score is None or score.share is None:
            judge = plan.terms.engines[1]
            raise CannotDraw(f"{judge.label} gives no score with its move, so it cannot judge")
        share = score.share if game.turn == FIRST else 1 - score.share
        if abs(share - 0.5) > plan.within:
            return "unbalanced"
        self.seen.add(key)
        return Drawn(number, tuple(game.texts()), share)

    def _play(self, game: Game[Any], chance: random.Random) -> bool:
        """Play one more move; return False if there is none to be played."""
        if game.outcome() is not None:
            return False
        rules = game.rules
        wild = chance.random() < self.plan.wildness
        seed = chance.getrandbits(28)
        if game.turn == CHANCE:
            raise CannotDraw(f"{rules.name}: the dice already make every game different")
        if wild:
            moves = [rules.format(game.position, move) for move in game.position.legal_moves()]
            moves = [move for move in moves if move not in _GIVES_UP]
            if not moves:
                return False
            game.play(chance.choice(moves))
            return True
        text = self._ask(0, game, seed).move
        if text in _GIVES_UP:
            return False
        game.play(text)
        return True

    def _ask(self, which: int, game: Game[Any], seed: int) -> Reply:
        """Ask an engine for its move; raises CannotDraw."""
        terms = self.plan.terms
        seat = self.pool.seat(terms.engines[which])
        try:
            return self._answer(seat, self.plan.controls[which], game, seed)
        except (EngineError, EngineRefused) as error:
            raise CannotDraw(f"{seat.spec.label}: {error}") from error

    def _answer(self, seat: Seat, control: TimeControl, game: Game[Any], seed: int) -> Reply:
        terms = self.plan.terms
        seat.set_seeds(seed, seed)
        client = seat.client()
        replay = Game(game.rules)
        start_game(seat, replay, terms.variant, control)
        letters = [side[0] for side in game.rules.sides]
        for text in game.texts():
            client.note(letters[replay.turn], text)
            replay.play(text)
        client.settle(reply_deadline())
        return client.genmove(letters[game.turn], reply_deadline(MOVE_TIMEOUT))
