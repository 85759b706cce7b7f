"""The command `quintet show`."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import click

from engines import registry
from engines.core.game import CHANCE, Game, IllegalMove, InvalidText
from engines.core.sgf_tree import main_line, parse_sgf
from engines.go.record import walk
from tools import go
from tools.convert import READERS, read_record
from tools.failure import CouldNotRun

_DEFAULT: Final = "default"


@click.command()
@click.argument(
    "file", type=click.Path(path_type=Path, exists=True, dir_okay=False), metavar="FILE"
)
@click.option(
    "--ply",
    type=click.IntRange(min=0),
    metavar="N",
    help="The position after N moves (in Senet throws are none).",
)
@click.option("--all", "every", is_flag=True, help="Every position; default: the last.")
def show(file: Path, ply: int | None, every: bool) -> None:
    """Draw positions of the record in FILE, with what is told of its moves.

    SGF of Go, Morris, Neutron and Senet, and shogi's .kif, .kifu, .ki2, .csa, .usi and .sfen.
    """
    try:
        head, frames = _shogi(file) if file.suffix.lower() in READERS else _sgf(file)
    except OSError as error:
        raise CouldNotRun(f"{file}: {error.strerror}") from error
    except (InvalidText, IllegalMove) as error:
        raise CouldNotRun(f"{file}: {error}") from error
    click.echo(head)
    if ply is not None and ply >= len(frames):
        raise CouldNotRun(f"{file}: it has {len(frames) - 1} moves, not {ply}")
    chosen = frames if every else [frames[-1 if ply is None else ply]]
    for frame in chosen:
        click.echo(f"\n{frame}")


def _sgf(file: Path) -> tuple[str, list[str]]:
    """Return the head line and each position with its move."""
    found = parse_sgf(file.read_bytes())
    for notice in found.notices:
        click.echo(f"{file}: {notice}", err=True)
    if len(found.roots) > 1:
        click.echo(f"{file}: it has {len(found.roots)} games; the first is shown", err=True)
    root, *nodes = [node.values for node in main_line(found.roots[0])]
    if root.get("GM", ["1"])[0].strip() in ("1", "") and "QP" not in root:
        return _head(root, "BW"), list(_go_frames([root, *nodes]))
    rules = _rules(root)
    letters = [side[0].upper() for side in rules.sides]
    return _head(root, letters), list(_frames(root, nodes, rules))


def _head(root: dict[str, list[str]], letters: Sequence[str]) -> str:
    players = " - ".join(root.get(f"P{letter}", ["?"])[0] for letter in letters)
    return f"{players}  {root.get('RE', ['?'])[0]}  {root.get('QE', [''])[0]}".rstrip()


def _go_frames(nodes: list[dict[str, list[str]]]) -> Iterator[str]:
    """Draw a game of Go from anywhere: whoever moves, whatever superko says, stones set up."""
    told = [node for node in nodes if "B" in node or "W" in node]
    for texts, position, number, move in walk(nodes):
        diagram = texts.diagram(position)
        if not number:
            yield diagram
            continue
        comment = "  ".join(told[number - 1].get("C", [""])[0].splitlines())
        yield f"{number}. {move}  {comment}".rstrip() + f"\n{diagram}"


def _shogi(file: Path) -> tuple[str, list[str]]:
    record = read_record(file)
    rules = registry.rules("shogi")
    position = record.position()  # Of a game or of a composed problem.
    frames = [rules.diagram(position)]
    for number, (node, text) in enumerate(zip(record.main_line(), record.moves(), strict=False), 1):
        side = rules.sides[position.turn]
        position.play(node.move)  # The reader has seen to its legality; a record may go on.
        head = f"{number}. {side} {text}  {'  '.join(node.comments)}".rstrip()
        frames.append(f"{head}\n{rules.diagram(position)}")
    players = " - ".join(name or "?" for name in (record.black, record.white))
    return f"{players}  {record.ending() or '?'}", frames


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
            try:
                for each in throw.split(":") if colon and game.turn == CHANCE else ():
                    game.play(each)
                game.play(move)
            except (InvalidText, IllegalMove) as error:
                raise InvalidText(f"move {number}: {error}") from error
            told = "  ".join(node.get("C", [""])[0].splitlines())
            head = f"{number}. {side} {shown}  {told}".rstrip()
            yield f"{head}\n{rules.diagram(game.position)}"
