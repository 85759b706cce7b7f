"""The settings of an engine, as a table of engines.toml or words of a command line have them."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from engines import registry
from protocols.ask import detect
from protocols.ask.engine import LONGEST, RESTARTS, EngineSpec, is_wait

PROTOCOLS: Final = tuple(detect.PROTOCOLS)
CHOICES: Final[Mapping[str, Sequence[str]]] = {
    "protocol": PROTOCOLS,
    "game": sorted(registry.GAMES),
    "restart": RESTARTS,
}
SWITCHES: Final = ("ponder", "movetime", "scores")
NUMBERS: Final = ("patience", "lag")
LISTS: Final = ("commands",)
TABLES: Final = ("options", "environment")
KEYS: Final = (*CHOICES, *TABLES, *LISTS, "folder", *NUMBERS, *SWITCHES)


class SettingsReader(ABC):
    """Reads settings and collects their faults; a subclass knows where a key stands."""

    @abstractmethod
    def fault(self, keys: Sequence[str], message: str) -> None:
        """Note a fault in a key of an engine."""

    def settings(self, table: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields of EngineSpec that a table gives; faulty ones are left out."""
        given: dict[str, Any] = {}
        for key, value in table.items():
            if key in CHOICES:
                self._choice(given, key, value)
            elif key in NUMBERS:
                self._seconds(given, key, value)
            elif key in SWITCHES:
                if isinstance(value, bool):
                    given[key] = value
                else:
                    self.fault((key,), f"{key}: expected true or false")
            elif key == "folder":
                if isinstance(value, str) and Path(value).is_dir():
                    given[key] = value
                else:
                    self.fault((key,), f"no such folder: {value!r}")
            elif key == "options":
                given[key] = self._pairs(key, value, (str, int, float, bool))
            elif key == "environment":
                given[key] = self._pairs(key, value, (str,))
            elif key in LISTS:
                given[key] = self.texts(key, value)
        return given

    def _choice(self, given: dict[str, Any], key: str, value: Any) -> None:
        known = CHOICES[key]
        if isinstance(value, str) and value in known:
            given[key] = value
            return
        near = suggestion(value, known) if isinstance(value, str) else ""
        self.fault((key,), f"{key}: expected {' or '.join(known)}, not {value!r}{near}")

    def _seconds(self, given: dict[str, Any], key: str, value: Any) -> None:
        if is_wait(value) or (key == "lag" and value == 0 and not isinstance(value, bool)):
            given[key] = float(value)
        else:
            least = "at least 0" if key == "lag" else "above 0"
            self.fault((key,), f"{key}: expected seconds {least}, at most {LONGEST:.0f}")

    def texts(self, key: str, value: Any) -> tuple[str, ...]:
        """Return a list of texts."""
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self.fault((key,), f"{key}: expected a list of strings")
            return ()
        return tuple(value)

    def _pairs(self, key: str, value: Any, kinds: tuple[type, ...]) -> tuple[tuple[str, str], ...]:
        if not isinstance(value, dict):
            self.fault((key,), f"{key}: expected a table {{NAME = VALUE, ...}}")
            return ()
        wanted = "text in quotes" if kinds == (str,) else "a plain value"
        for each, item in value.items():
            if not isinstance(item, kinds):
                shown = str(item).lower() if isinstance(item, bool) else item
                self.fault((key, each), f"{key}: {each}: expected {wanted}, not {shown}")
        return tuple(
            (option, str(v).lower() if isinstance(v, bool) else str(v))
            for option, v in value.items()
        )


def merged(spec: EngineSpec, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings as fields of a spec that has some already: tables and lists are joined."""
    fields = dict(given)
    for key in TABLES:
        if key in fields:
            fields[key] = tuple((dict(getattr(spec, key)) | dict(fields[key])).items())
    for key in LISTS:
        if key in fields:
            fields[key] = (*getattr(spec, key), *fields[key])
    return fields


def suggestion(word: str, known: Sequence[str]) -> str:
    """Return `; did you mean X?` for the nearest of the known words; empty if none is near."""
    near = nearest(word, known)
    return f"; did you mean {near}?" if near else ""


def nearest(word: str, known: Sequence[str]) -> str:
    """Return the known word that a mistyped one is most like; empty if none is near."""
    near = get_close_matches(word.lower(), known, n=1, cutoff=0.65)
    return near[0] if near else ""
