"""The command `quintet show`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click

from engines import registry
from engines.core.game import CHANCE, Game, IllegalMove, InvalidText
from engines.core.sgf import read_sgf
from tools import go
from tools.failure import CouldNotRun

_DEFAULT: Final = "default"


@click.command()
@click.argument(
    "file", type=click.Path(path_type=Path, exists=True, dir_okay=False), metavar="FILE"
)
@click.option("--ply", type=click.IntRange(min=0), metavar="N", help="The position after N moves.")
@click.option("--all", "every", is_flag=True, help="Every position; default: the last.")
def show(file: Path, ply: int | None, every: bool) -> None:
    """Draw positions of the record in FILE, an SGF of ours, with what is told of its moves."""
    try:
        root, *nodes = read_sgf(file.read_bytes())
        rules = _rules(root)
        frames = list(_frames(root, nodes, rules))
    except OSError as error:
        raise CouldNotRun(f"{file}: {error.strerror}") from error
    except (InvalidText, IllegalMove) as error:
        raise CouldNotRun(f"{file}: {error}") from error
    letters = [side[0].upper() for side in rules.sides]
    players = " - ".join(root.get(f"P{letter}", ["?"])[0] for letter in letters)
    click.echo(f"{players}  {root.get('RE', ['?'])[0]}  {root.get('QE', [''])[0]}".rstrip())
    if ply is not None and ply >= len(frames):
        raise CouldNotRun(f"{file}: it has {len(frames) - 1} moves, not {ply}")
    chosen = frames if every else [frames[-1 if ply is None else ply]]
    for frame in chosen:
        click.echo(f"\n{frame}")


def _rules(root: dict[str, list[str]]) -> Any:
    number = root.get("GM", [""])[0]
    named = [entry.name for entry in registry.GAMES.values() if str(entry.record_number) == number]
    game = root.get("QG", named)[:1]
    if not game:
        raise InvalidText(f"its game, GM[{number}], is none of {', '.join(sorted(registry.GAMES))}")
    variant = root.get("QV", root.get("RU", [_DEFAULT]))[0]
    size = root.get("SZ", ["0"])[0]
    if not size.isdecimal():
        raise InvalidText(f"its size, SZ[{size}], is no number")
    return registry.rules(game[0], "" if variant == _DEFAULT else variant, int(size))


def _frames(
    root: dict[str, list[str]], nodes: list[dict[str, list[str]]], rules: Any
) -> Iterator[str]:
    game = Game(rules, root.get("QP", [""])[0])
    letters = {side[0].upper(): side for side in rules.sides}
    yield rules.diagram(game.position)
    number = 0
    for node in nodes:
        for letter, side in letters.items():
            if letter not in node:
                continue
            number += 1
            throw, colon, move = node[letter][0].rpartition(":")
            if rules.name == go.NAME:
                move = go.parse_point(move, rules)
            shown = f"{throw}:{move}" if colon else move
            if colon and game.turn == CHANCE:
                game.play(throw)
            try:
                game.play(move)
            except (InvalidText, IllegalMove) as error:
                raise InvalidText(f"move {number}: {error}") from error
            told = "  ".join(node.get("C", [""])[0].splitlines())
            head = f"{number}. {side} {shown}  {told}".rstrip()
            yield f"{head}\n{rules.diagram(game.position)}"
