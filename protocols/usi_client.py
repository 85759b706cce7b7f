"""The asking side of USI."""

import itertools
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from protocols.contract import Client, Left, Reply, TimeControl
from protocols.errors import EngineNonsense, EngineRefused
from protocols.process import Process

_OPTION_WORDS: Final = ("default", "min", "max", "var")
_KEPT: Final = 200  # Lines of a search that are kept at most.
_BOUNDS: Final = ("lowerbound", "upperbound")


@dataclass(frozen=True, slots=True)
class Option:
    """An option as the engine declares it; a spin's limits are None where it names none."""

    name: str
    kind: str
    default: str = ""
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()

    @classmethod
    def parse(cls, line: str) -> "Option | None":
        """Read `option name N type T ...`; None when it is not that."""
        name, found, rest = line.removeprefix("option name ").partition(" type ")
        kind, *words = rest.split() or [""]
        if not found or not name or not kind:
            return None
        given: dict[str, list[list[str]]] = {word: [] for word in _OPTION_WORDS}
        current: list[str] = []
        for word in words:
            if word in given:
                current = []
                given[word].append(current)
            else:
                current.append(word)
        texts = {word: [" ".join(value) for value in values] for word, values in given.items()}
        default = (texts["default"] or [""])[0]
        return cls(
            name.strip(),
            kind,
            "" if default == "<empty>" else default,
            _number(texts["min"]),
            _number(texts["max"]),
            tuple(texts["var"]),
        )

    def check(self, value: str) -> None:
        """Raise EngineRefused for a value that the declaration does not allow."""
        expected = ""
        if self.kind == "check" and value not in ("true", "false"):
            expected = "true or false"
        elif self.kind == "combo" and self.choices and value not in self.choices:
            expected = f"one of {', '.join(self.choices)}"
        elif self.kind == "spin":
            number = _number([value])
            low = "" if self.least is None else f" from {self.least}"
            high = "" if self.most is None else f" to {self.most}"
            if (
                number is None
                or (self.least is not None and number < self.least)
                or (self.most is not None and number > self.most)
            ):
                expected = f"a whole number{low}{high}"
        if expected:
            raise EngineRefused(f"setoption {self.name}", f"{value!r} is not {expected}")


class UsiClient(Client):
    """The asking side of USI; Black is the first player of a shogi game.

    `go` carries exactly the fields in use: GPSShogi aborts on an increment of nothing. A fixed
    time for each move is told as byo-yomi, which all engines know, unless `movetime` is set;
    several periods are told as the last.
    An increment counts within the time that is left, and USI wants it apart, so it is taken off.
    """

    protocol: ClassVar[str] = "usi"

    def __init__(self, process: Process) -> None:
        super().__init__(process)
        self.author = ""
        self.options: dict[str, Option] = {}
        self._start = "startpos"
        self._moves: list[str] = []
        self._control: TimeControl | None = None
        self._expected = ""  # What the engine ponders on.
        self.movetime = False

    def greet(self, deadline: float) -> None:
        """Send `usi` and read name, author and options until `usiok`."""
        self.process.send(deadline, "usi")
        while (line := self.process.read_line(deadline).rstrip()) != "usiok":
            if line.startswith("id name "):
                self.name = line.removeprefix("id name ").strip()
            elif line.startswith("id author "):
                self.author = line.removeprefix("id author ").strip()
            elif line.startswith("option name ") and (option := Option.parse(line)) is not None:
                self.options[option.name] = option

    def new_game(
        self,
        deadline: float,
        *,
        variant: str = "",
        position: str = "",
        settings: Mapping[str, str] | None = None,
        control: TimeControl | None = None,
    ) -> None:
        """Begin a game from `position`, an SFEN with its first word or without; drain until ready.

        The variant is the referee's alone: USI has no word for one.
        """
        if settings:
            raise ValueError(f"USI knows no setting {min(settings)!r}")
        if control is not None and control.kind == "canadian":
            raise ValueError("USI has no words for a Canadian clock")
        self._control = control
        self._moves.clear()
        self._expected = ""
        self._start = f"sfen {position.removeprefix('sfen ')}" if position else "startpos"
        if position == "startpos":
            self._start = position
        self.process.send(deadline, "isready")
        while self.process.read_line(deadline).rstrip() != "readyok":
            pass  # Whatever a game left behind ends here.
        self.process.send(deadline, "usinewgame")

    def tell(self, command: str, deadline: float) -> None:
        """Send a command that has no answer."""
        self.process.send(deadline, command)

    def note(self, side: str, move: str) -> None:
        """Note a move; it is told with the next `go`, since `position` has no answer."""
        self._moves.append(move)

    def undo(self, deadline: float) -> None:
        """Forget the last move."""
        if not self._moves:
            raise EngineRefused("undo", "no move to take back")
        self._moves.pop()

    def set_option(self, name: str, value: str, deadline: float) -> None:
        """Set an option that the engine declared, to a value that it allows."""
        option = self.options.get(name)
        if option is None:
            known = ", ".join(sorted(self.options)) or "none"
            raise EngineRefused(f"setoption {name}", f"no such option (known: {known})")
        if option.kind == "button":
            self.process.send(deadline, f"setoption name {name}")
            return
        option.check(value)
        self.process.send(deadline, f"setoption name {name} value {value or '<empty>'}")

    def genmove(
        self, side: str, deadline: float, own: Left | None = None, other: Left | None = None
    ) -> Reply:
        """Ask for a move; an answer to an earlier question that comes only now is an error."""
        go = self._go(side, own, other)
        told = self.process.unread()
        for line in told:
            if line.startswith("bestmove"):
                raise self._nonsense(f"{line[:80]!r} before it was asked")
        start = time.monotonic()
        expected, self._expected = self._expected, ""
        if expected and self._moves[-1] == expected:
            self.process.send(deadline, "ponderhit")
        else:
            told.clear()
            if expected:
                self.process.send(deadline, "stop")
                while not self.process.read_line(deadline).startswith("bestmove"):
                    pass  # What it thinks of a move that was not played.
            self.process.send(deadline, self._position(), go)
        reply = self._read_answer(start, told, deadline)
        if reply.move not in ("resign", "win"):
            self._moves.append(reply.move)
        return reply

    def repeat(self, told: Sequence[str], asked: Sequence[str], deadline: float) -> Reply:
        """Send commands that a transcript has; `isready` is waited for."""
        for command in told:
            self.process.send(deadline, command)
            while command == "isready" and self.process.read_line(deadline).rstrip() != "readyok":
                pass
        start = time.monotonic()
        self.process.send(deadline, *asked)
        return self._read_answer(start, [], deadline)

    def _read_answer(self, start: float, told: list[str], deadline: float) -> Reply:
        """Read lines until the move, and return it with what the last ones say of it."""
        while not (line := self.process.read_line(deadline)).startswith("bestmove"):
            told.append(line)
            if len(told) > _KEPT:
                told = [line for line in told if _is_score(line)][-_KEPT // 2 :]
        seconds = time.monotonic() - start
        exact = bound = ""
        for each in filter(_is_score, told):
            if " lowerbound" in each or " upperbound" in each:
                bound = each
            else:
                exact = each
        words = line.split()
        if len(words) < 2 or words[0] != "bestmove":
            raise self._nonsense(f"{line[:80]!r} where `bestmove MOVE` was expected")
        move = words[1]
        reply = Reply(move, seconds)
        if words[2:3] == ["ponder"] and len(words) > 3:
            reply = reply._replace(expected=words[3])
        found = searched(reply, exact) if exact else reply
        if bound and not found.pv.startswith(move):
            # The last line of a search cut short may be all that speaks of the move it chose.
            other_found = searched(reply, bound)
            if not exact or other_found.pv.startswith(move):
                found = other_found
        return found

    def allow_pondering(self, deadline: float) -> None:
        """Set the option for it, where the engine declares one."""
        if "USI_Ponder" in self.options:
            self.set_option("USI_Ponder", "true", deadline)

    def ponder(
        self, side: str, expected: str, deadline: float, own: Left | None, other: Left | None
    ) -> None:
        """Send the position after the expected move, and `go ponder` with the clocks of now."""
        go = self._go(side, own, other).replace("go", "go ponder", 1)
        self.process.send(deadline, self._position(expected), go)
        self._expected = expected

    def end_game(self, won: bool | None, deadline: float) -> None:
        """Stop pondering and send `gameover`; `isready` of the next game drains what comes."""
        result = "draw" if won is None else "win" if won else "lose"
        words = [*(["stop"] if self._expected else []), f"gameover {result}"]
        self._expected = ""
        self.process.send(deadline, *words)

    def _position(self, *more: str) -> str:
        moves = [*self._moves, *more]
        return f"position {self._start}" + (f" moves {' '.join(moves)}" if moves else "")

    def _nonsense(self, what: str) -> EngineNonsense:
        return EngineNonsense(f"{self.name} wrote {what}", self.process.stderr)

    def _go(self, side: str, own: Left | None, other: Left | None) -> str:
        control = self._control
        words = ["go"]
        if control is not None and control.kind == "move" and self.movetime:
            words.append(f"movetime {_ms(control.main)}")
        elif control is not None and control.kind:
            mine, theirs = _left(control, own), _left(control, other)
            black, white = (mine, theirs) if side == "b" else (theirs, mine)
            words.append(f"btime {black} wtime {white}")
            if control.kind == "increment":
                words.append(f"binc {_ms(control.period)} winc {_ms(control.period)}")
            else:
                period = control.main if control.kind == "move" else control.period
                words.append(f"byoyomi {_ms(period)}")
        nodes = None
        if control is not None:
            nodes = control.visits if control.nodes is None else control.nodes
            if control.depth is not None:
                words.append(f"depth {control.depth}")
        if nodes is not None:
            words.append(f"nodes {nodes}")
        if len(words) == 1:
            raise ValueError("a USI engine without time, depth or nodes thinks for ever")
        return " ".join(words)


def _is_score(line: str) -> bool:
    """Whether a line tells the score of the best move."""
    if not line.startswith("info ") or " score " not in line or " string " in line:
        return False
    return " multipv " not in line or " multipv 1 " in line


def searched(reply: Reply, info: str) -> Reply:
    """Return a reply with what an `info` line of USI says about it."""
    fields, _, pv = info.partition(" pv ")
    words = fields.split()
    told: dict[str, str] = dict(itertools.pairwise(words))
    score = ""
    if told.get("score") in ("cp", "mate"):
        at = words.index("score")
        score = " ".join(words[at + 1 : at + 3])
        score += "".join(f" {word}" for word in words[at + 3 :] if word in _BOUNDS)
    return reply._replace(
        score=score,
        pv=pv.strip(),
        depth=_number([told.get("depth", "")]),
        nodes=_number([told.get("nodes", "")]),
    )


def _left(control: TimeControl, left: Left | None) -> int:
    if control.kind == "move":
        return 0
    seconds = control.main if left is None else 0.0 if left[1] else left[0]
    return max(_ms(seconds - (control.period if control.kind == "increment" else 0.0)), 0)


def _ms(seconds: float) -> int:
    # A clock counts in floats: 0.3 s must not become 299 ms.
    return int(seconds * 1000 + 1e-6)


def _number(texts: list[str]) -> int | None:
    try:
        return int(texts[0])
    except (IndexError, ValueError):
        return None
