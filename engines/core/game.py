"""The contracts that every game fulfils, and the class `Game`, which all games share."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Generic, Protocol, Self, TypeVar

from engines.core.errors import QuintetError

Side = int
"""0 moves first, 1 moves second; 2 (CHANCE) means that the dice decide next."""

Move = int
"""A move as a number; only the rules of its game can read it."""

FIRST: Final = 0
SECOND: Final = 1
CHANCE: Final = 2


class InvalidText(QuintetError, ValueError):
    """A text is not a move, position, variant or value; the message says what was expected."""


def no_such_variant(name: str, known: Sequence[str]) -> InvalidText:
    """Return the error for an unknown variant; the usual rules of a game have no name."""
    return InvalidText(
        f"no such variant: {name!r} (known: {', '.join(known)}; leave it out for the usual rules)"
    )


class IllegalMove(QuintetError, ValueError):
    """The rules forbid a well-formed move here; the message says why."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game: the winner, or None for a draw or, if `both` is true, a shared win."""

    winner: Side | None
    reason: str
    both: bool = False

    def points(self, side: Side) -> float:
        """Return the points of a side: 1, 0.5 or 0."""
        if self.winner is None:
            return 0.5
        return 1.0 if self.winner == side else 0.0


class Position(Protocol):
    """A mutable, fast position, coded in integers; it knows no text and no clock."""

    @property
    def turn(self) -> Side:
        """The side to move; undefined once the game is over."""

    def legal_moves(self) -> Sequence[Move]:
        """List every legal move; empty once the game is over."""

    def play(self, move: Move) -> None:
        """Make a move; the caller guarantees that it is legal."""

    def undo(self) -> None:
        """Take the last move back; the caller guarantees that there is one."""

    def outcome(self) -> Outcome | None:
        """Return how the game ended, as far as the position alone shows."""

    def key(self) -> int:
        """Return a hash below 2**63 of everything that must be equal in a repetition."""

    def copy(self) -> Self:
        """Return an independent position, including its own undo history."""


P = TypeVar("P", bound=Position)


class Rules(Protocol[P]):
    """A game's rules under one variant: names, notation, set-ups, endings by the history."""

    @property
    def name(self) -> str:
        """The game's name in the registry."""

    @property
    def variant(self) -> str:
        """The chosen variants joined by commas; empty for the default rules."""

    @property
    def sides(self) -> tuple[str, str]:
        """The names of the sides; the first one moves first."""

    def start(self, setup: str = "") -> P:
        """Set up the start, or the position that a text describes; raises InvalidText."""

    def setup(self, position: P) -> str:
        """Describe a position so that `start` sets it up again."""

    def parse(self, position: P, text: str) -> Move:
        """Read a legal move; raises InvalidText or IllegalMove, each saying why."""

    def format(self, position: P, move: Move) -> str:
        """Write a legal move so that `parse` reads it again."""

    def diagram(self, position: P) -> str:
        """Draw the position for a terminal, in ASCII and without empty lines."""

    def ending(self, game: "Game[P]") -> Outcome | None:
        """Return an ending that only the history shows, such as a repetition."""


class Game(Generic[P]):
    """A position, the moves that led to it, and the endings that only their history shows."""

    def __init__(self, rules: Rules[P], setup: str = "", position: P | None = None) -> None:
        """Begin at a set-up, or at the position of it that was made before.

        A composed problem is such a position: `rules.start` may refuse its set-up.
        """
        self.rules = rules
        self.initial_setup = setup
        self.position = rules.start(setup) if position is None else position
        self.moves: list[Move] = []
        self._keys = [self.position.key()]
        self._plies: dict[int, list[int]] = {self._keys[0]: [0]}

    @property
    def turn(self) -> Side:
        """The side to move; undefined once the game is over."""
        return self.position.turn

    def play(self, text: str) -> Move:
        """Read a move and make it; if it raises InvalidText or IllegalMove, nothing changes."""
        if (ended := self.outcome()) is not None:
            raise IllegalMove(f"the game is over: {ended.reason}")
        move = self.rules.parse(self.position, text)
        self.push(move)
        return move

    def push(self, move: Move) -> None:
        """Make a move that is known to be legal."""
        self.position.play(move)
        self.moves.append(move)
        key = self.position.key()
        self._keys.append(key)
        self._plies.setdefault(key, []).append(len(self.moves))

    def undo(self) -> None:
        """Take the last move back; raises IndexError if there is none."""
        self.moves.pop()
        self.position.undo()
        self._plies[self._keys.pop()].pop()

    def occurrences(self) -> Sequence[int]:
        """List the plies after which the current position occurred; the last one is now."""
        return self._plies[self._keys[-1]]

    def outcome(self) -> Outcome | None:
        """Return how the game ended, or None while it goes on."""
        return self.position.outcome() or self.rules.ending(self)

    def texts(self) -> list[str]:
        """Write all moves played so far, by replaying them from the set-up."""
        position = self.rules.start(self.initial_setup)
        written = []
        for move in self.moves:
            written.append(self.rules.format(position, move))
            position.play(move)
        return written

    def copy(self) -> "Game[P]":
        """Return an independent game with the same history."""
        twin = Game.__new__(type(self))
        twin.rules = self.rules
        twin.initial_setup = self.initial_setup
        twin.position = self.position.copy()
        twin.moves = self.moves.copy()
        twin._keys = self._keys.copy()
        twin._plies = {key: plies.copy() for key, plies in self._plies.items()}
        return twin


def count_leaves(position: Position, depth: int) -> int:
    """Count the move sequences of `depth` plies; games that end earlier are not counted."""
    if depth == 0:
        return 1
    moves = position.legal_moves()
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        position.play(move)
        total += count_leaves(position, depth - 1)
        position.undo()
    return total
