"""A page that is no browser: a WebSocket client for tests."""

import json
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Thread
from typing import Any, Self
from urllib.parse import urlsplit

from wsproto import ConnectionType, WSConnection
from wsproto.events import (
    AcceptConnection,
    CloseConnection,
    RejectConnection,
    Request,
    TextMessage,
)
from wsproto.frame_protocol import CloseReason

from tests.tools.waiting import TIMEOUT
from tools.serving.server import LoopbackServer


class Closed(Exception):
    """The server has closed or refused the connection."""

    def __init__(self, code: int) -> None:
        super().__init__(f"closed with code {code}")
        self.code = code


class Page:
    """A connection to the socket of a server."""

    def __init__(
        self, address: str, *, token: str | None = None, origin: str | None = None
    ) -> None:
        parts = urlsplit(address)
        self._socket = socket.create_connection((parts.hostname, parts.port), TIMEOUT)
        self._protocol = WSConnection(ConnectionType.CLIENT)
        self._texts: list[str] = []
        self._parts: list[str] = []
        self._number = 0
        own = f"http://{parts.netloc}"
        headers = [(b"Origin", (own if origin is None else origin).encode())]
        self._send(Request(parts.netloc, "/socket", extra_headers=headers))
        self._accepted = False
        try:
            while not self._accepted:
                self._read()
        except Closed:
            self._socket.close()
            raise
        self.send({"token": parts.fragment.removeprefix("token=") if token is None else token})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def send_text(self, text: str) -> None:
        self._send(TextMessage(text))

    def send(self, message: Mapping[str, Any]) -> None:
        self.send_text(json.dumps(message))

    def receive(self) -> Any:
        """Return the next message; raises Closed."""
        while not self._texts:
            self._read()
        return json.loads(self._texts.pop(0))

    def ask(self, message: Mapping[str, Any]) -> Any:
        """Send a message with a number, and return the answer to it."""
        self._number += 1
        self.send({"id": self._number, **message})
        while True:
            answer = self.receive()
            if answer.get("re") == self._number:
                return answer

    def _send(self, event: Any) -> None:
        self._socket.sendall(self._protocol.send(event))

    def _read(self) -> None:
        data = self._socket.recv(65536)
        self._protocol.receive_data(data or None)
        for event in self._protocol.events():
            if isinstance(event, AcceptConnection):
                self._accepted = True
            elif isinstance(event, RejectConnection):
                raise Closed(event.status_code)
            elif isinstance(event, TextMessage):
                self._parts.append(event.data)
                if event.message_finished:
                    self._texts.append("".join(self._parts))
                    self._parts = []
            elif isinstance(event, CloseConnection):
                raise Closed(int(event.code or CloseReason.NO_STATUS_RCVD))
        if not data:
            raise Closed(0)


@contextmanager
def running(server: LoopbackServer) -> Iterator[LoopbackServer]:
    """Run a server in a thread."""
    thread = Thread(target=server.run)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join(TIMEOUT)
        assert not thread.is_alive()
