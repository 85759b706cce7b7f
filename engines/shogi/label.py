"""A labelled position: what its search and its game say of it, as files keep it."""

import struct
from dataclasses import dataclass
from typing import Final, Self

from engines.shogi.position import Position

RECORD: Final = struct.Struct("<81B7s7sBBhbB")
"""Men by square; both hands, pawns first; turn, flags, value, result, plies halved.

The value and the result (1, 0, -1) are the side to move's.
"""
QUIET: Final = 1  # The best move takes and promotes nothing, and nobody is in check.
LAST: Final = 2  # Of its game.


@dataclass(frozen=True, slots=True)
class Label:
    """A position with the value that its search told."""

    men: bytes
    hands: tuple[bytes, bytes]
    turn: int
    quiet: bool
    value: int
    ply: int

    @classmethod
    def of(cls, position: Position, move: int, value: int, ply: int) -> Self:
        """Label a position with the best move and the value that a search told."""
        quiet = not position.is_check() and not move & 16384 and not position.man_at(move & 127)
        hands = [bytes(position.held(side, kind) for kind in range(1, 8)) for side in range(2)]
        men = bytes(position.man_at(square) for square in range(81))
        return cls(men, (hands[0], hands[1]), position.turn, quiet, value, ply)

    def pack(self, points: float, *, last: bool) -> bytes:
        """Write a record, given Black's points in the game."""
        result = round(2 * points - 1)
        return RECORD.pack(
            *self.men,
            *self.hands,
            self.turn,
            QUIET * self.quiet | LAST * last,
            self.value,
            -result if self.turn else result,
            self.ply // 2,
        )
