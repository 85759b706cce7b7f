"""The contracts that every game fulfils, and the one `Game` that serves all five."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Generic, Protocol, Self, TypeVar

Side = int
"""0 moves first, 1 second; 2 (CHANCE) where dice decide next."""

Move = int
"""Packed by each game; only its own rules can read it."""

FIRST: Final = 0
SECOND: Final = 1
CHANCE: Final = 2


class InvalidText(ValueError):
    """Text that names no move, position, variant or value; the message says what was expected."""


class IllegalMove(ValueError):
    """A well-formed move that the rules forbid here; the message says why."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: a winner, nobody (a draw), or both (a shared win)."""

    winner: Side | None
    reason: str
    both: bool = False

    def points(self, side: Side) -> float:
        """Return what the game is worth to `side`: 1, 0.5 or 0."""
        if self.winner is None:
            return 0.5
        return 1.0 if self.winner == side else 0.0


class Position(Protocol):
    """A mutable, fast, int-coded state of play; knows no text and no clock."""

    @property
    def turn(self) -> Side:
        """Who moves next; undefined once the game is over."""

    def legal_moves(self) -> Sequence[Move]:
        """List every legal move; empty once the game is over."""

    def play(self, move: Move) -> None:
        """Make a move; legality is the caller's."""

    def undo(self) -> None:
        """Take the last move back; that there is one is the caller's."""

    def outcome(self) -> Outcome | None:
        """Return how the game ended as far as the position alone can tell."""

    def key(self) -> int:
        """Return a hash below 2**63 of all that decides a repetition."""

    def copy(self) -> Self:
        """Return an independent position, its own undo history included."""


P = TypeVar("P", bound=Position)


class Rules(Protocol[P]):
    """The text side of a game under one variant: names, notation, set-ups, endings by history."""

    @property
    def name(self) -> str:
        """The game's name in the registry."""

    @property
    def variant(self) -> str:
        """The chosen variants joined by commas; empty for the default rules."""

    @property
    def sides(self) -> tuple[str, str]:
        """What the sides are called, the first mover first."""

    def start(self, setup: str = "") -> P:
        """Set up the start, or the position that a text describes; raises InvalidText."""

    def setup(self, position: P) -> str:
        """Describe a position so that `start` sets it up again."""

    def parse(self, position: P, text: str) -> Move:
        """Read a legal move; raises InvalidText or IllegalMove, each saying why."""

    def format(self, position: P, move: Move) -> str:
        """Write a legal move so that `parse` reads it again."""

    def diagram(self, position: P) -> str:
        """Draw the position for a terminal: ASCII, no empty line."""

    def ending(self, game: "Game[P]") -> Outcome | None:
        """Return an ending that only the history shows, such as a repetition."""


class Game(Generic[P]):
    """A position, the moves that led to it, and the endings that only their history shows."""

    def __init__(self, rules: Rules[P], setup: str = "") -> None:
        self.rules = rules
        self.initial_setup = setup
        self.position = rules.start(setup)
        self.moves: list[Move] = []
        self._keys = [self.position.key()]
        self._plies: dict[int, list[int]] = {self._keys[0]: [0]}

    @property
    def turn(self) -> Side:
        """Who moves next; undefined once the game is over."""
        return self.position.turn

    def play(self, text: str) -> Move:
        """Read a move and make it; raises InvalidText or IllegalMove and then changes nothing."""
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
        """Take the last move back; raises IndexError where there is none."""
        self.moves.pop()
        self.position.undo()
        self._plies[self._keys.pop()].pop()

    def occurrences(self) -> Sequence[int]:
        """List the plies after which the present position stood, the present one last."""
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
    """Count the move sequences of `depth` plies; one that ends the game earlier counts nothing."""
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
