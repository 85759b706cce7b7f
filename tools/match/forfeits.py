"""The ways in which an engine loses a game by a fault of its program."""

from typing import Final

from engines.core.errors import QuintetError
from engines.core.game import InvalidText, Side
from protocols.ask.text import plain
from protocols.errors import CannotSay, EngineError, EngineExited, EngineRefused, EngineTimeout
from tools.records.game import Verdict

_LONGEST_REASON: Final = 500  # Characters; reasons quote engines.


class Forfeit(QuintetError):
    """A side loses the game through its own fault: which side, how and why."""

    def __init__(
        self, side: Side, verdict: Verdict, reason: str, *, offence: str = "", stderr: str = ""
    ) -> None:
        reason = plain(reason, _LONGEST_REASON)
        super().__init__(reason)
        self.side = side
        self.verdict = verdict
        self.reason = reason
        self.offence = offence
        self.stderr = stderr
        self.code: int | None = None
        self.late = 0.0  # The seconds of a move that came too late.


class ForfeitOnError:
    """Turn an engine's error outside its own turn into a forfeit of its side."""

    def __init__(self, side: Side) -> None:
        self._side = side

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, EngineTimeout):
            reason = f"stall: {error}"
            raise Forfeit(self._side, Verdict.STALL, reason, stderr=error.stderr) from error
        if isinstance(error, EngineExited):
            raise crashed(self._side, error) from error
        if isinstance(error, (EngineError, EngineRefused)):
            raise broken(self._side, error) from error
        if isinstance(error, CannotSay):
            raise InvalidText(str(error)) from error


def not_received(side: Side, move: str, error: EngineError | EngineRefused) -> Forfeit:
    """Return the forfeit of a side that did not accept the last move of a game."""
    if isinstance(error, EngineTimeout):
        reason = f"stall: {error}, told {move}"
        return Forfeit(side, Verdict.STALL, reason, stderr=error.stderr)
    return crashed(side, error) if isinstance(error, EngineExited) else broken(side, error)


def crashed(side: Side, error: EngineExited) -> Forfeit:
    """Return the forfeit of a side whose program has ended."""
    forfeit = Forfeit(side, Verdict.CRASH, f"crash: {error}", stderr=error.stderr)
    forfeit.code = error.code
    return forfeit


def broken(side: Side, error: EngineError | EngineRefused) -> Forfeit:
    """Return the forfeit of a side that broke its protocol, or refused what it must do."""
    stderr = error.stderr if isinstance(error, EngineError) else ""
    return Forfeit(side, Verdict.PROTOCOL, f"protocol: {error}", stderr=stderr)


def printable(text: str) -> str:
    """Return a move as a reason quotes it."""
    return repr(text[:40]) if not text.isprintable() or len(text) > 40 else text
