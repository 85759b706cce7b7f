"""The menu: which game, who plays which side, at which level, under which rules and clocks."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from engines import registry
from engines.core.errors import QuintetError
from engines.core.game import CHANCE
from tools.play.autosave import Keeper, read_kept, unfinished
from tools.play.offers import Lot, Offer, draw_lot, make_terms, nigiri, offer_of, own_engine
from tools.play.players import Player, PlayTerms
from tools.play.session import PlaySession
from tools.play.terminal.prompt import Prompt
from tools.play.terminal.screen import Screen
from tools.play.texts import rules_of, say, say_count, side_name

GAMES: Final = ("go", "shogi", "morris", "neutron", "senet")
"""The games in the order of the menu."""

_EXAMPLES: Final = 3
_TITLES: Final = 30  # Of the games of a file that are listed.
_LISTED: Final = 10  # Unfinished games.
_MINUTE: Final = len("2026-11-19T22:30")  # The part of a date that is shown.
_LEAVE: Final = ("q", "quit", "exit")
_HELP: Final = ("?", "h", "help")
_UNFINISHED: Final = re.compile(r"(d|delete)?\s*([0-9]{1,3})", re.IGNORECASE)


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

    def choose_title(self, titles: Sequence[str]) -> int:
        """Ask for one of the games of a file by their titles; return its number."""
        return choose_title(self._screen, self._read, titles)

    def _read(self, message: str, words: Sequence[str] = (), *, help_text: str = "") -> str:
        """Return an answer; a word for leaving raises Quit, and one for help is answered."""
        while True:
            answer = self._prompt.read(message, words).strip()
            if answer.lower() in _LEAVE:
                raise Quit
            if answer.lower() not in _HELP:
                return answer
            self._screen.note(help_text or say("menu.help"))

    def unfinished(self) -> PlaySession | None:
        """List the games that were left, and return the one to continue, if any.

        A damaged file is listed too, so that it can be deleted.
        """
        while paths := unfinished():
            listed = paths[:_LISTED]
            self._screen.title(say("menu.unfinished"))
            for number, path in enumerate(listed, 1):
                self._screen.say(f"  {number:>2}  {_describe_kept(path)}")
            if older := len(paths) - len(listed):
                self._screen.note(say("menu.unfinished.older", count=older))
            chosen = self._ask_unfinished(len(listed))
            if chosen is None:
                return None
            number, deletes = chosen
            try:
                session = _take(listed[number - 1], deletes=deletes)
            except (QuintetError, OSError) as error:
                self._screen.error(str(error))
                continue
            if session is not None:
                return session
            self._screen.note(say("menu.deleted"))
        return None

    def _ask_unfinished(self, most: int) -> tuple[int, bool] | None:
        """Return a number of the list, and whether to delete it; None for a new game."""
        explained = say("menu.unfinished.help", most=most)
        while answer := self._read(say("menu.unfinished.choose"), help_text=explained):
            if match := _UNFINISHED.fullmatch(answer):
                number = int(match[2])
                if 1 <= number <= most:
                    return number, bool(match[1])
            self._screen.error(say("menu.unfinished.wrong", most=most))
        return None

    def mention_unfinished(self) -> None:
        """Say in a line how many games were left, and how to continue them."""
        if count := len(unfinished()):
            self._screen.note(say("menu.unfinished.mention", count=count))

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
                self._screen.say(rules_of(game))
                continue
            terms = self._terms(game)
            return Arrangement(terms, self._players(terms, mode))

    def _terms(self, game: str) -> PlayTerms:
        offer = offer_of(game)
        size = 0
        if offer.sizes:
            lines = [say("menu.size.line", size=each) for each in offer.sizes]
            size = offer.sizes[self._choose(say("menu.size"), lines)]
        variant = self._variant(offer)
        terms = partial(make_terms, game, variant=variant, size=size)
        handicap, _ = self._insist(lambda: self._handicap(offer), lambda text: terms(handicap=text))
        _, made = self._insist(
            lambda: self._read(say("menu.clock")),
            lambda text: terms(handicap=handicap, time=text),
        )
        return made

    def _insist(
        self, ask: Callable[[], str], make: Callable[[str], PlayTerms]
    ) -> tuple[str, PlayTerms]:
        """Ask until terms can be made of the answer; return both."""
        while True:
            answer = ask()
            try:
                return answer, make(answer)
            except QuintetError as error:
                self._screen.error(str(error))

    def _variant(self, offer: Offer) -> str:
        if offer.game == registry.GO:  # One of its rule sets is the usual one.
            number = self._choose(say("menu.rules"), [words for _, words in offer.variants])
            return offer.variants[number][0]
        lines = [say("menu.usual"), *(words for _, words in offer.variants)]
        number = self._choose(say("menu.variant"), lines)
        return offer.variants[number - 1][0] if number else ""

    def _handicap(self, offer: Offer) -> str:
        if offer.game == registry.GO:
            return self._read(say("menu.handicap"))
        if offer.handicaps:
            examples = ", ".join(offer.handicaps[""][:_EXAMPLES])
            return self._read(say("menu.set-up", examples=examples))
        return ""

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
            return self._tell(draw_lot(), sides)
        guesses = ("odd", "even")
        number = self._choose(say("menu.guess"), [say(f"menu.{guess}") for guess in guesses])
        return self._tell(nigiri(guesses[number]), sides)

    def _tell(self, lot: Lot, sides: Sequence[str]) -> int:
        mine = 0 if lot.first else 1
        if lot.stones:
            parity = say("menu.odd" if lot.stones % 2 else "menu.even")
            text = say_count("menu.nigiri", lot.stones, parity=parity, side=sides[mine])
        else:
            text = say("menu.thrown", side=sides[mine])
        self._screen.say(text)
        return mine

    def _level(self, game: str, heading: str) -> Player:
        offer = offer_of(game)
        names = [level.name for level in offer.levels]
        self._screen.title(heading)
        self._screen.say(describe_levels(game))
        while True:
            asked = say("menu.choose.level", default=offer.default_level)
            name = self._read(asked, names) or offer.default_level
            if name in names:
                return own_engine(game, name)
            self._screen.error(say("no.level", level=name, known=", ".join(names)))

    def _choose(self, heading: str, lines: Sequence[str], default: int = 0) -> int:
        """Ask for one of several lines; return its index."""
        self._screen.title(heading)
        for number, line in enumerate(lines, 1):
            self._screen.say(f"  {number}  {line}")
        return _ask_number(self._screen, self._read, len(lines), default + 1) - 1


def choose_title(screen: Screen, ask: Callable[[str], str], titles: Sequence[str]) -> int:
    """Ask for one of the games of a file by their titles; return its number."""
    screen.title(say("menu.file", count=len(titles)))
    wide = len(str(len(titles)))
    for number, title in enumerate(titles[:_TITLES], 1):
        screen.say(f"  {number:>{wide}}  {title}")
    if len(titles) > _TITLES:
        screen.note(say("menu.file.more", first=_TITLES + 1, last=len(titles)))
    return _ask_number(screen, ask, len(titles), 1)


def _ask_number(screen: Screen, ask: Callable[[str], str], most: int, default: int) -> int:
    """Ask for a number from 1 to `most` until the answer is one."""
    while answer := ask(say("menu.choose", default=default)):
        if answer.isascii() and answer.isdecimal() and len(answer) < 7:
            number = int(answer)
            if 1 <= number <= most:
                return number
        screen.error(say("menu.wrong", most=most))
    return default


def _describe_kept(path: Path) -> str:
    """Describe the game in a file, or say what is wrong with the file."""
    try:
        kept = read_kept(path)
        title = registry.find(kept.terms.game).title
    except QuintetError as error:
        return str(error)
    players = " - ".join(player.label for player in kept.players)
    moves = sum(move.side != CHANCE for move in kept.moves)
    began = kept.started[:_MINUTE].replace("T", " ")
    return say("menu.unfinished.line", began=began, title=title, players=players, moves=moves)


def _take(path: Path, *, deletes: bool) -> PlaySession | None:
    """Restore the game in a file, or delete the file; raises QuintetError and OSError."""
    keeper = Keeper(path)
    if deletes:
        keeper.close(keep=False)
        return None
    try:
        return PlaySession.restore(read_kept(path), keeper)
    except QuintetError:
        keeper.close(keep=True)
        raise


def describe_levels(game: str) -> str:
    """Return the levels of our engine of a game, with what they are worth."""
    return "\n".join(f"  {each.name:<9} {each.worth}".rstrip() for each in offer_of(game).levels)
