"""The asking side of GTP, and of the line protocol that shares its frames."""

import contextlib
import time
from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from protocols.contract import Client, Left, Reply, TimeControl
from protocols.errors import EngineError, EngineNonsense, EngineRefused
from protocols.process import Process

STRAYS: Final = 1000  # Lines outside any reply that are passed over while waiting for one.
LONGEST_REPLY: Final = 1 << 20  # Characters.
ANSWER: Final = 1.0  # Seconds for what is asked about a move that is in, beyond its deadline.
_INFO_WORDS: Final = ("info", "depth", "nodes", "time", "score", "pv")
_PONDERING: Final = (
    "lz-setoption name pondering value true",
    "kata-set-param ponderingEnabled true",
    "kata-set-param ponder true",
)
_REQUIRED: Final = (
    *("protocol_version", "name", "version", "known_command", "list_commands", "quit"),
    *("boardsize", "clear_board", "komi", "play", "genmove"),
)


class FramedClient(Client):
    """Numbered commands, and replies framed by `=` or `?` and an empty line."""

    def __init__(self, process: Process) -> None:
        super().__init__(process)
        self.commands: Sequence[str] = ()
        self.strays = 0
        self._number = 0
        self._noted: list[str] = []  # Moves and throws that go out with the next question.
        self._known: frozenset[str] = frozenset()

    def command(self, text: str, deadline: float) -> str:
        """Send a command and return its reply's text; raises EngineRefused for a `?` reply."""
        self.settle(deadline)
        self._number = number = self._number + 1
        self.process.send(deadline, f"{number} {text}")
        reply = self._read_reply(number, text, deadline)
        if isinstance(reply, str):
            return reply
        raise reply

    def settle(self, deadline: float) -> None:
        """Tell the moves that were noted; raises the first refusal after all replies are read."""
        if self._noted:
            noted, self._noted = self._noted, []
            self._all(noted, deadline)

    def ask(self, commands: Sequence[str], deadline: float) -> list[str | EngineRefused]:
        """Send commands in one write and return all their replies, refusals unraised."""
        self.settle(deadline)
        first = self._number + 1
        self._number += len(commands)
        self.process.send(deadline, *[f"{n} {text}" for n, text in enumerate(commands, first)])
        return [self._read_reply(n, text, deadline) for n, text in enumerate(commands, first)]

    def known(self, command: str) -> bool:
        """Whether the engine lists a command."""
        return command in self._known

    def _read_reply(self, number: int, command: str, deadline: float) -> str | EngineRefused:
        line = self.process.read_line(deadline)
        if line[:1] not in ("=", "?"):
            line = self._pass_over(line, command, deadline)
        told, _, text = line[1:].partition(" ")
        if told != str(number):
            raise self._nonsense(f"{line[:80]!r} where a reply to {number} {command!r} was due")
        if not self.process.skip_empty_line(deadline):
            read_line = self.process.read_line
            more = read_line(deadline)
            lines, size = [text], len(text)
            while more:
                lines.append(more)
                size += len(more)
                if size > LONGEST_REPLY:
                    raise self._nonsense(f"an endless reply to {command!r}")
                more = read_line(deadline)
            # The first line of a diagram begins below the `=`.
            text = "\n".join(lines[1:] if not text.strip() else lines).rstrip()
        else:
            text = text.strip()
        return text if line[0] == "=" else EngineRefused(command, text)

    def _pass_over(self, line: str, command: str, deadline: float) -> str:
        """Count the lines outside any reply, and return the first of the reply behind them."""
        strays = 0
        while line[:1] not in ("=", "?"):
            if line:
                strays += 1
                if strays > STRAYS:
                    raise self._nonsense(f"{strays} lines, but no reply to {command!r}")
            line = self.process.read_line(deadline)
        self.strays += strays
        return line

    def _nonsense(self, what: str) -> EngineNonsense:
        return EngineNonsense(f"{self.name} wrote {what}", self.process.stderr)

    def greet(self, deadline: float) -> None:
        """Ask name, version and commands."""
        told, name, version, commands = self.ask(
            ("protocol_version", "name", "version", "list_commands"), deadline
        )
        if told != "2":
            raise self._nonsense(f"protocol_version {told}, where 2 was expected")
        self.name = name if isinstance(name, str) and name else self.name
        self.version = version if isinstance(version, str) else ""
        self.commands = _REQUIRED
        if isinstance(commands, str):
            self.commands = [line.strip() for line in commands.splitlines()]
        self._known = frozenset(self.commands)

    def tell(self, command: str, deadline: float) -> None:
        """Send a command of the user's own."""
        self.command(command, deadline)

    def note(self, side: str, move: str) -> None:
        """Note a move; it goes out in one write with the next question."""
        self._noted.append(f"play {side} {move}")

    def undo(self, deadline: float) -> None:
        """Take the last move back."""
        self.command("undo", deadline)

    def _all(self, commands: Sequence[str], deadline: float) -> None:
        for reply in self.ask(commands, deadline):
            if not isinstance(reply, str):
                raise reply

    def repeat(self, told: Sequence[str], asked: Sequence[str], deadline: float) -> Reply:
        """Send commands that a transcript has, without their numbers."""
        self._all(told, deadline)
        start = time.monotonic()
        move, *answers = self.ask(asked, deadline)
        if not isinstance(move, str):
            raise move
        reply = Reply(move, time.monotonic() - start)
        return evaluated(reply, answers[0]) if answers and isinstance(answers[0], str) else reply

    def _generate(
        self, side: str, deadline: float, clock: str = "", question: str = ""
    ) -> tuple[Reply, str]:
        """Ask for a move and return it with the answer to a question about it.

        What was noted and the clock before it, and the question behind it, go out in the same
        write. Clock and question may be refused, and once the move is in, a failure to answer the
        question is not this move's. The refusal of a noted move is raised after all is read.
        """
        commands, self._noted = self._noted, []
        noted = len(commands)
        if clock:
            commands.append(clock)
        before = len(commands)
        commands.append(f"genmove {side}")
        if question:
            commands.append(question)
        number = self._number + 1
        self._number += len(commands)
        numbered = [f"{n} {text}" for n, text in enumerate(commands, number)]
        start = time.monotonic()
        self.process.send(deadline, *numbered)
        refused: EngineRefused | None = None
        for index in range(before):
            reply = self._read_reply(number + index, commands[index], deadline)
            if not isinstance(reply, str) and index < noted and refused is None:
                refused = reply
        number += before
        move = self._read_reply(number, commands[before], deadline)
        now = time.monotonic()
        answer: str | EngineRefused = ""
        if question:
            with contextlib.suppress(EngineError):
                answer = self._read_reply(number + 1, question, max(deadline, now + ANSWER))
        if refused is not None:
            raise refused
        if not isinstance(move, str):
            raise move
        if not move:
            raise self._nonsense("no move in its reply to genmove")
        if move.lower() in ("pass", "resign"):
            move = move.lower()
        return Reply(move, now - start), answer if isinstance(answer, str) else ""


class GtpClient(FramedClient):
    """The asking side of GTP version 2, with the common extensions where the engine lists them.

    Where it lists `quintet-evaluation`, that is asked in the same write as the move: its reply is
    an `info` line of the line protocol, or empty.

    `variant` is a rule set, told by `kata-set-rules` or `kgs-rules`; an engine that takes neither
    plays by its own, as `tell_rules` knows. `settings` are `size` (19 or 9x13), `komi`, `rules`
    (the rule set in KataGo's JSON), `kgs-rules` (its name on KGS, empty where it has none), and
    `handicap` (a number for fixed stones, or points). Clocks of kinds that the engine cannot be
    told are rounded down to what it can: byo-yomi to its last period, an increment to none,
    fractions to whole seconds.
    """

    protocol: ClassVar[str] = "gtp"

    def __init__(self, process: Process) -> None:
        super().__init__(process)
        self._decimals = False
        self._one_period = False
        self._rules: dict[tuple[str, str, str], str] = {}  # The command that was taken.

    def new_game(
        self,
        deadline: float,
        *,
        variant: str = "",
        position: str = "",
        settings: Mapping[str, str] | None = None,
        control: TimeControl | None = None,
    ) -> None:
        """Begin a game on an empty board."""
        self._noted.clear()
        if position:
            raise ValueError("GTP has no command for a position: play its moves instead")
        commands = []
        given = dict(settings or {})
        if size := given.pop("size", ""):
            columns, _, rows = size.partition("x")
            if rows and rows != columns:
                word = "rectangular_boardsize"
                commands.append(f"{word if self.known(word) else 'boardsize'} {columns} {rows}")
            else:
                commands.append(f"boardsize {columns}")
        commands.append("clear_board")
        kgs = given.pop("kgs-rules", variant.replace("-", "_"))
        rules = self._rules_command(deadline, variant, given.pop("rules", ""), kgs)
        if rules:
            commands.append(rules)
        if komi := given.pop("komi", ""):  # After the rules, which may bring a komi of their own.
            commands.append(f"komi {komi}")
        if control is not None:
            commands += self._time_commands(control)
        if handicap := given.pop("handicap", ""):
            commands += self._handicap_commands(handicap)
        if given:
            known = "size, komi, rules, kgs-rules, handicap"
            raise ValueError(f"GTP knows no setting {min(given)!r} (known: {known})")
        self._all(commands, deadline)

    def tell_rules(self, deadline: float, variant: str, rules: str, kgs: str) -> bool:
        """Tell the rules as `new_game` does; False says that the engine takes none of its words."""
        return bool(self._rules_command(deadline, variant, rules, kgs))

    def _rules_command(self, deadline: float, variant: str, rules: str, kgs: str) -> str:
        """Return the command by which the engine takes these rules; it is found out once."""
        key = variant, rules, kgs
        if key not in self._rules:
            asked = [("kata-set-rules", rules), ("kata-set-rules", variant), ("kgs-rules", kgs)]
            said = [f"{word} {name}" for word, name in asked if name and self.known(word)]
            self._rules[key] = ""
            for command in said if variant else ():
                with contextlib.suppress(EngineRefused):
                    self.command(command, deadline)
                    self._rules[key] = command
                    break
        return self._rules[key]

    def place_handicap(self, stones: int, deadline: float) -> list[str]:
        """Have the engine choose where its handicap stones stand; raises as `command` does."""
        return self.command(f"place_free_handicap {stones}", deadline).split()

    def _handicap_commands(self, handicap: str) -> list[str]:
        if handicap.isdigit():
            return [f"fixed_handicap {handicap}"]
        if self.known("set_free_handicap"):
            return [f"set_free_handicap {handicap}"]
        return [f"play b {point}" for point in handicap.split()]

    def _time_commands(self, control: TimeControl) -> list[str]:
        commands = []
        visits = control.nodes if control.visits is None else control.visits
        if visits is not None:
            if not self.known("kata-set-param"):
                raise ValueError(
                    f"{self.name} cannot be told a number of visits: no kata-set-param"
                )
            commands.append(f"kata-set-param maxVisits {visits}")
        if control.depth is not None:
            raise ValueError("GTP has no command for a depth")
        main, period, count = control.main, control.period, control.count
        kata = {
            "sudden": f"absolute {main:.10g}",
            "increment": f"fischer {main:.10g} {period:.10g}",
            "byoyomi": f"byoyomi {main:.10g} {period:.10g} {count}",
            "canadian": f"canadian {main:.10g} {period:.10g} {count}",
            "move": f"byoyomi 0 {main:.10g} 1",
        }.get(control.kind)
        self._decimals = kata is not None and self.known("kata-time_settings")
        self._one_period = False
        if self._decimals:
            commands.append(f"kata-time_settings {kata}")
        elif control.kind == "byoyomi" and self.known("kgs-time_settings"):
            told = f"{_whole(main, 0)} {_whole(period)} {count}"
            commands.append(f"kgs-time_settings byoyomi {told}")
        elif self.known("time_settings"):
            # To GTP a period of byo-yomi is one of a Canadian clock, for one stone.
            self._one_period = control.kind == "byoyomi"
            told = {
                "": "0 1 0",  # Time without stones is how the standard says no limit.
                "byoyomi": f"{_whole(main, 0)} {_whole(period)} 1",
                "canadian": f"{_whole(main, 0)} {_whole(period)} {count}",
                "move": f"0 {_whole(main)} 1",
            }.get(control.kind, f"{_whole(main)} 0 0")
            commands.append(f"time_settings {told}")
        return commands

    def genmove(
        self, side: str, deadline: float, own: Left | None = None, other: Left | None = None
    ) -> Reply:
        """Ask for a move and its evaluation; only the mover's clock can be told."""
        clock = ""
        if own is not None and "time_left" in self._known:
            seconds = f"{own[0]:.2f}" if self._decimals else int(own[0])
            periods = min(own[1], 1) if self._one_period else own[1]
            clock = f"time_left {side} {seconds} {periods}"
        question = "quintet-evaluation" if "quintet-evaluation" in self._known else ""
        reply, answer = self._generate(side, deadline, clock, question)
        return evaluated(reply, answer) if answer else reply

    def set_option(self, name: str, value: str, deadline: float) -> None:
        """Use the engine's command of that name, or its `kata-set-param`."""
        if self.known(name):
            self.command(f"{name} {value}".rstrip(), deadline)
        elif self.known("kata-set-param"):
            self.command(f"kata-set-param {name} {value}", deadline)
        else:
            raise EngineRefused(name, f"{self.name} has no such command")

    def draws(self, deadline: float) -> bool:
        """Whether its parameter `seed` is random, and `threads` 1: a seed allows no more."""
        if not self.known("kata-get-param"):
            return False
        asked = ("kata-get-param seed", "kata-get-param threads")
        return self.ask(asked, deadline) == ["random", "1"]

    def allow_pondering(self, deadline: float) -> None:
        """Use the switch that the engine has; most ponder as their own settings say."""
        for command in _PONDERING:
            if self.known(command.partition(" ")[0]):
                with contextlib.suppress(EngineRefused):
                    self.command(command, deadline)
                    return


class LineClient(FramedClient):
    """The asking side of the line protocol, which protocols/README.md describes.

    `settings` follow the variant as `key=value`. Where the engine lists `evaluation`, it is asked
    in the same write as the move: its reply is the search's last `info` line, or empty.
    """

    protocol: ClassVar[str] = "line"

    def __init__(self, process: Process) -> None:
        super().__init__(process)
        self._timed = False

    def new_game(
        self,
        deadline: float,
        *,
        variant: str = "",
        position: str = "",
        settings: Mapping[str, str] | None = None,
        control: TimeControl | None = None,
    ) -> None:
        """Begin a game."""
        self._noted.clear()
        words = ["newgame", variant, *(f"{key}={text}" for key, text in (settings or {}).items())]
        commands = [" ".join(word for word in words if word)]
        if position:
            commands.append(f"position {position}")
        told = "" if control is None else str(control)
        if told or self._timed:  # An engine is kept between games: an old clock must go.
            commands.append(f"time_settings {told or 'none'}")
        self._timed = bool(told)
        self._all(commands, deadline)

    def genmove(
        self, side: str, deadline: float, own: Left | None = None, other: Left | None = None
    ) -> Reply:
        """Ask for a move and its evaluation; only the mover's clock is told."""
        clock = ""
        if own is not None:
            periods = f" {own[1]}" if own[1] else ""
            clock = f"time_left {side} {own[0]:.3f}{periods}"
        question = "evaluation" if "evaluation" in self._known else ""
        reply, answer = self._generate(side, deadline, clock, question)
        return evaluated(reply, answer) if answer else reply

    def set_option(self, name: str, value: str, deadline: float) -> None:
        """Set an option."""
        self.command(f"option {name} {value}".rstrip(), deadline)

    def draws(self, deadline: float) -> bool:
        """Whether its option `seed` is random."""
        if not self.known("option"):
            return False
        (told,) = self.ask(("option seed",), deadline)
        return isinstance(told, str) and told.split()[:1] == ["random"]

    def note_throw(self, throw: int) -> None:
        """Note what the referee's dice show; it goes out as a move does."""
        self._noted.append(f"roll {throw}")


def evaluated(reply: Reply, info: str) -> Reply:
    """Return a reply with what an `info` line of the line protocol says about it."""
    words: dict[str, list[str]] = {key: [] for key in _INFO_WORDS}
    current: list[str] = []
    for word in info.split():
        if word in words and not words[word]:
            current = words[word]
        else:
            current.append(word)
    depth, nodes = (
        int(words[key][0]) if words[key] and words[key][0].isdecimal() else None
        for key in ("depth", "nodes")
    )
    return reply._replace(
        score=" ".join(words["score"]), pv=" ".join(words["pv"]), depth=depth, nodes=nodes
    )


def _whole(seconds: float, least: int = 1) -> int:
    return max(int(seconds), least)
