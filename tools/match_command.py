"""The command `quintet match`."""

import contextlib
import itertools
import os
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import click

from engines import registry
from engines.core.game import InvalidText
from engines.core.timing import TimeControl
from tools.adjudication import check_tables, parse_adjudication
from tools.count import SCORINGS
from tools.engines import PROTOCOLS, EngineSpec, resolve
from tools.failure import CouldNotRun
from tools.filing import SHOGI_FORMATS, find_record
from tools.goban import go_terms, warnings
from tools.interrupt import Interrupts
from tools.journal import LOCK, Journal, JournalError
from tools.match import Changed, Hall, Match, last_seal
from tools.opening import ORDERS, load_openings
from tools.quantity import LONGEST, Quantity
from tools.readiness import fault, is_given
from tools.referee import LAG, MOVE_TIMEOUT, Opening
from tools.report import JsonLines, Lines, Report
from tools.seat import CREW
from tools.spec import ASIDE, MatchSpec, check_openings
from tools.sprt import State, format_sprt, parse_sprt
from tools.stall import SUSPENSIONS
from tools.workers import cores, make_executor, stop_workers


def _options(*decorators: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def decorate(command: Any) -> Any:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


_PLAYED = _options(
    click.option("--game", type=click.Choice(sorted(registry.GAMES)), help="What is played."),
    click.option(
        "--size", type=click.IntRange(min=1), metavar="N", help="Board size, where it varies."
    ),
    click.option(
        "--variant", "--rules", metavar="NAME", default="", help="Variant; in Go the rule set."
    ),
    click.option(
        "--protocol",
        type=click.Choice(PROTOCOLS),
        help="What engines given by command line speak; default: find out.",
    ),
    click.option("--games", type=click.IntRange(min=1), metavar="N", default=2, show_default=True),
    click.option(
        "--time",
        "times",
        metavar="TC",
        multiple=True,
        help="Seconds: 600, 600+5, 600+5x30, 600+25/300, 1/move, 60h; limits alone or appended: "
        "depth=8, nodes=1000, in Go visits=200, as in 3+0.1,depth=2. "
        "Given twice: of the first engine, of the second.  [default: 60+1]",
    ),
    click.option(
        "--openings",
        type=click.Path(path_type=Path, exists=True),
        metavar="PATH",
        help="Text (an opening a line, moves apart), SGF, for shogi KIF, CSA or USI lines, or a "
        "folder of such.",
    ),
    click.option(
        "--movetime",
        is_flag=True,
        help="Tell USI engines a fixed time a move as `movetime`, not as byo-yomi.",
    ),
    click.option(
        "--ponder",
        type=click.Choice(("first", "second", "both")),
        help="Who thinks in the opponent's time, too, where the engine can.",
    ),
    click.option("--order", type=click.Choice(ORDERS), default="sequential", show_default=True),
    click.option(
        "--plies", type=click.IntRange(min=0), metavar="N", default=0, help="Cut openings to N."
    ),
    click.option(
        "--seed",
        type=click.IntRange(min=0),
        metavar="N",
        help="Of dice, openings' order, and engines' own chance where they let it be set; "
        "default: drawn.",
    ),
)
_GO = _options(
    click.option("--komi", metavar="POINTS", help="Go.  [default: the rule set's; handicap 0.5]"),
    click.option(
        "--handicap",
        metavar="N|free:N",
        help="Go: stones of Black on the star points, or where the engine of Black places them.",
    ),
    click.option(
        "--scoring",
        type=click.Choice(SCORINGS),
        help="Go, agreed: what both engines' final_score says, else the arbiter's dead stones; "
        "all-alive: nobody is asked.  [default: agreed]",
    ),
    click.option(
        "--arbiter",
        metavar="ENGINE",
        help="Go: names the dead stones where the engines disagree.  [default: quintet-go]",
    ),
)
_ENDED = _options(
    click.option(
        "--sprt",
        metavar="elo0=E,elo1=E[,...]",
        default="",
        help="Stop when the test has its answer; also alpha=, beta=, model=.",
    ),
    click.option(
        "--resign",
        metavar="SHARE,MOVES[,both]",
        default="",
        help="A side that expects SHARE of the points (0 to 0.5) or less for MOVES moves has lost.",
    ),
    click.option(
        "--draw",
        metavar="SHARE,MOVES[,PLY]",
        default="",
        help="Drawn when both expect 0.5 of the points, give or take SHARE (below 0.5), for MOVES "
        "moves, from PLY on.",
    ),
    click.option(
        "--mate",
        metavar="MOVES[,both]",
        default="",
        help="A forced mate that its owner claims for MOVES moves is a win.",
    ),
    click.option(
        "--exact",
        metavar="MOVES[,both]",
        default="",
        help="The same of exact scores, as from tables; drawn if both say so.",
    ),
    click.option(
        "--tables", is_flag=True, help="Morris: what the tables that ship know ends a game."
    ),
    click.option(
        "--max-plies",
        type=click.IntRange(min=0),
        metavar="N",
        default=0,
        help="Drawn at ply N; Go is counted then, by itself at three moves a point.",
    ),
    click.option(
        "--lag",
        type=Quantity(min=0, max=LONGEST),
        metavar="SECONDS",
        default=LAG,
        show_default=True,
        help="Over the flag, forgiven; ten times that in a game.",
    ),
    click.option(
        "--move-timeout",
        type=Quantity(min=0.001, max=LONGEST),
        metavar="SECONDS",
        default=MOVE_TIMEOUT,
        show_default=True,
        help="For a move without a clock.",
    ),
    click.option(
        "--patience",
        type=Quantity(min=0.001, max=LONGEST),
        metavar="SECONDS",
        help="For an engine to start, and to get ready for a game.  [default: 60, or its own]",
    ),
    click.option(
        "--set-aside",
        type=click.IntRange(min=1),
        metavar="N",
        default=ASIDE,
        show_default=True,
        help="Stop when an engine failed N times in a row.",
    ),
)
_RUN = _options(
    click.option(
        "--concurrency", type=click.IntRange(min=1), metavar="N", default=1, show_default=True
    ),
    click.option("--force", is_flag=True, help="Even more games at once than cores."),
    click.option("--no-pin", is_flag=True, help="Leave the games at once unbound to cores."),
    click.option(
        "--out",
        type=click.Path(path_type=Path, file_okay=False),
        metavar="DIR",
        help="Folder of journal and records; the same again goes on. Default: a new one in "
        "matches/.",
    ),
    click.option(
        "--accept-changes",
        is_flag=True,
        help="Go on with engines that are made otherwise, under the same names.",
    ),
    click.option(
        "--records",
        "shogi_format",
        type=click.Choice(SHOGI_FORMATS),
        default=SHOGI_FORMATS[0],
        show_default=True,
        help="What records of shogi are written in.",
    ),
    click.option("--transcript", is_flag=True, help="Write down each dialogue in DIR/transcripts."),
    click.option("--strict", is_flag=True, help="Exit 1 for faulty lines of play, too."),
    click.option("--json", "as_json", is_flag=True, help="One JSON object a line."),
)


@click.command()
@click.argument("engines", nargs=-1, required=True, metavar="GAME|ENGINE [ENGINE]")
@_PLAYED
@_GO
@_ENDED
@_RUN
def match(engines: Sequence[str], out: Path | None, as_json: bool, **given: Any) -> None:
    """Play a match between two engines, colours alternating, and record every game.

    The name of a GAME is our own engine for it; one engine alone plays itself. An ENGINE is one
    of our programs (quintet-neutron), a name from your engines.toml, or a command line in quotes.
    Stopped at any moment, the same line with the same --out goes on.

    Go engines are told the rules where they know kata-set-rules or kgs-rules. GNU Go knows
    neither: start it with --chinese-rules --positional-superko (its --help has the others).

    \b
    quintet match neutron --games 4 --time 1/move
    quintet match go "gnugo --mode gtp --chinese-rules --positional-superko" --size 9 --komi 7
    quintet match "quintet-neutron --option level=5" "./mine --fast" --time 60+0.5
    """  # noqa: D301  # Click wants the control character itself.
    if len(engines) > 2:
        told = f"expected one or two engines, not {len(engines)}"
        if engines[0] in registry.GAMES:
            told += f"; what is played between two others is said by --game {engines[0]}"
        raise CouldNotRun(told)
    if given["concurrency"] > len(cores()) and not given["force"]:
        raise CouldNotRun(
            f"--concurrency {given['concurrency']}: there are {len(cores())} cores (--force)"
        )
    try:
        _refuse_idle(given)
        spec = _spec(engines, given)
    except InvalidText as error:
        raise CouldNotRun(str(error)) from error
    fresh = out is None or not out.exists()
    folder = out or _fresh_folder(spec.game)
    report = _report(as_json)
    try:
        with Journal(folder) as journal, _traceless(journal, fresh=fresh):
            _refuse_strangers(journal)
            spec, notices = _seeded(spec, journal, given)
            if not journal.events:
                _ready(spec)
            if given["transcript"]:
                spec = replace(spec, transcripts=str(folder / "transcripts"))
            for notice in notices:
                click.echo(notice, err=True)
            playing = Match(spec, journal, accept_changes=given["accept_changes"])
            try:
                status = _run(playing, report, given)
            except (JournalError, InvalidText) as error:
                playing.failure = playing.failure or str(error)
                _write_failure(playing)
                raise
            finally:
                report.close()
    except (JournalError, Changed, InvalidText) as error:
        raise CouldNotRun(str(error)) from error
    raise SystemExit(_exit_status(status, given["strict"]))


def _ready(spec: MatchSpec) -> None:
    """Start the engines; raises JournalError with all that is wrong with them."""
    if told := fault(spec, CREW):
        CREW.close()
        raise JournalError(told)


@contextlib.contextmanager
def _traceless(journal: Journal, *, fresh: bool) -> Iterator[None]:
    """Remove a fresh folder if its match does not begin; its lock is still held then."""
    try:
        yield
    finally:
        if fresh and not journal.events:
            with contextlib.suppress(OSError):
                journal.path.unlink()
                (journal.folder / LOCK).unlink()
                journal.folder.rmdir()


def _write_failure(playing: Match) -> None:
    """Say in the status what kept the match from beginning or going on, if the disk takes it."""
    with contextlib.suppress(JournalError):
        playing.write_status()


def _report(as_json: bool) -> Report:
    if as_json:
        return JsonLines()
    if sys.stdout.isatty():
        # A bar is worth a library only where somebody sees it; without it lines will do.
        with contextlib.suppress(ImportError):
            from tools.live import Live

            return Live()
    return Lines()


def _run(playing: Match, report: Report, given: dict[str, Any]) -> dict[str, Any]:
    spec, count = playing.spec, given["concurrency"]
    report.begin(playing)
    playing.restore_records()
    # Who ponders on a core that its opponent thinks on would steal the opponent's time.
    pin = not given["no_pin"] and not any(engine.ponder for engine in spec.engines)
    hall = Hall(playing, partial(make_executor, count, pin=pin), count)
    hall.started = report.start
    SUSPENSIONS.watch()
    interrupts = Interrupts(partial(setattr, hall, "stopping", True))
    if not playing.over and next(playing.missing(), None) is not None:
        _ready(spec)
        for warning in warnings(spec, CREW):
            click.echo(warning, err=True)
        if count > 1:
            CREW.close()
    deaf = False
    with interrupts:
        try:
            for record, fate in hall.play():
                report.game(playing, record, fate)
        except KeyboardInterrupt:
            stop_workers()
        except (JournalError, InvalidText) as error:
            playing.failure = str(error)
            raise
        except BrokenPipeError:  # Nobody reads on: as good as Ctrl-C.
            deaf = True
            stop_workers()
        finally:
            status = dict(playing.write_status(interrupted=deaf or interrupts.count > 0))
    if deaf:
        # What is left in the buffer would fail once more when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    else:
        report.summary(playing, status)
    return status


def _exit_status(status: dict[str, Any], strict: bool) -> int:
    if status["interrupted"] and status["missing"]:
        return 130
    no_answer = status["sprt"] is not None and status["sprt"]["state"] != State.H1
    faulty = strict and bool(status["faults"])
    return 1 if status["status"] != "clean" or no_answer or faulty else 0


def _fresh_folder(game: str) -> Path:
    """Make a folder that nobody else has; matches may begin in the same second."""
    moment = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    for number in itertools.count(1):
        folder = Path("matches") / (f"{game}-{moment}" + (f"-{number}" if number > 1 else ""))
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        except OSError as error:
            raise CouldNotRun(f"cannot make {folder}: {error.strerror}") from error
        return folder
    raise AssertionError("unreachable")


def _refuse_strangers(journal: Journal) -> None:
    taken = find_record(journal.folder)
    if taken is not None and not journal.events:
        raise JournalError(
            f"--out: {journal.folder} already holds records ({taken.name}); name another"
        )


def _refuse_idle(given: dict[str, Any]) -> None:
    """Raise InvalidText for options that would do nothing."""
    if given["openings"] is None:
        for name in ("order", "plies"):
            if is_given(name):
                raise InvalidText(f"--{name} is about openings; expected --openings with it")


def _spec(texts: Sequence[str], given: dict[str, Any]) -> MatchSpec:
    first = resolve(texts[0], given["protocol"])
    second = resolve(texts[-1], given["protocol"])
    if first.label == second.label:
        second = replace(second, label=f"{second.label} (2)")
    first = replace(
        first,
        ponder=first.ponder or given["ponder"] in ("first", "both"),
        movetime=first.movetime or given["movetime"],
    )
    second = replace(
        second,
        ponder=second.ponder or given["ponder"] in ("second", "both"),
        movetime=second.movetime or given["movetime"],
    )
    if given["patience"] is not None:
        first = replace(first, patience=given["patience"])
        second = replace(second, patience=given["patience"])
    times = given["times"] or ("60+1",)
    if len(times) > 2:
        raise InvalidText(f"--time: expected one or two, not {len(times)}")
    spec = MatchSpec(
        game=_game(given["game"], first, second),
        variant=given["variant"],
        size=given["size"] or 0,
        engines=(first, second),
        games=given["games"],
        controls=(TimeControl.parse(times[0]), TimeControl.parse(times[-1])),
        adjudication=replace(
            parse_adjudication(
                given["resign"], given["draw"], given["max_plies"], given["mate"], given["exact"]
            ),
            tables=given["tables"],
        ),
        sprt=format_sprt(parse_sprt(given["sprt"])) if given["sprt"] else "",
        lag=given["lag"],
        move_timeout=given["move_timeout"],
        aside=given["set_aside"],
        shogi_format=given["shogi_format"],
    )
    if is_given("shogi_format") and spec.game != "shogi":
        raise InvalidText(f"--records is for shogi; {spec.game} is recorded in SGF")
    if given["tables"]:
        check_tables(spec.game)
        click.echo("--tables: the tables that ship are asked, not those of your own", err=True)
    return go_terms(spec, given)


def _game(game: str | None, first: EngineSpec, second: EngineSpec) -> str:
    named = {name for name in (game, first.game, second.game) if name is not None}
    if not named:
        raise InvalidText("which game? neither engine says; give --game")
    if len(named) > 1:
        raise InvalidText(f"the engines play different games: {', '.join(sorted(named))}")
    return named.pop()


def _seeded(
    spec: MatchSpec, journal: Journal, given: dict[str, Any]
) -> tuple[MatchSpec, list[str]]:
    """Settle the seed, which a match that goes on has already, and the openings it orders."""
    seed = given["seed"]
    if seed is None and journal.events:
        seed = last_seal(journal.events).get("seed")
    if seed is None:
        seed = random.SystemRandom().randrange(1 << 31)
    openings: tuple[Opening, ...] = ()
    notices: list[str] = []
    if given["openings"] is not None:
        openings, notices = load_openings(
            given["openings"],
            spec.rules(),
            plies=given["plies"],
            order=given["order"],
            seed=seed,
        )
    spec = replace(spec, seed=seed, openings=openings)
    check_openings(spec)
    return spec, notices
