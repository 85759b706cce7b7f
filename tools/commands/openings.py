"""The command `quintet openings`."""

import re
from pathlib import Path

import click

from engines import registry
from engines.core.game import InvalidText
from engines.core.timing import TimeControl
from tools.commands.completing import complete_engine
from tools.commands.options import variant_option
from tools.commands.terminal import progress_bar
from tools.commands.values import Quantity, Whole, Word
from tools.match.options import MatchOptions, match_spec
from tools.openings.collection import Collection
from tools.openings.drawing import Drawing, DrawingPlan
from tools.roster.seats import ENGINE_POOL


def _read_plies(context: click.Context, parameter: click.Parameter, value: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,3})(?:-([0-9]{1,3}))?", value)
    if found is None or int(found[2] or found[1]) < int(found[1]):
        raise click.BadParameter(f"expected a number, or two as in 6-12, not {value!r}")
    return int(found[1]), int(found[2] or found[1])


def _read_time(context: click.Context, parameter: click.Parameter, value: str) -> TimeControl:
    try:
        return TimeControl.parse(value)
    except InvalidText as error:
        raise click.BadParameter(str(error)) from error


@click.command()
@click.argument("game", type=Word(sorted(registry.GAMES)), metavar="GAME")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--count",
    type=Whole(min=1),
    default=100,
    show_default=True,
    metavar="N",
    help="Openings wanted.",
)
@click.option(
    "--plies",
    callback=_read_plies,
    default="6-10",
    show_default=True,
    metavar="N|N-M",
    help="Moves of each opening; with two numbers, each opening draws its own number.",
)
@click.option(
    "--player",
    metavar="ENGINE",
    shell_complete=complete_engine,
    required=True,
    help="Engine that plays the openings.",
)
@click.option(
    "--player-time",
    callback=_read_time,
    default="1/move",
    show_default=True,
    metavar="TC",
    help="Limit of each of its moves, as in `quintet match --time`.",
)
@click.option(
    "--random",
    "wildness",
    type=Quantity(0, 1),
    default=0.0,
    show_default=True,
    metavar="SHARE",
    help="Share of moves that are drawn from all legal moves instead.",
)
@click.option(
    "--judge",
    metavar="ENGINE",
    shell_complete=complete_engine,
    required=True,
    help="Engine that values each opening.",
)
@click.option(
    "--judge-time",
    callback=_read_time,
    default="5/move",
    show_default=True,
    metavar="TC",
    help="Limit of each of its judgements.",
)
@click.option(
    "--within",
    type=Quantity(0, 0.5),
    default=0.05,
    show_default=True,
    metavar="SHARE",
    help="Keep openings whose expected share of the points is so near to one half.",
)
@click.option(
    "--seed",
    type=Whole(min=0),
    default=1,
    show_default=True,
    metavar="N",
    help="Seed of the draws.",
)
@click.option(
    "--size", type=Whole(2, 25), metavar="N", help="Go: size of the board.  [default: 19]"
)
@click.option("--komi", metavar="POINTS", help="Go: komi.  [default: that of the rule set]")
@variant_option
def openings(
    game: str,
    file: Path,
    count: int,
    plies: tuple[int, int],
    player: str,
    player_time: TimeControl,
    wildness: float,
    judge: str,
    judge_time: TimeControl,
    within: float,
    seed: int,
    size: int | None,
    komi: str | None,
    variant: str,
) -> None:
    """Draw balanced openings of GAME for matches, and write them to FILE, one per line.

    GAME is go, morris, neutron, senet or shogi. One engine plays each opening, another judges
    it by the score that it gives with its next move. An opening is kept if the score is nearly
    even, and if neither its position nor a mirror image of it was reached before. The player
    must vary its moves: give it a low level, or --random. The lines end in the share of the
    points that the judge expects for the first player.

    Run the same command again to resume, with a larger --count to add openings.

    Exit status: 0 done, 2 could not run.
    """
    options = MatchOptions(
        engines=(player, judge), game=game, size=size, variant=variant, komi=komi
    )
    terms = match_spec(options)
    plan = DrawingPlan(terms, (player_time, judge_time), plies, wildness, within, seed)
    made = {
        "game": " ".join(filter(None, (game, f"{size}x{size}" if size else "", variant))),
        "komi": komi or "",
        "plies": "-".join(str(number) for number in plies),
        "player": f"{player}, {player_time}",
        "random moves": f"{wildness:g}",
        "judge": f"{judge}, {judge_time}",
        "within": f"{within:g}",
        "seed": str(seed),
    }
    collection = Collection(file, {name: value for name, value in made.items() if value})
    collection.begin()
    drawing = Drawing(plan, ENGINE_POOL)
    for opening in collection.openings:
        drawing.know(opening)
    had = len(collection.openings)
    try:
        draws = drawing.draw(collection.next)
        with progress_bar() as show:
            while (done := len(collection.openings)) < count:
                show(done / count, f"{done} of {count} openings, {drawing.tried} draws")
                collection.add(next(draws))
    finally:
        ENGINE_POOL.close()
    left_out = ", ".join(f"{number} {why}" for why, number in sorted(drawing.refused.items()))
    click.echo(
        f"{len(collection.openings)} openings in {file}, {len(collection.openings) - had} of them "
        f"new, from {drawing.tried} draws" + (f" ({left_out})" if left_out else "")
    )
