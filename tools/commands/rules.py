"""The command `quintet rules`."""

import click

from engines import registry
from tools.commands.values import Word


@click.command()
@click.argument("game", type=Word(sorted(registry.GAMES)), metavar="GAME")
def rules(game: str) -> None:
    """Print a short description of the rules of GAME, its variants and its notation.

    GAME is go, morris, neutron, senet or shogi.
    """
    click.echo(registry.find(game).load("explanation")())
