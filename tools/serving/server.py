"""The server: files and conversations for pages in a browser of the same machine."""

import secrets
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from engines.core.errors import QuintetError
from tools.serving.channel import PATH, Converse, converse_with
from tools.serving.files import Site
from tools.serving.gate import Gate

HOST: Final = "127.0.0.1"
MOST_BYTES: Final = 1 << 23
"""A longer message of a page closes its connection."""

_MOST_CONNECTIONS: Final = 64
_GRACE: Final = 1  # Seconds that connections have to close.


class CannotServe(QuintetError):
    """The port is in use or not allowed; the text names it."""


class LoopbackServer:
    """A server on 127.0.0.1, which owns its port from the beginning.

    `address` is for the user alone: its fragment holds the token. A fragment is never sent to a
    server; the page reads it and shows it in its first message. `on_ready` is called when the
    server answers.
    """

    def __init__(
        self,
        site: Site,
        converse: Converse,
        *,
        port: int = 0,
        on_ready: Callable[[], None] | None = None,
    ) -> None:
        self._site = site
        self._converse = converse
        self._token = secrets.token_urlsafe(24)
        self._socket = _bind(port)
        self.port: int = self._socket.getsockname()[1]
        hosts = [f"{HOST}:{self.port}", f"localhost:{self.port}"]
        config = uvicorn.Config(
            Gate(self._application(), hosts),
            ws="wsproto",
            ws_max_size=MOST_BYTES,
            ws_per_message_deflate=False,  # Nothing is far away, and compressed bombs are refused.
            limit_concurrency=_MOST_CONNECTIONS,
            timeout_graceful_shutdown=_GRACE,
            lifespan="off",
            log_config=None,
            log_level="error",
            access_log=False,
            server_header=False,
            proxy_headers=False,
        )
        self._server = _Server(config, on_ready)

    @property
    def origin(self) -> str:
        """The address without the token."""
        return f"http://{HOST}:{self.port}"

    @property
    def address(self) -> str:
        """The address that the user opens; keep it secret."""
        return f"{self.origin}/#token={self._token}"

    def run(self) -> None:
        """Serve until `stop`; in the main thread, Ctrl-C raises KeyboardInterrupt."""
        self._server.run(sockets=[self._socket])

    def stop(self) -> None:
        """End `run`, from any thread; connections are closed."""
        self._server.should_exit = True

    def _application(self) -> Starlette:
        return Starlette(
            routes=[
                WebSocketRoute(PATH, self._serve_socket),
                Route("/{path:path}", self._serve_file),
            ]
        )

    async def _serve_file(self, request: Request) -> Response:
        file = self._site.get(request.url.path)
        if file is None:
            return PlainTextResponse("no such page\n", 404)
        return Response(file.data, media_type=file.media_type)

    async def _serve_socket(self, websocket: WebSocket) -> None:
        await converse_with(websocket, self._token, self._converse)


class _Server(uvicorn.Server):
    """Uvicorn, which says when it answers."""

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[], None] | None) -> None:
        super().__init__(config)
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._on_ready is not None:
            # A browser may take its time to start, and the loop must not wait for it.
            threading.Thread(target=self._on_ready, daemon=True).start()


def _bind(port: int) -> socket.socket:
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    with suppress(OSError):  # Otherwise a server that ended a moment ago would hold the port.
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((HOST, port))
        bound.listen()  # A page that connects before `run` waits for it.
    except (OSError, OverflowError) as error:
        bound.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise CannotServe(f"cannot serve on port {port}: {reason}") from error
    return bound
