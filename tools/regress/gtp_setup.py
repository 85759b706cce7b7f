"""Telling a position to an engine that speaks GTP, whichever commands it has for that."""

from typing import Any, Final

from engines.core.game import Game
from protocols.client import FramedClient

_SIGNS: Final = ".bw"


def place(client: FramedClient, game: Game[Any], deadline: float) -> None:
    """Put the stones of a game's position on the engine's empty board.

    Raises ValueError where a ko is due, which GTP has no words for.
    """
    rules, board = game.rules, game.position.board
    if board.ko:
        raise ValueError("GTP has no words for a ko in a set-up: give the moves that led to it")
    texts: Any = rules
    stones = [
        (_SIGNS[cell], texts.format_vertex(point))
        for point, cell in enumerate(board.cells_copy())
        if cell
    ]
    for command in place_commands(client, stones):
        client.command(command, deadline)


def place_commands(client: FramedClient, stones: list[tuple[str, str]]) -> list[str]:
    """Return commands that put stones on an empty board; no order of them can capture one."""
    if stones and client.known("set_position"):
        return ["set_position " + " ".join(f"{side} {vertex}" for side, vertex in stones)]
    return [f"play {side} {vertex}" for side, vertex in stones]
