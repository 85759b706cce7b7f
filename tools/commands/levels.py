"""The command `quintet levels`."""

import json
from pathlib import Path

import click

from engines import registry
from tools.commands.options import jobs_option, json_option, variant_option
from tools.commands.terms import force_option, refuse_too_many
from tools.commands.values import Whole, Word
from tools.tournament.levels import (
    LevelOptions,
    LevelProgress,
    format_levels,
    level_tournament,
    levels_to_json,
)
from tools.tournament.session import run_tournament


@click.command()
@click.argument("game", type=Word(sorted(registry.GAMES)), metavar="GAME")
@click.option(
    "--levels",
    "chosen",
    metavar="LIST",
    default="",
    help="Levels to compare, such as 1-5 or 2,4,10; in shogi values of SkillLevel.  [default: all; "
    "in shogi every second one]",
)
@click.option(
    "--games",
    type=Whole(min=2),
    metavar="N",
    default=100,
    show_default=True,
    help="Games of each level with the next one, an even number.",
)
@click.option(
    "--time",
    metavar="TC",
    default="",
    help="Limit for the levels that have none of their own.  [default: the game's own]",
)
@click.option("--size", type=Whole(2, 25), metavar="N", help="Go: size of the board.  [default: 9]")
@variant_option
@jobs_option("Games that are played concurrently.")
@click.option(
    "--seed", type=Whole(), metavar="N", help="Seed of a new tournament.  [default: random]"
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Folder of the games.  [default: levels/GAME]",
)
@force_option
@click.option("--markdown", is_flag=True, help="Print the table in Markdown.")
@json_option
def levels(
    game: str,
    chosen: str,
    games: int,
    time: str,
    size: int | None,
    variant: str,
    jobs: int,
    seed: int | None,
    out: Path | None,
    force: bool,
    markdown: bool,
    as_json: bool,
) -> None:
    """Measure the levels of our engine of GAME, and print the rating of each above the lowest.

    GAME is go, morris, neutron, senet or shogi. Each level plays the next one, from distinct
    openings with both colours, at its own limits. The games are a tournament in DIR: run the
    same command again to resume it, or with more --games to extend it. A level that lost no
    game against the one below has a bound instead of a rating.

    Exit status: 0 done, 2 could not run, 130 interrupted.
    """
    options = LevelOptions(game, chosen, games, time, size, variant, jobs, seed, out, force)
    refuse_too_many(jobs, force=force)
    tournament = level_tournament(options)
    assert tournament.out is not None
    status = run_tournament(tournament, LevelProgress(lambda text: click.echo(text, err=True)))
    if status.games:
        if as_json:
            for event in levels_to_json(tournament.out):
                click.echo(json.dumps(event))
        else:
            for line in format_levels(tournament.out, markdown=markdown):
                click.echo(line)
    if status.interrupted and status.missing:
        raise SystemExit(130)
