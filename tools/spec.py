"""What a match is to be, and each game of it."""

from dataclasses import dataclass, field, replace
from typing import Any, Final

from engines import registry
from engines.core.game import FIRST, Game, InvalidText, Rules, Side
from engines.core.splitmix import pair_seed
from engines.core.timing import TimeControl
from tools import go
from tools.adjudication import Adjudication
from tools.count import AGREED
from tools.engines import EngineSpec
from tools.filing import SHOGI_FORMATS
from tools.opening import pick
from tools.referee import LAG, MOVE_TIMEOUT, GameSpec, Opening

ASIDE: Final = 10  # Failures in a row after which an engine is set aside.


@dataclass(frozen=True, slots=True)
class MatchSpec:
    """What is played: the game, by whom, how often, with how much time, and all else."""

    game: str
    variant: str
    size: int
    engines: tuple[EngineSpec, EngineSpec]
    games: int
    controls: tuple[TimeControl, TimeControl]
    seed: int = 0
    openings: tuple[Opening, ...] = ()
    adjudication: Adjudication = field(default_factory=Adjudication)
    sprt: str = ""
    lag: float = LAG
    move_timeout: float = MOVE_TIMEOUT
    aside: int = ASIDE
    transcripts: str = ""  # The folder for them; empty is none.
    shogi_format: str = SHOGI_FORMATS[0]
    setup: str = ""  # Where openings name no start of their own.
    free_handicap: int = 0  # Of Go: stones that the engine of Black places.
    scoring: str = AGREED  # Of Go.
    arbiter: EngineSpec | None = None  # Of Go.

    def rules(self) -> Rules[Any]:
        """Return the referee's own rules; raises InvalidText."""
        return registry.rules(self.game, self.variant, self.size)

    def game_spec(self, pair: int, side: Side, attempt: int) -> GameSpec:
        """Return one game; `side` is what the first engine plays, a pair shares its seed."""
        first, second = self.engines
        one, other = self.controls
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
            side=side,
            attempt=attempt,
            seed=pair_seed(self.seed, pair),
            opening=self._opening(pair),
            adjudication=self.adjudication,
            lag=self.lag,
            move_timeout=self.move_timeout,
            transcripts=self.transcripts,
            free_handicap=self.free_handicap,
            scoring=self.scoring,
            arbiter=self.arbiter,
        )

    def _opening(self, pair: int) -> Opening:
        opening = pick(self.openings, pair)
        return opening if opening.setup else replace(opening, setup=self.setup)


def check_openings(spec: MatchSpec) -> None:
    """Raise InvalidText where openings and engines do not go together."""
    for opening in spec.openings:
        if spec.game == go.NAME:
            try:
                go.settings(Game(spec.rules(), opening.setup))
            except InvalidText as error:
                raise InvalidText(f"opening {opening.name}: {error}") from error
        elif opening.setup and any(engine.protocol == "gtp" for engine in spec.engines):
            raise InvalidText(f"opening {opening.name}: a set-up cannot be told in GTP")
