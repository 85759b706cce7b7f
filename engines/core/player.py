"""The engine behind the line protocol: one game, its clocks, its options and its searcher."""

import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engines.core.game import CHANCE, Game, IllegalMove, InvalidText, Move, Outcome, Rules
from engines.core.search import Limits, Report, Score, Searcher, Stop
from engines.core.timing import Clock, TimeControl

_DEEPEST_THROW: Final = 12  # A deeper search of all throws would take too long in any game.
_DIGITS: Final = 1000  # The most digits of an option: Python refuses to read very long numbers.
_THINKING: Final = 1.0  # Seconds per move if there is neither a clock nor a limit.
_LAG: Final = (
    0.15  # Seconds that are kept back, because a busy machine wakes threads and clients late.
)
_SHORT: Final = 0.25  # The largest share of a clock that is kept back.


@dataclass(frozen=True, slots=True)
class Option:
    """A setting of a program: its default, what values it accepts, and what it means.

    The values are the listed ones, or any text if `free` is true, or else any whole number.
    """

    default: str
    values: Sequence[str] = ()
    hint: str = ""
    free: bool = False
    meaning: str = ""

    def check(self, name: str, value: str) -> str:
        """Return the value as it is stored; raises InvalidText."""
        if self.free:
            return value
        if self.values and value.lower() in self.values:
            return value.lower()
        if not self.values and (value == self.default or (value.isascii() and value.isdigit())):
            if len(value) > _DIGITS:
                raise InvalidText(f"{name}: expected at most {_DIGITS} digits, not {len(value)}")
            return value
        raise InvalidText(f"{name}: expected {self.describe()}, not {value!r}")

    def describe(self) -> str:
        """Say which values are accepted."""
        return self.hint or (" ".join(self.values) if self.values else "a whole number")


SEED: Final = Option(
    "random",
    hint="a whole number, or random",
    meaning="of random choices and throws; with a number, games are repeatable",
)


def seed_of(options: Mapping[str, str]) -> int | None:
    """Return the number that the option `seed` holds, or None if it is `random`."""
    return None if options["seed"] == "random" else int(options["seed"])


@dataclass(frozen=True, slots=True)
class Equipment:
    """The parts that a game gives to its player.

    `rules` makes rules for a variant and the options, and `searcher` makes a searcher for the
    options. A new game makes both again. If `reusable` is true, a searcher that forgets is as good
    as a new one: then a new game keeps it, unless the variant or one of the `searching_options`
    changes. When an option is set, one of the `searching_options` makes a new searcher, and any
    other option makes new rules. `expected_moves` estimates how many
    moves a side still has to make.
    """

    game: str
    name: str
    version: str
    variants: Sequence[str]
    rules: Callable[[str, Mapping[str, str]], Rules[Any]]
    searcher: Callable[[Mapping[str, str]], Searcher[Any]]
    options: Mapping[str, Option]
    expected_moves: Callable[[Game[Any]], int]
    perft: Callable[[Any, str, int], int]  # (rules, set-up, depth).
    throw: Callable[[str, int], int] | None = None  # (seed, number of the throw) -> throw.
    searching_options: frozenset[str] = field(default=frozenset(("level", "seed")))
    moves: str = ""  # How moves are written, for people.
    reusable: bool = False


class Player:
    """Plays one game at a time; its methods are those that the line protocol needs."""

    def __init__(self, equipment: Equipment) -> None:
        self._equipment = equipment
        self.game = equipment.game
        self.name = equipment.name
        self.version = equipment.version
        self._options = {name: option.default for name, option in equipment.options.items()}
        self._rules = equipment.rules("", self._options)
        self._searcher = equipment.searcher(self._options)
        self._game = Game(self._rules)
        self._control = TimeControl()
        self._clocks = (Clock(self._control), Clock(self._control))
        self._limits: dict[str, float] = {}
        self._last: Report | None = None
        self._last_text = ""
        self._throws = 0
        self._dice_seed = _random_seed()

    def variants(self) -> Sequence[str]:
        """List the variants that `new_game` takes."""
        return self._equipment.variants

    def new_game(self, variant: str, options: Mapping[str, str]) -> None:
        """Start a game from the start position; the given options remain set."""
        checked = self._options | {
            name: self._option(name).check(name, value) for name, value in options.items()
        }
        if variant and not all(name.strip() for name in variant.split(",")):
            raise InvalidText(f"expected variants joined by commas, not {variant!r}")
        if "," in variant and "default" in (name.strip() for name in variant.split(",")):
            raise InvalidText(f"default stands alone, not {variant!r}")
        rules = self._equipment.rules("" if variant == "default" else variant, checked)
        game = Game(rules)
        searcher = self._searcher
        if not (self._equipment.reusable and self._suits(rules, checked)):
            searcher = self._equipment.searcher(checked)
        self._options, self._rules, self._game, self._searcher = checked, rules, game, searcher
        self._restart()

    def _suits(self, rules: Rules[Any], options: Mapping[str, str]) -> bool:
        """Return whether the searcher was made for these options, and for the same variant."""
        names = self._equipment.searching_options
        same = all(options[name] == self._options[name] for name in names)
        return same and rules.variant == self._rules.variant

    def set_position(self, text: str) -> None:
        """Set up a position, which begins a new history."""
        self._game = Game(self._rules, text)
        self._restart()

    def _restart(self) -> None:
        self._clocks = (Clock(self._control), Clock(self._control))
        self._last = None
        self._throws = 0
        self._dice_seed = _random_seed()
        self._searcher.forget()

    def position(self) -> str:
        """Describe the position so that `set_position` takes it."""
        return self._rules.setup(self._game.position)

    def turn(self) -> str:
        """Return the side to move, or `over`."""
        if self._game.outcome() is not None:
            return "over"
        if self._game.turn == CHANCE:
            return f"{self._rules.sides[self._thrower()]} roll"
        return self._rules.sides[self._game.turn]

    def _thrower(self) -> int:
        thrower: int = self._game.position.thrower
        return thrower

    def check_side(self, side: str) -> None:
        """Raise IllegalMove if the other side is to move."""
        turn = self.turn().removesuffix(" roll")
        if turn not in ("over", side):
            raise IllegalMove(f"it is {turn}'s turn, not {side}'s")

    def legal(self) -> Sequence[str]:
        """List the legal moves; none once the game is over. Raises IllegalMove before a throw."""
        if self._game.outcome() is not None:
            return []
        if self._game.turn == CHANCE:
            raise IllegalMove("roll first")
        position = self._game.position
        return [self._rules.format(position, move) for move in position.legal_moves()]

    def play(self, move: str) -> None:
        """Make a move."""
        if self._game.outcome() is None and self._game.turn == CHANCE:
            raise IllegalMove("roll first")
        self._game.play(move)

    def undo(self, count: int) -> None:
        """Take moves back, each with its throw; raises IllegalMove if there are not so many."""
        own = self._decisions()
        if count > len(own):
            raise IllegalMove("cannot undo: the history begins here")
        keep = own[-count]
        while len(self._game.moves) > keep:
            self._game.undo()

    def _decisions(self) -> list[int]:
        """List the plies at which the moves begin, including the throws before them."""
        if self._equipment.throw is None:
            return list(range(len(self._game.moves)))
        twin = Game(self._rules, self._game.initial_setup)
        starts, start = [], 0
        for ply, move in enumerate(self._game.moves):
            chance = twin.turn == CHANCE
            twin.push(move)
            if not chance:
                starts.append(start)
                start = ply + 1
        return starts

    def throw(self, number: int | None) -> str:
        """Play the controller's throw, or one from the seed; return the throw."""
        if self._equipment.throw is None:
            raise IllegalMove(f"there are no dice in {self.game}")
        if self._game.outcome() is not None or self._game.turn != CHANCE:
            raise IllegalMove(f"no throw is due: {self.turn()}")
        if number is None:
            self._throws += 1
            seed = self._options.get("seed", "random")
            seed = self._dice_seed if seed == "random" else seed
            number = self._equipment.throw(seed, self._throws)
        self._game.play(str(number))
        return str(number)

    def generate(self, stop: Stop, *, play: bool) -> str:
        """Choose a move within the limits, and make it if `play` is true."""
        self._refuse_unless_moving()
        began = time.monotonic()
        move = self._search(self._budget(), stop, self._remember)
        text = self._rules.format(self._game.position, move)
        if play:
            side = self._game.turn
            self._game.push(move)
            seconds = time.monotonic() - began
            self._clocks[side].charge(seconds)
            self._clocks[1 - side].credit(seconds)
        return text

    def _refuse_unless_moving(self) -> None:
        if (ended := self._game.outcome()) is not None:
            raise IllegalMove(f"the game is over: {ended.reason}")
        if self._game.turn == CHANCE:
            raise IllegalMove("roll first")

    def _search(self, limits: Limits, stop: Stop, report: Callable[[Report], None]) -> Move:
        self._last = None
        # A copy, so that an exception in a search leaves the game unchanged.
        return self._searcher.search(self._game.copy(), limits, stop=stop, report=report)

    def _remember(self, report: Report) -> None:
        self._last = report
        self._last_text = self._tell(report)

    def _budget(self) -> Limits:
        clock = self._clocks[self._game.turn]
        fixed = self._control.limits()
        times = [seconds for seconds in (self._limits.get("seconds"),) if seconds]
        if clock.running:
            kept = min(_LAG, _SHORT * clock.available())
            times.append(clock.allotment(self._equipment.expected_moves(self._game), kept))
        depths = [int(depth) for depth in (self._limits.get("depth"), fixed.depth) if depth]
        nodes = [int(count) for count in (self._limits.get("nodes"), fixed.nodes) if count]
        if not (times or depths or nodes):
            times.append(_THINKING)
        return Limits(
            seconds=min(times, default=None),
            depth=min(depths, default=None),
            nodes=min(nodes, default=None),
        )

    def analyze(self, interval: float, stop: Stop, emit: Callable[[str], None]) -> None:
        """Search until `stop`; emit a line at most every `interval` seconds.

        Before a throw, the position is valued as it is, over all throws.
        """
        if (ended := self._game.outcome()) is not None:
            raise IllegalMove(f"the game is over: {ended.reason}")
        emitted: Report | None = None
        due = -math.inf

        def tell() -> None:
            nonlocal emitted, due
            if self._last is not None and self._last is not emitted:
                emitted, due = self._last, time.monotonic() + interval
                emit(self._last_text)

        def report(news: Report) -> None:
            self._remember(news)
            if time.monotonic() >= due:
                tell()

        def stopped() -> bool:
            if time.monotonic() >= due:
                tell()
            return stop()

        if self._game.turn == CHANCE:
            self._value_throws(stopped, report)
        else:
            self._search(Limits(), stopped, report)
        tell()

    def _value_throws(self, stop: Stop, report: Callable[[Report], None]) -> None:
        """Report the mean value of all throws, deeper and deeper.

        A throw without a move is left out: the same player throws again, so that it changes the
        mean by nothing. Under a variant where it ends the turn, this is an approximation.
        """
        began, nodes = time.monotonic(), 0
        self._last = None
        for depth in range(1, _DEEPEST_THROW + 1):
            found: list[Report] = []
            for throw in self._game.position.legal_moves():
                last: list[Report] = []
                game = self._game.copy()
                game.push(throw)
                if game.turn == CHANCE or game.outcome() is not None:
                    continue
                self._searcher.search(game, Limits(depth=depth), stop=stop, report=last.append)
                if stop():
                    return
                if last:
                    found.append(last[-1])
            if not found:
                return
            nodes += sum(each.nodes for each in found)
            reached = min(each.depth for each in found)
            exact = all(each.score.exact for each in found)
            mean = Score(sum(each.score.chance for each in found) / len(found), exact, dice=True)
            report(Report(reached, nodes, time.monotonic() - began, mean, ()))
            if exact or reached < depth:  # A search that ends by itself goes no deeper.
                return

    def _tell(self, report: Report) -> str:
        position = self._game.position.copy()
        line = []
        for move in report.pv:
            line.append(self._rules.format(position, move))
            position.play(move)
        words = [
            f"info depth {report.depth} nodes {report.nodes} time {report.seconds * 1000:.0f}",
            f"score {report.score}",
        ]
        if line:
            words.append(f"pv {' '.join(line)}")
        return " ".join(words)

    def evaluation(self) -> str:
        """Return the last report as a line of `analyze`; an empty text before the first search."""
        return self._last_text if self._last is not None else ""

    def limit(self, kind: str, value: float) -> None:
        """Limit each search by `depth`, `nodes` or `seconds`; 0 removes the limit."""
        self._limits[kind] = value

    def time_settings(self, control: str) -> None:
        """Set both clocks to a time control; `none` removes them."""
        self._control = TimeControl() if control == "none" else TimeControl.parse(control)
        self._clocks = (Clock(self._control), Clock(self._control))

    def time_left(self, side: str, seconds: float, periods: int) -> None:
        """Set the clock of one side to what the controller says."""
        self._clocks[self._rules.sides.index(side)].set_left(seconds, periods)

    def result(self) -> str:
        """Return `none`, or the winner and the reason."""
        outcome = self._game.outcome()
        return "none" if outcome is None else format_outcome(outcome, self._rules.sides)

    def board(self) -> str:
        """Draw the board, and say whose turn it is, or how the game ended."""
        outcome = self._game.outcome()
        last = self.turn() if outcome is None else describe_outcome(outcome, self._rules.sides)
        return f"{self._rules.diagram(self._game.position)}\n{last}"

    def options(self) -> Mapping[str, str]:
        """Return the value of each option, with the values that it accepts."""
        return {
            name: f"{value} ({self._equipment.options[name].describe()})"
            for name, value in self._options.items()
        }

    def _option(self, name: str) -> Option:
        if name not in self._equipment.options:
            word, equals, value = name.partition("=")
            if equals and word in self._equipment.options:
                raise InvalidText(f"a blank separates an option from its value: {word} {value}")
            known = ", ".join(self._equipment.options)
            raise InvalidText(f"no such option: {name!r} (known: {known})")
        return self._equipment.options[name]

    def set_option(self, name: str, value: str) -> None:
        """Change an option without changing the game."""
        options = self._options | {name: self._option(name).check(name, value)}
        if name in self._equipment.searching_options:
            self._searcher = self._equipment.searcher(options)
        else:
            rules = self._equipment.rules(self._rules.variant, options)
            game = Game(rules, self._game.initial_setup)
            for move in self._game.moves:
                game.push(move)
            self._rules, self._game = rules, game
        self._options = options

    def about(self) -> Sequence[str]:
        """Say how moves are written, and which options there are, for people."""
        options = describe_options(self._equipment.options)
        return [f"Moves: {self._equipment.moves}", "Options:", *(f"  {line}" for line in options)]

    def perft(self, depth: int) -> int:
        """Count the move sequences of `depth` plies from the current position."""
        return self._equipment.perft(self._rules, self.position(), depth)


def _random_seed() -> str:
    return str(random.SystemRandom().getrandbits(63))


def describe_options(options: Mapping[str, Option]) -> Sequence[str]:
    """Return a line for each option: its meaning, the values that it accepts, its default."""
    return [
        f"{name}: {option.meaning}{'; ' if option.meaning else ''}{option.describe()} "
        f"(default {option.default})"
        for name, option in options.items()
    ]


def format_outcome(outcome: Outcome, sides: Sequence[str]) -> str:
    """Write an outcome as the line protocol's `result`."""
    winner = "both" if outcome.both else "draw"
    if outcome.winner is not None:
        winner = sides[outcome.winner]
    return f"{winner} {outcome.reason}"


def describe_outcome(outcome: Outcome, sides: Sequence[str]) -> str:
    """Say how a game ended, for people: `White wins: neutron home`."""
    who = "Both win" if outcome.both else "Draw"
    if outcome.winner is not None:
        who = f"{sides[outcome.winner].capitalize()} wins"
    return f"{who}: {outcome.reason}"
