"""The checks of every request (host, origin, method), and the headers of every answer.

Another page in the user's browser can send requests to this server. It cannot choose the header
Origin. A name that is rebound to 127.0.0.1 shows in Host.
"""

from collections.abc import Collection
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

_POLICY: Final = (
    "default-src 'self'; connect-src 'self' {sockets}; object-src 'none'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}


class Gate:
    """The outermost application: it refuses what does not come from our own page."""

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        self._app = app
        self._hosts = frozenset(hosts)
        # Safari before 15.4 does not count WebSockets of the same host as 'self'.
        sockets = " ".join(f"ws://{host}" for host in sorted(self._hosts))
        self._headers = {**_HEADERS, "Content-Security-Policy": _POLICY.format(sockets=sockets)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with the reason for which it is refused."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        fault = self._fault(scope)

        async def send_marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self._headers)
            await send(message)

        if not fault:
            await self._app(scope, receive, send_marked)
        elif scope["type"] == "websocket":
            await WebSocketClose(1008, fault)(scope, receive, send)
        else:
            await PlainTextResponse(f"{fault}\n", 403)(scope, receive, send_marked)

    def _fault(self, scope: Scope) -> str:
        """Return why a request is refused, or an empty text."""
        headers = Headers(scope=scope)
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return "this server answers to its own address only"
        own = [f"http://{hosts[0].lower()}"]
        if origins != own and (origins or scope["type"] == "websocket"):
            return "this server answers to its own pages only"
        if scope["type"] == "http" and scope["method"] not in ("GET", "HEAD"):
            return "this server has files to read only"
        return ""
