"""The commands that list and change settings, under the names that clients know."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engines.core.game import InvalidText
from engines.go.gtp.request import Handler, Request
from engines.go.play.levels import STRONGEST
from engines.go.play.player import Player

MOST_THREADS: Final = 64
LONGEST_NAME: Final = 80  # Characters.


_MEANINGS: Final[Mapping[str, str]] = {
    "maxVisits": "visits per move, from 1; with 0, the clock or maxTime decides",
    "maxTime": "seconds per move above 0, without a clock and without maxVisits",
    "level": f"how well it plays, from 1 to {STRONGEST}",
    "seed": "of random choices, a whole number or random; with a number, games are repeatable",
    "threads": f"threads of a search without a seed, from 1 to {MOST_THREADS}",
    "ponder": "true or false: whether it thinks in its opponent's time",
    "resign": "true or false: whether it resigns hopeless games",
    "resignBelow": "the chance to win, from 0 to 0.5, below which a game is hopeless",
    "resignAfter": "hopeless moves in a row after which it resigns, from 1",
    "cpuctExploration": "how much moves with few visits attract the search, above 0 to 10",
    "fpuReductionMax": "how much worse than its parent an unvisited move seems, from 0 to 2",
    "net": "the file of another network, or own",
    "name": "the reply to the command name, or own; Lizzie shows more if it begins with KataGo",
}


@dataclass(frozen=True, slots=True)
class _Setting:
    """One setting: functions that return its value and change it."""

    value: Callable[[], str]
    change: Callable[[str], None]  # Raises InvalidText.


class SettingCommands:
    """The handlers that list, show and change settings."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self._settings: Mapping[str, _Setting] = {
            "maxVisits": _Setting(lambda: str(player.settings.visits or 0), self._set_visits),
            "maxTime": _Setting(lambda: f"{player.settings.seconds:g}", self._set_seconds),
            "level": _Setting(lambda: str(player.settings.level), self._set_level),
            "seed": _Setting(self._seed, self._set_seed),
            "threads": _Setting(lambda: str(player.settings.threads), self._set_threads),
            "ponder": _Setting(lambda: _flag(player.settings.ponder), self._set_ponder),
            "resign": _Setting(lambda: _flag(player.settings.resign), self._set_resign),
            "resignBelow": _Setting(
                lambda: f"{player.settings.resign_below:g}", self._set_resign_below
            ),
            "resignAfter": _Setting(
                lambda: str(player.settings.resign_after), self._set_resign_after
            ),
            "cpuctExploration": _Setting(
                lambda: f"{player.settings.exploration:g}", self._set_exploration
            ),
            "fpuReductionMax": _Setting(lambda: f"{player.settings.urgency:g}", self._set_urgency),
            "net": _Setting(lambda: str(player.settings.net or "own"), self._set_net),
            "name": _Setting(lambda: player.settings.name or "own", self._set_name),
        }
        self._aliases = {"visits": "maxVisits", "seconds": "maxTime", "numSearchThreads": "threads"}
        self.table: dict[str, Handler] = {
            "kata-list-params": lambda request: " ".join(self._settings),
            "kata-get-param": self.get_param,
            "kata-set-param": self.set_param,
        }

    def describe(self) -> Sequence[str]:
        """Return a line for each setting: its meaning, its range and its current value."""
        return [
            f"{name}: {_MEANINGS[name]} (now {setting.value()})"
            for name, setting in self._settings.items()
        ]

    def get_param(self, request: Request) -> str:
        """Return the value of a setting."""
        return self._find(request.args[0] if request.args else "").value()

    def set_param(self, request: Request) -> str:
        """Change a setting."""
        if len(request.args) < 2:
            raise InvalidText("a parameter and its value are expected")
        name, _, value = request.text.partition(" ")
        self.change(name, value.strip())
        return ""

    def change(self, name: str, value: str) -> None:
        """Change a setting; raises InvalidText."""
        self._find(name).change(value)

    def _find(self, name: str) -> _Setting:
        name = self._aliases.get(name, name)
        if name not in self._settings:
            raise InvalidText(f"unknown parameter: {name} (known: {' '.join(self._settings)})")
        return self._settings[name]

    def _seed(self) -> str:
        seed = self.player.settings.seed
        return "random" if seed is None else str(seed)

    def _set_visits(self, value: str) -> None:
        self.player.settings.visits = parse_whole(value, "maxVisits not an integer") or None

    def _set_seconds(self, value: str) -> None:
        seconds = _number(value, "maxTime not a positive number")
        if seconds <= 0:
            raise InvalidText("maxTime not a positive number")
        self.player.settings.seconds = seconds

    def _set_level(self, value: str) -> None:
        level = parse_whole(value, "level not an integer")
        if not 1 <= level <= STRONGEST:
            raise InvalidText(f"level goes from 1 to {STRONGEST}")
        self.player.settings.level = level

    def _set_seed(self, value: str) -> None:
        self.player.seed(None if value == "random" else parse_whole(value, "seed not an integer"))

    def _set_threads(self, value: str) -> None:
        threads = parse_whole(value, "threads not an integer")
        if not 1 <= threads <= MOST_THREADS:
            raise InvalidText(f"threads goes from 1 to {MOST_THREADS}")
        self.player.settings.threads = threads

    def _set_ponder(self, value: str) -> None:
        self.player.settings.ponder = _parse_flag("ponder", value)

    def _set_resign(self, value: str) -> None:
        self.player.settings.resign = _parse_flag("resign", value)

    def _set_resign_below(self, value: str) -> None:
        share = _number(value, "resignBelow not a chance from 0 to 0.5")
        if share > 0.5:
            raise InvalidText("resignBelow not a chance from 0 to 0.5")
        self.player.settings.resign_below = share

    def _set_resign_after(self, value: str) -> None:
        moves = parse_whole(value, "resignAfter not an integer")
        if moves < 1:
            raise InvalidText("resignAfter goes from 1 on")
        self.player.settings.resign_after = moves

    def _set_exploration(self, value: str) -> None:
        number = _number(value, "cpuctExploration not a number above 0 to 10")
        if not 0 < number <= 10:
            raise InvalidText("cpuctExploration not a number above 0 to 10")
        self.player.settings.exploration = number

    def _set_urgency(self, value: str) -> None:
        number = _number(value, "fpuReductionMax not a number from 0 to 2")
        if number > 2:
            raise InvalidText("fpuReductionMax not a number from 0 to 2")
        self.player.settings.urgency = number

    def _set_net(self, value: str) -> None:
        if value == "own":
            self.player.set_net(None)
            return
        from engines.go.play.network.weights import (
            load,
        )  # Here, because numpy would delay the first reply.

        path = Path(value)
        try:
            load(path)
        except (OSError, ValueError) as error:
            raise InvalidText(f"cannot read the network: {error}") from error
        self.player.set_net(path)

    def _set_name(self, value: str) -> None:
        if not (value.isascii() and value.isprintable() and 0 < len(value) <= LONGEST_NAME):
            raise InvalidText(f"name has 1 to {LONGEST_NAME} printable ASCII characters")
        self.player.settings.name = "" if value == "own" else value


def parse_whole(word: str, message: str) -> int:
    """Parse a whole number from 0; raises InvalidText with the message."""
    if not (word.isascii() and word.isdecimal()) or len(word) > 9:
        raise InvalidText(message)
    return int(word)


def _number(word: str, message: str) -> float:
    if not word.isascii() or not word.replace(".", "", 1).isdecimal():
        raise InvalidText(message)
    return float(word)


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _parse_flag(name: str, value: str) -> bool:
    if value.lower() not in ("true", "false"):
        raise InvalidText(f"{name} is true or false")
    return value.lower() == "true"
