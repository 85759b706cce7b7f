"""Replace commands of a .tst file that an engine does not know by others."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from engines.core.game import InvalidText
from protocols.ask.analysis import ANALYSES, NEVER
from protocols.ask.detect import FramedClient
from tools.regress.tst.loading import load
from tools.regress.tst.parsing import Step

GENERATED: Final = ("reg_genmove", "gg_genmove", "restricted_genmove")
"""Commands that name a move without playing it; they are replaced by playing and taking back."""
WHOLE: Final = ("loadsgf", "boardsize", "rectangular_boardsize", "newgame", "position")
"""Commands that reset the board and its size."""
RESETS: Final = (*WHOLE, "clear_board")
"""Commands that reset the board."""
MOVES: Final = (
    *("play", "undo", "gg-undo", "black", "white", "trymove", "popgo", "genmove", "roll"),
    *("set_position", "fixed_handicap", "set_free_handicap", "place_free_handicap"),
)
"""Commands that change the stones on the board."""
_HARMLESS: Final = ("increase_depths", "decrease_depths", "set_random_seed", "get_random_seed")


class Unknown(Exception):
    """The engine does not list a command, and no other commands can replace it."""


def translate(client: FramedClient, step: Step, folder: Path) -> Sequence[str]:
    """Return the commands to send for a step; raises Unknown, and InvalidText for a bad record.

    File names of records are relative to the folder of the suite, wherever the engine runs.
    """
    name, args = step.name, step.args
    if name == "loadsgf" and args:
        path = (folder / args[0]).absolute()
        if client.known(name) and not any(letter.isspace() for letter in str(path)):
            return [" ".join((name, str(path), *args[1:]))]
        return load(path, _until(args[1:])).commands(client)
    if client.known(name):
        return [step.text]
    if name in ("black", "white") and args:
        return [f"play {name} {args[0]}"]
    if name == "trymove" and len(args) > 1:
        return [f"play {args[0]} {args[1]}"]
    if name == "popgo":
        return ["undo"]
    if name == "restricted_genmove" and len(args) > 1:
        return [_among(client, args[0], args[1:])]
    if name in GENERATED and args:
        return [f"genmove {args[0]}"]
    if name in _HARMLESS and not step.is_test:
        return []
    raise Unknown(f"{client.name} has no command {name}")


def _among(client: FramedClient, side: str, vertices: Sequence[str]) -> str:
    """Return a command for a move among given points, in the form of Leela Zero and KataGo."""
    for command in ANALYSES:
        if client.known(command):
            return f"{command} {side} {NEVER} allow {side} {','.join(vertices)} 1"
    raise Unknown(f"{client.name} has no command restricted_genmove")


def _until(args: Sequence[str]) -> int:
    if not args:
        return 0
    if not (args[0].isascii() and args[0].isdecimal()):
        raise InvalidText(f"loadsgf: expected the number of a move, not {args[0]!r}")
    return int(args[0])
