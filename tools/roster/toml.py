"""Files of settings in TOML, whose mistakes are named with file and line."""

import codecs
import re
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from engines.core.game import InvalidText
from tools.roster.settings import SettingsReader

_KEY: Final = r"""[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*'"""
_KEYS_OF_TOML: Final = rf"(?:{_KEY})(?:\s*\.\s*(?:{_KEY}))*"
_TABLE: Final = re.compile(rf"\s*\[\[?\s*({_KEYS_OF_TOML})\s*\]")
_PAIR: Final = re.compile(rf"\s*({_KEYS_OF_TOML})\s*=")


def read_toml(path: Path) -> tuple[str, dict[str, Any]]:
    """Return the text and the tables of a file; raises InvalidText, which names file and line."""
    try:
        data = path.read_bytes().removeprefix(codecs.BOM_UTF8)
        text = data.decode("utf-8")
        return text, tomllib.loads(text)
    except OSError as error:
        raise InvalidText(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"expected text in UTF-8, not the byte 0x{data[error.start]:02x}"
        raise InvalidText(f"{path}:{line}: {message}") from error
    except tomllib.TOMLDecodeError as error:
        message, line = str(error), len(text.splitlines())
        if match := re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", message, re.DOTALL):
            message, line = f"column {match[3]}: {match[1]}", int(match[2])
        raise InvalidText(f"{path}:{line}: not TOML: {message}") from error


class TomlReader(SettingsReader):
    """Reads one file of settings, and collects its faults with their lines.

    `table` names the table that is being read, from the root.
    """

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.table: tuple[str, ...] = ()
        self.faults: list[tuple[int, str]] = []
        self._keys = list(_numbered_keys(text))

    def fault(self, keys: Sequence[str], message: str) -> None:
        """Note a fault in a key of the table that is being read."""
        self.fault_at((*self.table, *keys), message)

    def fault_at(self, keys: Sequence[str], message: str) -> None:
        """Note a fault in a key, named from the root, with its file and line."""
        line = self.line(*keys)
        self.faults.append((line, f"{self.path}:{line}: {message}"))

    def raise_faults(self) -> None:
        """Raise InvalidText with all faults, in the order of their lines; do nothing without."""
        if self.faults:
            raise InvalidText("\n".join(message for _, message in sorted(self.faults)))

    def line(self, *keys: str) -> int:
        """Return the line of a key, or of the table that should have it."""
        for number, path in self._keys:
            if path[: len(keys)] == keys:
                return number
        return self.line(*keys[:-1])


def _numbered_keys(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the number of each line with a key or a table, and its keys from the root."""
    yield 1, ()
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.split("\n"), 1):
        if match := _TABLE.match(line):
            table = _split_keys(match[1])
            yield number, table
        elif match := _PAIR.match(line):
            yield number, (*table, *_split_keys(match[1]))


def _split_keys(dotted: str) -> tuple[str, ...]:
    return tuple(
        part if part[0] not in "\"'" else _unquote(part) for part in re.findall(_KEY, dotted)
    )


def _unquote(part: str) -> str:
    try:
        return str(tomllib.loads(f"key = {part}")["key"])
    except tomllib.TOMLDecodeError:
        return part  # Inside a string of several lines, any text may look like a key.
