"""The command `quintet report`."""

import threading
from pathlib import Path

import click

from tools.commands.errors import CouldNotRun
from tools.commands.serving import serve_page, server_options
from tools.journal.journal import write_whole
from tools.report.data import report_data
from tools.report.live import ReportConversation, Watch
from tools.report.page import is_report, render_page, site


@click.command()
@click.argument(
    "folder", type=click.Path(path_type=Path, exists=True, file_okay=False), metavar="DIR"
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="File of the page.  [default: report.html in DIR]",
)
@click.option("--force", is_flag=True, help="Overwrite FILE even if it is no report.")
@click.option("--live", is_flag=True, help="Serve the page on this machine and keep it up to date.")
@server_options(", with --live")
def report(
    folder: Path, out: Path | None, force: bool, live: bool, port: int, no_browser: bool
) -> None:
    """Write a page about the match or tournament in DIR: one file, for any browser.

    The page has ratings, a cross table, the score and the sequential test over time, endings, times
    per move, openings, and a board that replays every game. It needs no network, and contains the
    names of engines and openings, but no paths and no commands.

    With --live nothing is written: the page is served on this machine only, until Ctrl-C, and
    follows the journal while games are played. Its address contains a secret. Exit status: 0 done,
    2 there is nothing to report.
    """
    if live:
        if out is not None:
            raise CouldNotRun("--live writes no file: leave out --out")
        _serve(folder, port, no_browser=no_browser)
        return
    path = out or folder / "report.html"
    if path.exists() and not is_report(path) and not force:
        raise CouldNotRun(f"{path} exists and is no report; give --force to overwrite it")
    write_whole(path, render_page(report_data(folder)).encode())
    click.echo(path)


def _serve(folder: Path, port: int, *, no_browser: bool) -> None:
    watch = Watch(folder)
    threading.Thread(target=watch.run, daemon=True).start()
    try:
        serve_page(
            site(), lambda send: ReportConversation(watch, send), port, no_browser=no_browser
        )
    finally:
        watch.stop()
