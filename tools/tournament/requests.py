"""Changes of a tournament that another process asks for, while the tournament runs or not."""

import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from engines.core.game import InvalidText
from tools.journal.journal import JournalError, write_whole
from tools.tournament.formats.pairing import least_numbers
from tools.tournament.formats.plan import Format
from tools.tournament.state import SETTINGS, TournamentState

_PATTERN: Final = "request-*.json"


def parse_settings(texts: tuple[str, ...]) -> dict[str, int]:
    """Read settings such as `jobs=2`; raises InvalidText."""
    settings: dict[str, int] = {}
    for text in texts:
        key, _, value = text.partition("=")
        if key not in SETTINGS:
            raise InvalidText(f"--set {text}: expected {'=N, '.join(SETTINGS)}=N")
        if not (value.isascii() and value.isdigit() and 0 < int(value) < 1_000_000):
            raise InvalidText(f"--set {text}: expected a whole number above 0")
        if key == "games" and int(value) % 2:
            raise InvalidText(f"--set {text}: expected an even number of games")
        settings[key] = int(value)
    return settings


def refuse_useless(settings: Mapping[str, int], format_: str) -> None:
    """Raise InvalidText for a setting that a format does not have."""
    if "rounds" in settings and format_ != Format.SWISS:
        raise InvalidText(f"--set rounds={settings['rounds']}: a {format_} has no such number")


def refuse_less(settings: Mapping[str, int], state: TournamentState) -> None:
    """Raise InvalidText for a number that is smaller than what is drawn already."""
    for key, least in least_numbers(state.plan, state.history).items():
        if settings.get(key, least) < least:
            raise InvalidText(
                f"--set {key}={settings[key]}: {least} are drawn already; expected at least {least}"
            )


def write_request(folder: Path, settings: Mapping[str, int]) -> None:
    """Leave a request for the run in a folder, or for its next one; raises JournalError."""
    path = folder / f"request-{time.time_ns():020}-{os.getpid()}.json"
    write_whole(path, json.dumps(dict(settings)).encode())


def take_requests(folder: Path) -> list[tuple[Path, dict[str, Any]]]:
    """Return the requests in a folder, the oldest first; those that cannot be read are deleted."""
    requests = []
    for path in sorted(folder.glob(_PATTERN)):
        try:
            settings = json.loads(path.read_bytes())
            texts = tuple(f"{key}={value}" for key, value in settings.items())
            requests.append((path, dict(parse_settings(texts))))
        except (OSError, ValueError, AttributeError):
            delete(path)
    return requests


def delete(path: Path) -> None:
    """Delete a request that was carried out."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise JournalError(f"cannot delete {path}: {error.strerror}") from error
