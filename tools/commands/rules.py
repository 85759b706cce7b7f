"""The command `quintet rules`."""

import click

from engines import registry


@click.command()
@click.argument("game", type=click.Choice(sorted(registry.GAMES)))
def rules(game: str) -> None:
    """Print a short description of the rules of a game, its variants and its notation."""
    click.echo(registry.find(game).load("explanation")())
