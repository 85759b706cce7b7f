"""The fitted evaluation, corrected by a network."""

from engines.shogi.play.evaluation import Evaluation
from engines.shogi.play.fitted import Fitted
from engines.shogi.play.network.network import Network, NetworkEvaluation
from engines.shogi.rules.board import Board


class Mixed(Evaluation):
    """Add what a network says to the fitted evaluation: the network was taught its errors."""

    def __init__(self, network: Network) -> None:
        Evaluation.__init__(self)
        self.fitted = Fitted()
        self.network = NetworkEvaluation(network)

    def reset(self, men: Board) -> None:
        """Start from a position."""
        self.height = 0
        self.fitted.reset(men)
        self.network.reset(men)

    def make(self, men: Board, move: int) -> None:
        """Update for a move before it is made."""
        self.height += 1
        self.fitted.make(men, move)
        self.network.make(men, move)

    def settle(self, men: Board) -> None:
        """Complete the update after a king's move was made."""
        self.fitted.settle(men)

    def unmake(self) -> None:
        """Return to the position before the last move."""
        self.height -= 1
        self.fitted.unmake()
        self.network.unmake()

    def value(self, men: Board) -> int:
        """Return the evaluation for the side to move, in hundredths of a pawn."""
        return self.fitted.value(men) + self.network.value(men)
