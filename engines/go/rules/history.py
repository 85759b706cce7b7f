"""A position of Go with its history: turns, passes, superko, handicap and taking back moves."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Self

from engines.core.game import Move, Outcome, Side
from engines.go.rules.board import BLACK, EMPTY, WHITE, Board
from engines.go.rules.ruleset import AREA, DEFAULT, POSITIONAL, SITUATIONAL, RuleSet
from engines.go.rules.scoring import Score, score

DeadStoneFinder = Callable[["Position"], set[Move]]


class Position:
    """A position with its whole history; a move is `y * width + x`, or the area for a pass.

    `board` changes with each move: copy it to keep it. Besides it, only the board before the first
    move is kept, and `undo` replays the moves from there: a copy of the board for every move would
    cost more than everything else that a move costs.
    """

    def __init__(
        self,
        width: int,
        height: int,
        rules: RuleSet = DEFAULT,
        komi: float | None = None,
        find_dead: DeadStoneFinder | None = None,
    ) -> None:
        self.rules = rules
        self.komi = rules.komi if komi is None else komi
        self.handicap = 0
        self.find_dead = find_dead  # Without one, all stones are alive.
        self.board = Board(width, height)
        self.board.suicide = rules.suicide
        self.turn: Side = 0
        self.played: list[tuple[int, Move]] = []  # Colours and moves.
        self._first = self.board  # The board before the first move; a copy once a move is played.
        self._turns: list[Side] = []  # The side to move before each move.
        self._seen = Counter([self._repetition(self.board, 0)])
        self._judged: Outcome | None = None

    @property
    def area(self) -> int:
        """The number of points; as a move, this number is a pass."""
        return self.board.area

    @property
    def colour(self) -> int:
        """The colour to move: 1 Black, 2 White."""
        return 1 + self.turn

    @property
    def passes(self) -> int:
        """The number of consecutive passes at the end of the game so far."""
        area, count = self.board.area, 0
        for _, move in reversed(self.played):
            if move != area:
                break
            count += 1
        return count

    def put(self, stones: Sequence[tuple[int, Move]], turn: Side) -> None:
        """Put stones on the empty board before the first move; the history starts after them.

        The caller makes sure that none of them is captured.
        """
        for colour, move in stones:
            self.board.play(self.board.point(move), colour)
        self.board.lift_ko()
        self.turn = turn
        self._seen = Counter([self._repetition(self.board, turn)])

    def objection(self, move: Move) -> str:
        """Return why a move is illegal for the side to move, or an empty text if it is legal."""
        if move == self.area:
            return ""
        if not 0 <= move < self.area:
            return "off the board"
        point = self.board.point(move)
        if self.board.cell(point) != EMPTY:
            return "point is occupied"
        if not self.board.is_legal(point, self.colour):
            return "ko" if point == self.board.ko else "suicide"
        if self._repeats(point):
            return "superko"
        return ""

    def legal_moves(self) -> Sequence[Move]:
        """List all legal moves, with the pass last; after two passes there are none."""
        if self.passes >= 2:
            return []
        board, colour = self.board, self.colour
        moves = [
            move
            for move in range(board.area)
            if board.is_legal(point := board.point(move), colour) and not self._repeats(point)
        ]
        moves.append(board.area)
        return moves

    def play(self, move: Move) -> None:
        """Make a legal move of the side to move; legality is not checked."""
        if not self.played:
            self._first = self.board.copy()
        turn, board = self.turn, self.board
        self._turns.append(turn)
        self.played.append((1 + turn, move))
        if move == board.area:
            board.lift_ko()
        else:
            board.play(board.point(move), 1 + turn)
        self.turn = 1 - turn
        self._seen[self._repetition(board, 1 - turn)] += 1
        self._judged = None

    def play_as(self, turn: Side, move: Move) -> None:
        """Make a move of either side, even out of turn."""
        before = self.turn
        self.turn = turn
        self.play(move)
        self._turns[-1] = before

    def undo(self) -> None:
        """Take the last move back."""
        self._seen[self._repetition(self.board, self.turn)] -= 1
        self.turn = self._turns.pop()
        self.played.pop()
        board = self.board = self._first.copy()
        for colour, move in self.played:
            if move == board.area:
                board.lift_ko()
            else:
                board.play(board.point(move), colour)
        self._judged = None

    def outcome(self) -> Outcome | None:
        """Return the outcome after two passes, without the dead stones, or None."""
        if self.passes < 2:
            return None
        if self._judged is None:
            dead = self.find_dead(self) if self.find_dead else set()
            self._judged = outcome_of(self.count(dead).margin)
        return self._judged

    def count(self, dead: set[Move]) -> Score:
        """Count the game as if it ended now and these stones were dead."""
        bonus = self.rules.handicap_points(self.handicap)
        return score(self.board, self.rules, self.komi + bonus, dead)

    def restarted(self, rules: RuleSet, komi: float, turn: Side) -> "Position":
        """Return a position under other rules whose history begins with the current stones."""
        fresh = Position(self.board.width, self.board.height, rules, komi, self.find_dead)
        fresh.board = self.board.copy()
        fresh.board.suicide = rules.suicide
        fresh.put([], turn)
        return fresh

    def key(self) -> int:
        """Return a hash of the stones and the side to move."""
        return self.board.hash << 1 | self.turn

    def copy(self) -> Self:
        """Return an independent copy, including the moves that can be taken back."""
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.board = self.board.copy()
        twin.played = self.played.copy()
        twin._turns = self._turns.copy()
        twin._seen = self._seen.copy()
        return twin

    def effective_komi(self) -> float:
        """Return the komi with which area counting gives the same result as the rules."""
        komi = self.komi + self.rules.handicap_points(self.handicap)
        if self.rules.scoring == AREA:
            return komi
        # Every stone on the board or captured was either played or set up.
        board = self.board
        cells = board.cells_copy()
        black = cells.count(BLACK) + board.black_captured
        return komi + black - cells.count(WHITE) - board.white_captured

    def setup_stones(self) -> list[tuple[int, Move]]:
        """List the stones that were on the board before the first move."""
        cells = self._start().cells_copy()
        return [(colour, move) for move, colour in enumerate(cells) if colour != EMPTY]

    def first_captures(self) -> tuple[int, int]:
        """Return the numbers of black and white stones captured before the first move."""
        first = self._start()
        return first.black_captured, first.white_captured

    def first_turn(self) -> Side:
        """Return the side to move at the start."""
        return self._turns[0] if self._turns else self.turn

    def origin(self) -> int:
        """Return a hash of the position before the first move."""
        return self._start().hash << 1 | self.first_turn()

    def _start(self) -> Board:
        return self._first if self.played else self.board

    def repetitions(self) -> list[int]:
        """List the hashes that superko forbids; situational superko includes the side to move."""
        return [key for key, count in self._seen.items() if count > 0]

    def _repetition(self, board: Board, turn: Side) -> int:
        if self.rules.ko == SITUATIONAL:
            return board.hash << 1 | turn
        return board.hash

    def _repeats(self, point: int) -> bool:
        if self.rules.ko not in (POSITIONAL, SITUATIONAL):
            return False
        after = self.board.hash_after(point, self.colour)
        if self.rules.ko == SITUATIONAL:
            after = after << 1 | 1 - self.turn
        return self._seen[after] > 0


def outcome_of(margin: float) -> Outcome:
    """Return the outcome of a game, given Black's margin, which may be negative or 0."""
    return Outcome(None if margin == 0 else 0 if margin > 0 else 1, format_margin(margin))


def format_margin(margin: float) -> str:
    """Format a result as in GTP and SGF: `B+3.5`, `W+77` or `0`."""
    if margin == 0:
        return "0"
    return f"{'B' if margin > 0 else 'W'}+{abs(margin):g}"
