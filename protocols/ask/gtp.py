"""The asking side of GTP."""

import contextlib
from collections.abc import Mapping
from typing import ClassVar, Final

from protocols.ask.contract import ClockTime, Reply, TimeControl
from protocols.ask.framed import FramedClient
from protocols.child.process import Process
from protocols.errors import CannotSay, EngineRefused

_INFO_WORDS: Final = ("info", "depth", "nodes", "time", "score", "pv")
_PONDERING: Final = (
    "lz-setoption name pondering value true",
    "kata-set-param ponderingEnabled true",
    "kata-set-param ponder true",
)


class GtpClient(FramedClient):
    """The asking side of GTP version 2, with common extensions if the engine lists them.

    If the engine lists `quintet-evaluation`, that command is sent in the same write as `genmove`;
    its reply is an `info` line of the line protocol, or empty.

    `variant` is a rule set, which is set by `kata-set-rules` or `kgs-rules`. An engine that knows
    neither plays by its own rules, and `tell_rules` returns False. `settings` are `size` (`19` or
    `9x13`), `komi`, `rules` (the rule set as JSON of KataGo), `kgs-rules` (the name of the rule set
    on KGS; empty if it has none), and `handicap` (a number of fixed stones, or points). GTP cannot
    express every clock. What it cannot express is rounded down: byo-yomi to its last period, an
    increment to no increment, fractions to whole seconds.
    """

    protocol: ClassVar[str] = "gtp"

    def __init__(self, process: Process) -> None:
        super().__init__(process)
        self._decimals = False
        self._one_period = False
        self._rules: dict[tuple[str, str, str], str] = {}  # The command that the engine accepted.

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
            raise CannotSay("GTP has no command for a position: play its moves instead")
        commands = []
        remaining = dict(settings or {})
        if size := remaining.pop("size", ""):
            columns, _, rows = size.partition("x")
            if rows and rows != columns:
                word = "rectangular_boardsize"
                if not self.known(word):  # GNU Go reads the first number, and plays on 9x9.
                    raise CannotSay(f"the engine has no {word}: it knows only square boards")
                commands.append(f"{word} {columns} {rows}")
            else:
                commands.append(f"boardsize {columns}")
        commands.append("clear_board")
        kgs = remaining.pop("kgs-rules", variant.replace("-", "_"))
        rules = self._rules_command(deadline, variant, remaining.pop("rules", ""), kgs)
        if rules:
            commands.append(rules)
        if komi := remaining.pop("komi", ""):  # After the rules, which may change the komi.
            commands.append(f"komi {komi}")
        if control is not None:
            commands += self._time_commands(control)
        if handicap := remaining.pop("handicap", ""):
            commands += self._handicap_commands(handicap)
        if remaining:
            known = "size, komi, rules, kgs-rules, handicap"
            raise CannotSay(f"GTP knows no setting {min(remaining)!r} (known: {known})")
        self._all(commands, deadline)

    def tell_rules(self, deadline: float, variant: str, rules: str, kgs: str) -> bool:
        """Set the rules as `new_game` does; return False if the engine has no command for it."""
        return bool(self._rules_command(deadline, variant, rules, kgs))

    def _rules_command(self, deadline: float, variant: str, rules: str, kgs: str) -> str:
        """Return the command by which the engine accepts these rules; try each rule set once."""
        key = variant, rules, kgs
        if key not in self._rules:
            asked = [("kata-set-rules", rules), ("kata-set-rules", variant), ("kgs-rules", kgs)]
            commands = [f"{word} {name}" for word, name in asked if name and self.known(word)]
            self._rules[key] = ""
            for command in commands if variant else ():
                with contextlib.suppress(EngineRefused):
                    self.command(command, deadline)
                    self._rules[key] = command
                    break
        return self._rules[key]

    def place_handicap(self, stones: int, deadline: float) -> list[str]:
        """Let the engine choose the places of its handicap stones; raises as `command` does."""
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
                raise CannotSay(f"{self.name} has no kata-set-param for a number of visits")
            commands.append(f"kata-set-param maxVisits {visits}")
        if control.depth is not None:
            raise CannotSay("GTP has no command for a depth")
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
            arguments = f"{_whole(main, 0)} {_whole(period)} {count}"
            commands.append(f"kgs-time_settings byoyomi {arguments}")
        elif self.known("time_settings"):
            # In GTP a period of byo-yomi is a Canadian period for one stone.
            self._one_period = control.kind == "byoyomi"
            arguments = {
                "": "0 1 0",  # In the standard, time for no stones means that there is no limit.
                "byoyomi": f"{_whole(main, 0)} {_whole(period)} 1",
                "canadian": f"{_whole(main, 0)} {_whole(period)} {count}",
                "move": f"0 {_whole(main)} 1",
            }.get(control.kind, f"{_whole(main)} 0 0")
            commands.append(f"time_settings {arguments}")
        return commands

    def genmove(
        self,
        side: str,
        deadline: float,
        own: ClockTime | None = None,
        other: ClockTime | None = None,
    ) -> Reply:
        """Ask for a move and its evaluation; GTP can express only the clock of the mover."""
        clock = ""
        if own is not None and "time_left" in self._known:
            seconds = f"{own[0]:.2f}" if self._decimals else int(own[0])
            periods = min(own[1], 1) if self._one_period else own[1]
            clock = f"time_left {side} {seconds} {periods}"
        question = "quintet-evaluation" if "quintet-evaluation" in self._known else ""
        return self._generate(side, deadline, clock, question)

    def set_option(self, name: str, value: str, deadline: float) -> None:
        """Set an option by the engine's command of that name, or by `kata-set-param`."""
        if self.known(name):
            self.command(f"{name} {value}".rstrip(), deadline)
        elif self.known("kata-set-param"):
            self.command(f"kata-set-param {name} {value}", deadline)
        else:
            raise EngineRefused(name, f"{self.name} has no such command")

    def draws(self, deadline: float) -> bool:
        """Whether `seed` is random and `threads` is 1: a fixed seed allows no second thread."""
        if not self.known("kata-get-param"):
            return False
        asked = ("kata-get-param seed", "kata-get-param threads")
        return self.ask(asked, deadline) == ["random", "1"]

    def allow_pondering(self, deadline: float) -> None:
        """Use the first known switch; an engine without one ponders as its own settings say."""
        for command in _PONDERING:
            if self.known(command.partition(" ")[0]):
                with contextlib.suppress(EngineRefused):
                    self.command(command, deadline)
                    return


def _whole(seconds: float, least: int = 1) -> int:
    return max(int(seconds), least)
