"""The asking side of USI."""

import itertools
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from protocols.ask.contract import Client, ClockTime, Reply, TimeControl
from protocols.ask.score import INTEGER, Evaluation, Score, moves_of, whole
from protocols.ask.text import plain
from protocols.child.process import Process
from protocols.errors import CannotSay, EngineNonsense, EngineRefused, EngineTimeout

_OPTION_WORDS: Final = ("default", "min", "max", "var")
_MOST_OPTIONS: Final = 10_000
_KEPT: Final = 200  # At most this many lines of a search are kept.
_RANKS: Final = 9  # Of several lines of play, at most this many are kept.


@dataclass(frozen=True, slots=True)
class Option:
    """An option as the engine declares it; `least` and `most` limit a number, if they are given."""

    name: str
    kind: str
    default: str = ""
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()

    @classmethod
    def parse(cls, line: str) -> "Option | None":
        """Read `option name N type T ...`; return None for any other line."""
        name, separator, rest = line.removeprefix("option name ").partition(" type ")
        kind, *words = rest.split() or [""]
        if not separator or not name or not kind:
            return None
        fields: dict[str, list[list[str]]] = {word: [] for word in _OPTION_WORDS}
        current: list[str] = []
        for word in words:
            if word in fields:
                current = []
                fields[word].append(current)
            else:
                current.append(word)
        texts = {word: [" ".join(value) for value in values] for word, values in fields.items()}
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
        """Raise EngineRefused if the declaration does not allow a value."""
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

    `go` carries only the fields in use, because GPSShogi aborts if it gets an increment of 0. A
    fixed time per move is sent as byo-yomi, which all engines know, unless `movetime` is set. Of
    several byo-yomi periods only the last is sent. Our clocks include the increment in the time
    that is left; USI wants it apart, so it is subtracted.
    """

    protocol: ClassVar[str] = "usi"

    def __init__(self, process: Process) -> None:
        super().__init__(process)
        self.author = ""
        self.options: dict[str, Option] = {}
        self._start = "startpos"
        self._moves: list[str] = []
        self._control: TimeControl | None = None
        self._expected = ""  # The move that the engine ponders on.
        self.movetime = False

    def greet(self, deadline: float) -> None:
        """Send `usi` and read name, author and options until `usiok`."""
        self.process.send(deadline, "usi")
        other = ""
        while (line := self._greeting(deadline, other)) != "usiok":
            if not line.startswith(("id ", "option ")):
                other = other or line
            if line.startswith("id name "):
                self.name = plain(line.removeprefix("id name "))
            elif line.startswith("id author "):
                self.author = plain(line.removeprefix("id author "))
            elif line.startswith("option name ") and (option := Option.parse(line)) is not None:
                self.options[option.name] = option
                if len(self.options) > _MOST_OPTIONS:
                    raise self._nonsense(f"more than {_MOST_OPTIONS} options")

    def _greeting(self, deadline: float, other: str) -> str:
        """Return the next line of a greeting; `other` is quoted if none comes."""
        try:
            return self.process.read_line(deadline).rstrip()
        except EngineTimeout as error:
            if not other:
                raise
            message = f"{error}; it wrote {other[:80]!r} where a reply to 'usi' was due"
            raise EngineTimeout(message, error.stderr) from error

    def new_game(
        self,
        deadline: float,
        *,
        variant: str = "",
        position: str = "",
        settings: Mapping[str, str] | None = None,
        control: TimeControl | None = None,
    ) -> None:
        """Begin a game from `position`, an SFEN with or without the word `sfen`.

        Only the referee knows the variant: USI has no word for it.
        """
        if settings:
            raise CannotSay(f"USI knows no setting {min(settings)!r}")
        if control is not None and control.kind == "canadian":
            raise CannotSay("USI has no words for a Canadian clock")
        self._control = control
        self._moves.clear()
        self._expected = ""
        self._start = f"sfen {position.removeprefix('sfen ')}" if position else "startpos"
        if position == "startpos":
            self._start = position
        self.process.send(deadline, "isready")
        while self.process.read_line(deadline).rstrip() != "readyok":
            pass  # Skip what the engine still writes about the game before.
        self.process.send(deadline, "usinewgame")

    def tell(self, command: str, deadline: float) -> None:
        """Send a command; no answer is expected."""
        self.process.send(deadline, command)

    def note(self, side: str, move: str) -> None:
        """Note a move; it is sent with the next `go`, because `position` has no answer."""
        self._moves.append(move)

    def undo(self, deadline: float) -> None:
        """Forget the last move."""
        if not self._moves:
            raise EngineRefused("undo", "no move to take back")
        self._moves.pop()

    def set_option(self, name: str, value: str, deadline: float) -> None:
        """Set an option; raises EngineRefused if the engine does not declare or allow it."""
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
        self,
        side: str,
        deadline: float,
        own: ClockTime | None = None,
        other: ClockTime | None = None,
    ) -> Reply:
        """Ask for a move; a late answer to an earlier question is an error."""
        go = self._go(side, own, other)
        lines = self.process.unread()
        for line in lines:
            if line.startswith("bestmove"):
                raise self._nonsense(f"{line[:80]!r} before it was asked")
        start = time.monotonic()
        expected, self._expected = self._expected, ""
        if expected and self._moves[-1] == expected:
            self.process.send(deadline, "ponderhit")
        else:
            lines.clear()
            if expected:
                self.process.send(deadline, "stop")
                while not self.process.read_line(deadline).startswith("bestmove"):
                    pass  # Skip the answer to a move that was not played.
            self.process.send(deadline, self._position(), go)
        reply = self._read_answer(start, lines, deadline)
        if reply.move not in ("resign", "win"):
            self._moves.append(reply.move)
        return reply

    def repeat(self, preparation: Sequence[str], asked: Sequence[str], deadline: float) -> Reply:
        """Send the commands of a transcript again, and wait for `readyok` after `isready`."""
        for command in preparation:
            self.process.send(deadline, command)
            while command == "isready" and self.process.read_line(deadline).rstrip() != "readyok":
                pass
        start = time.monotonic()
        self.process.send(deadline, *asked)
        return self._read_answer(start, [], deadline)

    def _read_answer(self, start: float, lines: list[str], deadline: float) -> Reply:
        """Read lines until the move; return it with the evaluation in the last lines before it."""
        others: dict[int, str] = {}
        while not (line := self.process.read_line(deadline)).startswith("bestmove"):
            if (rank := _rank(line)) > 1:
                if rank <= _RANKS:
                    others[rank] = line
                continue
            lines.append(line)
            if len(lines) > _KEPT:
                lines = [line for line in lines if _is_score(line)][-_KEPT // 2 :]
        seconds = time.monotonic() - start
        exact = bound = ""
        for each in filter(_is_score, lines):
            if " lowerbound" in each or " upperbound" in each:
                bound = each
            else:
                exact = each
        words = line.split()
        if len(words) < 2 or words[0] != "bestmove":
            raise self._nonsense(f"{line[:80]!r} where `bestmove MOVE` was expected")
        move = words[1]
        evaluation = parse_info(exact)
        if bound and not evaluation.line.startswith(move):
            # When a search is cut short, its last line may be the only one about its move.
            bounded = parse_info(bound)
            if not exact or bounded.line.startswith(move):
                evaluation = bounded
        expected = words[3] if words[2:3] == ["ponder"] and len(words) > 3 else ""
        rest = tuple(_other_lines(move, [others[rank] for rank in sorted(others)]))
        return Reply(move, seconds, evaluation, expected, self.process.looked, rest)

    def allow_pondering(self, deadline: float) -> None:
        """Set `USI_Ponder`, if the engine declares it."""
        if "USI_Ponder" in self.options:
            self.set_option("USI_Ponder", "true", deadline)

    def ponder(
        self,
        side: str,
        expected: str,
        deadline: float,
        own: ClockTime | None,
        other: ClockTime | None,
    ) -> None:
        """Send the position after the expected move, and `go ponder` with the present clocks."""
        go = self._go(side, own, other).replace("go", "go ponder", 1)
        self.process.send(deadline, self._position(expected), go)
        self._expected = expected

    def end_game(self, won: bool | None, deadline: float) -> None:
        """Stop pondering and send `gameover`; the next `isready` skips what is still written."""
        result = "draw" if won is None else "win" if won else "lose"
        words = [*(["stop"] if self._expected else []), f"gameover {result}"]
        self._expected = ""
        self.process.send(deadline, *words)

    def _position(self, *more: str) -> str:
        moves = [*self._moves, *more]
        return f"position {self._start}" + (f" moves {' '.join(moves)}" if moves else "")

    def _nonsense(self, what: str) -> EngineNonsense:
        return EngineNonsense(f"{self.process.name} wrote {what}", self.process.stderr)

    def _go(self, side: str, own: ClockTime | None, other: ClockTime | None) -> str:
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
            raise CannotSay("without time, depth or nodes a USI engine would think for ever")
        return " ".join(words)


def _is_score(line: str) -> bool:
    """Whether an `info` line holds the score of the best move."""
    if not line.startswith("info ") or " score " not in line or " string " in line:
        return False
    return " multipv " not in line or " multipv 1 " in line


def _rank(line: str) -> int:
    """Return the number of a line of play among several; 0 if a line does not say it."""
    fields, _, _ = line.partition(" pv ")
    _, _, rest = fields.partition(" multipv ")
    return whole(rest.partition(" ")[0]) or 0 if " string " not in fields else 0


def _other_lines(move: str, lines: Sequence[str]) -> Iterator[Evaluation]:
    """Yield the lines of play that begin with other moves than the best one.

    The last lines of a rank may be of an earlier depth, where the order of the moves was another.
    """
    seen = {move}
    for line in lines:
        evaluation = parse_info(line)
        first = evaluation.line.partition(" ")[0]
        if first and first not in seen:
            seen.add(first)
            yield evaluation


def parse_info(line: str) -> Evaluation:
    """Read what an `info` line says about the best move."""
    fields, _, line_of_play = line.partition(" pv ")
    words = fields.split()
    values: dict[str, str] = dict(itertools.pairwise(words))
    score = None
    if values.get("score") in ("cp", "mate"):
        score = Score.parse(" ".join(words[words.index("score") + 1 :]))
    return Evaluation(
        score,
        moves_of(line_of_play),
        whole(values.get("depth", "")),
        whole(values.get("nodes", "")),
    )


def _left(control: TimeControl, left: ClockTime | None) -> int:
    if control.kind == "move":
        return 0
    seconds = control.main if left is None else 0.0 if left[1] else left[0]
    return max(_ms(seconds - (control.period if control.kind == "increment" else 0.0)), 0)


def _ms(seconds: float) -> int:
    # Clocks are floats: 0.3 s must not become 299 ms.
    return int(seconds * 1000 + 1e-6)


def _number(texts: Sequence[str]) -> int | None:
    return int(texts[0]) if texts and INTEGER.fullmatch(texts[0]) else None
