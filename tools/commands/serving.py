"""Serving a page until Ctrl-C, for the commands that have one."""

import webbrowser
from collections.abc import Callable
from typing import Any, TypeVar

import click

from tools.commands.values import Whole
from tools.serving.channel import Converse
from tools.serving.files import Site
from tools.serving.server import LoopbackServer

_Command = TypeVar("_Command", bound=Callable[..., Any])


def server_options(condition: str = "") -> Callable[[_Command], _Command]:
    """Return a decorator that adds `--port` and `--no-browser`; the condition ends their help."""

    def add(command: _Command) -> _Command:
        command = click.option(
            "--no-browser",
            is_flag=True,
            help=f"Print the address without opening a browser{condition}.",
        )(command)
        return click.option(
            "--port",
            type=Whole(0, 65535),
            metavar="N",
            default=0,
            show_default="a free one",
            help=f"Port of the server{condition}.",
        )(command)

    return add


def serve_page(site: Site, converse: Converse, port: int, *, no_browser: bool) -> None:
    """Serve a page until Ctrl-C; print its address, and open it in a browser."""

    def announce() -> None:
        if not no_browser:
            webbrowser.open(server.address)

    server = LoopbackServer(site, converse, port=port, on_ready=announce)
    click.echo(server.address)
    click.echo("Ctrl-C ends the server.", err=True)
    server.run()
