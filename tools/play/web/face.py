"""The view of a snapshot on a page: a picture of the board, and the clicks for each legal move."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from engines import registry
from tools.boards.picture import clicks, picture
from tools.boards.scene import Scene
from tools.play.snapshot import MoveView, Snapshot

_LINE: Final = 5
"""Moves of the engine's line that are drawn on the board."""

_PIECES: Final = 9  # Of each side in Nine Men's Morris.


@dataclass(frozen=True, slots=True)
class Wishes:
    """How one page wants to see the board."""

    flipped: bool = False
    letters: bool = False
    line: bool = False  # Draw the line of play that the engine expects.


def present(snapshot: Snapshot, wishes: Wishes) -> Mapping[str, Any]:
    """Return a snapshot as a page shows it, as values of JSON."""
    # The lists grow with the game, and `asdict` would take longest for them.
    rest = replace(snapshot, moves=(), legal=(), choices=()).to_json()
    return {
        **rest,
        "moves": [_move(move) for move in snapshot.moves],
        "captured": captured_of(snapshot),
        "line": line_of(snapshot),
        "ways": [[text, *clicks(snapshot.game, text)] for text in snapshot.legal],
        "picture": picture(scene_of(snapshot, wishes)).json(),
    }


def _move(move: MoveView) -> Mapping[str, Any]:
    return {
        "ply": move.ply,
        "side": move.side,
        "mover": move.mover,
        "text": move.text,
        "seconds": move.seconds,
        "share": move.evaluation.share if move.evaluation is not None else None,
        "branches": move.branches,
    }


def scene_of(snapshot: Snapshot, wishes: Wishes) -> Scene:
    """Return what the board shows."""
    scoring = snapshot.scoring
    ready = scoring is not None and scoring.ready
    return Scene(
        snapshot.game,
        snapshot.variant,
        snapshot.size,
        snapshot.setup,
        accept=(snapshot.hint,) if snapshot.hint else (),
        last=snapshot.last.text if snapshot.last is not None else "",
        line=tuple(line_of(snapshot)[:_LINE]) if wishes.line else (),
        dead=scoring.dead if scoring is not None and ready else (),
        territory=scoring.owners if scoring is not None and ready else "",
        check=snapshot.check,
        flipped=wishes.flipped,
        letters=wishes.letters,
    )


def line_of(snapshot: Snapshot) -> list[str]:
    """Return the moves that an engine expects from the shown position on.

    The line of an engine begins with the move that it played, which is left out.
    """
    if snapshot.evaluation is None or snapshot.ply != snapshot.plies:
        return []
    moves = snapshot.evaluation.line.split()
    if snapshot.hint:
        return moves if moves[:1] == [snapshot.hint] else []
    played = snapshot.last.text if snapshot.last is not None else ""
    return moves[1:] if moves[:1] == [played] else []


def captured_of(snapshot: Snapshot) -> list[int]:
    """Return how many pieces each side has captured for good, where the board does not show it."""
    words = snapshot.setup.split()
    if snapshot.game == registry.GO:
        for word in words[1:]:
            key, _, value = word.partition("=")
            if key == "captured":
                black, white = map(int, value.split(","))
                return [white, black]
    elif snapshot.game == "morris":
        left = [words[0].count("W") + int(words[2]), words[0].count("B") + int(words[3])]
        return [_PIECES - left[1], _PIECES - left[0]]
    return [0, 0]


def wishes_of(message: Mapping[str, Any], before: Wishes) -> Wishes:
    """Return the wishes of a page, of which a message changes some."""
    names = [field.name for field in fields(Wishes)]
    return Wishes(**{name: bool(message.get(name, getattr(before, name))) for name in names})
