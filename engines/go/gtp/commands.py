"""The GTP commands of the standard, and those that clients of Leela Zero and KataGo use."""

import json
import math
import stat
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from engines.core.game import InvalidText
from engines.core.timing import TimeControl
from engines.go.gtp.dialects import Dialects, parse_stones
from engines.go.gtp.help import describe, help_lines
from engines.go.gtp.request import Handler, Request
from engines.go.gtp.settings import SettingCommands
from engines.go.gtp.thinking import ThinkingCommands
from engines.go.play.player import Player, parse_turn
from engines.go.rules.ruleset import (
    AREA,
    POSITIONAL,
    RULE_SETS,
    SIMPLE,
    SITUATIONAL,
    TERRITORY,
    find,
)
from engines.go.rules.text import LARGEST, SMALLEST, parse_komi

NAME: Final = "Quintet Go"
_NUMBERS: Final = {
    "none": 0,
    "absolute": 1,
    "canadian": 3,
    "byoyomi": 3,
    "fischer": 2,
    "fischer-capped": 2,
}
LARGEST_FILE: Final = 32 << 20  # Bytes; the longest game takes a hundredth of this.
_KO: Final = {kind.upper(): kind for kind in (SIMPLE, POSITIONAL, SITUATIONAL)}


class Commands:
    """The table of all handlers; each method handles one command or a few similar ones."""

    def __init__(self, player: Player, version: str) -> None:
        self.player = player
        self.version = version
        simple: dict[str, Handler] = {
            "help": self.help,
            "name": lambda request: player.settings.name or NAME,
            "version": lambda request: self.version,
            "boardsize": self.boardsize,
            "rectangular_boardsize": self.boardsize,
            "query_boardsize": lambda request: str(player.rules.width),
            "clear_board": self.clear_board,
            "clear_cache": self.clear_cache,
            "komi": self.komi,
            "get_komi": lambda request: f"{player.komi:g}",
            "fixed_handicap": self.fixed_handicap,
            "place_free_handicap": self.free_handicap,
            "set_free_handicap": self.set_free_handicap,
            "set_position": self.set_position,
            "play": self.play,
            "undo": self.undo,
            "gg-undo": self.undo,
            "final_score": lambda request: player.result(request.urgent),
            "final_status_list": self.final_status_list,
            "showboard": self.showboard,
            "loadsgf": self.loadsgf,
            "printsgf": self.printsgf,
            "time_settings": self.time_settings,
            "kgs-time_settings": self.kgs_time_settings,
            "kata-time_settings": self.kgs_time_settings,
            "kata-list_time_settings": lambda request: (
                "none absolute byoyomi canadian fischer fischer-capped"
            ),
            "time_left": self.time_left,
            "kata-get-rules": self.get_rules,
            "kata-set-rules": self.set_rules,
            "kata-set-rule": self.set_rule,
            "kgs-rules": self.kgs_rules,
            "cputime": lambda request: f"{time.process_time():.3f}",
            "gomill-cpu_time": lambda request: f"{time.process_time():.3f}",
        }
        self.settings = SettingCommands(player)
        self.table = (
            simple | ThinkingCommands(player).table | self.settings.table | Dialects(player).table
        )

    def help(self, request: Request) -> str:
        """Describe the commands, or one of them."""
        if not request.args:
            return "\n" + "\n".join(help_lines(self.settings.describe()))
        described = describe(request.args[0])
        if described is None:
            raise InvalidText(f"no help for {request.args[0]}: help lists the commands")
        return described

    def boardsize(self, request: Request) -> str:
        """Change the size and clear the board."""
        sizes = [_whole(word, "boardsize not an integer") for word in request.args[:2]]
        if not sizes:
            raise InvalidText("boardsize not an integer")
        if not all(SMALLEST <= size <= LARGEST for size in sizes):
            raise InvalidText("unacceptable size")
        self.player.clear(sizes[0], sizes[-1])
        return ""

    def clear_board(self, request: Request) -> str:
        """Start a game; komi, rules and time settings are kept."""
        self.player.clear()
        return ""

    def clear_cache(self, request: Request) -> str:
        """Forget the findings of earlier searches."""
        self.player.forget()
        return ""

    def komi(self, request: Request) -> str:
        """Set the komi."""
        try:
            komi = parse_komi(request.args[0] if request.args else "")
        except InvalidText as error:
            unacceptable = "unacceptable" in str(error)
            raise InvalidText(
                "unacceptable komi" if unacceptable else "komi not a float"
            ) from error
        self.player.set_komi(komi)
        return ""

    def fixed_handicap(self, request: Request) -> str:
        """Put handicap stones on the star points."""
        count = _whole(request.args[0] if request.args else "", "invalid handicap")
        return self._vertices(self.player.place_handicap(count))

    def free_handicap(self, request: Request) -> str:
        """Put handicap stones on points of our choice; fewer if there is no room for so many."""
        count = _whole(request.args[0] if request.args else "", "invalid handicap")
        if count < 2:
            raise InvalidText("invalid handicap")
        return self._vertices(self.player.choose_handicap(count))

    def set_free_handicap(self, request: Request) -> str:
        """Put handicap stones on the given points."""
        moves = [self.player.rules.parse_vertex(word) for word in request.args]
        if len(set(moves)) != len(moves):
            raise InvalidText("repeated vertex")
        if not 2 <= len(moves) < self.player.position.area:
            raise InvalidText("invalid handicap")
        self.player.set_up([(1, move) for move in moves], 1, len(moves))
        return ""

    def set_position(self, request: Request) -> str:
        """Clear the board and put stones on it; Black moves first."""
        stones = parse_stones(request.args, self.player.rules)
        texts = self.player.rules
        trial = texts.start()
        trial.put(stones, 0)
        if any(trial.board.cell(trial.board.point(move)) != colour for colour, move in stones):
            raise InvalidText("a chain has no liberty")
        self.player.clear()
        self.player.set_up(stones, 0)
        return ""

    def play(self, request: Request) -> str:
        """Make a move of either colour."""
        if len(request.args) < 2:
            raise InvalidText("invalid color or coordinate")
        try:
            turn = parse_turn(request.args[0])
            move = self.player.rules.parse_move(request.args[1])
        except InvalidText as error:
            raise InvalidText(f"invalid color or coordinate: {error}") from error
        self.player.play(turn, move)
        return ""

    def undo(self, request: Request) -> str:
        """Take back one move, or the given number of moves."""
        count = 1
        if request.name == "gg-undo" and request.args:
            count = _whole(request.args[0], "invalid number of moves")
        if count < 0:
            raise InvalidText("invalid number of moves")
        self.player.undo(count)
        return ""

    def final_status_list(self, request: Request) -> str:
        """List the chains that are alive, dead or in seki, one per line."""
        wanted = request.args[0].lower() if request.args else ""
        if wanted not in ("alive", "dead", "seki"):
            raise InvalidText("invalid status")
        chains = self.player.status(wanted, request.urgent)
        return "\n".join(self._vertices(chain) for chain in chains)

    def _vertices(self, moves: Sequence[int]) -> str:
        return " ".join(self.player.rules.format_vertex(move) for move in moves)

    def showboard(self, request: Request) -> str:
        """Draw the board, starting on a new line."""
        return "\n" + self.player.rules.diagram(self.player.position)

    def loadsgf(self, request: Request) -> str:
        """Load a record up to the position before a move; return the colour to move."""
        from engines.go.rules.records.sgf import (
            parse_game,
        )  # Here, because sgfmill would delay the first reply.

        if not request.args:
            raise InvalidText("cannot load file: no name given")
        words = request.args
        numbered = len(words) > 1 and words[-1].isascii() and words[-1].isdecimal()
        before = int(words[-1][:9]) if numbered else 0
        name = " ".join(words[:-1] if numbered else words)
        try:
            data = _read(Path(name))
        except OSError as error:
            raise InvalidText(f"cannot load file: {error.strerror}") from error
        try:
            texts, position = parse_game(data, before, self.player.rules.rules)
        except InvalidText as error:
            raise InvalidText(f"cannot load file: {error}") from error
        self.player.take_over(texts, position)
        return ("black", "white")[position.turn]

    def printsgf(self, request: Request) -> str:
        """Return the game as SGF, or write it to the file that is named."""
        from engines.go.rules.records.sgf import format_game

        data = format_game(self.player.rules, self.player.position)
        if not request.text:
            return data.decode("utf-8").rstrip()
        try:
            Path(request.text).write_bytes(data)
        except OSError as error:
            raise InvalidText(f"cannot write file: {error.strerror}") from error
        return ""

    def time_settings(self, request: Request) -> str:
        """Set main time, byo-yomi time and stones, in whole seconds."""
        if len(request.args) < 3:
            raise InvalidText("not three integers")
        main, period, stones = (_whole(word, "not three integers") for word in request.args[:3])
        if min(main, period, stones) < 0:
            raise InvalidText("not three integers")
        if period > 0 and stones == 0:
            control = TimeControl()  # By the standard, this means no limit.
        elif period == 0:
            control = TimeControl("sudden", float(main)) if main else TimeControl("move", 0.1)
        else:
            control = TimeControl("canadian", float(main), float(period), stones)
        self.player.set_control(control)
        return ""

    def kgs_time_settings(self, request: Request) -> str:
        """Set a time control of one of the kinds that KGS and KataGo know."""
        kind, *rest = request.args or ["none"]
        wrong = InvalidText(f"{kind}: numbers are missing or wrong")
        try:
            numbers = [float(word) for word in rest]
        except ValueError as error:
            raise wrong from error
        if kind not in _NUMBERS:
            raise InvalidText(f"unknown time system: {kind}")
        # KataGo writes a missing limit as a negative number.
        capped = 2 if kind == "fischer-capped" else len(numbers)
        sane = all(0 <= number < math.inf for number in numbers[:capped])
        if not all(map(math.isfinite, numbers)) or len(numbers) < _NUMBERS[kind] or not sane:
            raise wrong
        if kind == "none":
            control = TimeControl()
        elif kind == "absolute":
            control = TimeControl("sudden", numbers[0])
        elif kind in ("canadian", "byoyomi"):
            if numbers[2] < 1 or numbers[1] <= 0:
                raise wrong
            control = TimeControl(kind, numbers[0], numbers[1], int(numbers[2]))
        else:
            control = TimeControl("increment", numbers[0], numbers[1])
        limits = numbers[2:4] if kind == "fischer-capped" else []
        self.player.set_control(control, max(limits[1], 0.0) if len(limits) > 1 else 0.0)
        return ""

    def time_left(self, request: Request) -> str:
        """Set a clock to what the controller says."""
        if len(request.args) < 3:
            raise InvalidText("time and stones not two integers")
        turn = parse_turn(request.args[0])
        try:
            seconds, periods = float(request.args[1]), int(request.args[2])
        except ValueError as error:
            raise InvalidText("time and stones not two integers") from error
        if not math.isfinite(seconds):
            raise InvalidText("time and stones not two integers")
        self.player.set_left(turn, max(seconds, 0.0), max(periods, 0))
        return ""

    def get_rules(self, request: Request) -> str:
        """Return the rules in KataGo's JSON format."""
        return self.player.rules.rules.to_kata()

    def set_rules(self, request: Request) -> str:
        """Set the rules by name or by KataGo's JSON."""
        if not request.text:
            raise InvalidText("unknown rules: a name or an object is expected")
        if request.text.startswith("{"):
            try:
                given = json.loads(request.text)
            except (ValueError, RecursionError) as error:
                raise InvalidText(f"unknown rules: {error}") from error
            if not isinstance(given, dict):
                raise InvalidText("unknown rules: an object is expected")
            self._change_rules(given)
        else:
            self.player.set_rules(find(request.text))
        return ""

    def set_rule(self, request: Request) -> str:
        """Change one rule, such as `ko SIMPLE`."""
        if len(request.args) != 2:
            raise InvalidText("a rule and its value are expected")
        name, value = request.args
        flag = {"true": True, "false": False}.get(value.lower())
        self._change_rules({name: value if flag is None else flag})
        return ""

    def _change_rules(self, given: dict[str, Any]) -> None:
        rules = self.player.rules.rules
        for name, value in given.items():
            if name == "ko" and value in tuple(
                _KO
            ):  # A tuple, because a JSON list cannot be looked up in a dict.
                rules = replace(rules, ko=_KO[value])
            elif name == "scoring" and value in ("AREA", "TERRITORY"):
                rules = replace(rules, scoring=AREA if value == "AREA" else TERRITORY)
            elif name == "suicide" and isinstance(value, bool):
                rules = replace(rules, suicide=value)
            elif name == "tax" and value in ("NONE", "SEKI"):
                rules = replace(rules, seki_tax=value == "SEKI")
            elif name == "whiteHandicapBonus" and value in ("0", "N", "N-1"):
                rules = replace(rules, bonus=str(value))
            elif name == "friendlyPassOk" and isinstance(value, bool):
                rules = replace(rules, judged=value)
            elif not (name == "hasButton" and value is False):
                raise InvalidText(f"unknown rule or value: {name} {value}")
        for known in RULE_SETS.values():
            if replace(rules, name=known.name, title=known.title, komi=known.komi) == known:
                rules = known
                break
        self.player.set_rules(rules)

    def kgs_rules(self, request: Request) -> str:
        """Set one of the rule sets of KGS."""
        name = request.args[0].lower() if request.args else ""
        if name not in ("chinese", "aga", "japanese", "new_zealand"):
            raise InvalidText("unknown rules")
        self.player.set_rules(find(name))
        return ""


def _read(path: Path) -> bytes:
    """Read a file; raises InvalidText unless it is a regular file of plausible size."""
    known = path.stat()
    if not stat.S_ISREG(known.st_mode):
        raise InvalidText("cannot load file: it is no regular file")
    if known.st_size > LARGEST_FILE:
        raise InvalidText(f"cannot load file: it has more than {LARGEST_FILE >> 20} MB")
    return path.read_bytes()


def _whole(word: str, message: str) -> int:
    digits = word[1:] if word[:1] in ("-", "+") else word
    if not (digits.isascii() and digits.isdecimal()) or len(digits) > 9:
        raise InvalidText(message)
    return int(word)
