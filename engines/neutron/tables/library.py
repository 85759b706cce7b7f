"""The table that the user has built: read where it lies, if it exists."""

from pathlib import Path

from engines.core.game import Move
from engines.core.storage import open_if_usable
from engines.neutron.rules.position import BOTH, GOES_ON, Position
from engines.neutron.rules.text import make_rules
from engines.neutron.tables.retrograde import LOST, OPEN, WON, Retrograde
from engines.neutron.tables.solve import load, mover_value, path_of


class Library:
    """The table of one variant in a folder; without a usable file, every value is unknown."""

    def __init__(self, directory: Path, kraus: bool, men: int = 5) -> None:
        self._table: Retrograde | None = None
        rules = make_rules("kraus" if kraus else "")
        stored = open_if_usable(
            "quintet-neutron",
            path_of(directory, rules.variant),
            # Verifying gigabytes would delay the first move; `quintet solve` has verified them.
            lambda: load(directory, rules, men, checked=False),
        )
        if stored is not None:
            self._table = Retrograde(men, int(kraus), stored.values)

    def best_turns(self, position: Position) -> tuple[int, list[Move]] | None:
        """Return the value of a position for its mover, and the turns that keep that value.

        Returns None if the value is unknown. The game must not be over. A value of 0 may be a draw
        by repetition: no turn wins, and not every turn loses.
        """
        if self._table is None:
            return None
        valued = [
            (self._after(self._table, position, move), move) for move in position.legal_moves()
        ]
        best = max(value for value, _ in valued)
        return best, [move for value, move in valued if value == best]

    def _after(self, table: Retrograde, position: Position, move: Move) -> int:
        mover = position.turn
        position.play(move)
        ended = position.ending()
        value = -mover_value(table, position) if ended == GOES_ON else OPEN
        position.undo()
        if ended in (GOES_ON, BOTH):
            return value
        return WON if ended == mover + 1 else LOST
