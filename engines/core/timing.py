"""Time controls as text, the clock of one side, and the time to spend on a move."""

import re
from dataclasses import dataclass, replace
from typing import Final

from engines.core.game import InvalidText
from engines.core.search import Limits

MARGIN: Final = 0.05  # Seconds that are kept back for pipes and schedulers.
LONGEST: Final = 10**9  # Seconds: 30 years, which every program can still read.
MOST: Final = 10**15  # Nodes: a billion seconds of the fastest engines.
NOTHING: Final = 1e-6  # So many seconds are none: a Canadian period with as many is used up.

_NUMBER = r"(\d+(?:\.\d+)?)"
_FORMS: Final = (
    ("sudden", re.compile(_NUMBER)),
    ("increment", re.compile(rf"{_NUMBER}\+{_NUMBER}")),
    ("byoyomi", re.compile(rf"{_NUMBER}\+(\d+)x{_NUMBER}")),
    ("canadian", re.compile(rf"{_NUMBER}\+(\d+)/{_NUMBER}")),
    ("move", re.compile(rf"{_NUMBER}/move")),
    ("hourglass", re.compile(rf"{_NUMBER}h")),
)
_EXPECTED: Final = (
    "600, 600+5, 600+5x30, 600+25/300, 1/move, 60h, depth=8, nodes=1000 or visits=200"
)


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The time of a side, in seconds; without a `kind` there is no clock.

    `period` is an increment, or the length of a period; `count` is the number of byo-yomi periods,
    or of stones per Canadian period.
    """

    kind: str = ""
    main: float = 0.0
    period: float = 0.0
    count: int = 0
    depth: int | None = None
    nodes: int | None = None
    visits: int | None = None

    @classmethod
    def parse(cls, text: str) -> "TimeControl":
        """Read a time control such as `600+5,visits=200`; raises InvalidText."""
        control = cls()
        for number, part in enumerate(text.strip().split(",")):
            key, equals, value = part.strip().partition("=")
            if equals:
                if key not in ("depth", "nodes", "visits"):
                    raise InvalidText(f"no such limit: {key!r} (known: depth, nodes, visits)")
                if not (value.isascii() and value.isdigit() and value.strip("0")):
                    raise InvalidText(f"{key} must be a whole number above 0, not {value!r}")
                if len(value) > len(str(MOST)) or int(value) > MOST:
                    raise InvalidText(f"{key} must be at most {MOST}")
                if getattr(control, key) is not None:
                    raise InvalidText(f"{key} is given twice in {text!r}")
                limit = int(value)
                if key == "depth":
                    control = replace(control, depth=limit)
                elif key == "nodes":
                    control = replace(control, nodes=limit)
                else:
                    control = replace(control, visits=limit)
            elif number == 0:
                control = cls._clock(part.strip(), text)
            else:
                raise InvalidText(f"time control {text!r}: expected {_EXPECTED}")
        return control

    @classmethod
    def _clock(cls, part: str, text: str) -> "TimeControl":
        for kind, form in _FORMS:
            if (match := form.fullmatch(part)) is None:
                continue
            numbers = [float(number) for number in match.groups()]
            if max(numbers) > LONGEST:
                raise InvalidText(
                    f"time control {text[:40]!r}: a number is too large (at most {LONGEST})"
                )
            main, period, count = numbers[0], 0.0, 0
            if kind == "increment":
                period = numbers[1]
            elif kind in ("byoyomi", "canadian"):
                count, period = int(numbers[1]), numbers[2]
                if count < 1 or period <= 0:
                    raise InvalidText(f"time control {text!r}: a period needs time and a count")
            if kind == "increment" and period == 0:
                kind = "sudden"
            if main + period < NOTHING:
                raise InvalidText(f"time control {text!r}: no time at all")
            return cls(kind, main, period, count)
        raise InvalidText(f"time control {text!r}: expected {_EXPECTED}")

    def __str__(self) -> str:
        main, period = _plain(self.main), _plain(self.period)
        clock = {
            "": "",
            "sudden": main,
            "increment": f"{main}+{period}",
            "byoyomi": f"{main}+{self.count}x{period}",
            "canadian": f"{main}+{self.count}/{period}",
            "move": f"{main}/move",
            "hourglass": f"{main}h",
        }[self.kind]
        limits = (f"{key}={getattr(self, key)}" for key in ("depth", "nodes", "visits"))
        given = (limit for limit in limits if not limit.endswith("=None"))
        return ",".join(part for part in (clock, *given) if part)

    def limits(self) -> Limits:
        """Return the limits of depth and nodes; visits count as nodes."""
        return Limits(depth=self.depth, nodes=self.visits if self.nodes is None else self.nodes)


def _plain(seconds: float) -> str:
    """Write a number of seconds without an exponent, which time controls do not have."""
    return f"{seconds:.9f}".rstrip("0").rstrip(".")


class Clock:
    """The clock of one side under a time control."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.main = control.main
        if control.kind == "increment" and control.main == 0:
            self.main = control.period  # Otherwise the flag would fall before the first move.
        self.periods = control.count  # Remaining byo-yomi periods, or stones of a Canadian period.
        self.period = 0.0  # The rest of the current Canadian period; 0 before the first one.

    @property
    def running(self) -> bool:
        """Whether there is a clock."""
        return self.control.kind != ""

    def available(self) -> float:
        """Return the seconds until the flag falls if no move is made."""
        control = self.control
        if not control.kind:
            return float("inf")
        if control.kind == "byoyomi":
            return self.main + self.periods * control.period
        if control.kind == "canadian":
            return self.period if self.main <= 0 and self.period > 0 else self.main + control.period
        return self.main

    def charge(self, seconds: float) -> bool:
        """Subtract the time of a move; return False if the flag fell before the move."""
        control = self.control
        if not control.kind:
            return True
        if seconds > self.available():
            self.main, self.period, self.periods = 0.0, 0.0, 0
            return False
        if control.kind == "move":
            return True
        if control.kind in ("sudden", "hourglass"):
            self.main -= seconds
        elif control.kind == "increment":
            self.main += control.period - seconds
        elif control.kind == "byoyomi":
            over = seconds - self.main
            self.main = max(0.0, -over)
            while over > control.period:  # A period is lost only when it is used up.
                over -= control.period
                self.periods -= 1
        else:
            self._charge_canadian(seconds)
        return True

    def _charge_canadian(self, seconds: float) -> None:
        if self.main >= seconds and self.period <= 0:
            self.main -= seconds
            return
        if self.period <= 0:  # The main time ran out during this move.
            seconds -= self.main
            self.main, self.period, self.periods = 0.0, self.control.period, self.control.count
        self.period -= seconds
        self.periods -= 1
        if self.periods == 0:
            self.period, self.periods = self.control.period, self.control.count

    def credit(self, seconds: float) -> None:
        """Add the time that the opponent has used, if this is an hourglass."""
        if self.control.kind == "hourglass":
            self.main += seconds

    def left(self, elapsed: float = 0.0) -> tuple[float, int]:
        """Return the remaining seconds, and the number of periods or stones they are for.

        `elapsed` is the time of a move that is not charged yet. The number is 0 while the main
        time runs.
        """
        control, main = self.control, self.main
        if control.kind == "canadian" and (self.period > 0 or elapsed >= main):
            over = elapsed if self.period > 0 else elapsed - max(main, 0.0)
            return max((self.period or control.period) - over, 0.0), self.periods
        if control.kind == "byoyomi" and elapsed >= main:
            used, rest = divmod(elapsed - max(main, 0.0), control.period)
            if used >= self.periods:
                return 0.0, 0 if self.periods <= 0 else 1
            return control.period - rest, self.periods - int(used)
        return max(main - elapsed, 0.0), 0

    def set_left(self, seconds: float, periods: int = 0) -> None:
        """Set the clock to a controller's `time_left`; `periods` is 0 while the main time runs."""
        kind = self.control.kind
        if kind == "canadian" and periods > 0:
            # A controller that rounds to seconds may say 0; here 0 means that no period has begun.
            self.main, self.period, self.periods = 0.0, seconds or NOTHING, periods
        elif kind == "byoyomi" and periods > 0:
            # The rest of the current period is spent first, as main time is.
            self.main, self.periods = seconds, periods - 1
        else:
            self.main = seconds

    def allotment(self, moves: int, margin: float = MARGIN) -> float:
        """Return the seconds to spend on a move if about `moves` more moves follow."""
        control = self.control
        if not control.kind:
            return float("inf")
        share = self.main / max(moves, 1)
        if control.kind == "move":
            share = self.main
        elif control.kind == "increment":
            share += 0.8 * control.period
        elif control.kind == "byoyomi":
            if share < control.period:  # A period is lost when it is used up.
                share = max(share, self.main + control.period - margin)
        elif control.kind == "canadian":
            if self.main <= 0:
                share = (self.period or control.period) / (self.periods or control.count)
            else:
                share = max(share, control.period / control.count)
        return max(min(share, self.available() - margin), min(0.001, self.available() / 2))
