"""A match and its folder."""

from typing import Any

from engines.core.game import Side
from tools.journal.contest import Contest
from tools.journal.events import MATCH
from tools.journal.journal import Event, Journal
from tools.journal.state import MatchState
from tools.terms.seal import seal
from tools.terms.spec import GameSpec, MatchSpec


class Match(MatchState, Contest):
    """A match and its journal.

    Raises DifferentMatch where the journal holds another match than `spec`, and JournalError.
    """

    def __init__(self, spec: MatchSpec, journal: Journal, *, accept_changes: bool = False) -> None:
        self.spec = spec
        self.journal = journal
        first, second = spec.engines
        super().__init__((first.label, second.label), spec.games, spec.sprt, spec.set_aside)
        run: dict[str, Any] = {"games": spec.games, "records": spec.shogi_format}
        if spec.until_decided:
            run["until-decided"] = True
        self.resume(MATCH, seal(spec), run, accept_changes=accept_changes)

    def game_spec(self, pair: int, side: Side, attempt: int) -> GameSpec:
        """Return a game that is missing."""
        return self.spec.game_spec(pair, side, attempt)

    def follow(self, event: Event) -> None:
        """Take in an event other than a game: earlier runs change nothing in this one."""
