"""The command `quintet match`."""

import contextlib
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from engines import registry
from engines.core.game import InvalidText
from engines.core.timing import TimeControl
from protocols.errors import EngineError
from tools.engines import PROTOCOLS, resolve
from tools.failure import CouldNotRun
from tools.match import MatchSpec, play_match
from tools.record import GameRecord, to_sgf
from tools.standing import Standing


@click.command()
@click.argument("engines", nargs=-1, required=True, metavar="GAME|ENGINE [ENGINE]")
@click.option("--game", type=click.Choice(sorted(registry.GAMES)), help="What is played.")
@click.option(
    "--size", type=click.IntRange(min=1), metavar="N", help="Board size, where it varies."
)
@click.option("--variant", metavar="NAME", default="", help="Variant; in Go the rule set.")
@click.option(
    "--protocol",
    type=click.Choice(PROTOCOLS),
    help="What engines given by command line speak; default: find out.",
)
@click.option("--games", type=click.IntRange(min=1), metavar="N", default=2, show_default=True)
@click.option(
    "--time",
    "time_control",
    metavar="TC",
    default="60+1",
    show_default=True,
    help="Seconds: 600, 600+5, 600+5x30, 600+25/300, 1/move, 60h; depth=8, nodes=1000.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Folder of the records; default: a new one in matches/.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def match(
    engines: Sequence[str],
    game: str | None,
    size: int | None,
    variant: str,
    protocol: str | None,
    games: int,
    time_control: str,
    out: Path | None,
    as_json: bool,
) -> None:
    """Play a match between two engines, colours alternating, and record every game.

    The name of a GAME is our own engine for it; one engine alone plays itself. An ENGINE is one
    of our programs (quintet-neutron), a name from your engines.toml, or a command line in quotes.

    \b
    quintet match neutron --games 4 --time 1/move
    quintet match "quintet-neutron --option level=5" "./mine --fast" --time 60+0.5
    """  # noqa: D301  # Click wants the control character itself.
    if len(engines) > 2:
        raise CouldNotRun(f"expected one or two engines, not {len(engines)}")
    try:
        spec = _spec(engines, game, size or 0, variant, protocol, games, time_control)
        sides = spec.rules().sides
    except InvalidText as error:
        raise CouldNotRun(str(error)) from error
    folder = _folder(spec, out)
    told = _JsonLines() if as_json else _Lines()
    told.begin(spec, folder)
    standings = [Standing(engine.label) for engine in spec.engines]
    interrupted = False
    with contextlib.closing(play_match(spec)) as records:
        try:
            for record in records:
                path = folder / f"{spec.game}-{record.number:04}.sgf"
                _save(path, to_sgf(record, sides))
                for index, standing in enumerate(standings):
                    standing.add(record, (record.number - 1 + index) % 2)
                told.game(record, spec, path, sides)
        except EngineError as error:
            raise CouldNotRun(_with_last_words(error)) from error
        except InvalidText as error:
            raise CouldNotRun(str(error)) from error
        except KeyboardInterrupt:
            interrupted = True
    told.summary(standings, folder)
    if interrupted:
        raise SystemExit(130)


def _spec(
    texts: Sequence[str],
    game: str | None,
    size: int,
    variant: str,
    protocol: str | None,
    games: int,
    time_control: str,
) -> MatchSpec:
    first = resolve(texts[0], protocol)
    second = resolve(texts[-1], protocol)
    if first.label == second.label:
        second = replace(second, label=f"{second.label} (2)")
    named = {name for name in (game, first.game, second.game) if name is not None}
    if not named:
        raise InvalidText("which game? neither engine says; give --game")
    if len(named) > 1:
        raise InvalidText(f"the engines play different games: {', '.join(sorted(named))}")
    return MatchSpec(
        game=named.pop(),
        variant=variant,
        size=size,
        engines=(first, second),
        games=games,
        control=TimeControl.parse(time_control),
    )


def _folder(spec: MatchSpec, out: Path | None) -> Path:
    moment = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    folder = out or Path("matches") / f"{spec.game}-{moment}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        taken = next(folder.glob("*.sgf"), None)
    except OSError as error:
        raise CouldNotRun(f"--out: {error}") from error
    if taken is not None:
        raise CouldNotRun(f"--out: {folder} already holds records ({taken.name}); name another")
    return folder


def _save(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise CouldNotRun(f"cannot write a record: {error}") from error


def _with_last_words(error: EngineError) -> str:
    last = [line for line in error.stderr.splitlines() if line.strip()][-3:]
    return "\n".join([str(error), *(f"  stderr: {line}" for line in last)])


class _Lines:
    """The match for a person: a line per game, then a table."""

    def begin(self, spec: MatchSpec, folder: Path) -> None:
        variant = f" ({spec.variant})" if spec.variant else ""
        first, second = (engine.label for engine in spec.engines)
        click.echo(
            f"{registry.find(spec.game).title}{variant}: {first} against {second}, "
            f"{spec.games} games, {spec.control}, records in {folder}",
            err=True,
        )

    def game(self, record: GameRecord, spec: MatchSpec, path: Path, sides: tuple[str, str]) -> None:
        seconds = sum(move.seconds for move in record.moves)
        reason = record.outcome.reason
        forfeit = "" if reason.startswith(record.verdict) else f"{record.verdict}: "
        told = reason if record.verdict == "natural" else f"{forfeit}{reason}"
        who = " - ".join(player.label for player in record.players)
        click.echo(
            f"{record.number:4}/{spec.games}  {who}  {record.result}  {told}, "
            f"{len(record.moves)} moves, {seconds:.1f} s  {path.name}"
        )

    def summary(self, standings: Sequence[Standing], folder: Path) -> None:
        width = max(len(standing.label) for standing in standings)
        head = "games  won  drawn  lost  score  moving first  forfeits  s/move"
        click.echo(f"\n{'engine':{width}}  {head}")
        for each in standings:
            share = f"{100 * each.points / each.games:.1f} %" if each.games else "-"
            first = f"{each.points_first:g}/{each.games_first}"
            pace = f"{each.seconds / each.moves:.3f}" if each.moves else "-"
            click.echo(
                f"{each.label:{width}}  {each.games:5}  {each.wins:3}  {each.draws:5}  "
                f"{each.losses:4}  {share:>7}  {first:>10}  {each.forfeits:8}  {pace:>6}"
            )
        click.echo(f"\nrecords: {folder}")


class _JsonLines:
    """The match for a program: one JSON object a line."""

    def begin(self, spec: MatchSpec, folder: Path) -> None:
        self._tell(
            "begin",
            game=spec.game,
            variant=spec.variant,
            engines=[engine.label for engine in spec.engines],
            games=spec.games,
            time=str(spec.control),
            out=str(folder),
        )

    def game(self, record: GameRecord, spec: MatchSpec, path: Path, sides: tuple[str, str]) -> None:
        winner = None if record.outcome.winner is None else sides[record.outcome.winner]
        self._tell(
            "game",
            number=record.number,
            players=[player.label for player in record.players],
            result=record.result,
            winner=winner,
            verdict=str(record.verdict),
            reason=record.outcome.reason,
            moves=len(record.moves),
            record=str(path),
        )

    def summary(self, standings: Sequence[Standing], folder: Path) -> None:
        self._tell("summary", standings=[asdict(each) for each in standings], out=str(folder))

    @staticmethod
    def _tell(event: str, **told: Any) -> None:
        click.echo(json.dumps({"event": event, **told}))
