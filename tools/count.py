"""Counting a finished game of Go: what engines claim, whom the arbiter calls dead, the result."""

import re
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from engines.core.game import Game, InvalidText, Outcome
from engines.go.history import Position, outcome_of
from engines.go.ruleset import AREA
from engines.go.scoring import chains
from protocols.client import FramedClient
from protocols.errors import EngineError, EngineRefused
from tools import go
from tools.record import Count, Method
from tools.seat import QUICK, Seat

AGREED: Final = "agreed"
ALL_ALIVE: Final = "all-alive"
SCORINGS: Final = (AGREED, ALL_ALIVE)
PATIENCE: Final = 60.0  # Seconds for a score, and for an arbiter's whole answer.
_ATTEMPTS: Final = 2  # A failed arbiter is started afresh once.
_LONGEST: Final = 200  # Characters of a claim that are kept.
_CLAIM: Final = re.compile(r"(?:0(?:\.0+)?|([BW])\+(\d{1,4}(?:\.\d+)?))", re.IGNORECASE)


class ArbiterFailed(Exception):
    """Nobody could tell which stones are dead; says why."""


def read_claim(told: str, position: Position) -> float | None:
    """Return Black's margin as an engine told it; None for what is no score, or no possible one.

    A score is possible where points and komi give it: an engine that was told, or assumed,
    another komi may well agree with one that did the same.
    """
    match = _CLAIM.fullmatch(told.strip())
    if match is None:
        return None
    margin = float(match[2] or 0)
    if match[1] in ("W", "w"):
        margin = -margin
    points = margin + position.komi + position.rules.handicap_points(position.handicap)
    if points != round(points) or (position.rules.scoring == AREA and abs(points) > position.area):
        return None
    return margin


def counted(game: Game[Any], count: Count) -> Outcome:
    """Return what a count makes of a game; raises InvalidText where it cannot be so."""
    position = game.position
    if count.method != Method.AGREEMENT:
        return outcome_of(position.count(_parse_dead(game, count.dead)).margin)
    one, other = (read_claim(told, position) for told in count.said)
    if one is None or one != other:
        raise InvalidText(f"{count.said[0]!r} and {count.said[1]!r} are no agreement")
    return outcome_of(one)


def _parse_dead(game: Game[Any], texts: Sequence[str]) -> set[int]:
    rules: Any = game.rules
    dead = {rules.parse_vertex(text) for text in texts}
    for chain in chains(game.position.board):
        known = dead.intersection(chain)
        if known and len(known) < len(chain):
            raise InvalidText(f"a chain is dead in part: {rules.format_vertex(known.pop())}")
        dead -= known
    if dead:
        raise InvalidText(f"no stone to be dead on {rules.format_vertex(dead.pop())}")
    return {rules.parse_vertex(text) for text in texts}


def capped(ended: Outcome, outcome: Outcome) -> Outcome:
    """Return how a game ends that was too long, and was counted as it stood."""
    return replace(outcome, reason=f"{ended.reason}, counted {outcome.reason}")


class Counting:
    """The end of a game: asks its engines for the score, and an arbiter where they disagree."""

    def __init__(self, seats: Sequence[Seat], scoring: str, arbiter: Seat | None) -> None:
        self._seats = seats
        self._scoring = scoring
        self._arbiter = arbiter
        self.lost = ["", ""]  # Why an engine is no longer there to be asked.

    def count(self, game: Game[Any]) -> Count:
        """Count a game that is over, or is to be; raises ArbiterFailed.

        An engine that fails here has finished its game: its say is lost, not the game.
        """
        if self._scoring == ALL_ALIVE or not game.position.rules.judged:
            return _settled(game, Count(Method.ALL_ALIVE, ("", ""), (), "", ""))
        said = (self._ask(0), self._ask(1))
        one, other = (read_claim(told, game.position) for told in said)
        if one is not None and one == other:
            return _settled(game, Count(Method.AGREEMENT, said, (), "", ""))
        return self._arbitrate(game, said)

    def _ask(self, side: int) -> str:
        if self.lost[side]:
            return f"! {self.lost[side]}"[:_LONGEST]
        seat = self._seats[side]
        try:
            client = seat.client()
            if not isinstance(client, FramedClient) or not client.known("final_score"):
                return ""
            return client.command("final_score", time.monotonic() + PATIENCE)[:_LONGEST]
        except EngineRefused as error:
            return f"? {error.message}"[:_LONGEST]
        except EngineError as error:
            seat.dismiss(QUICK)
            return f"! {error}"[:_LONGEST]

    def _arbitrate(self, game: Game[Any], said: tuple[str, str]) -> Count:
        if self._arbiter is None:
            raise ArbiterFailed("there is no arbiter")
        told = []
        for _ in range(_ATTEMPTS):
            try:
                dead = _named_dead(self._arbiter.client(), game)
                player = self._arbiter.player
                name = f"{player.name} {player.version}".strip()
                return _settled(game, Count(Method.ARBITER, said, dead, name, ""))
            except (EngineError, EngineRefused, InvalidText) as error:
                told.append(str(error))
                self._arbiter.dismiss(QUICK)
        raise ArbiterFailed(f"the arbiter failed: {'; then: '.join(dict.fromkeys(told))}")


def _settled(game: Game[Any], count: Count) -> Count:
    return replace(count, result=counted(game, count).reason)


def _named_dead(client: Any, game: Game[Any]) -> tuple[str, ...]:
    """Show a game to an arbiter and return the points of the stones that it calls dead."""
    if not isinstance(client, FramedClient) or not client.known("final_status_list"):
        raise InvalidText(f"{client.name} does not know final_status_list")
    deadline = time.monotonic() + PATIENCE
    variant, settings = go.settings(game)
    client.new_game(deadline, variant=variant, settings=settings)
    rules: Any = game.rules
    moves = [f"play {'bw'[c - 1]} {rules.format_vertex(m)}" for c, m in game.position.played]
    for reply in client.ask(moves, deadline):
        if isinstance(reply, EngineRefused):
            raise reply
    told = client.command("final_status_list dead", deadline)
    dead = {rules.parse_vertex(word) for word in told.split()}
    return tuple(rules.format_vertex(move) for move in sorted(dead))
