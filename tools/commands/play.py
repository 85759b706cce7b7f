"""The command `quintet play`."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from engines import registry
from engines.core.timing import TimeControl
from engines.go.rules.text import LARGEST, SMALLEST, size_number
from tools.commands.completing import complete_game_or_file, complete_levels, complete_players
from tools.commands.errors import CouldNotRun
from tools.commands.options import number_option, variant_option
from tools.commands.sections import SectionedCommand, section
from tools.commands.values import Quantity, Word
from tools.play.filing import load_file, terms_of
from tools.play.offers import make_terms, offer_of, own_engine
from tools.play.players import Player, parse_player
from tools.play.terminal.app import Application
from tools.play.terminal.menu import Arrangement, describe_levels
from tools.records.recorded import RecordedGame
from tools.roster.sides import split_sides

if TYPE_CHECKING:
    _NumberType = click.ParamType[int]
else:
    _NumberType = click.ParamType  # Click 8.1 has no type parameter.

_COLOURS = ("first", "second", "lot")


class BoardSize(_NumberType):
    """The size of a board of Go: 9, or 9x13; a rectangular one is a number of `size_number`."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number of a size, or fail with what was expected."""
        if isinstance(value, int):
            return value
        match = re.fullmatch(r"([0-9]{1,2})(?:x([0-9]{1,2}))?", value)
        width, height = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not all(SMALLEST <= side <= LARGEST for side in (width, height)):
            expected = f"a whole number from {SMALLEST} to {LARGEST}, or two such as 9x13"
            self.fail(f"expected {expected}, not {value!r}", param, ctx)
        return size_number(width, height)


@click.command(cls=SectionedCommand)
@click.argument("game", required=False, metavar="[GAME|FILE]", shell_complete=complete_game_or_file)
@click.argument(
    "players", nargs=-1, metavar="[PLAYER [KEY=VALUE]...]...", shell_complete=complete_players
)
@section(
    "Players",
    click.option(
        "--level",
        metavar="LEVEL",
        shell_complete=complete_levels,
        help="Play against our own engine at this level; `--level list` describes the levels.  "
        "[default: a middle one]",
    ),
    click.option(
        "--colour",
        type=Word(_COLOURS),
        help="With one PLAYER or --level: your side, or `lot`.  [default: first]",
    ),
)
@section(
    "Game",
    click.option(
        "--size",
        type=BoardSize(),
        metavar="N|NxM",
        help="Go: points along a side of the board, or its columns and rows, such as 9x13.  "
        "[default: 19]",
    ),
    variant_option,
    click.option(
        "--komi",
        default="",
        metavar="POINTS",
        help="Go: komi.  [default: that of the rule set; 0.5 with a handicap]",
    ),
    click.option(
        "--handicap",
        default="",
        metavar="N|NAME",
        help="Go: number of handicap stones; shogi: a named set-up.  [default: none]",
    ),
)
@section("Record", number_option)
@section(
    "Clocks",
    click.option(
        "--time",
        "times",
        multiple=True,
        metavar="TC",
        help="Clock of both sides in seconds, such as 600+5; given twice, the first and the second "
        "side's; see `quintet help time`.  [default: no clock]",
    ),
    click.option(
        "--pace",
        type=Quantity(min=0),
        metavar="SECONDS",
        help="Of two engines that are watched, each move takes so long at least.  "
        "[default: 1 in a terminal]",
    ),
)
@section(
    "Output",
    click.option("--letters", is_flag=True, help="Shogi: letters instead of kanji."),
)
def play(
    game: str | None,
    players: tuple[str, ...],
    level: str | None,
    colour: str | None,
    size: int | None,
    variant: str,
    komi: str,
    handicap: str,
    number: int | None,
    times: tuple[str, ...],
    pace: float | None,
    letters: bool,
) -> None:
    """Play a game in the terminal, or go on with the record in FILE.

    A PLAYER is `person` (with name=NAME), or an engine as in `quintet match` with its settings. The
    first of two players moves first. One engine plays against you. Without arguments, there is a
    menu. Without players, FILE is stepped through, and `continue` goes on for two persons.
    """
    terms = {
        "--size": size,
        "--variant": variant,
        "--komi": komi,
        "--handicap": handicap,
    }
    if game is None:
        _refuse("the menu asks for it", {**terms, "--level": level, "--colour": colour})
        _refuse("the menu asks for it", {"--time": times, "--pace": pace})
        _refuse("it is for a FILE", {"--number": number})
        Application(letters=letters).choose()
        return
    is_file = game not in registry.GAMES
    if is_file and not Path(game).is_file():
        known = ", ".join(sorted(registry.GAMES))
        raise CouldNotRun(f"no such game or file: {game!r} (known games: {known})")
    if len(times) > 2:
        raise CouldNotRun("--time can be given twice at most")
    controls = [TimeControl.parse(text) for text in times] or [TimeControl()]
    both = (controls[0], controls[-1])
    if is_file:
        _refuse("the record says it", terms)
        application = Application(letters=letters, pace=pace)
        recorded = load_file(Path(game), number or 0, application.choose_title)
        _play_file(recorded, players, level, colour, both, application)
        return
    _refuse("it is for a FILE", {"--number": number})
    if level == "list":
        click.echo(f"Levels of quintet-{game}:\n{describe_levels(game)}")
        return
    _refuse_letters(game, letters=letters)
    made = make_terms(
        game,
        variant=variant,
        size=size or 0,
        komi=komi,
        handicap=handicap,
    )
    chosen = _players(game, players, level)
    _refuse_colour(colour, players, level)
    application = Application(letters=letters, pace=pace)
    arrangement = Arrangement(replace(made, controls=both), chosen)
    application.play(_coloured(application, arrangement, colour))


def _play_file(
    recorded: RecordedGame,
    words: tuple[str, ...],
    level: str | None,
    colour: str | None,
    controls: tuple[TimeControl, TimeControl],
    application: Application,
) -> None:
    """Open a record, for the players that are given or else for two persons."""
    if level == "list":
        raise CouldNotRun(f"--level list: give the game, {recorded.game}, instead of a file")
    if colour is not None and not words and level is None:
        raise CouldNotRun("--colour: give a PLAYER or --level, too")
    _refuse_colour(colour, words, level)
    given = bool(words) or level is not None
    players = _players(recorded.game, words, level) if given else (Player(), Player())
    arrangement = Arrangement(replace(terms_of(recorded), controls=controls), players)
    application.open(_coloured(application, arrangement, colour), recorded)


def _coloured(
    application: Application, arrangement: Arrangement, colour: str | None
) -> Arrangement:
    """Give the players the sides that were chosen."""
    if colour == "lot":
        return application.draw_lots(arrangement)
    if colour == "second":
        first, second = arrangement.players
        return Arrangement(arrangement.terms, (second, first))
    return arrangement


def _refuse(why: str, given: Mapping[str, object]) -> None:
    """Raise CouldNotRun if an option has a value that would do nothing."""
    for name, value in given.items():
        if value not in (None, "", ()):
            raise CouldNotRun(f"{name} cannot be given here: {why}")


def _refuse_letters(game: str, *, letters: bool) -> None:
    if letters and game != registry.SHOGI:
        raise CouldNotRun("--letters is for shogi, whose pieces are drawn with kanji otherwise")


def _refuse_colour(colour: str | None, words: tuple[str, ...], level: str | None) -> None:
    """Raise CouldNotRun for a colour where two players are given in their order."""
    if colour in ("first", "second") and len(split_sides(words)) + (level is not None) > 1:
        raise CouldNotRun(
            f"--colour {colour}: the first of two players moves first; give them in that order, or "
            "--colour lot"
        )


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
