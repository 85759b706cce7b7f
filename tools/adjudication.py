"""When a referee ends a game before its rules do: by what both engines say, or by its length."""

import math
import re
from dataclasses import dataclass, field
from typing import Any, Final

from engines import registry
from engines.core.game import Game, InvalidText, Outcome, Side

_PAWNS: Final = 600.0  # Centipawns in the exponent, as shogi engines turn scores into chances.
_NUMBER: Final = r"(\d+(?:\.\d+)?)"


@dataclass(frozen=True, slots=True)
class Adjudication:
    """Which games are ended early; all numbers 0 is none.

    A side is lost when it sees its own chances at `resign_share` or less for `resign_moves` moves
    of its own in a row, and with `resign_both` the other side agrees for as many. A game is drawn
    when from ply `draw_after` on both see theirs within `draw_share` of a half for `draw_moves`
    moves each in a row, and when `most_plies` are played; Go is counted then.

    A side that claims a forced mate for `mate_moves` moves in a row has won, with `mate_both` if
    the other side agrees for as many. So it is with what an engine knows exactly, as from tables
    (`exact_moves`, `exact_both`), and there both may agree on a draw.
    """

    resign_share: float = 0.0
    resign_moves: int = 0
    resign_both: bool = False
    draw_share: float = 0.0
    draw_moves: int = 0
    draw_after: int = 0
    most_plies: int = 0
    mate_moves: int = 0
    mate_both: bool = False
    exact_moves: int = 0
    exact_both: bool = False
    tables: bool = False  # What the referee's own tables know ends a game.

    def __str__(self) -> str:
        told = []
        if self.resign_moves:
            both = ",both" if self.resign_both else ""
            told.append(f"resign {self.resign_share:g},{self.resign_moves}{both}")
        if self.draw_moves:
            told.append(f"draw {self.draw_share:g},{self.draw_moves},{self.draw_after}")
        if self.most_plies:
            told.append(f"plies {self.most_plies}")
        if self.mate_moves:
            told.append(f"mate {self.mate_moves}{',both' if self.mate_both else ''}")
        if self.exact_moves:
            told.append(f"exact {self.exact_moves}{',both' if self.exact_both else ''}")
        if self.tables:
            told.append("tables")
        return "; ".join(told)


def parse_adjudication(
    resign: str, draw: str, most_plies: int, mate: str = "", exact: str = ""
) -> Adjudication:
    """Read the options, empty for none; raises InvalidText.

    They are `SHARE,MOVES[,both]`, `SHARE,MOVES[,PLY]`, a number, and twice `MOVES[,both]`.
    """
    given: dict[str, float | int | bool] = {}
    if resign:
        match = re.fullmatch(rf"{_NUMBER},(\d+)(,both)?", resign)
        if match is None or not 0 < float(match[1]) < 0.5 or int(match[2]) < 1:
            raise InvalidText(
                f"resign {resign!r}: expected SHARE,MOVES[,both]; SHARE is the share of the "
                "points that a side expects, above 0 and below 0.5, such as 0.05"
            )
        given |= {"resign_share": float(match[1]), "resign_moves": int(match[2])}
        given["resign_both"] = match[3] is not None
    if draw:
        match = re.fullmatch(rf"{_NUMBER},(\d+)(?:,(\d+))?", draw)
        if match is None or not 0 <= float(match[1]) < 0.5 or int(match[2]) < 1:
            raise InvalidText(
                f"draw {draw!r}: expected SHARE,MOVES[,PLY]; SHARE is how far from 0.5 both "
                "engines' share of the points may be, 0 or more and below 0.5, such as 0.05"
            )
        given |= {"draw_share": float(match[1]), "draw_moves": int(match[2])}
        given["draw_after"] = int(match[3] or 0)
    for name, text in (("mate", mate), ("exact", exact)):
        if text:
            match = re.fullmatch(r"(\d+)(,both)?", text)
            if match is None or int(match[1]) < 1:
                raise InvalidText(f"{name} {text!r}: expected MOVES[,both]")
            given |= {f"{name}_moves": int(match[1]), f"{name}_both": match[2] is not None}
    return Adjudication(**given, most_plies=most_plies)  # type: ignore[arg-type]  # By the keys.


def known(rule: Adjudication, game: Game[Any]) -> Outcome | None:
    """Return how a game ends by the referee's own tables, if the rule says so and they know."""
    if not rule.tables:
        return None
    found = registry.find(game.rules.name).load("known")(game.rules, game.position)
    return None if found is None else Outcome(found.winner, f"adjudication: tables: {found.reason}")


def check_tables(name: str) -> None:
    """Raise InvalidText for a game of which there are no tables for a referee."""
    if "known" not in registry.find(name).tasks:
        having = [game for game, entry in registry.GAMES.items() if "known" in entry.tasks]
        raise InvalidText(f"--tables: there are none of {name} (only of {', '.join(having)})")


def claim(score: str) -> tuple[str, str]:
    """Return what a score claims for certain: its kind (mate, exact) and win, loss or draw."""
    match score.split():
        case ["mate", sign, *_]:
            return "mate", "loss" if sign.startswith("-") or sign == "0" else "win"
        case ["exact", "win" | "loss" | "draw" as claimed, *_]:
            return "exact", claimed
    return "", ""


def share(score: str) -> float | None:
    """Return the mover's expected share of points that a score stands for; None if it has none.

    Understands USI's `cp` and `mate`, and the line protocol's `est` and `exact`.
    """
    match score.split():
        case ["cp", number]:
            return _logistic(number)
        case ["mate", sign, *_]:
            return 0.0 if sign.startswith("-") or sign == "0" else 1.0
        case ["exact", "win", *_]:
            return 1.0
        case ["exact", "loss", *_]:
            return 0.0
        case ["exact", "draw"]:
            return 0.5
        case ["est" | "exact", number, *_]:
            return _fraction(number)
    return None


def _logistic(text: str) -> float | None:
    try:
        return 1 / (1 + math.exp(-max(-30000, min(30000, int(text))) / _PAWNS))
    except ValueError:
        return None


def _fraction(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 <= value <= 1 else None


@dataclass(slots=True)
class Judge:
    """Watches one game; asked after each move that an engine made."""

    rule: Adjudication
    _low: list[int] = field(default_factory=lambda: [0, 0])
    _high: list[int] = field(default_factory=lambda: [0, 0])
    _even: list[int] = field(default_factory=lambda: [0, 0])
    _claims: list[tuple[str, str]] = field(default_factory=lambda: [("", ""), ("", "")])
    _claimed: list[int] = field(default_factory=lambda: [0, 0])

    def judge(self, side: Side, score: str, plies: int) -> Outcome | None:
        """Note what the mover said, and end the game where the rule says so."""
        rule = self.rule
        if self.is_too_long(plies):
            return Outcome(None, f"adjudication: {plies} plies")
        if rule.mate_moves or rule.exact_moves:
            claimed = claim(score)
            same = claimed[0] != "" and claimed == self._claims[side]
            self._claimed[side] = self._claimed[side] + 1 if same else 1
            self._claims[side] = claimed
            if (proved := self._proved()) is not None:
                return proved
        if not (rule.resign_moves or rule.draw_moves):
            return None
        seen = share(score)
        low = seen is not None and seen <= rule.resign_share
        high = seen is not None and seen >= 1 - rule.resign_share
        even = seen is not None and abs(seen - 0.5) <= rule.draw_share and plies >= rule.draw_after
        self._low[side] = self._low[side] + 1 if low else 0
        self._high[side] = self._high[side] + 1 if high else 0
        self._even[side] = self._even[side] + 1 if even else 0
        return self._resigned() or self._drawn()

    def is_too_long(self, plies: int) -> bool:
        """Whether a game ends for its length alone."""
        return 0 < self.rule.most_plies <= plies

    def _resigned(self) -> Outcome | None:
        moves = self.rule.resign_moves
        if not moves:
            return None
        for loser in (0, 1):
            agreed = not self.rule.resign_both or self._high[1 - loser] >= moves
            if self._low[loser] >= moves and agreed:
                who = "both agree" if self.rule.resign_both else "the loser says so"
                return Outcome(1 - loser, f"adjudication: lost for {moves} moves, {who}")
        return None

    def _proved(self) -> Outcome | None:
        rule = self.rule
        for kind, moves, both in (
            ("mate", rule.mate_moves, rule.mate_both),
            ("exact", rule.exact_moves, rule.exact_both),
        ):
            if not moves:
                continue
            for winner in (0, 1):
                agreed = not both or self._says(1 - winner, kind, "loss", moves)
                if agreed and self._says(winner, kind, "win", moves):
                    who = "both agree" if both else "the winner says so"
                    return Outcome(winner, f"adjudication: {kind} win for {moves} moves, {who}")
            if all(self._says(side, kind, "draw", moves) for side in (0, 1)):
                return Outcome(None, f"adjudication: {kind} draw for {moves} moves, both agree")
        return None

    def _says(self, side: Side, kind: str, claimed: str, moves: int) -> bool:
        return self._claims[side] == (kind, claimed) and self._claimed[side] >= moves

    def _drawn(self) -> Outcome | None:
        moves = self.rule.draw_moves
        if moves and min(self._even) >= moves:
            return Outcome(None, f"adjudication: even for {moves} moves")
        return None
