"""A position labelled with the score of its search, and the records that files keep of it."""

import struct
from dataclasses import dataclass
from typing import Final, Self

from engines.shogi.rules.position import Position
from engines.shogi.rules.sfen import set_up

RECORD: Final = struct.Struct("<81B7s7sBBhbB")
"""Men by square; both hands, pawns first; turn, flags, value, result, plies halved.

The value and the result (1, 0, -1) are the side to move's.
"""
QUIET: Final = (
    1  # The side to move is not in check, and its best move neither captures nor promotes.
)
LAST: Final = 2  # The last position of its game.
ASIDE: Final = 4  # The position was not reached in the game, so that its result tells nothing.


@dataclass(frozen=True, slots=True)
class Label:
    """A position with the score of its search."""

    men: bytes
    hands: tuple[bytes, bytes]
    turn: int
    quiet: bool
    value: int
    ply: int
    aside: bool = False

    @classmethod
    def of(
        cls, position: Position, move: int, value: int, ply: int, *, aside: bool = False
    ) -> Self:
        """Label a position with the best move and the score of a search."""
        quiet = not position.is_check() and not move & 16384 and not position.man_at(move & 127)
        hands = [bytes(position.held(side, kind) for kind in range(1, 8)) for side in range(2)]
        men = bytes(position.man_at(square) for square in range(81))
        return cls(men, (hands[0], hands[1]), position.turn, quiet, value, ply, aside)

    def pack(self, points: float, *, last: bool) -> bytes:
        """Return the record of a position, given Black's points in the game."""
        result = round(2 * points - 1)
        return RECORD.pack(
            *self.men,
            *self.hands,
            self.turn,
            QUIET * self.quiet | LAST * last | ASIDE * self.aside,
            self.value,
            -result if self.turn else result,
            self.ply // 2,
        )


def position_of(record: bytes) -> Position:
    """Set up the position of a label."""
    fields = RECORD.unpack(record)
    hands = [[0, *fields[81]], [0, *fields[82]]]
    return set_up(list(fields[:81]), hands, fields[83], tolerate="rule")
