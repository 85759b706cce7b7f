"""The interface between the search and an evaluation: `fitted`, `network/network` or `mixed`."""

from engines.shogi.rules.board import Board


class Evaluation:
    """The value of a position that is followed move by move.

    The search makes each move here before it makes it on the board, and calls `settle` after the
    move of a king.
    """

    def __init__(self) -> None:
        self.height = 0  # Moves since `reset`.

    def reset(self, men: Board) -> None:
        """Start from a position."""

    def make(self, men: Board, move: int) -> None:
        """Update for a move before it is made; after a king's move, `settle` must be called."""

    def settle(self, men: Board) -> None:
        """Complete the update after a king's move was made."""

    def unmake(self) -> None:
        """Return to the position before the last move."""

    def value(self, men: Board) -> int:
        """Return the evaluation for the side to move, in hundredths of a pawn."""
        return 0
