"""The command `quintet convert`."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from tools.commands.errors import CouldNotRun
from tools.commands.terminal import progress_bar, say, write_file
from tools.commands.values import Word
from tools.records.batch import Report, make_plan, run_plan
from tools.records.converting import (
    READABLE,
    WRITABLE,
    Conversion,
    check_formats,
    convert_named,
    convert_record,
    format_of,
    target_format,
    write_conversion,
)
from tools.records.losses import Loss

_PIPE = Path("-")


@click.command()
@click.argument(
    "paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE..."
)
@click.option(
    "--to",
    type=Word(WRITABLE),
    metavar="FORMAT",
    help=f"Write this format: {', '.join(WRITABLE)}.  [default: as TARGET's suffix says]",
)
@click.option(
    "--from",
    "source_format",
    type=Word(READABLE),
    metavar="FORMAT",
    help="Format of the standard input.  [default: none, as files have suffixes]",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Convert all FILEs, and those in folders, into FOLDER.  [default: one FILE to TARGET]",
)
@click.option("--force", is_flag=True, help="Overwrite files.")
@click.option(
    "--strict", is_flag=True, help="End with status 1 if the format cannot hold all of a record."
)
@click.option(
    "--encoding",
    "charset",
    metavar="NAME",
    default="",
    help="Character set of SGF and of other records of Go.  [default: detected]",
)
def convert(
    paths: Sequence[Path],
    to: str | None,
    source_format: str | None,
    out: Path | None,
    force: bool,
    strict: bool,
    charset: str,
) -> None:
    """Convert records: FILE TARGET, or FILE... --to FORMAT --out FOLDER.

    The first form writes the record in FILE to TARGET, in the format of TARGET's suffix or of --to.
    The second form converts several files, and all in the folders among them, which keep their
    places below the folder. A file that cannot be converted is reported, and the others go on. In
    the first form, - is the standard input (with --from) or the standard output (with --to).

    Shogi records are read from .kif, .kifu, .ki2, .ki2u, .csa, .jkf, .usi, .sfen and .sgf, and
    written to all that --to lists. A .csa is version 2.2, or 3.0 if times have fractions of
    seconds; csa2 and csa3 ask for a version. What a format cannot hold is left out, and said: USI,
    for example, keeps only the moves of the main line. If a .csa has several games, and the format
    holds one, they are written to numbered files: game-1.kif, game-2.kif and so on. A .kif and a
    .ki2 are written in Shift_JIS, which all programs for shogi read, a .kifu and a .ki2u in UTF-8.

    An .sgf file of any game becomes a clean .sgf: FF[4], UTF-8, with all variations. So do records
    of Go servers: .gib (Tygem), .ngf (WBaduk), .ugf and .ugi (PandaNET). If the character set that
    the file names does not fit its text, UTF-8 is tried; then the set is guessed among East Asian
    sets (Shift_JIS, EUC-JP, EUC-KR, GB18030, Big5) and European ones (Western, Polish, Russian) by
    the characters that result, with a notice.

    The exit status is 2 if a file could not be converted, and 1 if --strict was given and something
    was left out; the files are written nevertheless.
    """
    if out is not None:
        if to is None:
            raise CouldNotRun("--out needs --to FORMAT")
        if source_format is not None or _PIPE in paths:
            raise CouldNotRun("--out is for files and folders, not for the standard input")
        complete = _convert_all(paths, out, to, force=force, charset=charset)
    else:
        complete = _convert_one(
            *_pair(paths), to or "", source_format or "", force=force, charset=charset
        )
    if strict and not complete:
        raise SystemExit(1)


def _pair(paths: Sequence[Path]) -> tuple[Path, Path]:
    if len(paths) != 2:
        raise CouldNotRun("expected FILE TARGET, or FILE... --to FORMAT --out FOLDER")
    if paths[0].is_dir():
        raise CouldNotRun(f"{paths[0]} is a folder: it needs --to FORMAT and --out FOLDER")
    return paths[0], paths[1]


def _convert_one(
    source: Path, target: Path, to: str, source_format: str, *, force: bool, charset: str
) -> bool:
    """Convert one record; return whether nothing was left out."""
    if source_format and source != _PIPE:
        raise CouldNotRun("--from is for the standard input; a file has a suffix")
    if source == _PIPE and not source_format:
        raise CouldNotRun("the standard input has no suffix: --from FORMAT is needed")
    if target == _PIPE and not to:
        raise CouldNotRun("the standard output has no suffix: --to FORMAT is needed")
    if _PIPE not in (source, target):
        conversion = convert_record(source, target, to=to, charset=charset, overwrite=force)
    else:
        conversion = _convert_piped(source, target, to, source_format, force=force, charset=charset)
    _tell(str(source), conversion)
    return not conversion.losses


def _convert_piped(
    source: Path, target: Path, to: str, source_format: str, *, force: bool, charset: str
) -> Conversion:
    kind = source_format or format_of(source)
    to = target_format(target, to)
    check_formats(kind, to)
    data = sys.stdin.buffer.read() if source == _PIPE else source.read_bytes()
    name = "standard input" if source == _PIPE else str(source)
    conversion = convert_named(data, name, kind, to, charset)
    if target != _PIPE:
        write_conversion(conversion, target, overwrite=force)
        return conversion
    write_file(conversion.files[0])
    rest = Loss("game", len(conversion.files) - 1, "left out: the standard output holds one")
    return replace(conversion, losses=[*conversion.losses, *([rest] if rest.count else [])])


def _convert_all(sources: Sequence[Path], out: Path, to: str, *, force: bool, charset: str) -> bool:
    """Convert several files; return whether nothing was left out."""
    plan = make_plan(sources, out, to)
    if not plan.tasks:
        raise CouldNotRun(f"no files to convert to {to}")
    report = Report(to, out, plan.skipped)
    with progress_bar() as show:
        results = run_plan(plan, to, charset=charset, overwrite=force)
        for number, (task, result) in enumerate(results, 1):
            show(number / len(plan.tasks), task.source.name)
            if isinstance(result, str):
                report.failed += 1
                say(result, err=True)
            else:
                report.add(result)
                _tell(str(task.source), result)
    for line in report.lines():
        click.echo(line)
    if report.failed:
        raise SystemExit(2)
    return not report.losses


def _tell(name: str, conversion: Conversion) -> None:
    for notice in (*conversion.notices, *conversion.losses):
        say(f"{name}: {notice}", err=True)
