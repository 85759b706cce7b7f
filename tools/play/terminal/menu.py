"""The menu: which game, who plays which side, at which level, under which rules and clocks."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engines import registry
from engines.core.errors import QuintetError
from engines.core.game import CHANCE
from engines.core.timing import TimeControl
from engines.shogi.rules.sfen import handicap_names
from tools.play.autosave import Keeper, Kept, read_kept, unfinished
from tools.play.choices import (
    GAMES,
    LEVELS,
    SIZES,
    VARIANTS,
    Lot,
    all_levels,
    make_terms,
    nigiri,
    own_engine,
    throw_in,
)
from tools.play.players import Player, PlayTerms
from tools.play.session import PlaySession
from tools.play.terminal.prompt import Prompt
from tools.play.terminal.screen import Screen
from tools.play.texts import say, side_name

_EXAMPLES: Final = 3


class Quit(Exception):
    """The user leaves the menu."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A game that was chosen."""

    terms: PlayTerms
    players: tuple[Player, Player]


class Menu:
    """Asks questions until a game is arranged; raises Quit, EOFError and KeyboardInterrupt."""

    def __init__(self, screen: Screen, prompt: Prompt) -> None:
        self._screen = screen
        self._prompt = prompt

    def unfinished(self) -> PlaySession | None:
        """Offer the games that were left, and return the one to go on with, if any."""
        for path in unfinished():
            try:
                kept = read_kept(path)
                session = self._offer(path, kept)
            except QuintetError as error:
                self._screen.error(str(error))
                continue
            if session is not None:
                return session
        return None

    def _offer(self, path: Path, kept: Kept) -> PlaySession | None:
        title = registry.find(kept.terms.game).title
        players = " - ".join(player.label for player in kept.players)
        moves = sum(move.side != CHANCE for move in kept.moves)
        question = say("menu.unfinished", title=title, players=players, moves=moves)
        while True:
            answer = self._prompt.read(question, ("yes", "no", "delete")).lower()[:1]
            if answer == "n":
                return None
            if answer not in ("", "y", "d"):
                continue
            keeper = Keeper(path)
            if answer == "d":
                keeper.close(keep=False)
                self._screen.note(say("menu.deleted"))
                return None
            return PlaySession.restore(kept, keeper)

    def arrange(self) -> Arrangement:
        """Ask for everything that a game needs."""
        while True:
            self._screen.title(say("menu.title"))
            titles = [registry.find(game).title for game in GAMES]
            number = self._choose(say("menu.game"), [*titles, say("menu.quit")])
            if number == len(GAMES):
                raise Quit
            game = GAMES[number]
            modes = ("computer", "persons", "watch", "instructions")
            mode = modes[self._choose(say("menu.mode"), [say(f"menu.{each}") for each in modes])]
            if mode == "instructions":
                self._screen.say(registry.find(game).load("explanation")())
                continue
            terms = self._terms(game)
            return Arrangement(terms, self._players(terms, mode))

    def _terms(self, game: str) -> PlayTerms:
        size = 0
        if sizes := SIZES.get(game):
            lines = [say("menu.size.line", size=each) for each in sizes]
            size = sizes[self._choose(say("menu.size"), lines)]
        heading = say("menu.rules" if game == registry.GO else "menu.variant")
        variants = VARIANTS[game]
        variant = variants[self._choose(heading, [each.words for each in variants])].value
        while True:
            try:
                handicap = ""
                if game == registry.GO:
                    handicap = self._ask(say("menu.handicap"))
                elif game == registry.SHOGI:
                    examples = ", ".join(handicap_names()[:_EXAMPLES])
                    handicap = self._ask(say("menu.set-up", examples=examples))
                clock = self._ask(say("menu.clock"))
                control = TimeControl.parse(clock) if clock else TimeControl()
                return make_terms(
                    game,
                    variant=variant,
                    size=size,
                    handicap=handicap,
                    controls=(control, control),
                )
            except QuintetError as error:
                self._screen.error(str(error))

    def _players(self, terms: PlayTerms, mode: str) -> tuple[Player, Player]:
        sides = [side_name(side) for side in terms.rules().sides]
        if mode == "persons":
            return Player(), Player()
        if mode == "watch":
            first, second = (
                self._level(terms.game, say("menu.level.of", side=side)) for side in sides
            )
            return first, second
        computer = self._level(terms.game, say("menu.level"))
        lot = say("menu.lot.go" if terms.game == registry.GO else "menu.lot")
        colour = self._choose(say("menu.colour"), [*sides, lot])
        if colour == 2:
            colour = self.draw_lots(terms.game, sides)
        return (Player(), computer) if colour == 0 else (computer, Player())

    def draw_lots(self, game: str, sides: Sequence[str]) -> int:
        """Let the lot decide the user's side, in Go by guessing; return the side."""
        if game != registry.GO:
            return self._tell(throw_in(), sides)
        words = [say("menu.odd"), say("menu.even")]
        odd = self._choose(say("menu.guess"), words) == 0
        return self._tell(nigiri(odd=odd), sides)

    def _tell(self, lot: Lot, sides: Sequence[str]) -> int:
        mine = 0 if lot.mine else 1
        if lot.stones:
            parity = say("menu.odd" if lot.stones % 2 else "menu.even")
            self._screen.say(say("menu.nigiri", stones=lot.stones, parity=parity, side=sides[mine]))
        else:
            self._screen.say(say("menu.thrown", side=sides[mine]))
        return mine

    def _level(self, game: str, heading: str) -> Player:
        levels = LEVELS[game]
        lines = [f"{each.value}: {each.words}" for each in levels]
        return own_engine(game, levels[self._choose(heading, lines)].value)

    def _choose(self, heading: str, lines: Sequence[str], default: int = 0) -> int:
        """Ask for one of several lines; return its index."""
        self._screen.title(heading)
        for number, line in enumerate(lines, 1):
            self._screen.say(f"  {number}  {line}")
        while True:
            answer = self._ask(say("menu.choose", default=default + 1))
            if not answer:
                return default
            if answer.isascii() and answer.isdecimal() and len(answer) < 4:
                number = int(answer)
                if 1 <= number <= len(lines):
                    return number - 1
            self._screen.error(say("menu.wrong", most=len(lines)))

    def _ask(self, question: str) -> str:
        return self._prompt.read(question)


def describe_levels(game: str) -> str:
    """Return the levels of our engine of a game, with what some of them are worth."""
    lines = [f"  {each.value:<9} {each.words}" for each in LEVELS[game]]
    return "\n".join([*lines, "  " + say("menu.more", known=", ".join(all_levels(game)))])
