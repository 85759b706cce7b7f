"""The command `quintet board`."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from tools.commands.errors import CouldNotRun
from tools.commands.options import number_option
from tools.commands.serving import serve_page, server_options
from tools.play.filing import load_file
from tools.play.players import parse_player
from tools.play.web.conversation import PageConversation
from tools.play.web.desk import Desk
from tools.play.web.site import site


@click.command()
@click.argument(
    "file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="[FILE]",
    required=False,
)
@number_option
@server_options()
def board(file: Path | None, port: int, number: int | None, no_browser: bool) -> None:
    """Play the five games in a browser, against engines or with another person.

    FILE is a record to look at, of any format that `quintet show` reads. The page is served on this
    machine only, until Ctrl-C. Its address contains a secret: whoever knows it can play your games.
    A game that is not finished is kept, and offered again the next time.
    """
    desk = Desk()
    person = parse_player(("person",))
    if file is not None:
        desk.load(load_file(file, number or 0, partial(_first, file)), file.name, (person, person))
    elif number is not None:
        raise CouldNotRun("--number cannot be given here: it is for a FILE")

    try:
        serve_page(site(), lambda send: PageConversation(desk, send), port, no_browser=no_browser)
    finally:
        desk.close_all()


def _first(file: Path, titles: Sequence[str]) -> int:
    """Choose the first game of a file, and say that there are others."""
    click.echo(f"{file}: it has {len(titles)} games; --number N opens another one", err=True)
    return 1
