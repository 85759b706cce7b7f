"""Set up a position in a GTP engine, by whichever commands it has."""

from typing import Final

from engines.core.game import Game
from engines.go.rules.history import Position
from engines.go.rules.text import GoRules
from protocols.ask.detect import FramedClient
from protocols.errors import CannotSay

_SIGNS: Final = ".bw"


def place(client: FramedClient, game: Game[Position], deadline: float) -> None:
    """Put the stones of a game's position on the engine's empty board.

    Raises CannotSay if a ko is forbidden in the position, which GTP cannot express.
    """
    rules, board = game.rules, game.position.board
    assert isinstance(rules, GoRules)
    if board.ko:
        raise CannotSay("GTP cannot express a ko in a set-up: give the moves that led to it")
    stones = [
        (_SIGNS[cell], rules.format_vertex(point))
        for point, cell in enumerate(board.cells_copy())
        if cell
    ]
    for command in place_commands(client, stones):
        client.command(command, deadline)


def place_commands(client: FramedClient, stones: list[tuple[str, str]]) -> list[str]:
    """Return commands that put stones on an empty board; their order does not matter."""
    if stones and client.known("set_position"):
        return ["set_position " + " ".join(f"{side} {vertex}" for side, vertex in stones)]
    return [f"play {side} {vertex}" for side, vertex in stones]
