"""The command `quintet ratings`."""

import json
from collections.abc import Sequence
from pathlib import Path

import click

from tools.commands.errors import CouldNotRun
from tools.commands.options import json_option
from tools.commands.values import Quantity
from tools.journal.collection import read_played
from tools.journal.events import TUNING
from tools.journal.pool import Pool, make_pools
from tools.journal.ratings import PoolRatings, format_ratings, rate_pool, ratings_to_json


@click.command()
@click.argument(
    "folders",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="DIR...",
    nargs=-1,
    required=True,
)
@click.option(
    "--anchor",
    "anchors",
    multiple=True,
    metavar="NAME=ELO",
    help="Give an engine this rating; may be repeated.  [default: the mean is 0]",
)
@click.option(
    "--prior",
    type=Quantity(min=0, max=1e5),
    metavar="GAMES",
    default=0.0,
    show_default=True,
    help="Add so many even games between every two engines that met.",
)
@click.option("--by-name", is_flag=True, help="Take engines of one name for the same engine.")
@json_option
def ratings(
    folders: tuple[Path, ...], anchors: tuple[str, ...], prior: float, by_name: bool, as_json: bool
) -> None:
    """Rate the engines of any matches and tournaments together, in one list.

    Each DIR is the folder of a match or a tournament, finished or not. An engine is the same in two
    of them if its build (command, options, files), its version and its time control are the same;
    otherwise it has a line for each. Games that repeat earlier ones are not rated. Games of
    different rules or board sizes have lists of their own.

    A rating has a 95 % interval, which allows for pairs of games with one opening. An engine that
    only won or only lost has one bound, and no rating unless --prior is given. Exit status: 0 done,
    2 could not run.
    """
    unique = list({folder.resolve(): folder for folder in folders}.values())
    folders_played = [read_played(folder) for folder in unique]
    for played in folders_played:
        if played.kind == TUNING:
            raise CouldNotRun(
                f"{played.folder} is a tuning run: its engines change from pair to pair, so they "
                "have no rating"
            )
    pools = make_pools(folders_played, by_name=by_name)
    fixed = _parse_anchors(anchors)
    known = {engine.name for pool in pools for engine in pool.engines}
    if unknown := [name for name in fixed if name not in known]:
        names = ", ".join(sorted(known))
        raise CouldNotRun(f"--anchor: no such engine: {unknown[0]!r} (known: {names})")
    lists = [_rate(pool, fixed, prior) for pool in pools]
    if as_json:
        for rated in lists:
            click.echo(json.dumps({"event": "ratings", **ratings_to_json(rated)}))
        click.echo(json.dumps({"event": "summary", "lists": len(lists), **_counts(pools)}))
        return
    for number, rated in enumerate(lists):
        click.echo("\n" * bool(number), nl=False)
        for line in format_ratings(rated):
            click.echo(line)


def _rate(pool: Pool, anchors: dict[str, float], prior: float) -> PoolRatings:
    own = {engine.name for engine in pool.engines}
    fixed = {name: elo for name, elo in anchors.items() if name in own}
    return rate_pool(pool, anchors=fixed, prior=prior)


def _counts(pools: Sequence[Pool]) -> dict[str, int]:
    return {
        "games": sum(len(pool.games) for pool in pools),
        "distinct": sum(pool.distinct for pool in pools),
    }


def _parse_anchors(texts: Sequence[str]) -> dict[str, float]:
    fixed: dict[str, float] = {}
    for name, elo in map(_parse_anchor, texts):
        if name in fixed:
            raise CouldNotRun(f"--anchor: {name!r} is given twice: {fixed[name]:g} and {elo:g}")
        fixed[name] = elo
    return fixed


def _parse_anchor(text: str) -> tuple[str, float]:
    name, equals, elo = text.rpartition("=")
    try:
        if equals and name:
            return name, float(elo)
    except ValueError:
        pass
    raise CouldNotRun(f"--anchor: expected NAME=ELO, such as gnugo=1800, not {text!r}")
