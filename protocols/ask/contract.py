"""The methods that a referee calls, whichever protocol an engine speaks."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, NamedTuple, Protocol

from protocols.ask.score import Evaluation
from protocols.child.process import GRACE, Process, close_all
from protocols.errors import CannotSay, EngineRefused


class TimeControl(Protocol):
    """The time control that a client gets; all times are in seconds.

    `kind` is empty (no clock), sudden, increment, byoyomi, canadian, move or hourglass. `period`
    and `count` are the increment, `count` periods of byo-yomi, or `count` stones per period. The
    `str` of a time control is its form in the line protocol.
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
        """The number of periods, or of stones per period."""

    @property
    def depth(self) -> int | None:
        """The search depth."""

    @property
    def nodes(self) -> int | None:
        """The number of nodes to search."""

    @property
    def visits(self) -> int | None:
        """The number of nodes to search, in the word that Go engines use."""


class ClockTime(NamedTuple):
    """The time on a side's clock: the main time, or the running period and the periods left.

    `periods` includes the running period. Under a Canadian clock it is the number of stones still
    to play; in main time it is 0.
    """

    seconds: float
    periods: int = 0


class Reply(NamedTuple):
    """An engine's move and its evaluation.

    `seconds` runs from the writing of the command to the arrival of the move. The score in
    `evaluation` is seen from the side that moved. `others` are the lines that the engine gave with
    other moves, the best first.
    """

    move: str
    seconds: float
    evaluation: Evaluation = Evaluation()
    expected: str = ""  # The answer that the engine would like to ponder on.
    looked: float = 0.0  # When the last wait before the move began; see `Process.looked`.
    others: tuple[Evaluation, ...] = ()


class Client(ABC):
    """One side of a conversation with an engine; call `greet` first and `close` last.

    Sides are `b` and `w`, moves are texts of the engine's own protocol; `resign`, `pass` and `win`
    are in lower case. Every method has one absolute deadline (of `time.monotonic`). It raises
    EngineError if the engine fails, EngineRefused if the engine declines, and CannotSay if the
    protocol has no words for the request.
    """

    protocol: ClassVar[str]

    def __init__(self, process: Process) -> None:
        self.process = process
        self.name = process.name
        self.version = ""

    @abstractmethod
    def greet(self, deadline: float) -> None:
        """Ask for the engine's name, version and abilities."""

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
        """Begin a game; `position` is a set-up in the notation of the protocol."""

    @abstractmethod
    def note(self, side: str, move: str) -> None:
        """Keep a move for the engine: it is sent, and may be refused, with the next question."""

    def settle(self, deadline: float) -> None:  # noqa: B027  # USI has nothing to do.
        """Send the moves kept by `note` now, and raise EngineRefused if one is refused."""

    def play(self, side: str, move: str, deadline: float) -> None:
        """Send a move immediately."""
        self.note(side, move)
        self.settle(deadline)

    def roll(self, throw: int, deadline: float) -> None:
        """Send a throw of the referee's dice immediately."""
        self.note_throw(throw)
        self.settle(deadline)

    @abstractmethod
    def genmove(
        self,
        side: str,
        deadline: float,
        own: ClockTime | None = None,
        other: ClockTime | None = None,
    ) -> Reply:
        """Ask for a move, which the engine then has played; `own` and `other` are the clocks."""

    @abstractmethod
    def repeat(self, preparation: Sequence[str], asked: Sequence[str], deadline: float) -> Reply:
        """Send the commands of a transcript again; the commands in `asked` ask for a move."""

    @abstractmethod
    def undo(self, deadline: float) -> None:
        """Take back the last move."""

    @abstractmethod
    def set_option(self, name: str, value: str, deadline: float) -> None:
        """Set one of the engine's options."""

    def draws(self, deadline: float) -> bool:
        """Whether the engine has a random `seed` that may be set without loss of strength."""
        return False

    @abstractmethod
    def tell(self, command: str, deadline: float) -> None:
        """Send a command that the user configured; only a refusal of it has a consequence."""

    def allow_pondering(self, deadline: float) -> None:
        """Let the engine think on its opponent's time, if it has a switch for that."""
        raise CannotSay(f"the protocol {self.protocol} has no pondering")

    def ponder(  # noqa: B027  # A GTP engine ponders by itself.
        self,
        side: str,
        expected: str,
        deadline: float,
        own: ClockTime | None,
        other: ClockTime | None,
    ) -> None:
        """Let the engine of `side` think about its answer to a move that it expects."""

    def end_game(self, won: bool | None, deadline: float) -> None:  # noqa: B027  # GTP has no word.
        """Tell the engine that the game is over, so that it stops thinking; None is no winner."""

    def note_throw(self, throw: int) -> None:
        """Keep a throw of the referee's dice, as `note` keeps a move."""
        raise EngineRefused(f"roll {throw}", f"{self.protocol} knows no dice")

    def close(self, grace: float = GRACE) -> None:
        """Send `quit`, and end the process and its group within `grace` seconds."""
        close_clients([self], grace)


def close_clients(clients: Iterable[Client], grace: float = GRACE) -> None:
    """Close several engines with one common grace period."""
    close_all([client.process for client in clients], grace, "quit")
