"""All sentences of the faces, in one place, so that other languages can follow."""

from collections.abc import Mapping, Sequence
from typing import Final

from engines.core.game import Outcome
from tools.records.game import Verdict

ENGLISH: Final[Mapping[str, str]] = {
    "side.black": "Black",
    "side.white": "White",
    "won": "{winner} wins: {reason}",
    "both": "Both win: {reason}",
    "draw": "Draw: {reason}",
    "void": "No result: {reason}",
    "points": "by {points} points",
    "point": "by 1 point",
    "jigo": "both sides have the same number of points",
    # The reasons for which games end, as the rules name them.
    "resign": "{loser} resigned",
    "time": "{loser} has no time left",
    "neutron home": "the neutron is on {winner}'s home row",
    "far row": "all men of {winner} are on {loser}'s home row",
    "neutron blocked": "the neutron cannot move",
    "no move": "no man can move",
    "repetition": "the position has occurred too often",
    "third repetition": "the position has occurred three times",
    "no result": "the position has occurred three times",
    "perpetual check": "{loser} repeated the position by giving check",
    "checkmate": "{loser}'s king is mated",
    "no legal move": "{loser} has no legal move",
    "declaration": "{winner}'s king has entered the far ranks",
    "try": "{winner}'s king has reached the try square",
    "all men off": "all men of {winner} have left the board",
    # Refusals.
    "not.turn": "it is {side}'s turn, and an engine plays that side",
    "not.over": "the game is over; undo takes the last move back",
    "not.playing": "the position shown is not the last one; go to move {plies}, or continue here",
    "not.scoring": "the dead stones are being discussed; accept the score, or undo to play on",
    "no.scoring": "no dead stones are being discussed",
    "score.waiting": "the engine is still looking for dead stones",
    "no.stone": "no stone stands on {point}",
    "no.undo": "there is no move of a person to take back",
    "no.throw": "no throw is due",
    "throw.first": "throw first",
    "no.ply": "no move {ply}: the game has {plies}",
    "no.engine": "{name} is a person, not an engine",
    "closed": "the session is closed",
    "no.hint": "there is nothing to suggest",
    "no.format": "{suffix!r} is no format for {game} (known: {known})",
    "other.game": "this is a game of {game}, and the engine of {side} plays {other}",
    "no.person": "no person plays that side",
    # Messages.
    "engine.dead": "{name} has failed and can be started again: {reason}",
    "engine.illegal": "{name} played an illegal move, {move}: {reason}",
    "engine.restarted": "{name} is started again",
    "hint": "suggestion: {move}",
    "throw": "{side} throws {throw}: {steps} squares",
    "throw.one": "{side} throws {throw}: 1 square",
    "throw.none": "{side} throws {throw}: no move is possible",
    "variation": "the moves behind move {ply} are kept as a variation",
    "loaded": "{name}: {moves} moves, {result}",
    "loaded.open": "{name}: {moves} moves",
    "saved": "saved as {path}",
    "lost": "not saved: {what}",
    "not.kept": "the game cannot be kept for the case of a crash: {reason}",
    "damaged": "{path}: damaged: {reason}",
    "undone": "taken back to move {ply}",
}
"""Each sentence by a key; words in braces are filled in."""


def say(key: str, texts: Mapping[str, str] = ENGLISH, **values: object) -> str:
    """Return a sentence with its values."""
    return texts[key].format(**values)


def side_name(side: str, texts: Mapping[str, str] = ENGLISH) -> str:
    """Return the name of a side as sentences use it."""
    return texts.get(f"side.{side}", side.capitalize())


def describe_result(
    outcome: Outcome,
    verdict: Verdict,
    sides: Sequence[str],
    texts: Mapping[str, str] = ENGLISH,
) -> str:
    """Say in a full sentence how a game ended."""
    winner = loser = ""
    if outcome.winner is not None:
        winner = side_name(sides[outcome.winner], texts)
        loser = side_name(sides[1 - outcome.winner], texts)
    key = outcome.reason if verdict == Verdict.NATURAL else str(verdict)
    reason = outcome.reason
    if outcome.reason[:2] in ("B+", "W+") and verdict == Verdict.NATURAL:
        points = outcome.reason[2:]
        reason = texts["point" if points == "1" else "points"].format(points=points)
    elif outcome.reason == "0":
        reason = texts["jigo"]
    elif key in texts:
        reason = texts[key].format(winner=winner, loser=loser)
    if winner:
        return texts["won"].format(winner=winner, reason=reason)
    form = "both" if outcome.both else "void" if outcome.reason == "no result" else "draw"
    return texts[form].format(reason=reason)
