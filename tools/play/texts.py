"""All sentences of the faces, in one place, so that other languages can follow."""

from collections.abc import Mapping, Sequence
from typing import Final

from engines.core.game import Outcome
from tools.records.game import Verdict

ENGLISH: Final[Mapping[str, str]] = {
    "side.black": "Black",
    "side.white": "White",
    # What can be chosen for a new game: variants, and what levels are roughly worth.
    "variant.go.chinese": "Chinese: living stones and territory count, komi 7.5",
    "variant.go.japanese": "Japanese: territory and prisoners count, komi 6.5",
    "variant.go.tromp-taylor": "Tromp-Taylor: like Chinese, and every stone counts as alive",
    "variant.go.aga": "AGA: like Chinese, with situational superko",
    "variant.go.new-zealand": "New Zealand: like Chinese, with suicide, komi 7",
    "variant.go.chinese-ogs": "Chinese as on OGS",
    "variant.go.chinese-kgs": "Chinese as on KGS",
    "variant.go.cgos": "CGOS: every stone counts as alive",
    "variant.go.korean": "Korean: territory and prisoners count, komi 6.5",
    "variant.shogi.24-point": "declaration by 24 points, with draws",
    "variant.shogi.try": "a king that reaches the other king's square wins",
    "variant.shogi.no-declaration": "no declaration of an entering king",
    "variant.morris.no-draws": "no draws by repetition or by moves without a capture",
    "variant.morris.no-flying": "a side with three pieces does not fly",
    "variant.morris.double-removal": "closing two mills removes two pieces",
    "variant.neutron.kraus": "1978: a blocked side loses, and a full far row does not win",
    "variant.senet.pass": "a throw of 2 or 3 without a move ends the turn",
    "variant.senet.free-first": "the first throw may move any piece",
    "variant.senet.over": "a throw beyond 30 also takes a piece off",
    "level.go.1": "a beginner who has just learnt the rules",
    "level.go.2": "beats level 1 in 3 of 4 games",
    "level.go.3": "loses to GNU Go's level 1",
    "level.go.4": "beats level 3 in 2 of 3 games",
    "level.go.5": "about as strong as GNU Go's level 1",
    "level.go.6": "beats level 5 in 5 of 6 games",
    "level.go.7": "plays its first thought; beats level 6 in 4 of 5 games",
    "level.go.8": "reads a few moves; beats level 7 in 9 of 10 games",
    "level.go.9": "beats level 8 in 9 of 10 games",
    "level.go.10": "the strongest; wins nearly every game against GNU Go",
    "level.shogi.0": "a beginner who sees mate in one",
    "level.shogi.2": "between levels 0 and 4",
    "level.shogi.4": "beats level 0 in 2 of 3 games",
    "level.shogi.6": "between levels 4 and 8",
    "level.shogi.8": "beats level 4 in 6 of 7 games",
    "level.shogi.10": "between levels 8 and 12",
    "level.shogi.12": "beats level 8 in 9 of 10 games",
    "level.shogi.14": "between levels 12 and 16",
    "level.shogi.16": "beats level 12 in nearly every game",
    "level.shogi.18": "between levels 16 and 20",
    "level.shogi.20": "the strongest; beats level 16 in nearly every game",
    "level.morris.1": "a beginner who looks for mills, and overlooks some",
    "level.morris.2": "beats level 1 in 7 of 10 games",
    "level.morris.3": "beats level 2 in 7 of 10 games",
    "level.morris.4": "beats level 3 in 8 of 10 games",
    "level.morris.5": "beats level 4 in 2 of 3 games",
    "level.morris.6": "beats level 5 in 7 of 10 games",
    "level.morris.7": "beats level 6 in half of the games, and draws a fifth",
    "level.morris.8": "beats level 7 in half of the games, and draws a third",
    "level.morris.9": "draws two of three games with level 8",
    "level.morris.10": "the strongest; hardly ever makes a losing move",
    "level.neutron.random": "any legal move",
    "level.neutron.stubborn": "takes its pieces in turn, and hardly looks",
    "level.neutron.1": "a beginner",
    **{f"level.neutron.{n}": f"beats level {n - 1} in 2 of 3 games" for n in range(2, 10)},
    "level.neutron.10": "the strongest; as first player it always wins",
    "level.senet.random": "any legal move",
    "level.senet.greedy": "takes pieces off, captures, or runs with the foremost piece",
    "level.senet.1": "a beginner; the dice decide most games",
    **{f"level.senet.{n}": f"beats level {n - 1} in 55 of 100 games" for n in range(2, 10)},
    "level.senet.10": "the strongest; beats a greedy player in 2 of 3 games",
    "no.open.game": "this game is no longer open",
    "no.kept.game": "there is no such unfinished game, or another program plays it",
    "too.many.games": "there are {most} open games; close one first",
    "too.large": "the file is too large: at most {most} MiB",
    "only.go": "only Go has a komi",
    "no.handicap": "no such handicap: {handicap}; expected a number of stones",
    "no.level": "no such level: {level} (known: {known})",
    "no.named.engine": "no engine of engines.toml that plays this game is called {name}",
    "no.guess": "expected odd or even, not {guess}",
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
