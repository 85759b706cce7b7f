"""What a referee asks of any engine, whatever its language."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, NamedTuple, Protocol

from protocols.errors import EngineRefused
from protocols.process import GRACE, Process, close_all


class TimeControl(Protocol):
    """What a client reads of a time control, seconds throughout; its `str` is the line protocol's.

    `kind` is empty (no clock), sudden, increment, byoyomi, canadian, move or hourglass; `period`
    and `count` are the increment, `count` periods of byo-yomi, or `count` stones a period.
    """

    @property
    def kind(self) -> str:
        """The form of the clock."""

    @property
    def main(self) -> float:
        """The main time; under `move`, the time for each move."""

    @property
    def period(self) -> float:
        """The increment, or the length of a period."""

    @property
    def count(self) -> int:
        """How many periods, or stones a period."""

    @property
    def depth(self) -> int | None:
        """How deep to search."""

    @property
    def nodes(self) -> int | None:
        """How many nodes to search."""

    @property
    def visits(self) -> int | None:
        """How many nodes to search, as Go engines say it."""


class Left(NamedTuple):
    """What a side's clock shows: main time, or the running period and the periods that are left.

    The running period counts; `periods` is stones under a Canadian clock, 0 in main time.
    """

    seconds: float
    periods: int = 0


class Reply(NamedTuple):
    """An engine's move, and what it said about it, in the engine's own words where it did.

    `seconds` runs from the command's writing to the move's arrival; `score` is the mover's view.
    """

    move: str
    seconds: float
    score: str = ""
    pv: str = ""
    depth: int | None = None
    nodes: int | None = None
    expected: str = ""  # The answer that the engine would like to ponder on.


class Client(ABC):
    """One side of a conversation with an engine; `greet` first, `close` last.

    Sides are `b` and `w`, moves the texts of the engine's own protocol; `resign`, `pass` and `win`
    are lower case. Every method keeps to one absolute deadline (`time.monotonic`) and raises
    EngineError for an engine that fails, EngineRefused for one that declines, and ValueError for
    what cannot be said in its protocol.
    """

    protocol: ClassVar[str]

    def __init__(self, process: Process) -> None:
        self.process = process
        self.name = process.name
        self.version = ""

    @abstractmethod
    def greet(self, deadline: float) -> None:
        """Learn the engine's name, version and abilities."""

    @abstractmethod
    def new_game(
        self,
        deadline: float,
        *,
        variant: str = "",
        position: str = "",
        settings: Mapping[str, str] | None = None,
        control: TimeControl | None = None,
    ) -> None:
        """Begin a game; `position` is a set-up in the words of the protocol."""

    @abstractmethod
    def note(self, side: str, move: str) -> None:
        """Keep a move for the engine: it goes out with what is asked next, and is refused there."""

    def settle(self, deadline: float) -> None:  # noqa: B027  # USI has nothing to do.
        """Tell what was noted and see it accepted, where the protocol has an answer to a move."""

    def play(self, side: str, move: str, deadline: float) -> None:
        """Tell a move at once."""
        self.note(side, move)
        self.settle(deadline)

    def roll(self, throw: int, deadline: float) -> None:
        """Tell at once what the referee's dice show."""
        self.note_throw(throw)
        self.settle(deadline)

    @abstractmethod
    def genmove(
        self, side: str, deadline: float, own: Left | None = None, other: Left | None = None
    ) -> Reply:
        """Ask for a move, which the engine then has played; `own` and `other` are the clocks."""

    @abstractmethod
    def repeat(self, told: Sequence[str], asked: Sequence[str], deadline: float) -> Reply:
        """Send commands that a transcript has, the last of which ask for a move."""

    @abstractmethod
    def undo(self, deadline: float) -> None:
        """Take the last move back."""

    @abstractmethod
    def set_option(self, name: str, value: str, deadline: float) -> None:
        """Set one of the engine's options."""

    def draws(self, deadline: float) -> bool:
        """Whether an option `seed` is left to chance, and may be set at no cost in strength."""
        return False

    @abstractmethod
    def tell(self, command: str, deadline: float) -> None:
        """Send a command of the user's own; only its refusal is noticed, where there is one."""

    def allow_pondering(self, deadline: float) -> None:
        """Let the engine think in its opponent's time, where it has a switch for that."""
        raise ValueError(f"{self.protocol} knows no pondering")

    def ponder(  # noqa: B027  # A GTP engine ponders by itself.
        self, side: str, expected: str, deadline: float, own: Left | None, other: Left | None
    ) -> None:
        """Have the engine of `side` think about its answer to a move that it expects."""

    def end_game(self, won: bool | None, deadline: float) -> None:  # noqa: B027  # GTP has no word.
        """Tell that the game is over: won, lost, or None for neither; the engine thinks no more."""

    def note_throw(self, throw: int) -> None:
        """Keep what the referee's dice show, as `note` does a move."""
        raise EngineRefused(f"roll {throw}", f"{self.protocol} knows no dice")

    def close(self, grace: float = GRACE) -> None:
        """Send `quit` and see the process and its group dead within `grace` seconds."""
        close_clients([self], grace)


def close_clients(clients: Iterable[Client], grace: float = GRACE) -> None:
    """Close several engines with one grace period."""
    processes = [client.process for client in clients]
    for process in processes:
        process.say_goodbye("quit")
    close_all(processes, grace)
