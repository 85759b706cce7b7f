"""The command `quintet show`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import click

from engines import registry
from engines.core.errors import QuintetError
from engines.core.storage import write_whole
from tools.boards.marks import LABEL, SIGNS
from tools.boards.picture import picture
from tools.boards.scene import TURNED, Scene
from tools.boards.text.board import draw_lines
from tools.commands.errors import CouldNotRun
from tools.commands.options import number_option, options_as
from tools.commands.terminal import write_file
from tools.commands.values import Whole
from tools.play.terminal.position import describe_standing
from tools.play.terminal.screen import Screen
from tools.play.texts import describe_result
from tools.records.diagrams import RecordDiagrams, RecordedPosition, draw_record
from tools.records.reading import read_bytes
from tools.records.recorded import read_game
from tools.records.variations import parse_path


@dataclass(frozen=True, slots=True)
class PictureOptions:
    """How a position is drawn as a picture, and where it is written."""

    svg: Path | None
    line: int
    marks: tuple[str, ...]
    letters: bool
    flipped: bool
    force: bool


@click.command()
@click.argument(
    "file", type=click.Path(path_type=Path, exists=True, dir_okay=False), metavar="FILE"
)
@click.option(
    "--ply",
    type=Whole(min=0),
    metavar="N",
    help="Show the position after N moves; Senet's throws are not counted.  [default: the last]",
)
@click.option(
    "--variation",
    metavar="N[.N...]",
    default="",
    help="Show variation N of the main line; 2.1 is the first variation of variation 2.  "
    "[default: the main line]",
)
@number_option
@click.option("--all", "every", is_flag=True, help="Show every position.")
@click.option(
    "--svg",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    metavar="OUT",
    help="Write the position as a picture, with its last move; - is the standard output.  "
    "[default: draw it in the terminal]",
)
@click.option(
    "--line",
    type=Whole(min=0, max=9),
    metavar="N",
    default=0,
    show_default=True,
    help="In the picture, number the N moves that follow in the record.",
)
@click.option(
    "--mark",
    "marks",
    multiple=True,
    metavar="PLACE[=SIGN]",
    help=f"In the picture, mark a place with {', '.join(SIGNS)} or a label of up to three letters; "
    "may be repeated.  [default: circle]",
)
@click.option("--letters", is_flag=True, help="Shogi: letters instead of kanji.")
@click.option(
    "--flipped", is_flag=True, help="In the picture, shogi and Neutron: turn the board around."
)
@click.option("--force", is_flag=True, help="Overwrite the file of the picture.")
@options_as(PictureOptions, "options")
def show(
    file: Path,
    ply: int | None,
    variation: str,
    number: int | None,
    every: bool,
    options: PictureOptions,
) -> None:
    """Draw positions of the record in FILE, with the comments on their moves.

    FILE is .sgf of any of the five games, .gib, .ngf, .ugf or .ugi of a Go server, or .kif, .kifu,
    .ki2, .ki2u, .csa, .jkf, .usi or .sfen of shogi. The variations of a line are numbered in the
    order in which they begin.
    """
    if every and options.svg is not None:
        raise CouldNotRun("--svg draws one position: choose it by --ply instead of --all")
    if every and ply is not None:
        raise CouldNotRun("--all shows every position: give it or --ply, not both")
    _refuse_idle(options)
    number = number or 1
    drawn = draw_record(file, parse_path(variation) if variation else (), number)
    _refuse_foreign(drawn.game, options)
    for notice in drawn.notices:
        click.echo(f"{file}: {notice}", err=True)
    screen = Screen(letters=options.letters)
    result = "" if variation else _result_of(file, number)
    if every:
        screen.say(drawn.heading)
        position = next(drawn.positions, None)
        while position is not None:
            standing = _draw(screen, position)
            position = next(drawn.positions, None)
            screen.say(result if result and position is None else standing)
    elif options.svg is not None:
        scene = _scene(file, drawn, ply, options)
        _write(options.svg, scene, list(_marks(options.marks)), force=options.force)
    else:
        position = _position(file, drawn, ply)
        screen.say(drawn.heading)
        standing = _draw(screen, position)
        screen.say(result if result and _is_last(drawn) else standing)


def _refuse_idle(options: PictureOptions) -> None:
    """Raise CouldNotRun for options of a picture that would do nothing."""
    if options.svg is None:
        given = {
            "--line": options.line,
            "--mark": options.marks,
            "--flipped": options.flipped,
            "--force": options.force,
        }
        for name, value in given.items():
            if value:
                raise CouldNotRun(f"{name} is for a picture: give --svg OUT as well")
    elif str(options.svg) != "-" and options.svg.suffix.lower() != ".svg":
        raise CouldNotRun(f"--svg {options.svg}: it writes SVG; expected a name that ends in .svg")
    for place, sign in _marks(options.marks):
        if sign not in SIGNS and len(sign) > LABEL:
            raise CouldNotRun(
                f"--mark {place}={sign}: expected {', '.join(SIGNS)} or up to {LABEL} letters"
            )


def _refuse_foreign(game: str, options: PictureOptions) -> None:
    """Raise CouldNotRun for options that do nothing in a game."""
    if options.letters and game != registry.SHOGI:
        raise CouldNotRun(f"--letters is for shogi, and this is a game of {game}")
    if options.flipped and game not in TURNED:
        raise CouldNotRun(f"--flipped is for {' and '.join(TURNED)}, and this is a game of {game}")


def _draw(screen: Screen, position: RecordedPosition) -> str:
    """Draw a position for people, below the move that led to it; return who is to move."""
    rules, at = position.rules, position.position
    screen.say()
    if position.head:
        screen.say(position.head.rstrip())
    scene = Scene(
        rules.name,
        rules.variant,
        setup=rules.setup(at),
        last=position.move,
        marks=position.marks,
    )
    screen.board(draw_lines(scene, screen.look), wooden=rules.name == registry.GO)
    return describe_standing(rules, at, position.ending)


def _result_of(file: Path, number: int) -> str:
    """Say how a game ended, where the record says so and its last position does not show it."""
    try:
        record = read_game(file.name, read_bytes(file), number)
    except QuintetError:  # Of records of Go, more can be drawn than replayed by the rules.
        return ""
    if record.ended is not None:
        return describe_result(*record.ended, registry.rules(record.game).sides)
    return ""


def _is_last(drawn: RecordDiagrams) -> bool:
    """Whether the position that was asked for last is that at the end of the record."""
    try:
        return next(drawn.positions, None) is None
    except QuintetError:
        return False  # There are more moves, which cannot be drawn.


def _position(file: Path, drawn: RecordDiagrams, ply: int | None) -> RecordedPosition:
    """Return the position after a number of moves, or the last one."""
    for position in drawn.positions:
        last = position
        if last.number == ply:
            return last
    if ply is not None:
        raise CouldNotRun(f"{file}: it has {last.number} move{'s' * (last.number != 1)}, not {ply}")
    return last


def _scene(file: Path, drawn: RecordDiagrams, ply: int | None, options: PictureOptions) -> Scene:
    """Return what the picture shows; the record is read on for the line of play."""
    position = _position(file, drawn, ply)
    scene = Scene(
        position.rules.name,
        position.rules.variant,
        setup=position.rules.setup(position.position),
        last=position.move,
        marks=position.marks,
        letters=options.letters,
        flipped=options.flipped,
    )
    following = islice(drawn.positions, options.line)
    return replace(scene, line=tuple(later.move for later in following))


def _marks(texts: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for text in texts:
        place, _, sign = text.partition("=")
        yield place, sign or "circle"


def _write(path: Path, scene: Scene, marks: Sequence[tuple[str, str]], *, force: bool) -> None:
    drawn = picture(replace(scene, marks=(*scene.marks, *marks)))
    if unknown := [place for place, _ in marks if place not in drawn.places]:
        raise CouldNotRun(f"--mark: {unknown[0]!r} is no place of this board")
    if str(path) == "-":
        write_file(drawn.file().encode())
        return
    if path.exists() and not force:
        raise CouldNotRun(f"{path} exists; give --force to overwrite it")
    try:
        write_whole(path, [drawn.file().encode()])
    except OSError as error:
        raise CouldNotRun(f"{path}: {error.strerror}") from error
