"""The options about what is played, which a match and a tournament share."""

from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from engines import registry
from protocols.ask.engine import LONGEST
from tools.commands.completing import complete_engine
from tools.commands.errors import CouldNotRun
from tools.commands.options import patience_option, protocol_option, variant_option
from tools.commands.sections import section
from tools.commands.values import Quantity, Whole, Word
from tools.match.workers import cores
from tools.records.filing import SHOGI_FORMATS
from tools.terms.openings import BUILTIN, ORDERS
from tools.terms.scoring import SCORINGS
from tools.terms.spec import LAG, MOVE_TIMEOUT, SCORE_TIMEOUT

force_option = click.option(
    "--force",
    is_flag=True,
    help="Accept more jobs than CPU cores, and a new folder that holds other files.",
)


def refuse_too_many(jobs: int, *, force: bool, what: str = "--jobs ") -> None:
    """Raise CouldNotRun for more concurrent games than cores, unless the user insists."""
    if jobs > len(cores()) and not force:
        raise CouldNotRun(
            f"{what}{jobs}: there are only {len(cores())} cores (--force accepts it all the same)"
        )


class OpeningsPath(click.Path):
    """A path that exists, or the word `builtin`."""

    def __init__(self) -> None:
        super().__init__(exists=True, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return a path."""
        return Path(value) if value == BUILTIN else super().convert(value, param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Complete the word, if it has begun, or else a path."""
        if incomplete and BUILTIN.startswith(incomplete):
            return [CompletionItem(BUILTIN)]
        return super().shell_complete(ctx, param, incomplete)


GAME_OPTIONS = section(
    "Games",
    click.option(
        "--game",
        type=Word(sorted(registry.GAMES)),
        help="Game, if the engines do not determine it.  [default: that of the engines]",
    ),
    click.option(
        "--size",
        type=Whole(2, 25),
        metavar="N",
        help="Go: points along a side of the board.  [default: 19]",
    ),
    variant_option,
    protocol_option,
)
CLOCK_OPTIONS = section(
    "Clocks",
    click.option(
        "--lag",
        type=Quantity(min=0, max=LONGEST),
        metavar="SECONDS",
        default=LAG,
        show_default=True,
        help="Overrun tolerated per move, and ten times as much per game.",
    ),
    click.option(
        "--move-timeout",
        type=Quantity(min=0.001, max=LONGEST),
        metavar="SECONDS",
        default=MOVE_TIMEOUT,
        show_default=True,
        help="Time limit of a move where there is no clock.",
    ),
    patience_option,
    click.option(
        "--movetime",
        is_flag=True,
        help="Send a fixed time per move to USI engines as movetime instead of byo-yomi.",
    ),
)
OPENING_OPTIONS = section(
    "Openings",
    click.option(
        "--openings",
        type=OpeningsPath(),
        metavar="PATH|builtin",
        help="Openings: builtin for balanced ones that come with us (Go on 9x9, 13x13 and 19x19, "
        "shogi, Morris, Neutron), a text file (one per line, moves separated by spaces), an SGF "
        "file, for shogi also KIF, CSA or lines of USI, or a folder of these; see `quintet help "
        "openings`.  [default: none]",
    ),
    click.option(
        "--order",
        type=Word(ORDERS),
        help="Order of the openings.  [default: sequential]",
    ),
    click.option(
        "--plies",
        type=Whole(min=0),
        metavar="N",
        help="Use only the first N moves of each opening; 0 uses all.  [default: 0]",
    ),
    click.option(
        "--seed",
        type=Whole(min=0),
        metavar="N",
        help="Seed of the dice, of the order of openings, and of engines that accept one.  "
        "[default: random]",
    ),
)
GO_OPTIONS = section(
    "Go",
    click.option(
        "--komi",
        metavar="POINTS",
        help="Go: komi.  [default: that of the rule set; 0.5 with a handicap]",
    ),
    click.option(
        "--handicap",
        metavar="N|free:N",
        help="Go: N handicap stones on the star points, or where Black's engine places them.  "
        "[default: none]",
    ),
    click.option(
        "--scoring",
        type=Word(SCORINGS),
        help="Go: agreed takes the score on which both engines agree, otherwise the arbiter's dead "
        "stones, which never overrule a winner that both name; all-alive counts every stone as "
        "alive.  [default: agreed]",
    ),
    click.option(
        "--arbiter",
        shell_complete=complete_engine,
        metavar="ENGINE",
        help="Go: engine that names the dead stones if the players disagree.  "
        "[default: quintet-go]",
    ),
    click.option(
        "--score-timeout",
        type=Quantity(min=0.001, max=LONGEST),
        metavar="SECONDS",
        help=f"Go: time limit of an engine's final_score.  [default: {SCORE_TIMEOUT:g}]",
    ),
)
ADJUDICATION_OPTIONS = section(
    "Ending games early",
    click.option(
        "--resign",
        metavar="SHARE,MOVES[,both]",
        default="",
        help="A side loses when it expects at most SHARE of the points (0 to 0.5) for MOVES "
        "moves.  [default: never]",
    ),
    click.option(
        "--draw",
        metavar="SHARE,MOVES[,PLY]",
        default="",
        help="A game is drawn when both sides expect 0.5 of the points, plus or minus SHARE, for "
        "MOVES moves, from PLY on.  [default: never]",
    ),
    click.option(
        "--mate",
        metavar="MOVES[,both]",
        default="",
        help="A side wins when it announces a forced mate for MOVES moves.  [default: never]",
    ),
    click.option(
        "--exact",
        metavar="MOVES[,both]",
        default="",
        help="A game ends when exact scores, as from tables, decide it for MOVES moves.  "
        "[default: never]",
    ),
    click.option("--tables", is_flag=True, help="Morris: adjudicate by the bundled tables."),
    click.option(
        "--max-plies",
        type=Whole(min=0),
        metavar="N",
        default=0,
        help="Draw a game at ply N; in Go, count it as it stands.  "
        "[default: none; in Go three moves per point]",
    ),
)
RESUMING_OPTIONS = section(
    "Running",
    force_option,
    click.option(
        "--no-pin",
        "pin",
        flag_value=False,
        default=True,
        help="Do not pin concurrent games to CPU cores.",
    ),
    click.option(
        "--accept-changes",
        is_flag=True,
        help="Resume although the engines were changed, under the same names.",
    ),
)
RECORD_OPTIONS = section(
    "Output",
    click.option(
        "--records",
        "shogi_format",
        type=Word(SHOGI_FORMATS),
        help="Format of records of shogi: kif is KIF in Shift_JIS, which every program reads, kifu "
        f"is KIF in UTF-8.  [default: {SHOGI_FORMATS[0]}]",
    ),
    click.option(
        "--transcript", is_flag=True, help="Write every dialogue with an engine to DIR/transcripts."
    ),
)
