"""Adjudication: ending a game before its rules do, by the engines' scores or by its length."""

import re
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from engines import registry
from engines.core.game import Game, InvalidText, Outcome, Side
from protocols.ask.score import End, Score

_NUMBER: Final = r"(\d+(?:\.\d+)?)"


@dataclass(frozen=True, slots=True)
class Adjudication:
    """The rules by which games are ended early; a rule whose number is 0 is not applied.

    A side loses when it expects at most `resign_share` of the points for `resign_moves` of its own
    moves in a row; with `resign_both`, the other side must agree for as many moves. A game is drawn
    when, from ply `draw_after` on, both sides expect half of the points, plus or minus
    `draw_share`, for `draw_moves` moves each in a row. It is also drawn at ply `most_plies`; in Go
    it is counted then.

    A side wins when it claims a forced mate for `mate_moves` moves in a row; with `mate_both`, the
    other side must agree for as many moves. `exact_moves` and `exact_both` do the same for exact
    scores, as from tables; by these, both sides may also agree on a draw.
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
    tables: bool = False  # The referee's own tables end a game whose result they know.

    def __str__(self) -> str:
        rules = []
        if self.resign_moves:
            both = ",both" if self.resign_both else ""
            rules.append(f"resign {self.resign_share:g},{self.resign_moves}{both}")
        if self.draw_moves:
            rules.append(f"draw {self.draw_share:g},{self.draw_moves},{self.draw_after}")
        if self.most_plies:
            rules.append(f"plies {self.most_plies}")
        if self.mate_moves:
            rules.append(f"mate {self.mate_moves}{',both' if self.mate_both else ''}")
        if self.exact_moves:
            rules.append(f"exact {self.exact_moves}{',both' if self.exact_both else ''}")
        if self.tables:
            rules.append("tables")
        return "; ".join(rules)


def parse_adjudication(
    resign: str, draw: str, most_plies: int, mate: str = "", exact: str = ""
) -> Adjudication:
    """Read the rules from the texts of the options; raises InvalidText. An empty text is no rule.

    `resign` is `SHARE,MOVES[,both]`, `draw` is `SHARE,MOVES[,PLY]`, `mate` and `exact` are
    `MOVES[,both]`.
    """
    fields: dict[str, float | int | bool] = {}
    if resign:
        match = re.fullmatch(rf"{_NUMBER},(\d+)(,both)?", resign)
        if match is None or not 0 < float(match[1]) < 0.5 or int(match[2]) < 1:
            raise InvalidText(
                f"resign {resign!r}: expected SHARE,MOVES[,both]; SHARE is the share of the "
                "points that a side expects, above 0 and below 0.5, such as 0.05"
            )
        fields |= {"resign_share": float(match[1]), "resign_moves": int(match[2])}
        fields["resign_both"] = match[3] is not None
    if draw:
        match = re.fullmatch(rf"{_NUMBER},(\d+)(?:,(\d+))?", draw)
        if match is None or not 0 <= float(match[1]) < 0.5 or int(match[2]) < 1:
            raise InvalidText(
                f"draw {draw!r}: expected SHARE,MOVES[,PLY]; SHARE is how far from 0.5 both "
                "engines' share of the points may be, 0 or more and below 0.5, such as 0.05"
            )
        fields |= {"draw_share": float(match[1]), "draw_moves": int(match[2])}
        fields["draw_after"] = int(match[3] or 0)
    for name, text in (("mate", mate), ("exact", exact)):
        if text:
            match = re.fullmatch(r"(\d+)(,both)?", text)
            if match is None or int(match[1]) < 1:
                raise InvalidText(f"{name} {text!r}: expected MOVES[,both]")
            fields |= {f"{name}_moves": int(match[1]), f"{name}_both": match[2] is not None}
    return Adjudication(**fields, most_plies=most_plies)  # type: ignore[arg-type]  # By the keys.


def table_outcome(rule: Adjudication, game: Game[Any]) -> Outcome | None:
    """Return the outcome by the referee's own tables, if the rule applies and they know it."""
    if not rule.tables:
        return None
    known = registry.find(game.rules.name).load("known")(game.rules, game.position)
    return None if known is None else Outcome(known.winner, f"adjudication: tables: {known.reason}")


def check_tables(name: str) -> None:
    """Raise InvalidText for a game that has no tables for a referee."""
    if "known" not in registry.find(name).parts:
        having = [game for game, entry in registry.GAMES.items() if "known" in entry.parts]
        raise InvalidText(
            f"--tables: there are no tables for {name} (only for {', '.join(having)})"
        )


class Claim(NamedTuple):
    """A result that an engine called certain: by a forced mate, or exactly, as from tables."""

    kind: str  # `mate` or `exact`.
    end: End


def claim(score: Score | None) -> Claim | None:
    """Return what a score claims for certain; a bound claims nothing."""
    if score is None or score.end is None or score.bound is not None:
        return None
    return Claim("exact" if score.exact else "mate", score.end)


@dataclass(slots=True)
class Adjudicator:
    """Applies the rules to one game, after each move of an engine."""

    rule: Adjudication
    _low: list[int] = field(default_factory=lambda: [0, 0])
    _high: list[int] = field(default_factory=lambda: [0, 0])
    _even: list[int] = field(default_factory=lambda: [0, 0])
    _claims: list[Claim | None] = field(default_factory=lambda: [None, None])
    _claimed: list[int] = field(default_factory=lambda: [0, 0])

    def judge(self, side: Side, score: Score | None, plies: int) -> Outcome | None:
        """Note the mover's score; return the outcome if a rule ends the game now."""
        if self.is_too_long(plies):
            return Outcome(None, f"adjudication: {plies} plies")
        return self._judge_claim(side, score) or self._judge_share(side, score, plies)

    def _judge_claim(self, side: Side, score: Score | None) -> Outcome | None:
        """Apply the rules about claimed mates and exact scores."""
        if not (self.rule.mate_moves or self.rule.exact_moves):
            return None
        claimed = claim(score)
        same = claimed is not None and claimed == self._claims[side]
        self._claimed[side] = self._claimed[side] + 1 if same else 1
        self._claims[side] = claimed
        return self._proved()

    def _judge_share(self, side: Side, score: Score | None, plies: int) -> Outcome | None:
        """Apply the rules about the expected share of the points."""
        rule = self.rule
        if not (rule.resign_moves or rule.draw_moves):
            return None
        seen = None if score is None else score.share
        low = seen is not None and seen <= rule.resign_share
        high = seen is not None and seen >= 1 - rule.resign_share
        even = seen is not None and abs(seen - 0.5) <= rule.draw_share and plies >= rule.draw_after
        self._low[side] = self._low[side] + 1 if low else 0
        self._high[side] = self._high[side] + 1 if high else 0
        self._even[side] = self._even[side] + 1 if even else 0
        return self._resigned() or self._drawn()

    def is_too_long(self, plies: int) -> bool:
        """Whether the game ends by its length alone."""
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
                agreed = not both or self._says(1 - winner, Claim(kind, End.LOSS), moves)
                if agreed and self._says(winner, Claim(kind, End.WIN), moves):
                    who = "both agree" if both else "the winner says so"
                    return Outcome(winner, f"adjudication: {kind} win for {moves} moves, {who}")
            if all(self._says(side, Claim(kind, End.DRAW), moves) for side in (0, 1)):
                return Outcome(None, f"adjudication: {kind} draw for {moves} moves, both agree")
        return None

    def _says(self, side: Side, claimed: Claim, moves: int) -> bool:
        return self._claims[side] == claimed and self._claimed[side] >= moves

    def _drawn(self) -> Outcome | None:
        moves = self.rule.draw_moves
        if moves and min(self._even) >= moves:
            return Outcome(None, f"adjudication: even for {moves} moves")
        return None
