"""The table that the user has built: looked at where it is, if it is there."""

from pathlib import Path

from engines.core.game import Move
from engines.core.storage import TableError, complain
from engines.neutron.position import BOTH, GOES_ON, Position
from engines.neutron.retrograde import LOST, OPEN, WON, Retrograde
from engines.neutron.rules import make_rules
from engines.neutron.solve import load, mover_value, path_of


class Library:
    """The values of one rule set from a folder; without a good file it knows nothing."""

    def __init__(self, directory: Path, kraus: bool, men: int = 5) -> None:
        self._table: Retrograde | None = None
        rules = make_rules("kraus" if kraus else "")
        try:
            # The checksum of gigabytes would delay the first move; `solve` has looked at it.
            stored = load(directory, rules, men, checked=False)
        except (FileNotFoundError, NotADirectoryError):
            return
        except TableError as error:
            complain("quintet-neutron", str(error))
            return
        except OSError as error:
            complain("quintet-neutron", f"{path_of(directory, rules.variant)}: {error.strerror}")
            return
        self._table = Retrograde(men, int(kraus), stored.values)

    def best_turns(self, position: Position) -> tuple[int, list[Move]] | None:
        """Return the position's value for its mover, and the turns that keep it; None if unknown.

        The position goes on. A draw may be one by repetition: no turn of it wins or has to lose.
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
