"""Counting a finished game of Go: the scores that engines claim, and the arbiter's dead stones."""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engines.core.errors import QuintetError
from engines.core.game import Game, InvalidText
from engines.go.rules.history import Position
from protocols.ask.detect import Client, FramedClient
from protocols.ask.text import plain
from protocols.errors import EngineError, EngineRefused
from tools.records.game import Count, Method
from tools.records.go import go_rules
from tools.roster.seats import SHORT_GRACE, Seat
from tools.terms import go
from tools.terms.scoring import ALL_ALIVE, agreed_winner, counted, read_claim

_ARBITER_TIMEOUT: Final = 60.0  # Seconds for an arbiter's whole answer.
_ATTEMPTS: Final = 2  # An arbiter that failed is started once more.
_LONGEST: Final = 200  # A longer claim is cut to so many characters.


class ArbiterFailed(QuintetError):
    """The arbiter could not name the dead stones; the text says why."""


class Counting:
    """Counts a game: it asks both engines for the score, and the arbiter if they disagree.

    The arbiter never overrules a winner that both engines name; it decides the margin then.
    """

    def __init__(
        self, seats: Sequence[Seat], scoring: str, arbiter: Seat | None, timeout: float
    ) -> None:
        self._timeout = timeout
        self._seats = seats
        self._scoring = scoring
        self._arbiter = arbiter
        self.lost = ["", ""]  # For each side, why its engine cannot be asked any more.

    def count(self, game: Game[Position]) -> Count:
        """Count a game that is over or adjudicated; raises ArbiterFailed.

        If an engine fails here, its score is ignored; the game itself is not forfeited.
        """
        if self._scoring == ALL_ALIVE or not game.position.rules.judged:
            return _settled(game, Count(Method.ALL_ALIVE, ("", ""), (), "", ""))
        claims = (self._ask(0), self._ask(1))
        one, other = (read_claim(text, game.position) for text in claims)
        if one is not None and one == other:
            return _settled(game, Count(Method.AGREEMENT, claims, (), "", ""))
        if agreed_winner(claims, game.position) is None:
            return self._arbitrate(game, claims, Method.ARBITER)
        try:
            return self._arbitrate(game, claims, Method.WINNER)
        except ArbiterFailed:
            return _settled(game, Count(Method.WINNER, claims, (), "", ""))

    def _ask(self, side: int) -> str:
        if not self._seats[side].spec.scores:
            return ""
        if self.lost[side]:
            return plain(f"! {self.lost[side]}", _LONGEST)
        seat = self._seats[side]
        try:
            client = seat.client()
            if not isinstance(client, FramedClient) or not client.known("final_score"):
                return ""
            answer = client.command("final_score", time.monotonic() + self._timeout)
            return plain(answer, _LONGEST)
        except EngineRefused as error:
            return plain(f"? {error.message}", _LONGEST)
        except EngineError as error:
            seat.dismiss(SHORT_GRACE)
            return plain(f"! {error}", _LONGEST)

    def _arbitrate(self, game: Game[Position], claims: tuple[str, str], method: Method) -> Count:
        if self._arbiter is None:
            raise ArbiterFailed("there is no arbiter")
        failures = []
        for _ in range(_ATTEMPTS):
            try:
                dead = _named_dead(self._arbiter.client(), game)
                player = self._arbiter.player
                name = f"{player.name} {player.version}".strip()
                return _settled(game, Count(method, claims, dead, name, ""))
            except (EngineError, EngineRefused, InvalidText) as error:
                failures.append(str(error))
                self._arbiter.dismiss(SHORT_GRACE)
        raise ArbiterFailed(f"the arbiter failed: {'; then: '.join(dict.fromkeys(failures))}")


def _settled(game: Game[Position], count: Count) -> Count:
    return replace(count, result=counted(game, count).reason)


def _named_dead(client: Client, game: Game[Position]) -> tuple[str, ...]:
    """Send a game to the arbiter and return the points of the stones that it calls dead."""
    if not isinstance(client, FramedClient) or not client.known("final_status_list"):
        raise InvalidText(f"{client.name} does not know final_status_list")
    deadline = time.monotonic() + _ARBITER_TIMEOUT
    variant, settings = go.settings(game)
    client.new_game(deadline, variant=variant, settings=settings)
    rules = go_rules(game.rules)
    moves = [f"play {'bw'[c - 1]} {rules.format_vertex(m)}" for c, m in game.position.played]
    for reply in client.ask(moves, deadline):
        if isinstance(reply, EngineRefused):
            raise reply
    answer = client.command("final_status_list dead", deadline)
    dead = {rules.parse_vertex(word) for word in answer.split()}
    return tuple(rules.format_vertex(move) for move in sorted(dead))
