"""The specification of a match, and of each of its games."""

import hashlib
from dataclasses import dataclass, field, replace
from typing import Any, Final

from engines import registry
from engines.core.game import FIRST, Game, InvalidText, Rules, Side
from engines.core.splitmix import pair_seed
from engines.core.timing import TimeControl
from protocols.ask.engine import EngineSpec
from tools.records.filing import SHOGI_FORMATS
from tools.terms import go
from tools.terms.adjudication import Adjudication
from tools.terms.openings import Opening, pick
from tools.terms.scoring import AGREED

LAG: Final = 0.1  # Seconds of overrun per move that pipes and schedulers may cause.

MOVE_TIMEOUT: Final = 60.0  # Seconds for a move if there is no clock.

SCORE_TIMEOUT: Final = 10.0  # Seconds for an engine's score of a finished game of Go.


@dataclass(frozen=True, slots=True)
class GameSpec:
    """One game to play; engines and controls are in the order of moving.

    `opponents` are the numbers, from 0, of the two engines of its pair among all engines; `side` is
    the side of the first of them.
    """

    game: str
    variant: str
    size: int
    engines: tuple[EngineSpec, EngineSpec]
    controls: tuple[TimeControl, TimeControl]
    number: int = 1
    pair: int = 0
    opponents: tuple[int, int] = (0, 1)
    round: int = 0  # Of a tournament, from 1.
    side: Side = 0
    attempt: int = 0
    seed: int = 0
    opening: Opening = field(default_factory=Opening)
    adjudication: Adjudication = field(default_factory=Adjudication)
    lag: float = LAG
    move_timeout: float = MOVE_TIMEOUT
    transcripts: str = ""  # The folder of transcripts; empty for none.
    free_handicap: int = 0  # Go: stones that Black's engine places.
    scoring: str = AGREED  # Go.
    score_timeout: float = SCORE_TIMEOUT  # Go.
    arbiter: EngineSpec | None = None  # Go: names the dead stones if the engines disagree.
    gauge: tuple[str, int] | None = None  # The place that shows how far the game has come.

    def rules(self) -> Rules[Any]:
        """Return the referee's own rules; raises InvalidText."""
        return registry.rules(self.game, self.variant, self.size)

    @property
    def named_seed(self) -> int:
        """The number that replaces `{seed}` in an option; it has at most ten digits.

        It depends on the game's seed but does not reveal it: no engine may predict the dice.
        """
        return int.from_bytes(hashlib.sha256(str(self.seed).encode()).digest()[:4], "big") >> 1

    def engine_seed(self, side: Side) -> int:
        """Return the seed of an engine's own random choices; it has at most nine digits."""
        text = f"{self.seed} {self.number} {self.attempt} {side}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") >> 3


SET_ASIDE: Final = 10  # After so many failures in a row, an engine is set aside.


@dataclass(frozen=True, slots=True)
class MatchSpec:
    """A match: the game, the engines, the number of games, the time, and all other terms.

    A match has two engines. A tournament has the same terms, for as many engines as it has.
    """

    game: str
    variant: str
    size: int
    engines: tuple[EngineSpec, ...]
    games: int
    controls: tuple[TimeControl, ...]
    seed: int = 0
    openings: tuple[Opening, ...] = ()
    adjudication: Adjudication = field(default_factory=Adjudication)
    sprt: str = ""
    lag: float = LAG
    move_timeout: float = MOVE_TIMEOUT
    set_aside: int = SET_ASIDE
    transcripts: str = ""  # The folder of transcripts; empty for none.
    shogi_format: str = SHOGI_FORMATS[0]
    until_decided: bool = False  # The sequential test ends the match; `games` is only a bound.
    setup: str = ""  # For openings without a set-up of their own.
    free_handicap: int = 0  # Go: stones that Black's engine places.
    scoring: str = AGREED  # Go.
    score_timeout: float = SCORE_TIMEOUT  # Go.
    arbiter: EngineSpec | None = None  # Go.

    def rules(self) -> Rules[Any]:
        """Return the referee's own rules; raises InvalidText."""
        return registry.rules(self.game, self.variant, self.size)

    def game_spec(
        self,
        pair: int,
        side: Side,
        attempt: int,
        *,
        opponents: tuple[int, int] = (0, 1),
        start: int | None = None,
        round_number: int = 0,
    ) -> GameSpec:
        """Return one game; `side` is the side of the first of both opponents.

        Games of the same `start` share their seed and their opening; each pair of a match has its
        own.
        """
        start = pair if start is None else start
        first, second = (self.engines[number] for number in opponents)
        one, other = (self.controls[number] for number in opponents)
        if side != FIRST:
            first, second, one, other = second, first, other, one
        return GameSpec(
            game=self.game,
            variant=self.variant,
            size=self.size,
            engines=(first, second),
            controls=(one, other),
            number=2 * pair + side + 1,
            pair=pair,
            opponents=opponents,
            round=round_number,
            side=side,
            attempt=attempt,
            seed=pair_seed(self.seed, start),
            opening=self._opening(start),
            adjudication=self.adjudication,
            lag=self.lag,
            move_timeout=self.move_timeout,
            transcripts=self.transcripts,
            free_handicap=self.free_handicap,
            scoring=self.scoring,
            score_timeout=self.score_timeout,
            arbiter=self.arbiter,
        )

    def _opening(self, start: int) -> Opening:
        opening = pick(self.openings, start)
        return opening if opening.setup else replace(opening, setup=self.setup)


def check_openings(spec: MatchSpec) -> None:
    """Raise InvalidText for an opening that an engine's protocol cannot express."""
    for opening in spec.openings:
        if spec.game == registry.GO:
            try:
                go.settings(Game(spec.rules(), opening.setup))
            except InvalidText as error:
                raise InvalidText(f"opening {opening.name}: {error}") from error
        elif opening.setup and any(engine.protocol == "gtp" for engine in spec.engines):
            raise InvalidText(f"opening {opening.name}: a set-up cannot be sent in GTP")
