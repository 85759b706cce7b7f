"""The effects of a move that faces mark: the pieces that it took, and whether it gives check."""

from typing import Any

from engines import registry
from engines.core.game import CHANCE, Game
from engines.shogi.rules.notation import dropped, format_square, is_declaration, target
from tools.records.go import go_rules


def find_taken(game: Game[Any], ply: int) -> tuple[str, ...]:
    """Return the places of what the last of a game's `ply` moves took; the game is at that ply."""
    if not ply or game.rules.name == "neutron":
        return ()
    move = game.moves[-1]
    after = game.position
    before = after.copy()
    before.undo()
    if game.rules.name == registry.GO:
        rules = go_rules(game.rules)
        stones = zip(before.board.cells_copy(), after.board.cells_copy(), strict=True)
        return tuple(
            rules.format_vertex(point) for point, (old, new) in enumerate(stones) if old and not new
        )
    if game.rules.name == registry.SHOGI:
        taken = not is_declaration(move) and not dropped(move) and before.man_at(target(move))
        return (format_square(target(move)),) if taken else ()
    if game.rules.name == "morris":
        return tuple(game.rules.format(before, move).split("x")[1:])
    if before.turn == CHANCE:
        return ()
    # Senet: a captured man goes to the square that the mover left.
    captured = move in after.men(1 - before.thrower)
    return (str(move),) if captured else ()


def is_check(game: Game[Any]) -> bool:
    """Whether the side to move is in check, in a game that has one."""
    return game.rules.name == registry.SHOGI and bool(game.position.is_check())
