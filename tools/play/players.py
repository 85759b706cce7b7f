"""The players of a session: persons, and engines as users name them; and the terms of a game."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from engines import registry
from engines.core.game import InvalidText, Rules
from engines.core.timing import TimeControl
from protocols.ask.engine import EngineSpec
from tools.play.texts import say
from tools.roster.sides import Side, read_side

PERSON: Final = "person"
THINKING: Final = TimeControl.parse("1/move")
"""The time that an engine takes for a move if the game has no clock."""


@dataclass(frozen=True)
class Player:
    """A player: a person, or an engine with its settings as words of a command line.

    `words` is empty for a person. `name` is what the faces and records call the player.
    """

    name: str = ""
    words: tuple[str, ...] = ()

    @property
    def is_person(self) -> bool:
        """Whether a person plays."""
        return not self.words

    @cached_property
    def side(self) -> Side:
        """The engine with its settings; raises InvalidText if there is no such engine."""
        return read_side(self.words[0], self.words[1:])

    @property
    def engine(self) -> EngineSpec:
        """The engine's program; raises InvalidText if there is no such engine."""
        return self.side.engine

    @property
    def label(self) -> str:
        """The name, or else what the words say."""
        return self.name or (" ".join(self.words) if self.words else PERSON)


def parse_player(words: Sequence[str]) -> Player:
    """Read a player: `person`, `person name=Ann`, or an engine and its settings.

    Raises InvalidText, also for an engine that does not exist.
    """
    if not words:
        raise InvalidText(say("no.player"))
    if words[0] == PERSON:
        name = ""
        for word in words[1:]:
            key, equals, value = word.partition("=")
            if key != "name" or not equals or not value.strip().isprintable():
                raise InvalidText(say("no.setting", word=word))
            name = value.strip()
        return Player(name)
    player = Player(words=tuple(words))
    engine = player.engine
    return Player(engine.label if player.side.named else "", player.words)


def check_players(terms: "PlayTerms", players: Sequence[Player]) -> None:
    """Raise InvalidText if an engine is known to play another game."""
    for player in players:
        if not player.is_person and player.engine.game not in (None, terms.game):
            raise InvalidText(
                say("plays.other", name=player.label, other=player.engine.game, game=terms.game)
            )


def _draw_seed() -> int:
    return secrets.randbits(63)


@dataclass(frozen=True, slots=True)
class PlayTerms:
    """The terms of a game: the rules, the set-up, the clocks and the seed of the dice.

    `controls` are the clocks in the order of moving; without a kind there is no clock. `thinking`
    limits an engine that has no clock. A move of two engines that are watched takes `pace` seconds
    at least; clocks do not count the rest.
    """

    game: str
    variant: str = ""
    size: int = 0
    setup: str = ""
    controls: tuple[TimeControl, TimeControl] = (TimeControl(), TimeControl())
    thinking: TimeControl = THINKING
    seed: int = field(default_factory=_draw_seed)
    pace: float = 0.0

    def rules(self) -> Rules[Any]:
        """Return the rules; raises InvalidText."""
        return registry.rules(self.game, self.variant, self.size)
