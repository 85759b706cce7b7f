"""The moves in one node of a file, played on a game: of SGF by any program, of ours, of shogi."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from engines import registry
from engines.core.game import CHANCE, Game, IllegalMove, Side
from engines.go.rules.records.sgf import moves_of
from engines.shogi.rules.notation import format_move
from engines.shogi.rules.records.record import Node
from protocols.ask.score import Evaluation
from protocols.ask.text import plain
from tools.records import go as sgf_go
from tools.records.game import PlayedMove

_SECONDS: Final = re.compile(r"(\d{1,9}(?:\.\d{1,9})?) s")
_LEFT: Final = re.compile(r"\d{1,9}(\.\d{1,9})?")

Properties = Mapping[str, Sequence[str]]


def play_own(values: Properties, game: Game[Any]) -> Iterator[PlayedMove]:
    """Play the moves of a node that a program of ours has written, with the throws before them.

    Raises InvalidText and IllegalMove.
    """
    is_go = game.rules.name == registry.GO
    for side, name in enumerate(game.rules.sides):
        letter = name[0].upper()
        if letter not in values:
            continue
        throws, colon, text = values[letter][0].rpartition(":")
        if is_go:
            text = sgf_go.parse_point(text, sgf_go.go_rules(game.rules))
        for throw in throws.split(":") if colon else ():
            yield _push(game, CHANCE, throw, {}, letter)
        if text or is_go:
            yield _push(game, side, text, values, letter)


def play_stones(values: Properties, game: Game[Any]) -> Iterator[PlayedMove]:
    """Play the moves of a node of Go, which may be two; raises InvalidText and IllegalMove."""
    keys = moves_of(values)
    for key in keys:
        text = sgf_go.parse_point(values[key][0].strip(), sgf_go.go_rules(game.rules))
        comment = values if key == keys[-1] else {}
        yield _push(game, "BW".index(key), text, comment, key)


def play_man(node: Node, game: Game[Any]) -> Iterator[PlayedMove]:
    """Play the move of a node of shogi, which the reader of the file has found legal.

    Endings and illegal moves, which end a game, are no moves.
    """
    if node.ending is not None or node.foul:
        return
    side = game.turn
    game.push(node.move)
    comment = "\n".join(node.comments)
    seconds = node.seconds or 0.0
    yield PlayedMove(side, format_move(node.move), seconds, None, comment=comment)


def has_time(values: Properties) -> bool:
    """Tell whether the comment of a node begins with a time, in our own form."""
    lines = "\n".join(values.get("C", [])).splitlines()
    return bool(lines and _SECONDS.fullmatch(lines[0]))


def _push(game: Game[Any], side: Side, text: str, values: Properties, letter: str) -> PlayedMove:
    if game.turn != side:
        raise IllegalMove(f"{plain(text, 40)}: it is out of turn")
    move = game.rules.parse(game.position, text)
    written = text if text == "win" else game.rules.format(game.position, move)
    game.push(move)
    return _played(side, written, values, letter)


def _played(side: Side, text: str, values: Properties, letter: str) -> PlayedMove:
    """Return a move with its comment, of which our own form of times and evaluations is read."""
    lines = "\n".join(values.get("C", [])).splitlines()
    match = _SECONDS.fullmatch(lines[0]) if lines else None
    evaluation = Evaluation()
    if match:
        del lines[0]
        evaluation = Evaluation.parse(lines[0]) if lines else evaluation
        del lines[: bool(evaluation)]
    left = values.get(f"{letter}L", [""])[0]
    return PlayedMove(
        side,
        text,
        float(match[1]) if match else 0.0,
        float(left) if _LEFT.fullmatch(left) else None,
        evaluation,
        "\n".join(lines),
    )
