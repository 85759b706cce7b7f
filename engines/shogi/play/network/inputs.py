"""Which inputs of the network a position has.

The network sees a position twice: as the side to move sees it, and as the other side does. Each
side looks along the board from its own edge, and in the mirror if its king stands on files 6 to 9,
so that a position and its mirror image are the same to the network. An input is a man of either
side on a square, or one more man of a kind in a hand.

Promoted lances, knights and silvers count as golds, which they move like. A promoted pawn has
inputs of its own, because whoever takes it only gets a pawn.
"""

from typing import Final

KINDS: Final = (1, 2, 3, 4, 7, 5, 6, 13, 14, 9, 8)
"""The kinds of men that are distinguished, in the order of their inputs; the last is the king."""
MOST_HELD: Final = (0, 18, 4, 4, 4, 2, 2, 4)
"""By kind: how many men in a hand have inputs."""

_ALIKE: Final = {10: 7, 11: 7, 12: 7}
_ON_BOARD: Final = 2 * len(KINDS) * 81
_IN_HAND: Final = sum(MOST_HELD)
INPUTS: Final = _ON_BOARD + 2 * _IN_HAND
MOST_INPUTS: Final = 40
"""The number of inputs of a position with all men."""


def on_board(man: int) -> int:
    """Return the input of a man, as its side is seen, on square 0; -1 if there is no such man."""
    kind = _ALIKE.get(man & 15, man & 15)
    if kind not in KINDS:
        return -1
    return 81 * (2 * KINDS.index(kind) + (man >> 4))


def in_hand(relation: int, kind: int) -> int:
    """Return the input of the first man of a kind in the own (0) or the other (1) hand."""
    return _ON_BOARD + relation * _IN_HAND + sum(MOST_HELD[:kind])
