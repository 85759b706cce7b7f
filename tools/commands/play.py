"""The command `quintet play`."""

from dataclasses import replace
from pathlib import Path

import click

from engines import registry
from engines.core.timing import TimeControl
from tools.commands.errors import CouldNotRun
from tools.play.offers import make_terms, offer_of, own_engine
from tools.play.players import Player, parse_player
from tools.play.terminal.app import Application
from tools.play.terminal.menu import Arrangement, describe_levels
from tools.roster.sides import split_sides

_COLOURS = ("first", "second", "lot")


@click.command()
@click.argument("game", required=False, metavar="[GAME|FILE]")
@click.argument("players", nargs=-1, metavar="[PLAYER [KEY=VALUE]...]...")
@click.option(
    "--level",
    metavar="LEVEL",
    help="Play against our own engine at this level; `--level list` describes the levels.",
)
@click.option(
    "--colour",
    type=click.Choice(_COLOURS),
    help="With one PLAYER or --level: your side, or `lot`.  [default: first]",
)
@click.option(
    "--size", type=click.IntRange(2, 25), metavar="N", help="Go: the board.  [default: 19]"
)
@click.option(
    "--variant", "--rules", default="", metavar="NAME", help="The variant; in Go, the rules."
)
@click.option("--komi", default="", metavar="POINTS", help="Go: the komi.")
@click.option(
    "--handicap", default="", metavar="N|NAME", help="Go: handicap stones; shogi: a named set-up."
)
@click.option(
    "--time",
    "times",
    multiple=True,
    metavar="TC",
    help="The clock of both sides, such as 600+5; given twice, the first and the second side's.",
)
@click.option(
    "--pace",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    help="Of two engines that are watched, each move takes so long at least.  "
    "[default: 1 in a terminal]",
)
@click.option("--letters", is_flag=True, help="Shogi: letters instead of kanji.")
def play(
    game: str | None,
    players: tuple[str, ...],
    level: str | None,
    colour: str | None,
    size: int | None,
    variant: str,
    komi: str,
    handicap: str,
    times: tuple[str, ...],
    pace: float | None,
    letters: bool,
) -> None:
    """Play a game in the terminal, or step through the record in FILE.

    A PLAYER is `person` (with name=NAME), or an engine as in `quintet match` with its settings. The
    first of two players moves first. One engine plays against you. Without arguments, there is a
    menu.
    """
    if game is None:
        Application(letters=letters).choose()
        return
    if game not in registry.GAMES:
        if not Path(game).is_file():
            known = ", ".join(sorted(registry.GAMES))
            raise CouldNotRun(f"no such game or file: {game!r} (known games: {known})")
        Application(letters=letters).step_through(Path(game))
        return
    if level == "list":
        click.echo(f"Levels of quintet-{game}:\n{describe_levels(game)}")
        return
    if len(times) > 2:
        raise CouldNotRun("--time can be given twice at most")
    controls = [TimeControl.parse(text) for text in times] or [TimeControl()]
    terms = make_terms(
        game,
        variant=variant,
        size=size or 0,
        komi=komi,
        handicap=handicap,
    )
    terms = replace(terms, controls=(controls[0], controls[-1]))
    chosen = _players(game, players, level)
    application = Application(letters=letters, pace=pace)
    arrangement = Arrangement(terms, chosen)
    if colour == "lot":
        arrangement = application.draw_lots(arrangement)
    elif colour == "second":
        arrangement = Arrangement(terms, (chosen[1], chosen[0]))
    application.play(arrangement)


def _players(game: str, words: tuple[str, ...], level: str | None) -> tuple[Player, Player]:
    """Return the players in the order of moving, before lots are drawn."""
    given = [parse_player((name, *settings)) for name, settings in split_sides(words)]
    if level is not None:
        given.append(own_engine(game, level))
    if len(given) > 2:
        raise CouldNotRun("expected two players at most")
    if not given:
        given.append(own_engine(game, offer_of(game).default_level))
    if len(given) == 1:
        given = [given[0], Player()] if given[0].is_person else [Player(), given[0]]
    return given[0], given[1]
