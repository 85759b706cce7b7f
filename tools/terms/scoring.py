"""Scoring finished games of Go: the scores that engines may claim, and the result of a count."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engines.core.game import Game, InvalidText, Move, Outcome, Side
from engines.go.rules.history import Position, outcome_of
from engines.go.rules.ruleset import AREA
from engines.go.rules.scoring import chains
from tools.records.game import Count, Method
from tools.records.go import go_rules

AGREED: Final = "agreed"
ALL_ALIVE: Final = "all-alive"
SCORINGS: Final = (AGREED, ALL_ALIVE)

_CLAIM: Final = re.compile(r"(?:0(?:\.0+)?|([BW])\+(\d{1,4}(?:\.\d+)?))", re.IGNORECASE)


def read_claim(text: str, position: Position) -> float | None:
    """Return Black's margin that an engine claims; None for a text that is no possible score.

    A score is possible if points and komi can add up to it. Two engines that both assumed another
    komi would otherwise agree on a wrong score.
    """
    match = _CLAIM.fullmatch(text.strip())
    if match is None:
        return None
    margin = float(match[2] or 0)
    if match[1] in ("W", "w"):
        margin = -margin
    points = margin + position.komi + position.rules.handicap_points(position.handicap)
    if points != round(points) or (position.rules.scoring == AREA and abs(points) > position.area):
        return None
    return margin


def agreed_winner(claims: Sequence[str], position: Position) -> Side | None:
    """Return the winner that both engines name; None if they name none, or not the same one."""
    margins = [read_claim(text, position) for text in claims]
    winners = {None if margin is None else outcome_of(margin).winner for margin in margins}
    return winners.pop() if len(winners) == 1 else None


def counted(game: Game[Position], count: Count) -> Outcome:
    """Return the outcome of a game by its count; raises InvalidText for a count that cannot be."""
    position = game.position
    if count.method == Method.WINNER:
        return _won(game, count)
    if count.method != Method.AGREEMENT:
        return outcome_of(position.count(_parse_dead(game, count.dead)).margin)
    one, other = (read_claim(text, position) for text in count.claims)
    if one is None or one != other:
        raise InvalidText(f"{count.claims[0]!r} and {count.claims[1]!r} are no agreement")
    return outcome_of(one)


def _won(game: Game[Position], count: Count) -> Outcome:
    """Return a win with the arbiter's margin, or without a margin if the arbiter has none."""
    winner = agreed_winner(count.claims, game.position)
    if winner is None:
        raise InvalidText(f"{count.claims[0]!r} and {count.claims[1]!r} name no common winner")
    if count.arbiter:
        outcome = outcome_of(game.position.count(_parse_dead(game, count.dead)).margin)
        if outcome.winner == winner:
            return outcome
    return Outcome(winner, f"{'BW'[winner]}+")


def _parse_dead(game: Game[Position], texts: Sequence[str]) -> set[Move]:
    rules = go_rules(game.rules)
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
    """Return the outcome of a game that was too long, and was counted as it stood."""
    return replace(outcome, reason=f"{ended.reason}, counted {outcome.reason}")
